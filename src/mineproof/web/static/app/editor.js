/**
 * The position that is edited, without a page. A position is never changed: an edit makes another one, so undo and redo
 * are two lists, and an edit costs a copy of the cells.
 *
 * @typedef {import("./board/state.js").Topology} Topology of the server, which names no other shapes
 * @typedef {{board: string, topology: Topology, mines?: number}} Question
 *
 * @typedef {object} Position
 * @property {number} rows
 * @property {number} columns
 * @property {import("./board/state.js").Topology} topology
 * @property {number | null} mines on the whole board, flags included; null if unknown
 * @property {string[]} cells row after row, as in the state of a board
 * @property {{place: number, symbol: string, before: string}[]} trail assumptions, one after the other
 * @property {import("./screenshot.js").Screenshot} [screenshot] where it was read from
 */
import { COVERED, OUTSIDE, isCovered, rowText, symbolsOf } from "./board/state.js";
import { SUGGESTED, around, fits, isPlace, isSquare, largestNumber } from "./board/shape.js";
import { settled } from "./screenshot.js";

export const SYMBOLS = [COVERED, "F", OUTSIDE, ..."012345678"];

/** All symbols of a shape, whose cells may have more than eight neighbours. @type {(topology: Position["topology"]) => string[]} */
export const symbolsFor = (topology) =>
  SYMBOLS.concat(Array.from({ length: largestNumber(topology) - 8 }, (_, i) => String(i + 9)));
const MAX_UNDO = 300; // edits
export const MAX_CELLS = 10_000; // of a board, on the server

/** Of a mineproof/board/1. @type {(board: Wire.BoardJson) => Position} */
export const fromBoard = ({ rows, columns, topology, total_mines, cells }) => ({
  rows, columns, topology: /** @type {Topology} */ (topology), mines: total_mines, cells: symbolsOf(cells), trail: [],
}); // prettier-ignore

/**
 * Of a mineproof/layout/1: what its player sees before the first move.
 * @typedef {Pick<Wire.LayoutJson, "rows" | "columns" | "topology" | "mines"> & {absent?: [number, number][]}} Layout
 * @type {(layout: Layout) => Position}
 */
export function fromLayout({ rows, columns, topology, mines, absent = [] }) {
  const cells = drawn(rows, columns, COVERED, [[absent, OUTSIDE]]);
  return { rows, columns, topology: /** @type {Topology} */ (topology), mines: mines.length, cells, trail: [] };
}

/** @type {(rows: number, columns: number, symbol: string, groups: [[number, number][], string][]) => string[]} */
function drawn(rows, columns, symbol, groups) {
  const cells = Array(rows * columns).fill(symbol);
  for (const [places, other] of groups) for (const [row, column] of places) cells[row * columns + column] = other;
  return cells;
}

/** By hand, which also settles what was in doubt there. @type {(position: Position, places: number[], symbol: string) => Position} */
export const painted = (position, places, symbol) => settled(position, showing(position, places, symbol), places);

/** @type {(position: Position, places: number[], symbol: string) => Position} */
function showing(position, places, symbol) {
  const other = new Set(places.filter((place) => position.cells[place] !== symbol));
  if (!other.size) return position;
  const cells = position.cells.map((old, place) => (other.has(place) ? symbol : old));
  return { ...position, cells, trail: position.trail.filter(({ place }) => !other.has(place)) };
}

/** The area of equal cells around one, sides touching. @type {(position: Position, from: number) => number[]} */
export function area({ rows, columns, topology, cells }, from) {
  const places = new Set([from]);
  for (const place of places) {
    const [row, column] = [Math.floor(place / columns), place % columns];
    for (const [r, c] of around(row, column, { rows, columns, topology })) {
      const touching = !isSquare(topology) || r === row || c === column;
      if (touching && cells[r * columns + c] === cells[from]) places.add(r * columns + c);
    }
  }
  return [...places];
}

/** What is within the new size stays; new cells are covered. @type {(position: Position, rows: number, columns: number) => Position} */
export function resized(position, rows, columns) {
  if (rows === position.rows && columns === position.columns) return position;
  const { topology } = position;
  const cells = Array.from({ length: rows * columns }, (_, place) => {
    const [row, column] = [Math.floor(place / columns), place % columns];
    if (!isPlace(row, column, { rows, columns, topology })) return OUTSIDE;
    const inside = row < position.rows && column < position.columns;
    return (inside && position.cells[row * position.columns + column]) || COVERED;
  });
  return { ...alone(position), rows, columns, cells, trail: [] };
}

/** The same cells in another shape, if it can have this size, else in a size of its own. @type {(position: Position, topology: Position["topology"]) => Position} */
export function reshaped(position, topology) {
  const { rows, columns } = { ...position, ...(fits({ ...position, topology }) ? {} : SUGGESTED[topology]) };
  const most = largestNumber(topology);
  const kept = position.cells.map((symbol, place) => {
    const [row, column] = [Math.floor(place / position.columns), place % position.columns];
    if (!isPlace(row, column, { ...position, topology })) return OUTSIDE;
    return isPlace(row, column, position) && !(Number(symbol) > most) ? symbol : COVERED;
  });
  return resized({ ...alone(position), topology, cells: kept, trail: [] }, rows, columns);
}

/** The same without the screenshot that it was read from. @type {(position: Position) => Position} */
export function alone(position) {
  const copy = { ...position };
  delete copy.screenshot;
  return copy;
}

