// A position that was read from a screenshot: what is in doubt, and what settles it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as Editor from "../../src/mineproof/web/static/app/editor.js";
import * as Screenshot from "../../src/mineproof/web/static/app/screenshot.js";

const FILE = new Blob(["a picture"]);

/** @param {string} rows @param {object} [more] */
function reading(rows, more = {}) {
  const cells = rows.split("/");
  const read = { rows: cells.length, columns: cells[0]?.length ?? 0, cells, total_mines: 3, doubts: [], ...more };
  return /** @type {Wire.ReadingJson} */ (/** @type {unknown} */ (read));
}

const DOUBTS = [
  { cells: [[0, 0], [0, 1]], mark: "1", alternatives: [{ mark: "7", chance: 0.3 }, { mark: "4", chance: 0.001 }] },
  { cells: [[1, 2]], mark: "F", alternatives: [{ mark: "?", chance: 0.001 }, { mark: "#", chance: 0.0005 }] },
]; // prettier-ignore
const doubted = () => Screenshot.fromReading(reading("11#/##F", { doubts: DOUBTS }), FILE);

/** @param {Editor.Position} shown */
const text = (shown) => Editor.rowsOf(shown).join("/");
/** @param {Editor.Position} shown */
const asked = (shown) => [...Screenshot.doubtful(shown)];

describe("a reading", () => {
  test("is a position, with marks that the editor has", () => {
    const shown = Screenshot.fromReading(reading("1?#/*0F"), FILE);
    assert.deepEqual([text(shown), shown.mines, shown.topology], ["1##/F0F", 3, "grid"]);
    assert.deepEqual(asked(shown), []);
  });

  test("asks about groups, and of alternatives about the likely ones or the first", () => {
    const groups = Screenshot.doubts(doubted());
    assert.deepEqual(groups.map(Screenshot.rivals), [["7"], ["?"]]);
    assert.deepEqual(asked(doubted()), [0, 1, 5]);
  });

  test("is nothing to a position from elsewhere", () => {
    const plain = Editor.alone(doubted());
    assert.equal("screenshot" in plain, false);
    assert.deepEqual(Screenshot.doubts(plain), []);
    assert.equal(Screenshot.reread(plain, reading("000/000"), {}), plain);
    assert.equal(Editor.painted(plain, [0], "1"), plain);
  });
});

describe("painting", () => {
  test("settles what was in doubt, also with what was read", () => {
    assert.deepEqual(asked(Editor.painted(doubted(), [0], "7")), [1, 5]);
    const same = Editor.painted(doubted(), [0, 1], "1");
    assert.deepEqual([asked(same), text(same)], [[5], "11#/##F"]);
  });

  test("is undone with its doubt", () => {
    const edits = new Editor.Edits(doubted());
    assert.equal(edits.change(Editor.painted(edits.now, [5], "F")), true);
    assert.deepEqual(asked(edits.now), [0, 1]);
    edits.undo();
    assert.deepEqual(asked(edits.now), [0, 1, 5]);
  });

  test("of a cell that is neither changed nor in doubt is no edit", () => {
    const before = doubted();
    assert.equal(Editor.painted(before, [2], "#"), before);
    const settled = Editor.painted(before, [0], "1");
    assert.equal(Editor.painted(settled, [0], "1"), settled);
  });

  test("by supposing settles nothing", () => {
    const assumed = Editor.assumed(doubted(), 5, "2");
    assert.deepEqual([text(assumed), asked(assumed)], ["11#/##2", [0, 1, 5]]);
  });
});

describe("another look", () => {
  test("is requested with all confirmed cells", () => {
    const first = Screenshot.confirming(/** @type {any} */ (doubted().screenshot), [0, 1], "7");
    const second = Screenshot.confirming(/** @type {any} */ ({ confirmed: first }), [1, 2], "#");
    assert.equal(Screenshot.confirmText(first), "0,1,7");
    assert.equal(Screenshot.confirmText(second), "0,1,7;1,2,#");
    assert.equal(Screenshot.confirmText({}), "");
  });

  test("changes the rest and leaves what was painted or typed", () => {
    const painted = { ...Editor.painted(doubted(), [0], "4"), mines: 9 };
    const confirmed = { "0,1": "7" };
    const again = Screenshot.reread(
      painted,
      reading("77#/##F", { total_mines: 2, doubts: DOUBTS.slice(0, 1) }),
      confirmed,
    );
    assert.deepEqual([text(again), again.mines, asked(again)], ["47#/##F", 9, [1]]);
    assert.deepEqual(again.screenshot?.confirmed, confirmed);
    assert.equal(Screenshot.reread(doubted(), reading("77#/##F", { total_mines: 2 }), {}).mines, 2);
  });
});

describe("a question about the size", () => {
  const top = { side: "up", change: -1, chance: 0.3 };
  const left = { side: "left", change: 1, chance: 0.4 };
  const sized = () => Screenshot.fromReading(reading("11#/##F/12#", { size_doubts: [top, left] }), FILE);
  const shot = (/** @type {Editor.Position} */ shown) => /** @type {any} */ (shown.screenshot);

  test("is in the reading, if there is one", () => {
    assert.deepEqual(Screenshot.sizeDoubts(sized()), [top, left]);
    assert.deepEqual(Screenshot.sizeDoubts(doubted()), []);
  });

  test("is answered by a change of the side, or by none", () => {
    assert.deepEqual(Screenshot.resizing(shot(sized()), top, false), { up: -1 });
    assert.deepEqual(Screenshot.resizing(shot(sized()), top, true), { up: 0 });
    assert.deepEqual(Screenshot.resizing(shot(sized()), left, true), { left: 1 });
    assert.deepEqual(Screenshot.resizing({ ...shot(sized()), size: { up: -1 } }, top, false), { up: -2 });
    assert.equal(Screenshot.sizeText({ up: -1, left: 0 }), "up,-1;left,0");
  });

  test("moves the marks that were confirmed", () => {
    const confirmed = { ...shot(sized()), confirmed: { "0,1": "7", "2,0": "F" } };
    assert.deepEqual(Screenshot.movedMarks(confirmed, { up: -1, left: 1 }), { "1,1": "F" });
  });

  test("gives another board, without what was painted on the old one", () => {
    const painted = Editor.painted(sized(), [0], "4");
    const smaller = Screenshot.resized(painted, reading("##F/12#"), { up: -1 });
    assert.deepEqual([text(smaller), shot(smaller).size, shot(smaller).settled.size], ["##F/12#", { up: -1 }, 0]);
    const same = Screenshot.resized(painted, reading("11#/##F/12#"), { up: 0 });
    assert.deepEqual([text(same), shot(same).settled.size], ["41#/##F/12#", 1]);
  });
});

test("another size and a covered board are not those of the screenshot", () => {
  assert.equal("screenshot" in Editor.resized(doubted(), 3, 3), false);
  assert.equal("screenshot" in Editor.cleared(doubted()), false);
  assert.equal("screenshot" in Editor.resized(doubted(), 2, 3), true);
});
