/**
 * Numbers, times and cells as people read them, and the choices that more than one screen offers. What the library says
 * about a position (hints, deductions, reviews) comes from the server and is not repeated here.
 *
 * @typedef {import("./board/state.js").BoardState} BoardState
 */
import { cellOf, isCovered, isNumber, shownOdds } from "./board/state.js";
import { number, t } from "./messages.js";

/**
 * A chance in per cent, short enough for a cell: never 0 or 100, which are for what is certain.
 * @param {number} chance
 */
export function percent(chance) {
  if (chance < 0.005) return "<1";
  if (chance > 0.995) return ">99";
  return String(Math.min(99, Math.max(1, Math.round(chance * 100))));
}

/** A number with its sign on the same line. @param {string} digits */
const withSign = (digits) => t("page-percent", { number: digits });

/** A chance with two decimals, for tables: never 0.00 or 100.00 unless it is exactly that. @param {number} chance */
export function exactPercent(chance) {
  if (chance === 0 || chance === 1) return withSign(number(chance * 100));
  if (chance < 0.0001) return `<\u00a0${withSign(number(0.01, 2))}`;
  if (chance > 0.9999) return `>\u00a0${withSign(number(99.99, 2))}`;
  return withSign(number(chance * 100, 2));
}

/** A share without decimals. @param {number} share */
export const wholePercent = (share) => withSign(number(share * 100));

/** Accuracy from 0 to 100; 100 only if it is exactly that. @param {number} accuracy from 0 to 1 */
export const accuracyText = (accuracy) => wholePercent(Math.floor(100 * accuracy + 1e-9) / 100);

/**
 * A chance to win that games were played for, with as many digits as its error allows; the command does the same.
 * @param {number} chance @param {number} error
 */
export function estimate(chance, error) {
  const digits = error >= 0.005 ? 0 : error >= 0.0005 ? 1 : 2;
  const [value, margin] = [chance, error].map((share) => number(share * 100, digits));
  return `≈\u00a0${withSign(`${value}\u00a0±\u00a0${margin}`)}`;
}

/** Keep numbers and their sign on one line. @param {string} text */
export const keepPercents = (text) => text.replaceAll(" %", "\u00a0%");

/** Seconds as players write them. @param {number} seconds */
export function clock(seconds) {
  if (seconds < 59.995) return t("page-seconds", { number: number(seconds, 2) });
  const tenths = Math.round(seconds * 10);
  const rest = number((tenths % 600) / 10, 1);
  return `${Math.floor(tenths / 600)}:${rest.padStart(4, "0")}`;
}

/** The letters of a column on the ruler: A to Z, then AA, AB and so on. @param {number} column from 0 */
export function columnLabel(column) {
  let letters = "";
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  return letters;
}

/** The number of a row on the ruler. @param {number} row from 0 */
export const rowLabel = (row) => String(row + 1);

/** The name of a cell on the ruler: C1. @param {[number, number]} cell */
export const at = ([row, column]) => columnLabel(column) + rowLabel(row);

/** The cell of a name: [0, 2] of C1. @param {string} letters @param {string} digits @returns {[number, number]} */
export const cellNamed = (letters, digits) => [
  Number(digits) - 1,
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1,
];

/** What a screen reader says about a cell: "C1, covered, 12 percent mine". @param {BoardState} state @param {number} place */
export const cellLabel = (state, place) =>
  t("page-cell-label", { cell: at(cellOf(state, place)), state: describe(state, place) });

/** @type {Map<string, string>} */
const SYMBOL_KEYS = new Map([
  ["#", "page-cell-covered"],
  ["F", "page-cell-flag"],
  ["?", "page-cell-question"],
  ["~", "page-cell-none"],
  ["*", "page-cell-mine"],
  ["X", "page-cell-exploded"],
  ["W", "page-cell-wrong-flag"],
  ["0", "page-cell-empty"],
]);

/** The name of a symbol. @param {string} symbol */
export function symbolName(symbol) {
  const key = SYMBOL_KEYS.get(symbol);
  return key && (!isNumber(symbol) || symbol === "0") ? t(key) : symbol;
}

