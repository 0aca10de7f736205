// What addresses and forms ask the server for, what is loosened where nothing was found, and what a proof has shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { seenBefore } from "../../src/mineproof/web/static/app/panels/certificate.js";
import { advice, wishes } from "../../src/mineproof/web/static/app/screens/generate.js";
import { techniqueBy, wantedBy } from "../../src/mineproof/web/static/app/screens/practise.js";

const EMPTY = "rows=16&columns=16&mines=40&needs=&hardest=&least=&most=&start=&seed=";

test("a named size is asked for by its sides, whatever the hidden fields say", () => {
  const asked = new URLSearchParams(`level=expert&topology=grid&first_click=open&${EMPTY}`);
  assert.deepEqual(wishes(asked), { rows: 16, columns: 30, mines: 99, topology: "grid", first_click: "open" });
});

test("every wish is asked for, zeros among them", () => {
  const asked = new URLSearchParams(
    "level=custom&rows=4&columns=5&mines=0&topology=hex&first_click=any&no_guess=on&needs=bounds&hardest=total&most=9&start=0,3&seed=0",
  );
  assert.deepEqual(wishes(asked), {
    rows: 4, columns: 5, mines: 0, topology: "hex", first_click: "any", no_guess: true, certificate: true,
    needs: "bounds", hardest: "total", bbbv: [null, 9], start: [0, 3], seed: 0,
  }); // prettier-ignore
});

test("techniques are wishes for boards without a guess only", () => {
  const asked = new URLSearchParams("level=beginner&topology=grid&first_click=safe&needs=bounds&hardest=total");
  assert.deepEqual(Object.keys(wishes(asked)), ["rows", "columns", "mines", "topology", "first_click"]);
});

test("what is loosened is what was asked for", () => {
  assert.equal(advice({ bbbv: [80, null] }), " To find one: widen the range of 3BV.");
  assert.equal(
    advice({ needs: "bounds", no_guess: true }),
    " To find one: ask for an easier technique, or take fewer mines, or allow guesses.",
  );
});

test("an address names a puzzle, the one of the day only on its day", () => {
  const wanted = (/** @type {string} */ query) => wantedBy(new URLSearchParams(query), "2026-11-16");
  assert.deepEqual(wanted("technique=bounds&level=beginner&seed=7"), {
    technique: "bounds",
    level: "beginner",
    seed: 7,
  });
  assert.deepEqual(wanted("seed=0"), { level: "expert", seed: 0 });
  assert.deepEqual(wanted("daily=2026-11-16&technique=partition&level=expert&seed=20261116"), { daily: true });
  assert.deepEqual(wanted("daily=2026-11-15&technique=exhaustive&level=expert&seed=20261115"), {
    technique: "exhaustive",
    level: "expert",
    seed: 20261115,
  });
  assert.deepEqual(wanted("daily=2026-11-01"), { daily: true }); // it does not say which technique: today's
  assert.equal(wanted("technique=bounds"), null);
  assert.equal(wanted("seed=-1"), null);
});

test("a proof shows what was opened and proved before a step, and nothing else", () => {
  const steps = [
    { mines: [[0, 2]], opened: [] },
    { mines: [], opened: [[1, 2]] },
  ];
  const seen = (/** @type {number} */ step) => seenBefore({ opened: [[0, 1], [1, 1]], steps }, ["F2F", "~31"], step); // prettier-ignore
  assert.deepEqual([0, 1, 2].map(seen), [["#2#", "~3#"], ["#2F", "~3#"], ["#2F", "~31"]]); // prettier-ignore
});

test("links of lessons name a technique and no puzzle", () => {
  const asked = (/** @type {string} */ query) => techniqueBy(new URLSearchParams(query));
  assert.equal(asked("technique=partition"), "partition");
  assert.equal(asked("technique=partition&level=beginner&seed=7"), null);
  assert.equal(asked("daily=2026-11-16&technique=partition"), null);
  assert.equal(asked(""), null);
});
