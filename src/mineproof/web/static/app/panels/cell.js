/**
 * What is known about the position and about one cell of it.
 *
 * @typedef {import("../api.js").Cell} Cell
 *
 * @typedef {object} Known
 * @property {import("../board/state.js").BoardState} state
 * @property {Wire.AnalysisJson | null} analysis the answer of the server
 * @property {Wire.AnalysisJson | null} exact the same with fractions
 * @property {any} trouble why there is no analysis
 */
import { cellOf, index, isCovered } from "../board/state.js";
import { h } from "../dom.js";
import { at, capitalized, errorText, exactPercent } from "../format.js";
import { rounded, t, tn } from "../messages.js";
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
  if (symbol === "~") return t("page-odds-outside");
  if (!isCovered(symbol)) return t("page-odds-number", { number: symbol });
  const isFlag = symbol === "F";
  const chance = state.odds?.[place] ?? null;
  if (isFlag && analysis && chance === null && !state.safe.has(place) && !state.mines.has(place))
    return t("page-odds-trusted-flag");
  const flag = isFlag ? `${t("page-cell-flag")}, ` : "";
  return flag + coveredOdds({ state, analysis, exact, trouble }, cell);
}

/** @type {(known: Known, cell: Cell) => string} */
function coveredOdds({ state, analysis, exact, trouble }, cell) {
  const place = index(state, cell);
  if (trouble)
    return trouble.code === "contradiction"
      ? t("page-odds-contradiction")
      : t("page-odds-trouble", { reason: errorText(trouble) });
  if (!analysis) return t("page-odds-pending");
  if (state.safe.has(place)) return t("page-cell-certainly-safe");
  if (state.mines.has(place)) return t("page-cell-certainly-mine");
  const chance = state.odds?.[place] ?? null;
  if (chance === null) return t("page-odds-need-total");
  const fraction = exact?.["mine_fraction"]?.[cell[0]]?.[cell[1]] ?? "";
  const fields = { chance: exactPercent(chance), fraction };
  return fraction ? t("page-odds-exact", fields) : t("page-odds-mine", fields);
}

/** @param {Known} known @param {import("./answer.js").Desk["point"]} point */
export function verdict(known, point) {
  const { state, analysis, trouble } = known;
  if (!analysis) {
    const head = trouble.code === "contradiction" ? t("page-verdict-contradiction") : t("page-verdict-no-odds");
    return [h("p", { class: "verdict bad" }, head), proofText(capitalized(errorText(trouble)), point)];
  }
  if (isFinished(known)) {
    return [h("p", { class: "verdict good" }, t("page-verdict-finished")), quiet(finishedText(known))];
  }
  const [safe, mines] = [analysis["safe"].length, analysis["mines"].length];
  const certain = [safe && tn("page-verdict-safe", safe), mines && tn("page-verdict-mines", mines)].filter(Boolean);
  const wrong = faults(known).map(at).join(", ");
  const least = Math.min(...(state.odds ?? []).map((chance) => chance ?? 1));
  const safest = at(cellOf(state, state.odds?.indexOf(least) ?? 0));
  const unknown = analysis["total_mines"] === null ? ` ${t("page-verdict-no-total")}` : "";
  return [
    h("p", { class: "verdict" }, certain.join(" · ") || t("page-verdict-nothing")),
    wrong && h("div", { class: "bad" }, proofText(t("page-verdict-wrong-flags", { cells: wrong }), point)),
    quiet(layoutCount(analysis) + unknown),
    !safe && least < 1 && proofText(t("page-verdict-safest", { cell: safest, chance: exactPercent(least) }), point),
  ];
}

/** Whether every covered cell is certainly a mine, or a flag that is trusted. @type {(known: Known) => boolean} */
function isFinished({ state, analysis }) {
  if (!analysis || analysis["safe"].length) return false;
  return state.cells.every((symbol, place) => {
    if (!isCovered(symbol) || state.mines.has(place)) return true;
    return symbol === "F" && (state.odds?.[place] ?? null) === null;
  });
}

/** @type {(known: Known) => string} */
const finishedText = ({ state }) => tn("page-verdict-finished-mines", state.cells.filter(isCovered).length);

/**
 * The question for the number of mines, where it is missing.
 * @param {number[]} totals likely ones @param {(total: number) => void} choose
 */
export function totalQuestion(totals, choose) {
  const other = h("input", { type: "number", min: 0, step: 1, required: true, "aria-label": t("page-total-other"), placeholder: t("page-total-other") }); // prettier-ignore
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    choose(other.valueAsNumber);
  };
  return [
    h("h2", {}, t("page-total-question")),
    h("form", { class: "row", onsubmit: submit },
      totals.map((total) => button(String(total), () => choose(total), { "aria-label": tn("page-total-choose", total) })),
      other,
      h("button", { type: "submit" }, t("page-total-set")),
    ),
  ]; // prettier-ignore
}

/** How many layouts fit. @param {Wire.AnalysisJson} analysis */
function layoutCount({ layouts: count, log10_layouts }) {
  if (count && count.length <= 15) return tn("page-layouts", Number(count));
  const power = Math.floor(log10_layouts);
  return t("page-layouts-about", { factor: rounded(10 ** (log10_layouts - power), 1, 1), power });
}

/**
 * The selected cell: its odds, and what to assume there: a mine, or one of the numbers that are possible.
 * @param {Known} known @param {Cell | null} cell @param {import("./answer.js").Desk["assume"]} assume
 * @param {{number: number, chance: number | null}[] | null} numbers of the cell, if they are known @param {boolean} trusted flags are mines
 */
export function selected(known, cell, assume, numbers, trusted) {
  if (!cell) return [quiet(t("page-select-cell"))];
  const { state, analysis } = known;
  const place = index(state, cell);
  const head = [h("h2", {}, t("page-cell-title", { cell: at(cell) })), h("p", { class: "words" }, odds(known, cell))];
  if (!analysis || !isCovered(state.cells[place]) || state.mines.has(place)) return head;
  const named = { cell: at(cell) };
  /** @param {string} symbol @param {string} face @param {string} name @param {number | null} likely */
  const offer = (symbol, face, name, likely) => {
    const percent = likely === null ? "" : exactPercent(likely);
    const label = [h("b", { class: `n${symbol}` }, face), percent && h("small", {}, `: ${percent}`)];
    const spoken = percent ? `${face}: ${percent}. ${name}` : name; // it begins with what is seen
    return button(label, () => assume(cell, symbol), { class: "small offer", "aria-label": spoken });
  };
  const chance = state.odds?.[place] ?? null;
  const mine = trusted && !state.safe.has(place) && state.cells[place] !== "F" && offer("F", t("page-assume-mine-short"), t("page-assume-mine", named), chance); // prettier-ignore
  const shown = (numbers ?? []).map(({ number, chance: each }) =>
    offer(String(number), String(number), t("page-assume-shows", { ...named, number }), each),
  );
  const safe = chance === null ? t("page-assume-safe") : t("page-assume-safe-odds", { chance: exactPercent(1 - chance) }); // prettier-ignore
  return [
    ...head,
    h("h3", {}, t("page-assume-title")),
    mine && h("div", { class: "row" }, mine),
    h("p", { class: "quiet" }, safe),
    h("div", { class: "row", "aria-busy": String(!numbers) }, numbers ? shown : quiet(t("page-odds-pending"))),
  ];
}
