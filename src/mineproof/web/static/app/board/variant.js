/**
 * The board of a game of a variant: buttons in a grid. Its clues are texts such as "≥2" or "1+3", so they need no
 * canvas. Arrow keys move between cells, of which one can be reached with Tab.
 *
 * @typedef {[number, number]} Cell
 * @typedef {{open: (cell: Cell) => void, flag: (cell: Cell) => void, chord: (cell: Cell) => void}} Moves
 */
import { fill, h, set } from "../dom.js";
import { at, columnLabel, percent } from "../format.js";
import { t } from "../messages.js";

const LONG_PRESS = 450; // milliseconds
const MANY = 8; // cells with the same odds
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The number of a clue that has just one, for its colour. @param {string} label */
const digit = (label) => /^[≥≤]?(\d)\+?$/.exec(label)?.[1] ?? null;

/**
 * A chance that many cells share, which is said once below the board; certain cells always show their sign.
 * @param {Wire.VariantAnalysisJson | null} odds @returns {number | null}
 */
function commonChance(odds) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const chance of odds?.["mine_probability"].flat() ?? [])
    if (chance !== null && chance > 0 && chance < 1) counts.set(chance, (counts.get(chance) ?? 0) + 1);
  const [chance, count] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [0, 0];
  return count >= MANY ? chance : null;
}

export class VariantBoard {
  /** The chance of the covered cells without a number, if odds are shown. @type {number | null} */
  common = null;

  /** @param {string} label @param {Moves} moves @param {() => "open" | "flag"} tap what a press with a finger does */
  constructor(label, moves, tap) {
    this.moves = moves;
    this.tap = tap;
    /** @type {HTMLButtonElement[][]} */
    this.buttons = [];
    /** @type {Wire.LiveVariantJson | null} */
    this.view = null;
    this.element = h("div", { class: "variant-board", role: "grid", "aria-label": label });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** @param {Wire.LiveVariantJson} view @param {Wire.VariantAnalysisJson | null} odds @param {boolean} dark whether every second cell is dark */
  show(view, odds, dark) {
    if (this.view?.["id"] !== view["id"] || this.buttons.length !== view["rows"]) this.#build(view);
    this.view = view;
    /** @type {Map<string, number>} */
    const mines = new Map((view["mines"] ?? []).map(([row, column, count]) => [`${row},${column}`, count])); // prettier-ignore
    const exploded = new Set(view["exploded"].map(String));
    this.common = commonChance(odds);
    this.buttons.forEach((row, r) => {
      row.forEach((button, c) => {
        const token = view["cells"][r]?.[c] ?? "#";
        const covered = token === "#" || token.startsWith("F");
        const place = String([r, c]);
        const mine = covered ? (mines.get(place) ?? 0) : 0;
        const chance = covered && !mine ? (odds?.["mine_probability"][r]?.[c] ?? null) : null;
        const state = mine ? "mine" : token === "#" ? "covered" : covered ? "flag" : "open";
        const text = mine ? (mine > 1 ? `${mine}*` : "*") : token === "#" ? "" : covered ? `⚑${token.slice(1)}` : (view["labels"][r]?.[c] ?? ""); // prettier-ignore
        set(button, {
          class: `variant-cell ${state}${exploded.has(place) ? " exploded" : ""}${dark && (r + c) % 2 ? " dark" : ""}`,
          "data-number": state === "open" ? digit(text) : null,
          "data-odds": chance === null ? null : chance === this.common ? "common" : chance === 0 ? "safe" : chance === 1 ? "mine" : Math.min(4, Math.floor(chance * 5)), // prettier-ignore
          "data-long": text.length > 2 ? (text.length > 3 ? "very" : "") : null,
          "aria-label": `${at([r, c])}, ${this.#spoken(state, token, text, chance)}`,
        });
        const shownOdds = chance === null || chance === this.common ? null : chance === 0 ? "✓" : chance === 1 ? "✕" : `${Math.round(chance * 100)}`; // prettier-ignore
        fill(button, h("span", { "aria-hidden": "true", class: text === "0" ? "zero" : null }, text), shownOdds && h("small", { "aria-hidden": "true" }, shownOdds)); // prettier-ignore
      });
    });
  }

  /** Light up cells, each with the last of its marks. @param {[import("./state.js").Mark, Cell[] | null][]} lights */
  mark(lights) {
    for (const button of this.buttons.flat()) set(button, { "data-mark": null });
    for (const [mark, cells] of lights)
      for (const [row, column] of cells ?? []) {
        const button = this.buttons[row]?.[column];
        if (button) set(button, { "data-mark": mark });
      }
    this.element.classList.toggle("ruled", lights.length > 0);
  }

  /** Put a ring around cells, and around no others. @param {Cell[]} cells */
  ring(cells) {
    const places = new Set(cells.map(String));
    for (const [r, row] of this.buttons.entries())
      for (const [c, button] of row.entries()) button.classList.toggle("ringed", places.has(String([r, c])));
  }

  /** @param {string} state @param {string} token @param {string} text @param {number | null} chance */
  #spoken(state, token, text, chance) {
    const certain = chance === 0 ? t("page-variants-safe") : chance === 1 ? t("page-variants-mine") : null;
    const odds = chance === null ? "" : `, ${certain ?? t("page-cell-odds", { percent: percent(chance) })}`;
    if (state === "covered") return t("page-variants-covered") + odds;
    if (state === "mine") return t("page-variants-mine");
    if (state === "flag") return (token.length > 1 ? t("page-variants-flags", { count: token.slice(1) }) : t("page-variants-flag")) + odds; // prettier-ignore
    return text === "?" ? t("page-variants-no-clue") : text;
  }

