/**
 * The board for screen readers: a grid of cells with labels, which follows the state. It also has the focus: the cell
 * of the cursor is the one that can be tabbed to.
 *
 * @typedef {import("./state.js").BoardState} BoardState
 */
import { cellLabel, wholePercent } from "../format.js";
import { h } from "../dom.js";
import { t } from "../messages.js";
import { farCells } from "./far.js";

export class Mirror {
  /** @type {HTMLElement[]} */
  #cells = [];
  #labels = /** @type {string[]} */ ([]);
  #shape = "";
  #focused = -1;
  #frame = 0;

  /** @param {BoardState} state @param {string} name what the grid is called */
  constructor(state, name) {
    this.state = state;
    this.element = h("div", { role: "grid", class: "mirror", "aria-label": name });
  }

  /** Follow the state: at once on another board, else once a frame. */
  request() {
    const { rows, columns } = this.state;
    const now = `${rows}x${columns}`;
    if (now !== this.#shape) {
      this.#build(now);
      this.#update();
    } else if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#update());
  }

  /** Touches only cells that changed. */
  #update() {
    this.#frame = 0;
    const { state } = this;
    for (let place = 0; place < this.#cells.length; place++) {
      const label = cellLabel(state, place);
      if (label === this.#labels[place]) continue;
      this.#labels[place] = label;
      this.#cells[place]?.setAttribute("aria-label", label);
    }
    const far = state.hidden ? null : farCells(state);
    const odds = far && t("page-far-odds-label", { percent: wholePercent(far.chance) });
    if (odds) this.element.setAttribute("aria-description", odds);
    else this.element.removeAttribute("aria-description");
    this.follow();
  }

  /** Let the cell of the cursor be the one that can be tabbed to; move the focus if the grid has it. */
  follow() {
    const { cursor } = this.state;
    if (cursor === this.#focused) return;
    const had = this.element.contains(document.activeElement);
    this.#cells[this.#focused]?.setAttribute("tabindex", "-1");
    const cell = this.#cells[cursor];
    cell?.setAttribute("tabindex", "0");
    this.#focused = cursor;
    if (had) cell?.focus({ preventScroll: true });
  }

  focus() {
    this.#cells[this.state.cursor]?.focus({ preventScroll: true });
  }

  /** @param {string} shape */
  #build(shape) {
    const { rows, columns } = this.state;
    this.#shape = shape;
    this.#cells = [];
    this.#labels = [];
    this.#focused = -1;
    this.element.setAttribute("aria-rowcount", String(rows));
    this.element.setAttribute("aria-colcount", String(columns));
    const lines = Array.from({ length: rows }, (_, row) => {
      const cells = Array.from({ length: columns }, (__, column) =>
        h("div", { role: "gridcell", tabindex: "-1", "aria-colindex": String(column + 1) }),
      );
      this.#cells.push(...cells);
      return h("div", { role: "row", "aria-rowindex": String(row + 1) }, ...cells);
    });
    this.element.replaceChildren(...lines);
  }
}
