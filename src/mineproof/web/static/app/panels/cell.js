/**
 * What is known, in words: of the position, and of one cell of it.
 *
 * @typedef {import("../api.js").Document} Document
 * @typedef {import("../api.js").Cell} Cell
 *
 * @typedef {object} Known
 * @property {import("../board/state.js").BoardState} state
 * @property {Document | null} analysis what the server said
 * @property {Document | null} exact the same with fractions
 * @property {any} trouble why there is no analysis
 */
import { cellOf, index, isCovered } from "../board/state.js";
import { h } from "../dom.js";
import { at, exactPercent, failure, plural } from "../words.js";
import { button, quiet } from "./parts.js";
import { proofText } from "./proof.js";

/** Numbers that cannot be true together, and flags that are wrong. @type {(known: Known) => Cell[]} */
export function faults({ state, trouble }) {
  if (trouble) return [...(trouble.cells ?? []), ...(trouble.document?.wrong_flags ?? [])];
  return [...state.safe].filter((place) => state.cells[place] === "F").map((place) => cellOf(state, place));
}

/** @type {(known: Known, cell: Cell) => string} */
export function odds({ state, analysis, exact, trouble }, cell) {
  const place = index(state, cell);
  const symbol = state.cells[place] ?? "~";
  if (symbol === "~") return "outside the board";
  if (!isCovered(symbol)) return `shows ${symbol}`;
  const flag = symbol === "F" ? "flag, " : "";
  if (trouble) return `${flag}no odds: ${trouble.code === "contradiction" ? "no layout fits" : failure(trouble)}`;
  if (!analysis) return `${flag}no odds yet`;
  if (state.safe.has(place)) return `${flag}certainly safe`;
  if (state.mines.has(place)) return `${flag}certainly a mine`;
  const chance = state.odds?.[place] ?? null;
  if (chance === null) return flag ? "flag, taken for a mine" : "not certain; its odds need the total of mines";
  const fraction = exact?.["mine_fraction"][cell[0]][cell[1]];
  return `${flag}${exactPercent(chance)} mine${fraction ? `, exactly ${fraction}` : ""}`;
}

/** @param {Known} known @param {import("./asked.js").Desk["point"]} point */
export function verdict(known, point) {
  const { state, analysis, trouble } = known;
  if (!analysis) {
    const text = failure(trouble);
    const head = trouble.code === "contradiction" ? "No layout fits" : "No odds";
    return [h("p", { class: "verdict bad" }, head), proofText(text.charAt(0).toUpperCase() + text.slice(1), point)];
  }
  const [safe, mines] = [analysis["safe"].length, analysis["mines"].length];
  const certain = `Certain: ${plural(safe, "safe cell")}, ${plural(mines, "mine")}`;
  const wrong = faults(known).map(at).join(", ");
  const least = Math.min(...(state.odds ?? []).map((chance) => chance ?? 1));
  const safest = at(cellOf(state, state.odds?.indexOf(least) ?? 0));
  const unknown = analysis["total_mines"] === null ? " There are no odds without the total of mines." : "";
  return [
    h("p", { class: "verdict" }, safe || mines ? certain : "Nothing is certain"),
    wrong && h("div", { class: "bad" }, proofText(`Wrong flags, on cells that are certainly safe: ${wrong}`, point)),
    quiet(layouts(analysis) + unknown),
    !safe && least < 1 && proofText(`The safest cell is ${safest}: ${exactPercent(least)} mine.`, point),
  ];
}

/** How many layouts fit. @param {Document} analysis */
function layouts({ layouts: count, log10_layouts }) {
  if (count === "1") return "One layout fits.";
  if (count && count.length <= 15) return `${Number(count).toLocaleString("en")} layouts fit.`;
  const power = Math.floor(log10_layouts);
  return `About ${(10 ** (log10_layouts - power)).toFixed(1)} × 10^${power} layouts fit.`;
}

/**
 * The selected cell: its odds, and what it may show, to walk on.
 * @param {Known} known @param {Cell | null} cell @param {import("./asked.js").Desk["suppose"]} suppose
 * @param {Document | null} best the decision table, if it is known
 */
export function selected(known, cell, suppose, best) {
  if (!cell) return [quiet("With the tool Look, tap a cell to see its odds and to suppose what it shows.")];
  const { state, analysis } = known;
  const place = index(state, cell);
  const told = [h("h2", {}, `Cell ${at(cell)}`), h("p", { class: "words" }, odds(known, cell))];
  if (!analysis || !isCovered(state.cells[place]) || state.mines.has(place)) return told;
  const move = best?.["moves"].find((/** @type {Document} */ one) => String(one["cell"]) === String(cell));
  /** @type {Map<number, number>} */
  const chances = new Map(move?.["outlook"].map((/** @type {Document} */ one) => [one["number"], one["chance"]]));
  const buttons = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((number) => {
    const chance = chances.get(number);
    const words = chance === undefined ? String(number) : `${number}: ${exactPercent(chance)}`;
    const press = () => suppose(cell, String(number));
    return (
      (!chances.size || chance) &&
      button(words, press, { class: "small", "aria-label": `Suppose ${at(cell)} shows ${words}` })
    );
  });
  const help = h("p", { class: "help" }, "Best move tells which numbers its first cells can show, with their chances.");
  return [...told, h("h3", {}, "Suppose it shows"), h("div", { class: "row" }, buttons), !chances.size && help];
}
