/**
 * A position that was read from a screenshot, without a page: which cells are unclear, and what changes when the player
 * confirms one. As positions are never changed, undo brings doubts back as well.
 *
 * @typedef {import("./api.js").Cell} Cell
 * @typedef {import("./editor.js").Position} Position
 *
 * @typedef {object} Screenshot
 * @property {Blob} file
 * @property {Wire.ReadingJson} reading what the server read: a mineproof/reading/1
 * @property {Record<string, string>} confirmed marks that the player confirmed, by "row,column"
 * @property {Record<string, number>} size changes of the sides that the player answered questions about
 * @property {Set<number>} settled places that were painted by hand: no longer unclear, and never changed by a reading
 *
 * @typedef {{side: string, change: number, chance: number}} SizeDoubt
 * @typedef {{cells: Cell[], mark: string, alternatives: {mark: string, chance: number}[]}} Doubt
 */

const MIN_CHANCE = 0.02; // of an alternative that is offered
/** What the editor has for marks that it does not have, as `Reading.board` has it. @type {Record<string, string>} */
const SHOWN = { "?": "#", "*": "F" };

/** @type {(reading: Wire.ReadingJson) => string[]} */
const symbols = (reading) => [...reading["cells"].join("")].map((mark) => SHOWN[mark] ?? mark);

/** @type {(reading: Wire.ReadingJson, file: Blob) => Position} */
export const fromReading = (reading, file) => ({
  rows: reading["rows"],
  columns: reading["columns"],
  topology: "grid",
  mines: reading["total_mines"],
  cells: symbols(reading),
  trail: [],
  screenshot: { file, reading, confirmed: {}, size: {}, settled: new Set() },
});

/** With one more mark confirmed. @type {(screenshot: Screenshot, cell: Cell, mark: string) => Record<string, string>} */
export const confirming = ({ confirmed }, [row, column], mark) => ({ ...confirmed, [`${row},${column}`]: mark });

/** Questions about rows and columns at the border. @type {(position: Position) => SizeDoubt[]} */
export const sizeDoubts = ({ screenshot }) => screenshot?.reading["size_doubts"] ?? [];

/** With one more answer: does the row or column belong to the board? @type {(screenshot: Screenshot, doubt: SizeDoubt, belongs: boolean) => Record<string, number>} */
export const resizing = ({ size }, { side, change }, belongs) => ({
  ...size,
  [side]: (size[side] ?? 0) + (belongs === change > 0 ? change : 0),
});

/** As the server takes it. @type {(size: Record<string, number>) => string} */
export const sizeText = (size) => Object.entries(size).map(([side, change]) => `${side},${change}`).join(";"); // prettier-ignore

/** Confirmed marks after the rows or columns at a side changed. @type {(screenshot: Screenshot, size: Record<string, number>) => Record<string, string>} */
export function movedMarks({ confirmed, size: before }, size) {
  const [down, right] = ["up", "left"].map((side) => (size[side] ?? 0) - (before[side] ?? 0));
  const moved = Object.entries(confirmed).map(([cell, mark]) => {
    const [row = 0, column = 0] = cell.split(",").map(Number);
    return /** @type {const} */ ([row + (down ?? 0), column + (right ?? 0), mark]);
  });
  return Object.fromEntries(moved.filter(([row, column]) => row >= 0 && column >= 0).map(([row, column, mark]) => [`${row},${column}`, mark])); // prettier-ignore
}

/**
 * The same screenshot with an answer about its size: what was painted stays only if no row or column changed.
 * @type {(position: Position, reading: Wire.ReadingJson, size: Record<string, number>) => Position}
 */
export function resized(position, reading, size) {
  const { screenshot } = position;
  if (!screenshot) return position;
  const confirmed = movedMarks(screenshot, size);
  const same = reading["rows"] === position.rows && reading["columns"] === position.columns;
  const fresh = same ? reread(position, reading, confirmed) : fromReading(reading, screenshot.file);
  return {
    ...fresh,
    screenshot: { ...screenshot, reading, confirmed, size, settled: same ? screenshot.settled : new Set() },
  };
}

/** As the server takes it. @type {(confirmed: Record<string, string>) => string} */
export const confirmText = (confirmed) =>
  Object.entries(confirmed).map(([cell, mark]) => `${cell},${mark}`).join(";"); // prettier-ignore

/**
 * The same screenshot, read again; what was painted or typed by hand stays.
 * @type {(position: Position, reading: Wire.ReadingJson, confirmed: Record<string, string>) => Position}
 */
export function reread(position, reading, confirmed) {
  const { screenshot } = position;
  if (!screenshot) return position;
  const cells = symbols(reading).map((symbol, place) =>
    screenshot.settled.has(place) ? (position.cells[place] ?? symbol) : symbol,
  );
  const mines = position.mines === screenshot.reading["total_mines"] ? reading["total_mines"] : position.mines;
  return { ...position, cells, mines, trail: [], screenshot: { ...screenshot, reading, confirmed } };
}

/** The questions: groups of cells that look alike, without those painted since. @type {(position: Position) => Doubt[]} */
export function doubts({ columns, screenshot }) {
  if (!screenshot) return [];
  const open = (/** @type {Cell} */ [row, column]) => !screenshot.settled.has(row * columns + column);
  const groups = /** @type {Doubt[]} */ (screenshot.reading["doubts"]);
  return groups.map((doubt) => ({ ...doubt, cells: doubt.cells.filter(open) })).filter(({ cells }) => cells.length);
}

/** @type {(position: Position) => Set<number>} */
export const doubtful = (position) =>
  new Set(doubts(position).flatMap(({ cells }) => cells.map(([row, column]) => row * position.columns + column)));

/** Other marks that are worth a question, the likeliest first. @type {(doubt: Doubt) => string[]} */
export function rivals({ alternatives }) {
  const likely = alternatives.filter(({ chance }) => chance >= MIN_CHANCE);
  return (likely.length ? likely : alternatives.slice(0, 1)).map(({ mark }) => mark);
}

/** Cells were painted: those changed, and those that were unclear, are settled. @type {(before: Position, after: Position, places: number[]) => Position} */
export function settled(before, after, places) {
  const { screenshot } = after;
  if (!screenshot) return after;
  const doubted = doubtful(before);
  const decided = places.filter((place) => doubted.has(place) || before.cells[place] !== after.cells[place]);
  const fresh = decided.filter((place) => !screenshot.settled.has(place));
  if (!fresh.length) return after;
  return { ...after, screenshot: { ...screenshot, settled: new Set([...screenshot.settled, ...fresh]) } };
}