/** Every cell covered again. @type {(position: Position) => Position} */
export const cleared = (position) =>
  ({ ...alone(position), cells: position.cells.map((symbol) => (symbol === OUTSIDE ? OUTSIDE : COVERED)), trail: [] }); // prettier-ignore

/** Assume that a covered cell shows something. @type {(position: Position, place: number, symbol: string) => Position} */
export function assumed(position, place, symbol) {
  const before = position.cells[place] ?? OUTSIDE;
  if (!isCovered(before)) return position;
  return { ...showing(position, [place], symbol), trail: [...position.trail, { place, symbol, before }] };
}

/** Withdraw all but the first `length` assumptions; other edits stay. @type {(position: Position, length: number) => Position} */
export function withdrawn(position, length) {
  const cells = [...position.cells];
  for (const { place, before } of position.trail.slice(length)) cells[place] = before;
  return { ...position, cells, trail: position.trail.slice(0, length) };
}

/** Mines of the sizes that programs have, Google's among them, by "longer×shorter". @type {Record<string, number>} */
const KNOWN_TOTALS = { "8×8": 10, "9×9": 10, "10×8": 10, "18×14": 40, "16×16": 40, "24×20": 99, "30×16": 99, "24×24": 99 }; // prettier-ignore
const LEVEL_DENSITIES = [10 / 81, 40 / 256, 99 / 480];

/**
 * Totals to offer where the number of mines is unknown: that of the size first, then those of the usual densities.
 * @type {(position: Pick<Position, "rows" | "columns" | "cells">) => number[]}
 */
export function likelyTotals({ rows, columns, cells }) {
  const known = KNOWN_TOTALS[`${Math.max(rows, columns)}×${Math.min(rows, columns)}`];
  const board = cells.filter((symbol) => symbol !== OUTSIDE).length;
  const [covered, flags] = [cells.filter(isCovered).length, cells.filter((symbol) => symbol === "F").length];
  const usual = LEVEL_DENSITIES.map((density) => Math.max(1, Math.round(density * board)));
  const totals = [...new Set(known === undefined ? usual : [known, ...usual])];
  return totals.filter((total) => total >= flags && total <= covered).slice(0, 3);
}

/** @type {(position: Pick<Position, "rows" | "columns" | "cells">) => string[]} */
export const rowsOf = ({ rows, columns, cells }) =>
  Array.from({ length: rows }, (_, row) => rowText(cells.slice(row * columns, (row + 1) * columns)));

/** The position as a question for the server. @type {(position: Position) => Question} */
export const question = (position) => ({
  board: rowsOf(position).join("/"),
  topology: position.topology,
  ...(position.mines !== null && { mines: position.mines }),
});

/** Text; its first line is there only where it says something. @type {(position: Position) => string} */
export function toText(position) {
  const { rows, columns, mines, topology } = position;
  const first = `${columns}x${rows}x${mines ?? "?"}${topology === "grid" ? "" : ` ${topology}`}\n`;
  return (mines === null && topology === "grid" ? "" : first) + rowsOf(position).join("\n");
}

/**
 * What stands behind `#/analyse?`. "H" is a covered cell in the `mine` alphabet and, unlike "#", one character in an
 * address; but that alphabet has no cells off the board and no numbers above 8.
 * @type {(position: Position) => string}
 */
export function toLink(position) {
  const isOurs = position.cells.some((symbol) => symbol === OUTSIDE || symbol === "9" || symbol.length > 1);
  const covered = isOurs ? "%23" : "H";
  return `board=${rowsOf(position).join("/").replaceAll(COVERED, covered)}${rest(position.mines, position.topology)}`;
}

/** The same of a mineproof/layout/1: it contains the mines. @type {(layout: Layout) => string} */
export function toLayoutLink({ rows, columns, topology, mines, absent = [] }) {
  const cells = drawn(rows, columns, ".", [[absent, OUTSIDE], [mines, "*"]]); // prettier-ignore
  return `layout=${rowsOf({ rows, columns, cells }).join("/")}${rest(null, topology)}`;
}

/** @type {(mines: number | null, topology: string) => string} */
const rest = (mines, topology) =>
  (mines === null ? "" : `&mines=${mines}`) + (topology === "grid" ? "" : `&topology=${topology}`);

/** Edits that can be undone and done again. A stroke is one edit. */
export class Edits {
  /** @type {Position[]} */
  #past = [];
  /** @type {Position[]} */
  #future = [];
  #stroke = false;

  /** @param {Position} now */
  constructor(now) {
    this.now = now;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @param {Position} position @param {boolean} [stroke] continue the current stroke, or begin one @returns {boolean} whether it is another one */
  change(position, stroke = false) {
    if (position === this.now) return false;
    if (!stroke || !this.#stroke) this.#past = [...this.#past.slice(-MAX_UNDO), this.now];
    this.#future = [];
    this.#stroke = stroke;
    this.now = position;
    return true;
  }

  /** The stroke has ended. */
  end() {
    this.#stroke = false;
  }

  undo() {
    return this.#step(this.#past, this.#future);
  }

  redo() {
    return this.#step(this.#future, this.#past);
  }

  /** @param {Position[]} from @param {Position[]} to */
  #step(from, to) {
    const position = from.pop();
    if (!position) return false;
    this.end();
    to.push(this.now);
    this.now = position;
    return true;
  }
}
