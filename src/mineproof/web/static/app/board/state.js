/**
 * What a board shows: one plain object. Functions take it and change it; `view.js` draws it, `grid.js` says it.
 * No DOM here.
 *
 * @typedef {import("./shape.js").Topology} Topology
 * @typedef {[number, number]} Cell row and column, from 0 from the top left
 * @typedef {"none" | "certain" | "odds" | "risk"} Overlay
 * @typedef {"safe" | "mine" | "because" | "near" | "fault" | "best" | "safest" | "last" | "start" | "assume"} Mark
 *
 * @typedef {object} BoardState
 * @property {number} rows
 * @property {number} columns
 * @property {Topology} topology
 * @property {string[]} cells one a cell, row after row: "#" covered, "0" to "8" (more on some shapes), "F" flag, "?" question mark, "~" no
 *   cell; of a game that is over also "*" a mine, "X" the mine that went off, "W" a wrong flag
 * @property {Map<number, Mark>} marks what a hint, a contradiction or a best move lights up, by cell
 * @property {Set<number>} doubtful cells that were read from a screenshot and may be something else
 * @property {Overlay} overlay what covered cells show
 * @property {(number | null)[] | null} odds chance of a mine of each cell; null where it has none
 * @property {Set<number>} safe cells that are certainly safe
 * @property {Set<number>} mines cells that are certainly mines
 * @property {number} survived chance to have survived everything opened so far
 * @property {number} cursor the cell that keys act on; -1 if there is none
 * @property {boolean} cursorShown whether keys are in use
 * @property {number} hover the cell under the mouse; -1 if there is none
 * @property {Set<number>} pressed cells that would open if the button were let go, and those that are opening
 * @property {Set<number>} opening cells that the player has opened, while the server's answer is on its way
 * @property {boolean} ruled whether there is a ruler: letters above the columns, numbers beside the rows
 * @property {boolean} hidden whether nothing is shown, as while a game is paused
 * @property {number} size of a cell on the screen, in CSS pixels
 * @property {number} left of the screen, from the left of the board, in CSS pixels
 * @property {number} top of the screen, from the top of the board, in CSS pixels
 */
import { isPlace, wrap } from "./shape.js";

export const COVERED = "#";
export const FLAG = "F";
export const QUESTION = "?";
export const OUTSIDE = "~";

/** @returns {BoardState} */
export function defaults() {
  return {
    rows: 1,
    columns: 1,
    topology: "grid",
    cells: [COVERED],
    marks: new Map(),
    doubtful: new Set(),
    overlay: "none",
    odds: null,
    safe: new Set(),
    mines: new Set(),
    survived: 1,
    cursor: 0,
    cursorShown: false,
    hover: -1,
    pressed: new Set(),
    opening: new Set(),
    ruled: false,
    hidden: false,
    size: 24,
    left: 0,
    top: 0,
  };
}

/** @param {BoardState} state @param {Cell} cell */
export const index = (state, [row, column]) => row * state.columns + column;

/** @param {BoardState} state @param {number} place @returns {Cell} */
export const cellOf = (state, place) => [Math.floor(place / state.columns), place % state.columns];

/** Whether nothing is known of a cell but what the player has put on it. @param {string | undefined} symbol */
export const isCovered = (symbol) => symbol === COVERED || symbol === FLAG || symbol === QUESTION;

/** @param {string | undefined} symbol */
export const isNumber = (symbol) => symbol !== undefined && symbol >= "0" && symbol < ":";

/** The symbols of rows of text, where numbers above 8 are in parentheses. @param {string[]} rows @returns {string[]} */
export const symbolsOf = (rows) =>
  rows.flatMap((row) =>
    row.includes("(") ? [...row.matchAll(/\((\d+)\)|./gu)].map((match) => match[1] ?? match[0]) : [...row],
  );

/** A row of symbols as text. @param {string[]} symbols */
export const rowText = (symbols) =>
  symbols.map((symbol) => (symbol.length > 1 || symbol === "9" ? `(${symbol})` : symbol)).join("");

/**
 * Show other cells; a board of another size has its cursor in the middle.
 * @param {BoardState} state
 * @param {{rows: number, columns: number, topology: Topology, cells: string[]}} board rows of text, as in JSON
 */
