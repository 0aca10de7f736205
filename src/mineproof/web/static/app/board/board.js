/**
 * A board on the page: state, canvas, mirror and input put together. Screens make one, change its state by the functions
 * of `state.js`, and call `update`.
 *
 * @typedef {import("./state.js").BoardState} BoardState
 * @typedef {import("./state.js").Cell} Cell
 */
import { h } from "../dom.js";
import { Mirror } from "./grid.js";
import { Input } from "./input.js";
import * as State from "./state.js";
import { around, centre } from "./shape.js";
import { FORCED_COLOURS } from "./skin.js";
import { settings } from "../settings.js";
import { View } from "./view.js";

// Sizes of a cell in CSS pixels.
const MIN_TOUCH = 30; // that a finger can hit
const TIGHT_TOUCH = 21; // enough where the whole board is then visible
const MIN_MOUSE = 18;
const MAX_TOUCH = 88;
const MAX_MOUSE = 72;

export class Board {
  state = State.defaults();
  /** Size of a cell at most, in CSS pixels. */
  largest = 0;
  #moved = false; // the player has zoomed or panned: the board stays there
  #ruledByHint = false; // a hint is open, which needs the ruler

  /** @param {string} name what a screen reader calls it @param {import("./input.js").Handlers} handlers */
  constructor(name, handlers) {
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.mirror = new Mirror(this.state, name);
    this.element = h("div", { class: "stage" }, this.canvas, this.mirror.element);
    this.view = new View(this.state, this.canvas);
    this.input = new Input(this.view, this.mirror, handlers, () => this.view.request());
    this.input.moved = () => (this.#moved = true);
    this.mirror.element.addEventListener("focusin", () => this.#focused(true));
    this.mirror.element.addEventListener("focusout", () => this.#focused(false));
    new ResizeObserver(() => (this.#moved ? this.view.clamp() : this.fit())).observe(this.element);
    for (const question of ["(prefers-color-scheme: dark)", "(resolution: 1dppx)", FORCED_COLOURS]) {
      matchMedia(question).addEventListener("change", () => this.view.refresh());
    }
    for (const event of ["themechange", "settingchange"]) document.addEventListener(event, () => this.view.refresh());
    document.addEventListener("rulerchange", () => this.fit());
  }

  /** Show what the state says now. */
  update() {
    this.mirror.request();
    this.view.request();
  }

  /**
   * Play a short effect over cells whose state is shown already, unless the player wants no motion.
   * @param {{kind: import("./effects.js").Kind, cells?: (Cell | number)[], origin?: Cell | number}} effect `cells` of a
   *   lost game default to its mines, those of a win to the board; `origin` to the first cell
   */
  play({ kind, cells, origin }) {
    if (!settings.animation || this.state.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { state } = this;
    const place = (/** @type {Cell | number} */ cell) => (typeof cell === "number" ? cell : State.index(state, cell));
    const places = cells ? cells.map(place) : this.#cellsOf(kind);
    const exploded = state.cells.indexOf("X");
    const from =
      origin !== undefined ? place(origin) : kind === "explode" && exploded >= 0 ? exploded : (places[0] ?? 0);
    if (kind === "explode" && !places.includes(from)) places.push(from);
    this.view.effects.play(kind, places, (one) => centre(...State.cellOf(state, one), state), from);
    this.view.request([]);
  }

  /** The cells of an effect that names none. @param {import("./effects.js").Kind} kind */
  #cellsOf(kind) {
    const places = this.state.cells.map((_, place) => place);
    if (kind === "win") return places;
    return kind === "explode" ? places.filter((one) => "*XW".includes(this.state.cells[one] ?? "")) : [];
  }

  /** Show other cells; a board of another size is fitted. @param {Parameters<typeof State.setCells>[1]} board */
  setCells(board) {
    const { rows, columns, topology } = this.state;
    State.setCells(this.state, board);
    if (rows !== board.rows || columns !== board.columns || topology !== board.topology) {
      this.view.effects.clear();
      this.fit();
    }
    this.update();
  }

  /** Show the whole board, if its cells are large enough then to be hit, or in any case. @param {boolean} [whole] */
  fit(whole = false) {
    this.#moved = false;
    const ruler = settings.ruler || this.#ruledByHint;
    this.state.ruled = ruler;
    if (this.#fitsAll(whole) || !ruler) return;
    this.state.ruled = false; // without a ruler there may be room for all cells
    if (this.#fitsAll(whole)) return;
    this.state.ruled = true;
    this.#fitsAll(whole);
  }

  /** @param {boolean} whole @returns {boolean} whether the whole board is visible */
  #fitsAll(whole) {
    const touch = matchMedia("(pointer: coarse)").matches;
    const most = this.largest || (touch ? MAX_TOUCH : MAX_MOUSE);
    this.view.fit(whole ? 1 : touch ? TIGHT_TOUCH : MIN_MOUSE, most);
    if (!this.view.overflows) return true;
    if (!touch || whole) return false;
    const { sizeAcross } = this.view; // a board that is moved up and down only is easier to play
    this.view.fit(sizeAcross < TIGHT_TOUCH ? MIN_TOUCH : Math.min(sizeAcross, MIN_TOUCH), most);
    return false;
  }

  /** Show the ruler while a hint is open, whatever the settings say. @param {boolean} open */
  rule(open) {
    if (open === this.#ruledByHint) return;
    this.#ruledByHint = open;
    if (settings.ruler) return;
    if (!this.#moved) return this.fit();
    this.state.ruled = open;
    this.view.clamp();
  }

  focus() {
    this.mirror.focus();
  }

  /** The cells around one that show a symbol. @param {Cell} cell @param {string} symbol */
  aroundWith(cell, symbol) {
    const { state } = this;
    const cells = around(...cell, state);
    return cells.filter((one) => state.cells[State.index(state, one)] === symbol);
  }

  /** @param {boolean} has */
  #focused(has) {
    const shown = has && this.mirror.element.querySelector(":focus-visible") !== null;
    if (shown === this.state.cursorShown) return;
    this.state.cursorShown = shown;
    this.view.request();
  }
}
