/**
 * Where cells are on the screen: squares, or hexagons with odd rows shifted half a cell to the right.
 * Lengths are in cells, so a place on the screen is a length times the size of a cell. No DOM here.
 *
 * @typedef {"grid" | "torus" | "hex"} Topology
 */

/** Height of a row of hexagons whose width is 1: three quarters of the height of a hexagon. */
const HEX_ROW = Math.sqrt(3) / 2;
const HEX_SIDE = 1 / Math.sqrt(3);

const SQUARE = [-1, 0, 1].flatMap((dr) => [-1, 0, 1].map((dc) => [dr, dc])).filter(([dr, dc]) => dr || dc);
const HEX_EVEN = [[-1, -1], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 0]]; // prettier-ignore
const HEX_ODD = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, 0], [1, 1]]; // prettier-ignore

/**
 * Width and height of a board.
 * @param {number} rows @param {number} columns @param {Topology} topology
 * @returns {[number, number]}
 */
export function extent(rows, columns, topology) {
  if (topology !== "hex") return [columns, rows];
  return [columns + (rows > 1 ? 0.5 : 0), (rows - 1) * HEX_ROW + 2 * HEX_SIDE];
}

/**
 * The middle of a cell.
 * @param {number} row @param {number} column @param {Topology} topology
 * @returns {[number, number]} x, y
 */
export function centre(row, column, topology) {
  if (topology !== "hex") return [column + 0.5, row + 0.5];
  return [column + 0.5 + (row % 2) / 2, row * HEX_ROW + HEX_SIDE];
}

/**
 * The cell at a place, or null.
 * @param {number} x @param {number} y @param {number} rows @param {number} columns @param {Topology} topology
 * @returns {[number, number] | null}
 */
export function cellAt(x, y, rows, columns, topology) {
  if (topology !== "hex") {
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
  const step = topology === "hex" ? HEX_ROW : 1;
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
  const steps = topology !== "hex" ? SQUARE : row % 2 ? HEX_ODD : HEX_EVEN;
  /** @type {[number, number][]} */
  const cells = [];
  for (const [dr = 0, dc = 0] of steps) {
    let [r, c] = [row + dr, column + dc];
    if (topology === "torus") [r, c] = [(r + rows) % rows, (c + columns) % columns];
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
