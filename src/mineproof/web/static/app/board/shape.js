/**
 * Where cells are on the screen: squares, or hexagons with odd rows shifted half a cell to the right.
 * Lengths are in cells, so a place on the screen is a length times the size of a cell. No DOM here.
 *
 * @typedef {keyof typeof SHAPES} Topology
 * @typedef {object} Shape a topology, as in `board/topology.py`: a test compares the two
 * @property {"square" | "hexagon"} outline
 * @property {number[][][][]} steps to the neighbours of a cell, as a pattern that repeats over rows and columns
 * @property {boolean} joinsRows the top border touches the bottom one
 * @property {boolean} joinsColumns the left border touches the right one
 */

/** Height of a row of hexagons whose width is 1: three quarters of the height of a hexagon. */
const HEX_ROW = Math.sqrt(3) / 2;
const HEX_SIDE = 1 / Math.sqrt(3);

const SQUARE = [-1, 0, 1].flatMap((dr) => [-1, 0, 1].map((dc) => [dr, dc])).filter(([dr, dc]) => dr || dc);
const HEX_EVEN = [[-1, -1], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 0]]; // prettier-ignore
const HEX_ODD = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, 0], [1, 1]]; // prettier-ignore

export const SHAPES = {
  grid: /** @type {Shape} */ ({ outline: "square", steps: [[SQUARE]], joinsRows: false, joinsColumns: false }),
  torus: /** @type {Shape} */ ({ outline: "square", steps: [[SQUARE]], joinsRows: true, joinsColumns: true }),
  hex: /** @type {Shape} */ ({ outline: "hexagon", steps: [[HEX_EVEN], [HEX_ODD]], joinsRows: false, joinsColumns: false }), // prettier-ignore
};

/** Are cells drawn as hexagons, with odd rows shifted? @param {Topology} topology */
export const isHexagonal = (topology) => SHAPES[topology].outline === "hexagon";

/**
 * A cell that may lie beyond a border that is joined to the opposite one.
 * @param {number} row @param {number} column @param {number} rows @param {number} columns @param {Topology} topology
 * @returns {[number, number]}
 */
export function wrap(row, column, rows, columns, topology) {
  const { joinsRows, joinsColumns } = SHAPES[topology];
  return [joinsRows ? (row + rows) % rows : row, joinsColumns ? (column + columns) % columns : column];
}

/**
 * Width and height of a board.
 * @param {number} rows @param {number} columns @param {Topology} topology
 * @returns {[number, number]}
 */
export function extent(rows, columns, topology) {
  if (!isHexagonal(topology)) return [columns, rows];
  return [columns + (rows > 1 ? 0.5 : 0), (rows - 1) * HEX_ROW + 2 * HEX_SIDE];
}

/**
 * The middle of a cell.
 * @param {number} row @param {number} column @param {Topology} topology
 * @returns {[number, number]} x, y
 */
export function centre(row, column, topology) {
  if (!isHexagonal(topology)) return [column + 0.5, row + 0.5];
  return [column + 0.5 + (row % 2) / 2, row * HEX_ROW + HEX_SIDE];
}

/**
 * The cell at a place, or null.
 * @param {number} x @param {number} y @param {number} rows @param {number} columns @param {Topology} topology
 * @returns {[number, number] | null}
 */
export function cellAt(x, y, rows, columns, topology) {
  if (!isHexagonal(topology)) {
    const [row, column] = [Math.floor(y), Math.floor(x)];
    return row >= 0 && row < rows && column >= 0 && column < columns ? [row, column] : null;
  }
  const near = Math.floor((y - HEX_SIDE) / HEX_ROW);
  let [best, least] = [/** @type {[number, number] | null} */ (null), HEX_SIDE * HEX_SIDE];
  for (let row = near - 1; row <= near + 2; row++) {
    const column = Math.floor(x - (Math.abs(row) % 2) / 2);
    if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
    const [cx, cy] = centre(row, column, topology);
    const distance = (x - cx) ** 2 + (y - cy) ** 2;
    if (distance < least) [best, least] = [[row, column], distance];
  }
  return best;
}

/**
 * The rows and columns that a part of the screen may show: first row, last row, first column, last column.
 * @param {number} left @param {number} top @param {number} right @param {number} bottom
 * @param {number} rows @param {number} columns @param {Topology} topology
 * @returns {[number, number, number, number]}
 */
export function visible(left, top, right, bottom, rows, columns, topology) {
  const step = isHexagonal(topology) ? HEX_ROW : 1;
  const clamp = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(0, Math.min(most, value));
  return [
    clamp(Math.floor(top / step) - 1, rows - 1),
    clamp(Math.ceil(bottom / step), rows - 1),
    clamp(Math.floor(left) - 1, columns - 1),
    clamp(Math.ceil(right), columns - 1),
  ];
}

/**
 * The cells around one, for the preview of a press. Rules are the server's.
 * @param {number} row @param {number} column @param {number} rows @param {number} columns @param {Topology} topology
 * @returns {[number, number][]}
 */
export function around(row, column, rows, columns, topology) {
  const { steps } = SHAPES[topology];
  const line = steps[row % steps.length] ?? [];
  /** @type {[number, number][]} */
  const cells = [];
  for (const [dr = 0, dc = 0] of line[column % line.length] ?? []) {
    const [r, c] = wrap(row + dr, column + dc, rows, columns, topology);
    if (r >= 0 && r < rows && c >= 0 && c < columns) cells.push([r, c]);
  }
  return cells;
}

/**
 * The corners of a hexagon of width 1 around the origin.
 * @returns {[number, number][]}
 */
export function hexagon() {
  return [0, 1, 2, 3, 4, 5].map((corner) => {
    const angle = Math.PI / 6 + (corner * Math.PI) / 3;
    return [Math.cos(angle) * HEX_SIDE, Math.sin(angle) * HEX_SIDE];
  });
}
