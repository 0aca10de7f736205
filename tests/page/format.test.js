// Numbers, times and cells as people read them.
import "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as State from "../../src/mineproof/web/static/app/board/state.js";
import {
  at,
  cellLabel,
  cellNamed,
  clock,
  columnLabel,
  errorText,
  exactPercent,
  percent,
  sentence,
} from "../../src/mineproof/web/static/app/format.js";
import { parseCell, splitCells } from "../../src/mineproof/web/static/app/panels/proof.js";
import { useCatalogue } from "./catalogue.js";

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

test("numbers are written as the language does", () => {
  useCatalogue("de");
  assert.deepEqual([exactPercent(0.12345), clock(7.126), clock(61.04)].map(plain), ["12,35 %", "7,13 s", "1:01,0"]);
  useCatalogue("en");
  assert.deepEqual([exactPercent(0.12345), clock(7.126), clock(61.04)].map(plain), ["12.35 %", "7.13 s", "1:01.0"]);
});

test("cells are named as on the ruler", () => {
  const columns = [0, 25, 26, 27, 51, 52, 701, 702];
  assert.deepEqual(columns.map(columnLabel), ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
  assert.equal(at([0, 2]), "C1");
  for (const column of columns) assert.deepEqual(cellNamed(columnLabel(column), "7"), [6, column]);
});

test("cells are found in a text, by label or by index", () => {
  const parts = splitCells("C1 and AB12 are safe; (3,4) is not. 3BV, ZiNi, X, A0 and E2E5 name no cell.");
  const cells = parts.map(parseCell).filter((cell) => cell !== null);
  assert.deepEqual(cells, [
    [0, 2],
    [11, 27],
    [3, 4],
  ]);
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

test("a cell is described by its name and its state", () => {
  const state = State.defaults();
  State.setCells(state, { rows: 2, columns: 3, topology: "grid", cells: ["1#F", "0?~"] });
  State.setOdds(state, { mine_probability: [[null, 0.12, 0], [null, 1, null]], safe: [[0, 2]], mines: [[1, 1]] }); // prettier-ignore
  const said = () => [0, 1, 2, 3, 4, 5].map((place) => cellLabel(state, place).split(", ").slice(1).join(", "));
  assert.equal(cellLabel(state, 4), "B2, question mark");
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
  assert(said().every((words) => words === "hidden while paused"));
});

test("a sentence has one full stop", () => {
  assert.equal(sentence("no result"), "no result.");
  for (const whole of ["Stopped.", "Really?", "Looking …"]) assert.equal(sentence(whole), whole);
});

test("an error has no back-ticks", () => {
  assert.equal(errorText(new Error("Expected `board` or `data`")), "Expected board or data");
  assert.equal(errorText("plain"), "plain");
});