export function setCells(state, board) {
  if (state.rows !== board.rows || state.columns !== board.columns || state.topology !== board.topology) {
    Object.assign(state, { rows: board.rows, columns: board.columns, topology: board.topology });
    state.cursor = Math.floor(board.rows / 2) * board.columns + Math.floor(board.columns / 2);
    clearNotes(state);
  }
  state.cells = symbolsOf(board.cells);
}

/**
 * The end of a game: mines that were not flagged, the one that went off, flags that were wrong. Won, all are flagged.
 * @param {BoardState} state @param {Cell[]} mines @param {Cell[]} exploded @param {boolean} won
 */
export function showMines(state, mines, exploded, won) {
  const places = new Set(mines.map((cell) => index(state, cell)));
  state.cells = state.cells.map((symbol, place) => {
    if (places.has(place)) return won || symbol === FLAG ? FLAG : "*";
    return symbol === FLAG ? "W" : symbol;
  });
  for (const cell of exploded) state.cells[index(state, cell)] = "X";
}

/** The visible position as text, without what only the end of a game shows. @param {BoardState} state */
export function positionText(state) {
  const symbols = state.cells.map((symbol) => (symbol === "W" ? FLAG : isNumber(symbol) || symbol === FLAG || symbol === OUTSIDE ? symbol : COVERED)); // prettier-ignore
  const rows = Array.from({ length: state.rows }, (_, row) =>
    symbols.slice(row * state.columns, (row + 1) * state.columns),
  );
  return rows.map(rowText).join("/");
}

/**
 * Show cells as pressed until the server says what they hold; others spring back.
 * @param {BoardState} state @param {Set<number>} opening @returns {number[]} the cells that look different now
 */
export function setOpening(state, opening) {
  const before = state.pressed;
  const previewed = [...before].filter((place) => !state.opening.has(place));
  state.opening = opening;
  state.pressed = new Set([...previewed, ...opening]);
  return [...before, ...opening].filter((place) => before.has(place) !== state.pressed.has(place));
}

/** Remove marks, doubts and odds. @param {BoardState} state */
export function clearNotes(state) {
  state.marks = new Map();
  state.doubtful = new Set();
  setOdds(state, null);
}

/**
 * Take the odds of an analysis, or remove them.
 * @param {BoardState} state
 * @param {{mine_probability: (number | null)[][], safe: Cell[], mines: Cell[], survived?: number | null} | null} analysis
 */
export function setOdds(state, analysis) {
  state.odds = analysis === null ? null : analysis.mine_probability.flat();
  state.safe = new Set(analysis?.safe.map((cell) => index(state, cell)));
  state.mines = new Set(analysis?.mines.map((cell) => index(state, cell)));
  state.survived = analysis?.survived ?? 1;
}

/**
 * Light cells up, later ones over earlier ones.
 * @param {BoardState} state @param {[Mark, Cell[] | null | undefined][]} groups
 */
export function setMarks(state, groups) {
  state.marks = new Map();
  for (const [mark, cells] of groups) for (const cell of cells ?? []) state.marks.set(index(state, cell), mark);
}

/**
 * The number an overlay shows of a cell: its chance of a mine, or that of being lost by now if it is opened next.
 * Null where it has none. Certainty is in `safe` and `mines` and never in this number.
 * @param {BoardState} state @param {number} place
 * @returns {number | null}
 */
export function shownOdds(state, place) {
  const chance = state.odds?.[place];
  if (chance === undefined || chance === null || !isCovered(state.cells[place])) return null;
  return state.overlay === "risk" ? 1 - state.survived * (1 - chance) : chance;
}

/**
 * Move the cursor by rows and columns, across joined borders.
 * @param {BoardState} state @param {number} down @param {number} right
 */
export function moveCursor(state, down, right) {
  const { rows, columns } = state;
  let [row, column] = cellOf(state, Math.max(0, state.cursor));
  for (let step = 0; step < Math.max(rows, columns); step++) {
    [row, column] = wrap(row + down, column + right, state);
    row = Math.max(0, Math.min(rows - 1, row));
    column = Math.max(0, Math.min(columns - 1, column));
    if (isPlace(row, column, state)) break;
  }
  if (isPlace(row, column, state)) state.cursor = row * columns + column;
  state.cursorShown = true;
}
