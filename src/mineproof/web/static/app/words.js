/**
 * The words of the page that more than one module says, and how numbers are written. What the library says about a
 * position (hints, deductions, reviews) comes from the server and is not repeated here.
 *
 * @typedef {import("./board/state.js").BoardState} BoardState
 */
import { cellOf, isCovered, isNumber, shownOdds } from "./board/state.js";

/**
 * A chance in per cent, short enough for a cell: never 0 or 100, which are for what is certain.
 * @param {number} chance
 */
export function percent(chance) {
  if (chance < 0.005) return "<1";
  if (chance > 0.995) return ">99";
  return String(Math.min(99, Math.max(1, Math.round(chance * 100))));
}

/** A chance with two decimals, for tables: never 0.00 or 100.00 unless it is exactly that. @param {number} chance */
export function exactPercent(chance) {
  if (chance === 0 || chance === 1) return `${chance * 100}\u00a0%`;
  if (chance < 0.0001) return "<\u00a00.01\u00a0%";
  if (chance > 0.9999) return ">\u00a099.99\u00a0%";
  return `${(chance * 100).toFixed(2)}\u00a0%`;
}

/**
 * A chance to win that games were played for, with as many digits as its error allows; the command does the same.
 * @param {number} chance @param {number} error
 */
export function estimate(chance, error) {
  const digits = error >= 0.005 ? 0 : error >= 0.0005 ? 1 : 2;
  const [about, give] = [chance, error].map((share) => (share * 100).toFixed(digits));
  return `≈\u00a0${about}\u00a0±\u00a0${give}\u00a0%`;
}

/** Numbers and their sign stay on one line. @param {string} text */
export const tied = (text) => text.replaceAll(" %", "\u00a0%");

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Seconds as players write them. @param {number} seconds */
export function clock(seconds) {
  if (seconds < 59.995) return `${seconds.toFixed(2)} s`;
  const tenths = Math.round(seconds * 10);
  return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}

/** @param {[number, number]} cell */
export const at = ([row, column]) => `(${row},${column})`;

/** What is said of a cell: "row 3, column 5, covered, 12 percent mine". @param {BoardState} state @param {number} place */
export function cellLabel(state, place) {
  const [row, column] = cellOf(state, place);
  return `row ${row}, column ${column}, ${said(state, place)}`;
}

const SYMBOLS = new Map([
  ["#", "covered"],
  ["F", "flag"],
  ["?", "question mark"],
  ["~", "no cell"],
  ["*", "mine"],
  ["X", "mine that went off"],
  ["W", "wrong flag"],
  ["0", "empty"],
]);

/** What a mark is called. @param {string} mark */
export const markWords = (mark) => (isNumber(mark) && mark !== "0" ? mark : (SYMBOLS.get(mark) ?? mark));

/** @type {Record<import("./board/state.js").Mark, string>} */
const MARKS = {
  safe: "safe by the hint",
  mine: "mine by the hint",
  because: "part of the proof",
  near: "look here",
  fault: "contradiction",
  best: "best move",
  safest: "safest",
  last: "last move",
  start: "first click",
  suppose: "supposed",
};

/** @param {BoardState} state @param {number} place */
function said(state, place) {
  if (state.hidden) return "hidden, the game is paused";
  const symbol = state.cells[place] ?? "~";
  const parts = [markWords(symbol)];
  if (state.doubtful.has(place)) parts.push("in doubt");
  if (isCovered(symbol) && state.overlay !== "none") {
    const chance = shownOdds(state, place);
    if (state.overlay === "risk" && chance !== null && !state.mines.has(place)) {
      parts.push(chance === 0 ? "no risk so far if opened" : `${percent(chance)} percent lost so far if opened`);
    } else if (state.safe.has(place)) parts.push("certainly safe");
    else if (state.mines.has(place)) parts.push("certainly a mine");
    else if (state.overlay === "odds" && chance !== null) parts.push(`${percent(chance)} percent mine`);
  }
  const mark = state.marks.get(place);
  if (mark) parts.push(MARKS[mark]);
  return parts.join(", ");
}

/** Sizes that have names. @type {[value: string, words: string][]} */
export const LEVELS = [
  ["beginner", "Beginner 9×9, 10 mines"],
  ["intermediate", "Intermediate 16×16, 40 mines"],
  ["expert", "Expert 30×16, 99 mines"],
  ["custom", "Custom size"],
];

/** @type {[value: string, words: string, help: string][]} */
export const TOPOLOGIES = [
  ["grid", "Squares", "A cell touches the eight cells around it."],
  ["torus", "Torus", "Opposite borders are joined: the left border touches the right one, the top the bottom."],
  ["hex", "Hexagons", "A cell touches six others."],
];

/** @type {[value: string, words: string, help: string][]} */
export const FIRST_CLICKS = [
  ["safe", "Safe", "The first cell is never a mine."],
  ["open", "Opens an area", "The first cell has no mine around it either."],
  ["any", "No promise", "The first cell may be a mine."],
];

/** @type {[value: string, words: string, help: string][]} */
export const FAIRNESSES = [
  ["none", "As dealt", "The mines stay where they were dealt. A guess may lose."],
  [
    "forced",
    "Forced guesses are safe",
    "A guess that could not be avoided never loses: the mines move out of its way.",
  ],
  ["kind", "Every guess is safe", "A guess never loses, unless the cell is certainly a mine."],
  ["strict", "Needless guesses lose", "Forced guesses are safe; a guess while something was certain hits a mine."],
];

/**
 * What a failure means to a person.
 * @param {unknown} error
 * @returns {string}
 */
export const failure = (error) => (error instanceof Error ? error.message : String(error));
