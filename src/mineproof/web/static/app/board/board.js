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
import { around } from "./shape.js";
import { View } from "./view.js";

const LEAST_TOUCH = 30; // CSS pixels of a cell that a finger can hit
const TIGHT_TOUCH = 24; // will do where all of the board is then seen
const LEAST_MOUSE = 18;
const MOST = 60;

export class Board {
  state = State.defaults();
  #moved = false; // somebody has zoomed or panned: the board stays where it was put

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
    for (const question of ["(prefers-color-scheme: dark)", "(resolution: 1dppx)"]) {
      matchMedia(question).addEventListener("change", () => this.view.refresh());
    }
    document.addEventListener("themechange", () => this.view.refresh());
  }

  /** Show what the state says now. */
  update() {
    this.mirror.request();
    this.view.request();
  }

  /** Show other cells; a board of another size is fitted. @param {Parameters<typeof State.setCells>[1]} board */
  setCells(board) {
    const { rows, columns, topology } = this.state;
    State.setCells(this.state, board);
    if (rows !== board.rows || columns !== board.columns || topology !== board.topology) this.fit();
    this.update();
  }

  /** Show the whole board, if its cells are large enough then to be hit, or in any case. @param {boolean} [whole] */
  fit(whole = false) {
    this.#moved = false;
    const touch = matchMedia("(pointer: coarse)").matches;
    this.view.fit(whole ? 1 : touch ? TIGHT_TOUCH : LEAST_MOUSE, MOST);
    if (touch && !whole && this.view.overflows) this.view.fit(LEAST_TOUCH, MOST);
  }

  focus() {
    this.mirror.focus();
  }

  /** The cells around one that show a symbol. @param {Cell} cell @param {string} symbol */
  aroundWith(cell, symbol) {
    const { state } = this;
    const cells = around(...cell, state.rows, state.columns, state.topology);
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
