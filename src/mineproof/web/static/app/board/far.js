/**
 * The covered cells that touch no number. They all have the same odds, so a board prints these once. No DOM here.
 *
 * @typedef {import("./state.js").BoardState} BoardState
 * @typedef {object} Far
 * @property {Set<number>} places
 * @property {number} chance what the overlay shows of each of them
 * @property {{row: number, first: number, last: number, tall: number}} spot where there is most room: the columns of a
 *   row, and how many rows around it are free as well
 */
import { around } from "./shape.js";
import { cellOf, isNumber, shownOdds } from "./state.js";

const FEWEST = 4; // fewer cells can have their numbers each

/** The last answer for a board, with what it was made of. @type {WeakMap<BoardState, {of: unknown[], far: Far | null}>} */
const known = new WeakMap();

/** @param {BoardState} state @returns {Far | null} null if there are few such cells, or none with odds */
export function farCells(state) {
  const of = [state.cells, state.odds, state.overlay, state.survived, state.marks];
  const last = known.get(state);
  if (last && of.every((value, i) => value === last.of[i])) return last.far;
  const far = findFar(state);
  known.set(state, { of, far });
  return far;
}

/** @param {BoardState} state @returns {Far | null} */
function findFar(state) {
  const { rows, columns, cells, odds } = state;
  if (!odds || (state.overlay !== "odds" && state.overlay !== "risk")) return null;
  const near = new Uint8Array(cells.length);
  for (let place = 0; place < cells.length; place++) {
    if (!isNumber(cells[place])) continue;
    for (const [row, column] of around(...cellOf(state, place), state)) near[row * columns + column] = 1;
  }
  /** @type {Set<number>} */
  const places = new Set();
  let common = -1;
  for (let place = 0; place < cells.length; place++) {
    if (near[place] || state.safe.has(place) || state.mines.has(place) || state.marks.has(place)) continue;
    const chance = shownOdds(state, place);
    if (chance === null) continue;
    if (common < 0) common = chance;
    else if (Math.abs(chance - common) > 1e-9) return null; // mines were put there by hand
    places.add(place);
  }
  return places.size < FEWEST ? null : { places, chance: common, spot: roomiest(places, rows, columns) };
}

/**
 * Where there is most room among cells: how far the next other cell is, by two passes over the board.
 * @param {Set<number>} places @param {number} rows @param {number} columns
 */
function roomiest(places, rows, columns) {
  const room = new Int16Array(rows * columns);
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    row < 0 || row >= rows || column < 0 || column >= columns
      ? 0
      : /** @type {number} */ (room[row * columns + column]);
  for (let place = 0; place < room.length; place++) {
    const [row, column] = [Math.floor(place / columns), place % columns];
    if (places.has(place))
      room[place] = 1 + Math.min(at(row - 1, column - 1), at(row - 1, column), at(row - 1, column + 1), at(row, column - 1)); // prettier-ignore
  }
  let most = 0;
  for (let place = room.length - 1; place >= 0; place--) {
    const [row, column] = [Math.floor(place / columns), place % columns];
    const below = Math.min(at(row + 1, column - 1), at(row + 1, column), at(row + 1, column + 1), at(row, column + 1));
    room[place] = Math.min(room[place] ?? 0, 1 + below);
    most = Math.max(most, room[place] ?? 0);
  }
  let widest = 0;
  /** @type {Far["spot"][]} */
  let equals = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (at(row, column) !== most) continue;
      let [first, last] = [column, column];
      while (first > 0 && places.has(row * columns + first - 1)) first--;
      while (last < columns - 1 && places.has(row * columns + last + 1)) last++;
      if (last - first + 1 > widest) equals = [];
      widest = Math.max(widest, last - first + 1);
      if (last - first + 1 === widest) equals.push({ row, first, last, tall: 2 * most - 1 });
      column = last;
    }
  }
  return equals[equals.length >> 1] ?? { row: 0, first: 0, last: 0, tall: 1 };
}
