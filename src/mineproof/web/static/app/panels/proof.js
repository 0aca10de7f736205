/**
 * The text of a proof. Cells that it names, as "C1" on the ruler, "(0,2)" by index or by a token of the server, are
 * chips: buttons that show the cell. A token such as ⟦1|0,2⟧ reads "this 1", and ⟦safe|0,3;0,4⟧ "these 2 cells".
 * `ProofSteps` shows one sentence at a time and lights up what it speaks of.
 *
 * @typedef {[number, number]} Cell
 * @typedef {import("../board/state.js").Mark} Mark
 * @typedef {{role: string, cells: Cell[]}} Chip the role is the value of a number, or name, cell, safe, mine, suppose
 * @typedef {"best" | "safest" | "last"} Sign what the board shows on a named cell: a star, a dashed border, the player's choice
 * @typedef {((cell: Cell | null, cells?: Cell[]) => void) & {draw?: (arrows: import("../board/arrows.js").Arrow[]) => void, state?: import("../board/state.js").BoardState}} Point
 *   show cells, or no longer; `draw` draws arrows on the same board
 */
import { arrowsOn, touching } from "../board/arrows.js";
import { fill, h, set } from "../dom.js";
import { at, capitalized, cellNamed, keepPercents } from "../format.js";
import { language, t, tn } from "../messages.js";
import { button } from "./parts.js";

const CELL = /(⟦[\w+]+\|[\d,;]+⟧|\(\d+,\d+\)|(?<!\w)[A-Z]{1,3}[1-9]\d{0,3}(?!\w))/;
const CHIP = /^⟦([\w+]+)\|([\d,;]+)⟧$/;
const INDEX = /^\((\d+),(\d+)\)$/;
const LABEL = /^([A-Z]+)(\d+)$/;
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}\d⟦])/u;

/** The cells that a part of a text names, or null. @param {string} text @returns {Chip | null} */
export function parseChip(text) {
  const chip = CHIP.exec(text);
  if (!chip) {
    const cell = parseCell(text);
    return cell && { role: "name", cells: [cell] };
  }
  const cells = (chip[2] ?? "").split(";").map((cell) => /** @type {Cell} */ (cell.split(",").map(Number)));
  return { role: chip[1] ?? "", cells };
}

/** The cell that a part of a text names, or null. @param {string} text @returns {Cell | null} */
export function parseCell(text) {
  const index = INDEX.exec(text);
  if (index) return [Number(index[1]), Number(index[2])];
  const label = LABEL.exec(text);
  return label ? cellNamed(label[1] ?? "", label[2] ?? "") : null;
}

/** A text in parts: every second one names a cell. @param {string} text */
export const splitCells = (text) => text.split(CELL);

/** @param {string} text */
export const splitSentences = (text) => text.split(SENTENCE_END);

const isNumberRole = (/** @type {string} */ role) => /^\d+(\+\d+)*$/.test(role); // "1+3" is a clue of a variant

/** Names of cells on the ruler: "B2, C2 and D2". @param {Cell[]} cells */
const names = (cells) => new Intl.ListFormat(language()).format(cells.map(at));

/** What a chip reads. @param {Chip} chip */
export function chipText({ role, cells }) {
  if (isNumberRole(role)) return t("page-chip-number", { number: role });
  if (role === "name" || t("page-chip-style") === "names") return names(cells); // "this cell" needs a case in German
  return cells.length === 1 ? t("page-chip-cell") : tn("page-chip-cells", cells.length);
}

/** What a chip with a sign reads. @param {Sign} sign */
const signText = (sign) => (sign === "best" ? "★" : sign === "safest" ? "" : t("page-chip-last"));

/** @type {Record<Sign, string>} */
const SIGN_NAMES = { best: "page-mark-best", safest: "page-mark-safest", last: "page-chip-last" };

/** A text for screen readers: what its chips read, with the names of the cells. @param {string} text */
export const plainText = (text) =>
  splitSentences(text)
    .map((sentence) => capitalized(splitCells(sentence).map(plainPart).join("")))
    .join(" ");

