// The editor of positions: every edit, undo and redo, assumptions, and what goes into text and links.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as Editor from "../../src/mineproof/web/static/app/editor.js";

/**
 * @param {string} rows
 * @param {Partial<Editor.Position>} [more]
 */
function position(rows, more = {}) {
  const cells = rows.split("/");
  const [rows_, columns] = [cells.length, cells[0]?.length ?? 0];
  /** @type {Wire.BoardJson} */
  const board = { schema: "mineproof/board/1", rows: rows_, columns, topology: "grid", total_mines: null, cells };
  return { ...Editor.fromBoard(board), ...more };
}

/** @param {Editor.Position} shown */
const text = (shown) => Editor.rowsOf(shown).join("/");

describe("painting", () => {
  test("changes the cells it names, and leaves the position before as it was", () => {
    const before = position("1#/##");
    const after = Editor.painted(before, [1, 2], "F");
    assert.equal(text(after), "1F/F#");
    assert.equal(text(before), "1#/##");
  });

  test("with what is there already is no edit", () => {
    const before = position("1#/##");
    assert.equal(Editor.painted(before, [1, 3], "#"), before);
  });

  test("fills equal cells whose sides touch, not those at a corner", () => {
    const filled = position("##1#/#1##/1###");
    assert.deepEqual(Editor.area(filled, 0).sort(), [0, 1, 4]);
    assert.deepEqual(Editor.area(filled, 2), [2]);
  });

  test("fills over the border of a torus, and all six sides of a hexagon", () => {
    assert.deepEqual(Editor.area(position("#1#/111/#1#", { topology: "torus" }), 0).sort(), [0, 2, 6, 8]);
    assert.deepEqual(Editor.area(position("#11/#11", { topology: "hex" }), 0).sort(), [0, 3]);
    assert.deepEqual(Editor.area(position("1#1/#11", { topology: "hex" }), 1).sort(), [1, 3]);
  });

  test("covers every cell that is on the board", () => {
    assert.equal(text(Editor.cleared(position("1F~/0#8"))), "##~/###");
  });
});

describe("another size", () => {
  test("keeps what is within it and covers what is new", () => {
    assert.equal(text(Editor.resized(position("123/45F"), 3, 2)), "12/45/##");
    assert.equal(text(Editor.resized(position("12/45"), 2, 4)), "12##/45##");
    assert.equal(text(Editor.resized(position("12/45"), 1, 1)), "1");
  });

  test("that is the same is no edit", () => {
    const before = position("12/45");
    assert.equal(Editor.resized(before, 2, 2), before);
  });
});

describe("assumptions", () => {
  test("are walked on and back, and other edits stay", () => {
    const first = Editor.assumed(position("##F/###"), 0, "1");
    const second = Editor.assumed(first, 2, "2");
    const edited = Editor.painted(second, [5], "F");
    assert.equal(text(edited), "1#2/##F");
    assert.equal(text(Editor.withdrawn(edited, 1)), "1#F/##F");
    assert.equal(text(Editor.withdrawn(edited, 0)), "##F/##F");
    assert.deepEqual(Editor.withdrawn(edited, 0).trail, []);
  });

  test("are about covered cells only", () => {
    const before = position("1~/##");
    assert.equal(Editor.assumed(before, 0, "2"), before);
    assert.equal(Editor.assumed(before, 1, "2"), before);
  });

  test("end where their cell is painted over or the size changes", () => {
    const both = Editor.assumed(Editor.assumed(position("##/##"), 0, "1"), 1, "1");
    assert.deepEqual(
      Editor.painted(both, [0], "2").trail.map(({ place }) => place),
      [1],
    );
    assert.deepEqual(Editor.resized(both, 3, 3).trail, []);
  });
});