  /** @param {Wire.LiveVariantJson} view */
  #build(view) {
    const [rows, columns] = [view["rows"], view["columns"]];
    this.element.style.setProperty("--columns", String(columns));
    this.element.style.setProperty("--rows", String(rows));
    this.buttons = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_unused, column) => this.#cell([row, column])),
    );
    for (const [column, button] of this.buttons[0]?.entries() ?? [])
      set(button, { "data-column": columnLabel(column) });
    fill(this.element, this.buttons.map((row, place) => h("div", { role: "row", "data-row": place + 1 }, row))); // prettier-ignore
  }

  /** @param {Cell} cell */
  #cell(cell) {
    const [row, column] = cell;
    const button = h("button", { type: "button", role: "gridcell", tabindex: row + column ? -1 : 0 });
    let timer = 0;
    let held = false;
    let touched = false;
    button.addEventListener("pointerdown", (event) => {
      touched = event.pointerType === "touch";
      held = false;
      if (!touched) return;
      timer = setTimeout(() => {
        held = true;
        if (this.tap() === "open") this.moves.flag(cell);
        else this.#open(cell);
      }, LONG_PRESS);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"])
      button.addEventListener(end, () => clearTimeout(timer));
    button.addEventListener("click", () => {
      if (held) held = false;
      else if (touched && this.tap() === "flag" && this.#isCovered(cell)) this.moves.flag(cell);
      else this.#open(cell);
    });
    button.addEventListener("contextmenu", () => {
      if (!touched) this.moves.flag(cell);
    });
    button.addEventListener("auxclick", (event) => {
      if (event.button === 1) this.moves.chord(cell);
    });
    button.addEventListener("focus", () => {
      for (const other of this.buttons.flat()) other.tabIndex = other === button ? 0 : -1;
    });
    return button;
  }

  /** @param {Cell} cell */
  #isCovered(cell) {
    const token = this.view?.["cells"][cell[0]]?.[cell[1]] ?? "#";
    return token === "#" || token.startsWith("F");
  }

  /** Open a covered cell, or the cells around a clue. @param {Cell} cell */
  #open(cell) {
    if (this.#isCovered(cell)) this.moves.open(cell);
    else this.moves.chord(cell);
  }

  /** The cell that has the focus. @returns {Cell | null} */
  focused() {
    for (const [r, row] of this.buttons.entries())
      for (const [c, button] of row.entries()) if (button === document.activeElement) return [r, c];
    return null;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const cell = this.focused();
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const key = event.key.toLowerCase();
    if (step) this.buttons[cell[0] + step[0]]?.[cell[1] + step[1]]?.focus();
    else if (key === "f") this.moves.flag(cell);
    else if (key === "c") this.moves.chord(cell);
    else return;
    event.preventDefault();
  }
}