/** @type {Record<import("./board/state.js").Mark, string>} */
const MARK_KEYS = {
  safe: "page-mark-safe",
  mine: "page-mark-mine",
  because: "page-mark-because",
  near: "page-mark-near",
  fault: "page-mark-fault",
  best: "page-mark-best",
  safest: "page-mark-safest",
  last: "page-mark-last",
  start: "page-mark-start",
  assume: "page-mark-assume",
};

/** @param {BoardState} state @param {number} place */
function describe(state, place) {
  if (state.hidden) return t("page-cell-hidden");
  const symbol = state.cells[place] ?? "~";
  const parts = [symbolName(symbol)];
  if (state.doubtful.has(place)) parts.push(t("page-cell-unclear"));
  if (isCovered(symbol) && state.overlay !== "none") {
    const chance = shownOdds(state, place);
    if (state.overlay === "risk" && chance !== null && !state.mines.has(place)) {
      parts.push(chance === 0 ? t("page-cell-no-risk") : t("page-cell-risk", { percent: percent(chance) }));
    } else if (state.safe.has(place)) parts.push(t("page-cell-certainly-safe"));
    else if (state.mines.has(place)) parts.push(t("page-cell-certainly-mine"));
    else if (state.overlay === "odds" && chance !== null) parts.push(t("page-cell-odds", { percent: percent(chance) }));
  }
  const mark = state.marks.get(place);
  if (mark) parts.push(t(MARK_KEYS[mark]));
  return parts.join(", ");
}

/** Sizes that have names. @returns {[value: string, label: string][]} */
export const levels = () => [
  ["beginner", t("page-size-beginner")],
  ["intermediate", t("page-size-intermediate")],
  ["expert", t("page-size-expert")],
  ["custom", t("page-size-custom")],
];

/** @returns {[value: string, label: string, help: string][]} */
export const topologies = () => [
  ["grid", t("page-shape-grid"), t("page-shape-grid-help")],
  ["torus", t("page-shape-torus"), t("page-shape-torus-help")],
  ["hex", t("page-shape-hex"), t("page-shape-hex-help")],
  ["cylinder", t("page-shape-cylinder"), t("page-shape-cylinder-help")],
  ["moebius", t("page-shape-moebius"), t("page-shape-moebius-help")],
  ["triangles", t("page-shape-triangles"), t("page-shape-triangles-help")],
  ["knight", t("page-shape-knight"), t("page-shape-knight-help")],
  ["orthogonal", t("page-shape-orthogonal"), t("page-shape-orthogonal-help")],
  ["cross", t("page-shape-cross"), t("page-shape-cross-help")],
  ["radius2", t("page-shape-radius2"), t("page-shape-radius2-help")],
  ["octagons", t("page-shape-octagons"), t("page-shape-octagons-help")],
  ["cube", t("page-shape-cube"), t("page-shape-cube-help")],
  ["sphere", t("page-shape-sphere"), t("page-shape-sphere-help")],
];

/** @returns {[value: string, label: string, help: string][]} */
export const firstClicks = () => [
  ["safe", t("page-first-safe"), t("page-first-safe-help")],
  ["open", t("page-first-open"), t("page-first-open-help")],
  ["any", t("page-first-any"), t("page-first-any-help")],
];

/** @returns {[value: string, label: string, help: string][]} */
export const fairnesses = () => [
  ["none", t("page-fairness-none"), t("page-fairness-none-help")],
  ["forced", t("page-fairness-forced"), t("page-fairness-forced-help")],
  ["kind", t("page-fairness-kind"), t("page-fairness-kind-help")],
  ["strict", t("page-fairness-strict"), t("page-fairness-strict-help")],
  ["safest", t("page-fairness-safest"), t("page-fairness-safest-help")],
  ["local", t("page-fairness-local"), t("page-fairness-local-help")],
];

/** The message of an error, without the back-ticks that are for programs. @param {unknown} error @returns {string} */
export const errorText = (error) => (error instanceof Error ? error.message : String(error)).replaceAll("`", "");

/** A text that begins with a capital letter. @param {string} text */
export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text with its full stop. @param {string} text */
export const sentence = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);
