// How numbers and cells are put into words.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as State from "../../src/mineproof/web/static/app/board/state.js";
import { cellLabel, clock, exactPercent, percent, plural } from "../../src/mineproof/web/static/app/words.js";

/** With plain spaces for those at which no line may break. @param {string} text */
const plain = (text) => text.replaceAll("\u00a0", " ");

test("0 and 100 per cent are for what is certain", () => {
  for (const chance of [1e-12, 0.001, 0.0049, 0.005, 0.0149, 0.5, 0.985, 0.9949, 0.995, 0.9951, 1 - 1e-12])
    assert(!["0", "100"].includes(percent(chance)), `${chance}: ${percent(chance)}`);
  assert.deepEqual([0.001, 0.005, 0.125, 0.994, 0.999].map(percent), ["<1", "1", "13", "99", ">99"]);
});

test("tables say 0 and 100 per cent of nothing else", () => {
  assert.deepEqual([0, 1].map(exactPercent).map(plain), ["0 %", "100 %"]);
  assert.deepEqual([1e-9, 1 - 1e-9].map(exactPercent).map(plain), ["< 0.01 %", "> 99.99 %"]);
  for (const chance of [0.00001, 0.0001, 0.00011, 0.3, 0.99989, 0.9999, 0.99991])
    assert(!["0.00 %", "100.00 %"].includes(plain(exactPercent(chance))), `${chance}: ${exactPercent(chance)}`);
});

test("one and many", () => {
  assert.deepEqual(
    [plural(0, "game"), plural(1, "game"), plural(2, "loss", "losses"), plural(1234567, "game")],
    ["0 games", "1 game", "2 losses", "1,234,567 games"],
  );
});

test("seconds have no sixtieth", () => {
  assert.deepEqual([0, 7.126, 59.99, 60, 61.04, 125.5, 3600].map(clock).map(plain), [
    "0.00 s",
    "7.13 s",
    "59.99 s",
    "1:00.0",
    "1:01.0",
    "2:05.5",
    "60:00.0",
  ]);
  for (const seconds of [59.994, 59.996, 59.9999, 119.94, 119.96, 119.999])
    assert(!clock(seconds).includes("60"), `${seconds}: ${clock(seconds)}`);
});

test("a cell is said by its place and what is known of it", () => {
  const state = State.defaults();
  State.setCells(state, { rows: 2, columns: 3, topology: "grid", cells: ["1#F", "0?~"] });
  State.setOdds(state, { mine_probability: [[null, 0.12, 0], [null, 1, null]], safe: [[0, 2]], mines: [[1, 1]] }); // prettier-ignore
  const said = () => [0, 1, 2, 3, 4, 5].map((place) => cellLabel(state, place).split(", ").slice(2).join(", "));
  assert.equal(cellLabel(state, 4), "row 1, column 1, question mark");
  assert.deepEqual(said(), ["1", "covered", "flag", "empty", "question mark", "no cell"]);
  state.overlay = "odds";
  assert.deepEqual(said().slice(1, 5), [
    "covered, 12 percent mine",
    "flag, certainly safe",
    "empty",
    "question mark, certainly a mine",
  ]);
  state.overlay = "certain";
  assert.equal(said()[1], "covered", "a chance is no certainty");
  State.setMarks(state, [["because", [[0, 0]]]]);
  assert.equal(said()[0], "1, part of the proof");
  state.hidden = true;
  assert(said().every((words) => words === "hidden, the game is paused"));
});