/** @param {string} part */
function plainPart(part) {
  if (!CHIP.test(part)) return part;
  const chip = /** @type {Chip} */ (parseChip(part));
  return isNumberRole(chip.role) ? `${chipText(chip)} (${names(chip.cells)})` : names(chip.cells);
}

/**
 * What a sentence speaks of: its numbers, and its cells by the mark that shows their role.
 * @param {string} sentence
 * @returns {{numbers: Cell[], groups: [Mark, Cell[]][]}}
 */
export function subjects(sentence) {
  /** @type {Record<string, Mark>} */
  const marks = { name: "near", cell: "near", suppose: "assume", safe: "safe", mine: "mine" };
  const chips = splitCells(sentence).map(parseChip).filter((chip) => chip !== null); // prettier-ignore
  const [numbers, cells] = [
    chips.filter(({ role }) => isNumberRole(role)),
    chips.filter(({ role }) => !isNumberRole(role)),
  ];
  return {
    numbers: numbers.flatMap((chip) => chip.cells),
    groups: cells.map((chip) => [marks[chip.role] ?? "near", chip.cells]),
  };
}

/**
 * @param {string} text @param {Point} point show a cell, or no longer
 * @param {[Sign, Cell | null | undefined][]} [signs] chips of these cells show the board's sign instead of a name
 * @returns {HTMLElement}
 */
export function proofText(text, point, signs = []) {
  const signed = new Map(signs.flatMap(([sign, cell]) => (cell ? [[String(cell), sign]] : [])));
  const sentences = splitSentences(keepPercents(text)).map((sentence) =>
    splitCells(sentence).map((part, place, parts) => {
      const chip = place % 2 ? parseChip(part) : null;
      return chip ? chipButton(chip, place === 1 && !parts[0], point, chip.role === "name" ? signed.get(String(chip.cells[0])) : undefined) : part; // prettier-ignore
    }),
  );
  return h(
    "p",
    { class: "words" },
    sentences.flatMap((parts, place) => (place ? [" ", ...parts] : parts)),
  );
}

/** @param {Chip} chip @param {boolean} first it begins a sentence @param {Point} point @param {Sign} [sign] */
function chipButton(chip, first, point, sign) {
  const label = sign ? signText(sign) : chipText(chip);
  const [show, hide] = [() => point(chip.cells[0] ?? null, chip.cells), () => point(null)];
  const listeners = { onmouseenter: show, onfocus: show, onclick: show, onmouseleave: hide, onblur: hide };
  const text = first ? capitalized(label) : label;
  const where = names(chip.cells);
  const spoken = sign ? t(SIGN_NAMES[sign]) : text;
  const name = (sign || chip.role !== "name") && where !== label ? { "aria-label": `${spoken}, ${where}` } : {};
  const kind = sign ?? (isNumberRole(chip.role) ? "number" : chip.role);
  return h("button", { type: "button", class: `cellref ${kind}`, ...name, ...listeners }, text);
}

/**
 * Show cells on a board: a ring around each of them.
 * @param {import("../board/board.js").Board} board
 * @returns {Point}
 */
export function pointer(board) {
  const { state } = board;
  const exists = (/** @type {Cell} */ [row, column]) => row < state.rows && column < state.columns;
  /** @type {Point} */
  const point = (cell, cells = cell ? [cell] : []) => {
    const places = cells.filter(exists);
    const [first] = places;
    if (first) board.view.reveal(first[0] * state.columns + first[1]);
    arrowsOn(board).ring(places);
  };
  return Object.assign(point, {
    state,
    draw: (/** @type {import("../board/arrows.js").Arrow[]} */ arrows) => arrowsOn(board).draw(arrows),
  });
}

/** Draw an arrow for each number and cell of a step that touch. @param {Point} point @param {Cell[]} numbers @param {[Mark, Cell[]][]} groups */
export function drawArrows(point, numbers, groups) {
  if (point.state) point.draw?.(touching(point.state, numbers, groups));
}

