// The requests that addresses and forms make, advice after a search without result, and the boards of a proof.
import "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { seenBefore } from "../../src/mineproof/web/static/app/panels/certificate.js";
import { advice, layoutOptions } from "../../src/mineproof/web/static/app/screens/generate.js";
import { t } from "../../src/mineproof/web/static/app/messages.js";
import {
  otherMonth,
  puzzleAddress,
  puzzleOptions,
  techniqueOf,
  weeksOf,
} from "../../src/mineproof/web/static/app/practise/address.js";
import { resultText, timeText } from "../../src/mineproof/web/static/app/practise/daily.js";

const EMPTY = "rows=16&columns=16&mines=40&needs=&hardest=&least=&most=&start=&seed=";

test("a named size is sent as its sides, whatever the hidden fields hold", () => {
  const form = new URLSearchParams(`level=expert&topology=grid&first_click=open&${EMPTY}`);
  assert.deepEqual(layoutOptions(form), { rows: 16, columns: 30, mines: 99, topology: "grid", first_click: "open" });
});

test("every option is sent, zeros among them", () => {
  const form = new URLSearchParams(
    "level=custom&rows=4&columns=5&mines=0&topology=hex&first_click=any&no_guess=on&needs=bounds&hardest=total&most=9&start=0,3&seed=0",
  );
  assert.deepEqual(layoutOptions(form), {
    rows: 4, columns: 5, mines: 0, topology: "hex", first_click: "any", no_guess: true, certificate: true,
    needs: "bounds", hardest: "total", bbbv: [null, 9], start: [0, 3], seed: 0,
  }); // prettier-ignore
});

test("techniques are options of boards without guessing only", () => {
  const form = new URLSearchParams("level=beginner&topology=grid&first_click=safe&needs=bounds&hardest=total");
  assert.deepEqual(Object.keys(layoutOptions(form)), ["rows", "columns", "mines", "topology", "first_click"]);
});

test("advice is about the options that were used", () => {
  assert.equal(advice({ bbbv: [80, null] }), t("page-advice-3bv"));
  assert.equal(advice({ needs: "bounds", no_guess: true }), `${t("page-advice-needs")} ${t("page-advice-mines")}`);
  assert.equal(advice({}), t("page-advice-size"));
});

const TECHNIQUES = ["single-open", "single-flag", "partition", "bounds", "exhaustive", "guess"];

test("an address names a puzzle, or a day", () => {
  const options = (/** @type {string} */ query) => puzzleOptions(new URLSearchParams(query), "2026-11-16", TECHNIQUES);
  assert.deepEqual(options("technique=bounds&level=beginner&seed=7"), {
    technique: "bounds",
    level: "beginner",
    seed: 7,
  });
  assert.deepEqual(options("seed=0"), { level: "expert", seed: 0 });
  assert.deepEqual(options("daily=2026-11-16"), { daily: true });
  assert.deepEqual(options("daily=2026-11-16&technique=partition&level=expert&seed=20261116"), { daily: true });
  assert.deepEqual(options("daily=2026-11-15&technique=exhaustive&level=expert&seed=20261115"), { date: "2026-11-15" });
  assert.equal(options("technique=bounds"), null);
  assert.equal(options(""), null);
});

test("an address that names no possible puzzle is bad", () => {
  const bad = ["seed=-1", "seed=x", "seed=99999999999999999", "technique=subset&seed=1", "technique=subset"];
  bad.push("daily=tomorrow", "daily=2026-11-17", "puzzle=x", "puzzle=beginner-9-4", "puzzle=beginner-1-");
  for (const query of bad) {
    assert.equal(puzzleOptions(new URLSearchParams(query), "2026-11-16", TECHNIQUES), "bad", query);
  }
});

test("a hidden technique is not in the address, and comes back from it", () => {
  for (const technique of TECHNIQUES) {
    for (const seed of [0, 7, 4_294_967_295]) {
      const puzzle = /** @type {Wire.PuzzleJson} */ ({ technique, level: "beginner", seed, date: null });
      const address = puzzleAddress(puzzle, true, TECHNIQUES);
      assert.ok(!address.includes(technique));
      assert.deepEqual(puzzleOptions(new URLSearchParams(address), "2026-11-16", TECHNIQUES), {
        technique,
        level: "beginner",
        seed,
      });
      assert.equal(puzzleAddress(puzzle, false, TECHNIQUES), `technique=${technique}&level=beginner&seed=${seed}`);
    }
  }
  assert.equal(
    puzzleAddress(/** @type {Wire.PuzzleJson} */ ({ date: "2026-11-16", technique: "guess" }), true, TECHNIQUES),
    "daily=2026-11-16",
  );
});

test("a month has its weeks from Monday on", () => {
  const weeks = weeksOf("2026-11");
  assert.equal(weeks.length, 6);
  assert.deepEqual(weeks[0], ["", "", "", "", "", "", "2026-11-01"]);
  assert.deepEqual(weeks[5], ["2026-11-30", "", "", "", "", "", ""]);
  assert.equal(weeksOf("2027-02").flat().filter(Boolean).length, 28);
  assert.equal(otherMonth("2026-01", -1), "2025-12");
  assert.equal(otherMonth("2026-12", 1), "2027-01");
});

// `locale` asks for the languages of the browser.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });

test("a result to share says how it went and gives nothing away", () => {
  const day = { date: "2026-11-18", ms: 14_300, streak: 3 };
  const right = resultText({ ...day, tries: [true] }, "http://x/#/practise?daily=2026-11-18");
  assert.match(right, /🟩 Solved in 14 s · 3 days in a row\nhttp:\/\/x\/#\/practise\?daily=2026-11-18$/);
  const second = resultText({ ...day, streak: 1, tries: [false, true] }, "link");
  assert.match(second, /🟥🟩 Solved with 2 tries\nlink$/);
  assert.match(resultText({ ...day, tries: [false, false] }, "link"), /🟥🟥 Not solved/);
  assert.equal(timeText(125_000), "2 min 5 s");
  assert.equal(timeText(10), "1 s");
});

test("a proof shows what was opened and proved before a step, and nothing else", () => {
  /** @type {any} */
  const steps = [
    { mines: [[0, 2]], opened: [] },
    { mines: [], opened: [[1, 2]] },
  ];
  const seen = (/** @type {number} */ step) => seenBefore({ opened: [[0, 1], [1, 1]], steps }, ["F2F", "~31"], step); // prettier-ignore
  assert.deepEqual([0, 1, 2].map(seen), [["#2#", "~3#"], ["#2F", "~3#"], ["#2F", "~31"]]); // prettier-ignore
});

test("links of lessons name a technique and no puzzle", () => {
  const technique = (/** @type {string} */ query) => techniqueOf(new URLSearchParams(query));
  assert.equal(technique("technique=partition"), "partition");
  assert.equal(technique("technique=partition&level=beginner&seed=7"), null);
  assert.equal(technique("daily=2026-11-16&technique=partition"), null);
  assert.equal(technique(""), null);
});
