/**
 * Arrows from numbers to cells, and rings around cells, over the canvas of a board. They belong to the marks that they
 * were drawn with: other marks, another position or a pause remove them. One group holds everything in lengths of cells,
 * so zoom and pan only change how the group is placed.
 *
 * @typedef {import("./state.js").Cell} Cell
 * @typedef {import("./state.js").Mark} Mark
 * @typedef {{from: Cell, to: Cell, mark?: Mark | undefined}} Arrow
 */
import { set, svg } from "../dom.js";
import { around, centre, OUTLINES, outlineOf, SHAPES } from "./shape.js";

const MAX_ARROWS = 40; // more would hide the board
// Lengths in cells.
const START = 0.34; // from the middle of the number
const END = 0.26; // from the middle of the cell
const HEAD = 0.17;
const RING = 0.5;
const RING_INSIDE = 0.48; // of outlines that are no squares

/** @type {WeakMap<import("./board.js").Board, Arrows>} */
const boards = new WeakMap();

/** The arrows of a board. @param {import("./board.js").Board} board @returns {Arrows} */
export function arrowsOn(board) {
  let arrows = boards.get(board);
  if (!arrows) boards.set(board, (arrows = new Arrows(board)));
  return arrows;
}

/**
 * One arrow for each pair of a number and a cell that touch.
 * @param {import("./state.js").BoardState} state @param {Cell[]} numbers @param {[Mark, Cell[]][]} groups
 * @returns {Arrow[]}
 */
export function touching(state, numbers, groups) {
  return numbers.flatMap((from) => {
    const near = new Set(around(...from, state).map(String));
    return groups.flatMap(([mark, cells]) =>
      cells.filter((to) => near.has(String(to))).map((to) => /** @type {Arrow} */ ({ from, to, mark })),
    );
  });
}

/**
 * The two ends of an arrow and the corners of its head, in lengths of cells. Across joined borders it leaves the board.
 * @param {Arrow} arrow @param {import("./shape.js").Board} board
 */
export function arrowPath({ from, to }, board) {
  const { rows, columns, topology } = board;
  const { kind, joinsRows, joinsColumns, flipsRows } = SHAPES[topology];
  const [x, y] = centre(...from, board);
  const [tx, ty] = centre(...to, board);
  let [dx, dy] = [tx - x, ty - y];
  if (joinsColumns && kind === "pattern" && Math.abs(dx) > columns / 2) {
    dx -= Math.sign(dx) * columns;
    if (flipsRows) dy = rows - ty - y;
  }
  if (joinsRows && Math.abs(dy) > rows / 2) dy -= Math.sign(dy) * rows;
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [endX, endY] = [x + dx - ux * END, y + dy - uy * END];
  const corner = (/** @type {number} */ side) => [endX - HEAD * (ux - side * uy * 0.7), endY - HEAD * (uy + side * ux * 0.7)]; // prettier-ignore
  const text = (/** @type {number[]} */ point) => point.map((value) => value.toFixed(3)).join(" ");
  const line = `M${text([x + ux * START, y + uy * START])}L${text([endX, endY])}`;
  return `${line}M${text(corner(1))}L${text([endX, endY])}L${text(corner(-1))}`;
}

class Arrows {
  #lines = svg("g", {});
  #rings = svg("g", {});
  #group = svg("g", {}, this.#lines, this.#rings);
  #element = svg("svg", { class: "arrows", "aria-hidden": "true" }, this.#group);
  /** The marks that the arrows were drawn with. @type {unknown} */
  #marks = null;
  #placed = "";

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    board.element.append(this.#element);
    board.view.drawn = () => this.#place();
  }

  /** Draw arrows for the marks that the board has now. @param {Arrow[]} arrows */
  draw(arrows) {
    const { state } = this.board;
    this.#marks = state.marks;
    const paths = arrows.slice(0, MAX_ARROWS).flatMap((arrow) => {
      const d = arrowPath(arrow, state);
      return [svg("path", { class: "halo", d }), svg("path", { class: `arrow ${arrow.mark ?? ""}`, d })];
    });
    this.#lines.replaceChildren(...paths);
    this.#place();
  }

  /** Draw rings around cells, or none. @param {Cell[]} cells */
  ring(cells) {
    const { state } = this.board;
    const rings = cells.flatMap((cell) => {
      const [cx, cy] = centre(...cell, state);
      const name = outlineOf(...cell, state);
      const r = name === "square" ? RING : RING_INSIDE * OUTLINES[name].depth;
      return [svg("circle", { class: "halo", cx, cy, r }), svg("circle", { class: "ring", cx, cy, r })];
    });
    this.#rings.replaceChildren(...rings);
    this.#place();
  }

  /** Follow the board, after each of its frames. */
  #place() {
    const { state, view } = this.board;
    if (this.#marks !== state.marks) {
      this.#marks = state.marks;
      this.#lines.replaceChildren();
    }
    const empty = !this.#lines.childElementCount && !this.#rings.childElementCount;
    const placed = empty || state.hidden ? "" : `translate(${view.ruler - state.left} ${view.ruler - state.top}) scale(${state.size})`; // prettier-ignore
    if (placed === this.#placed) return;
    this.#placed = placed;
    set(this.#element, { "data-shown": placed ? "" : null });
    set(this.#group, { transform: placed || null });
  }
}