export class ProofSteps {
  /** @type {string[]} */
  #sentences = [];
  #now = 0;
  #whole = false;
  /** Cells that are certain at the end. @type {{safe: Cell[], mines: Cell[]}} */
  #decided = { safe: [], mines: [] };
  #text = h("div", { "aria-live": "polite" });
  #count = h("span", { class: "quiet" });
  #back = button(t("page-back"), () => this.step(-1), { class: "small", title: t("page-proof-back-title") });
  #next = button(t("page-next"), () => this.step(1), { class: "small", title: t("page-proof-next-title") });
  #all = button(t("page-proof-all"), () => this.#toggle(), { class: "small", "aria-pressed": "false" });
  #row = h("div", { class: "row proof-steps" }, this.#back, this.#next, this.#count, this.#all);
  element = h("div", { class: "stack proof" }, this.#text, this.#row);

  /**
   * @param {(lights: [Mark, Cell[] | null][]) => void} light @param {Point} point
   * @param {(sentence: string) => void} [shown] the sentence that is shown now
   */
  constructor(light, point, shown = () => {}) {
    this.light = light;
    this.point = point;
    this.shown = shown;
  }

  /** @type {[Sign, Cell | null | undefined][]} */
  #signs = [];

  /** Begin with the first sentence. @param {string} text @param {{safe?: Cell[] | null, mines?: Cell[] | null}} decided @param {[Sign, Cell | null | undefined][]} [signs] */
  show(text, { safe, mines }, signs = []) {
    this.#signs = signs;
    this.#sentences = splitSentences(text);
    this.#decided = { safe: safe ?? [], mines: mines ?? [] };
    this.#now = 0;
    this.#whole = false;
    this.#show();
  }

  /** How many sentences there are. */
  get count() {
    return this.#sentences.length;
  }

  get hasBack() {
    return !this.#whole && this.#now > 0;
  }

  /** Whether there is another sentence. */
  get hasNext() {
    return !this.#whole && this.#now + 1 < this.#sentences.length;
  }

  /** Step forwards or back; after the last sentence comes the first. @param {number} by */
  step(by) {
    const { length } = this.#sentences;
    if (this.#whole) this.#whole = false;
    else this.#now = (this.#now + by + length) % length;
    this.#show();
  }

  /** Light up the sentence again: something else was lit meanwhile. */
  again() {
    this.#show();
  }

  #toggle() {
    this.#whole = !this.#whole;
    this.#show();
  }

  #show() {
    const all = this.#sentences;
    const shown = this.#whole ? all : [all[this.#now] ?? ""];
    fill(
      this.#text,
      this.#whole
        ? h("ol", { class: "sentences" }, shown.map((sentence) => h("li", {}, proofText(sentence, this.point, this.#signs))))
        : proofText(shown[0] ?? "", this.point, this.#signs),
    ); // prettier-ignore
    fill(this.#count, t("page-count-of", { count: this.#now + 1, all: all.length }));
    this.#count.hidden = this.#whole;
    this.#back.disabled = this.#whole || this.#now === 0;
    this.#next.disabled = this.#whole || this.#now + 1 >= all.length;
    set(this.#all, { "aria-pressed": String(this.#whole) });
    this.#row.hidden = all.length < 2;
    this.#light(shown);
    this.shown(shown.join(" "));
  }

  /** @param {string[]} shown */
  #light(shown) {
    const spoken = subjects(shown.join(" "));
    let { numbers } = spoken;
    for (let before = this.#now - 1; !numbers.length && before >= 0; before--)
      ({ numbers } = subjects(this.#sentences[before] ?? "")); // "it" is a number of a sentence before
    const { safe, mines } = this.#decided;
    const earlier = subjects(this.#sentences.slice(0, this.#now).join(" ")).groups;
    const known = (/** @type {Mark} */ mark, /** @type {Cell[]} */ cells) => {
      const certain = new Set(cells.map(String));
      const said = earlier.filter(([role]) => role === mark).flatMap(([, places]) => places);
      return /** @type {[Mark, Cell[]]} */ ([mark, said.filter((cell) => certain.has(String(cell)))]);
    };
    this.light([["because", numbers], known("safe", safe), known("mine", mines), ...spoken.groups]);
    drawArrows(this.point, numbers, spoken.groups);
  }
}