describe("edits", () => {
  test("are undone and done again", () => {
    const edits = new Editor.Edits(position("##"));
    assert.equal(edits.canUndo || edits.canRedo, false);
    edits.change(Editor.painted(edits.now, [0], "1"));
    edits.change(Editor.painted(edits.now, [1], "F"));
    assert(edits.undo());
    assert.equal(text(edits.now), "1#");
    assert(edits.undo());
    assert.equal(edits.undo(), false);
    assert(edits.redo());
    assert(edits.redo());
    assert.equal(text(edits.now), "1F");
    assert.equal(edits.redo(), false);
  });

  test("a stroke is one edit", () => {
    const edits = new Editor.Edits(position("####"));
    for (const place of [0, 1, 2]) edits.change(Editor.painted(edits.now, [place], "1"), true);
    edits.end();
    edits.change(Editor.painted(edits.now, [3], "1"), true);
    edits.undo();
    assert.equal(text(edits.now), "111#");
    edits.undo();
    assert.equal(text(edits.now), "####");
  });

  test("a new edit forgets what was undone; no edit does not", () => {
    const edits = new Editor.Edits(position("##"));
    edits.change(Editor.painted(edits.now, [0], "1"));
    edits.undo();
    assert.equal(edits.change(edits.now), false);
    assert(edits.canRedo);
    edits.change(Editor.painted(edits.now, [1], "2"));
    assert.equal(edits.canRedo, false);
  });
});

describe("what is written", () => {
  test("a question has a total and a topology", () => {
    assert.deepEqual(Editor.question(position("1#/##", { mines: 1 })), { board: "1#/##", topology: "grid", mines: 1 });
    assert.deepEqual(Editor.question(position("1#/##")), { board: "1#/##", topology: "grid" });
  });

  test("text has a first line where it says something", () => {
    assert.equal(Editor.toText(position("1#/##")), "1#\n##");
    assert.equal(Editor.toText(position("1##/###", { mines: 1 })), "3x2x1\n1##\n###");
    assert.equal(Editor.toText(position("1#", { topology: "torus" })), "2x1x? torus\n1#");
  });

  test("a link is short, and read back by an address it is the same", () => {
    assert.equal(Editor.toLink(position("1#/F#", { mines: 2 })), "board=1H/FH&mines=2");
    const outside = Editor.toLink(position("1#/~#", { topology: "hex" }));
    assert.equal(outside, "board=1%23/~%23&topology=hex");
    assert.equal(new URLSearchParams(outside).get("board"), "1#/~#");
  });

  test("a layout is seen covered, and its link tells the mines", () => {
    /** @type {Editor.Layout} */
    const layout = { rows: 2, columns: 3, mines: [[0, 2], [1, 0]], absent: [[1, 2]], topology: "grid" }; // prettier-ignore
    const seen = Editor.fromLayout(layout);
    assert.equal(text(seen), "###/##~");
    assert.equal(seen.mines, 2);
    assert.equal(Editor.toLink(seen).includes("*"), false);
    assert.equal(Editor.toLayoutLink(layout), "layout=..*/*.~");
  });
});

describe("likely totals", () => {
  const totals = (/** @type {number} */ rows, /** @type {number} */ columns, symbol = "#") =>
    Editor.likelyTotals({ rows, columns, cells: Array(rows * columns).fill(symbol) });

  test("the size of a program comes first", () => {
    assert.equal(totals(8, 10)[0], 10);
    assert.equal(totals(14, 18)[0], 40);
    assert.equal(totals(20, 24)[0], 99);
    assert.equal(totals(9, 9)[0], 10);
    assert.equal(totals(16, 16)[0], 40);
    assert.equal(totals(16, 30)[0], 99);
    assert.equal(totals(30, 16)[0], 99);
  });

  test("any other size has the usual densities", () => {
    assert.deepEqual(totals(10, 10), [12, 16, 21]);
  });

  test("flags and covered cells are the bounds", () => {
    assert.deepEqual(totals(9, 9, "F"), []);
    assert.deepEqual(totals(9, 9, "1"), []);
    assert.deepEqual(totals(1, 2), [1]);
  });
});
