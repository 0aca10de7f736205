/**
 * Where cells are on the screen, and which touch: the shapes of `board/topology.py`. Tests compare the two.
 * Lengths are in cells, so a place on the screen is a length times the size of a cell. No DOM here.
 *
 * @typedef {keyof typeof SHAPES} Topology
 * @typedef {keyof typeof OUTLINES} OutlineName
 * @typedef {{rows: number, columns: number, topology: Topology}} Board
 * @typedef {object} Outline the border of a cell around its middle
 * @property {[number, number][]} corners
 * @property {number} lower how far its middle lies below the middle of its row
 * @property {number} wide
 * @property {number} tall
 * @property {number} depth diameter of the circle around the middle that fits inside
 * @property {number} room how large a sign can be, compared with one in a square
 * @typedef {object} Shape
 * @property {"pattern" | "layers" | "sphere"} kind
 * @property {OutlineName[][]} outlines of cells, as a pattern that repeats over rows and columns
 * @property {number[][][][]} steps to the neighbours of a cell, as a pattern too
 * @property {number} columnWidth
 * @property {number} rowHeight
 * @property {number} oddRowShift how much further to the right odd rows are
 * @property {boolean} joinsRows the top border touches the bottom one
 * @property {boolean} joinsColumns the left border touches the right one
 * @property {boolean} flipsRows the left border touches the right one upside down
 */
import { sphereNeighbours, sphereOffset, strips } from "./sphere.js";

const HEX_ROW = Math.sqrt(3) / 2;
const TRIANGLE_SIDE = 1.5;
const TRIANGLE_HEIGHT = TRIANGLE_SIDE * HEX_ROW;
const OCTAGON_STEP = 1.25;
const GAP = 0.6; // between two layers

/**
 * A regular polygon: the radius of the circle inside it, and the angle of its first corner in degrees.
 * @param {number} count @param {number} inside @param {number} first @param {number} [lower]
 * @returns {Outline}
 */
function regular(count, inside, first, lower = 0) {
  const radius = inside / Math.cos(Math.PI / count);
  const corners = Array.from({ length: count }, (_, corner) => {
    const angle = (first * Math.PI) / 180 + (2 * Math.PI * corner) / count;
    return /** @type {[number, number]} */ ([radius * Math.cos(angle), radius * Math.sin(angle)]);
  });
  const reach = (/** @type {number} */ axis) => 2 * Math.max(...corners.map((corner) => Math.abs(corner[axis] ?? 0)));
  return { corners, lower, wide: reach(0), tall: reach(1), depth: 2 * inside, room: Math.min(1, 2 * inside) };
}

export const OUTLINES = {
  square: regular(4, 0.5, 45),
  hexagon: regular(6, 0.5, 30),
  pentagon: regular(5, 0.42, -90),
  "triangle-up": regular(3, TRIANGLE_HEIGHT / 3, -90, TRIANGLE_HEIGHT / 6),
  "triangle-down": regular(3, TRIANGLE_HEIGHT / 3, 90, -TRIANGLE_HEIGHT / 6),
  octagon: regular(8, OCTAGON_STEP * Math.SQRT1_2, 22.5),
  "small-square": regular(4, OCTAGON_STEP * (1 - Math.SQRT1_2), 45),
};

/** All steps of at most so many rows and columns that are kept. @param {number} far @param {(down: number, right: number) => boolean} [keep] */
function steps(far, keep = () => true) {
  const range = Array.from({ length: 2 * far + 1 }, (_, i) => i - far);
  return range.flatMap((dr) => range.map((dc) => [dr, dc])).filter(([dr = 0, dc = 0]) => (dr || dc) && keep(dr, dc));
}

const EIGHT = steps(1);
const FOUR = steps(1, (dr, dc) => !dr !== !dc);
const HEX_EVEN = [[-1, -1], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 0]]; // prettier-ignore
const HEX_ODD = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, 0], [1, 1]]; // prettier-ignore
/** Five cells along the base of a triangle, three around its tip. @param {number} base */
const triangle = (base) => steps(2, (dr, dc) => dr === 0 || dr === base || (dr === -base && Math.abs(dc) < 2));
const [UP, DOWN] = [triangle(1), triangle(-1)];

/** @param {Partial<Shape>} parts @returns {Shape} */
const shape = (parts) => ({
  kind: "pattern",
  steps: [[EIGHT]],
  outlines: [["square"]],
  columnWidth: 1,
  rowHeight: 1,
  oddRowShift: 0,
  joinsRows: false,
  joinsColumns: false,
  flipsRows: false,
  ...parts,
});

export const SHAPES = {
  grid: shape({}),
  torus: shape({ joinsRows: true, joinsColumns: true }),
  hex: shape({ steps: [[HEX_EVEN], [HEX_ODD]], outlines: [["hexagon"]], rowHeight: HEX_ROW, oddRowShift: 0.5 }),
  cylinder: shape({ joinsColumns: true }),
  moebius: shape({ joinsColumns: true, flipsRows: true }),
  triangles: shape({
    steps: [[UP, DOWN], [DOWN, UP]], // prettier-ignore
    outlines: [["triangle-up", "triangle-down"], ["triangle-down", "triangle-up"]], // prettier-ignore
    columnWidth: TRIANGLE_SIDE / 2,
    rowHeight: TRIANGLE_HEIGHT,
  }),
  knight: shape({ steps: [[steps(2, (dr, dc) => Math.abs(dr * dc) === 2)]] }),
  orthogonal: shape({ steps: [[FOUR]] }),
  cross: shape({ steps: [[steps(2, (dr, dc) => !dr !== !dc)]] }),
  radius2: shape({ steps: [[steps(2)]] }),
  octagons: shape({
    steps: [[EIGHT, FOUR], [FOUR, EIGHT]], // prettier-ignore
    outlines: [["octagon", "small-square"], ["small-square", "octagon"]], // prettier-ignore
    columnWidth: OCTAGON_STEP,
    rowHeight: OCTAGON_STEP,
  }),
  cube: shape({ kind: "layers" }),
  sphere: shape({
    kind: "sphere",
    steps: [[HEX_EVEN]],
    outlines: [["hexagon"]],
    rowHeight: HEX_ROW,
    joinsColumns: true,
  }),
};

/** Are cells squares side by side, without gaps? @param {Topology} topology */
export const isSquare = (topology) => {
  const { kind, outlines } = SHAPES[topology];
  return kind === "pattern" && outlines[0]?.length === 1 && outlines[0][0] === "square";
};

/** Do the cells of a row and of a column lie in line, so that a ruler makes sense? @param {Topology} topology */
export const isRuled = (topology) => SHAPES[topology].kind !== "sphere";

/** Does a frame show which borders are joined? @param {Topology} topology */
export const isFramed = (topology) => {
  const { kind, joinsRows, joinsColumns } = SHAPES[topology];
  return kind !== "sphere" && (joinsRows || joinsColumns);
};

/** The outline of a cell. @param {number} row @param {number} column @param {Board} board @returns {OutlineName} */
export function outlineOf(row, column, { columns, topology }) {
  const { kind, outlines } = SHAPES[topology];
  if (kind === "sphere") {
    const strip = columns / strips;
    return column % strip === 0 && row % strip === 0 ? "pentagon" : "hexagon";
  }
  const line = outlines[row % outlines.length] ?? [];
  return line[column % line.length] ?? "square";
}

/** Has the shape a cell at this place of a board? @param {number} row @param {number} column @param {Board} board */
export const isPlace = (row, column, { columns, topology }) =>
  SHAPES[topology].kind !== "sphere" || sphereNeighbours(columns / strips).has(row * columns + column);

/** Sizes for shapes that cannot have any size. @type {Partial<Record<Topology, {rows: number, columns: number, mines: number}>>} */
export const SUGGESTED = {
  cube: { rows: 5, columns: 25, mines: 8 },
  sphere: { rows: 10, columns: 15, mines: 13 },
};

/** Can a board of a shape have this size? @param {Board} board */
export function fits({ rows, columns, topology }) {
  const { kind } = SHAPES[topology];
  if (kind === "layers") return columns % rows === 0;
  return kind !== "sphere" || (columns % strips === 0 && rows === (3 * columns) / strips + 1);
}

/** The most neighbours of a cell, and at least 8: the largest number. @param {Topology} topology */
export function largestNumber(topology) {
  const { kind, steps: pattern } = SHAPES[topology];
  return kind === "layers" ? 26 : Math.max(8, ...pattern.flat().map((near) => near.length));
}

/**
 * A cell that may lie beyond a border that is joined to the opposite one.
 * @param {number} row @param {number} column @param {Board} board
 * @returns {[number, number]}
 */
export function wrap(row, column, { rows, columns, topology }) {
  const { joinsRows, joinsColumns, flipsRows } = SHAPES[topology];
  const r = flipsRows && Math.floor(column / columns) % 2 ? rows - 1 - row : row;
  const turned = (/** @type {number} */ value, /** @type {number} */ count) => ((value % count) + count) % count;
  return [joinsRows ? turned(r, rows) : r, joinsColumns ? turned(column, columns) : column];
}

/** How far outlines reach from the places of their cells: left, up, right, down. @param {Shape} shape */
function margins({ outlines }) {
  const all = outlines.flat().map((name) => OUTLINES[name]);
  const edge = (/** @type {number} */ axis, /** @type {1 | -1} */ side) =>
    Math.max(
      ...all.map((one) => Math.max(...one.corners.map((c) => side * ((c[axis] ?? 0) + (axis ? one.lower : 0))))),
    );
  return [edge(0, -1), edge(1, -1), edge(0, 1), edge(1, 1)];
}

/**
 * Width and height of a board.
 * @param {Board} board
 * @returns {[number, number]}
 */
export function extent({ rows, columns, topology }) {
  const form = SHAPES[topology];
  if (form.kind === "layers") return [columns + GAP * (columns / rows - 1), rows];
  const [left = 0, top = 0, right = 0, bottom = 0] = margins(form);
  const tall = (rows - 1) * form.rowHeight + top + bottom;
  if (form.kind === "sphere") return [columns + columns / strips / 2, tall];
  return [(columns - 1) * form.columnWidth + (rows > 1 ? form.oddRowShift : 0) + left + right, tall];
}

/**
 * The middle of a cell.
 * @param {number} row @param {number} column @param {Board} board
 * @returns {[number, number]} x, y
 */
export function centre(row, column, board) {
  const { rows, columns, topology } = board;
  const form = SHAPES[topology];
  if (form.kind === "layers") return [column + 0.5 + GAP * Math.floor(column / rows), row + 0.5];
  const [left = 0, top = 0] = margins(form);
  if (form.kind === "sphere") return [column + left + sphereOffset(columns / strips, row), row * form.rowHeight + top];
  const { lower } = OUTLINES[outlineOf(row, column, board)];
  const odd = Math.abs(row) % 2;
  return [left + column * form.columnWidth + odd * form.oddRowShift, top + row * form.rowHeight + lower];
}

/**
 * The cell at a place, or null.
 * @param {number} x @param {number} y @param {Board} board
 * @returns {[number, number] | null}
 */
export function cellAt(x, y, board) {
  const { rows, columns, topology } = board;
  if (isSquare(topology)) {
    const [row, column] = [Math.floor(y), Math.floor(x)];
    return row >= 0 && row < rows && column >= 0 && column < columns ? [row, column] : null;
  }
  const [firstRow, lastRow, firstColumn, lastColumn] = visible(x, y, x, y, board);
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const [cx, cy] = centre(row, column, board);
      if (isInside(x - cx, y - cy, OUTLINES[outlineOf(row, column, board)].corners)) return [row, column];
    }
  }
  return null;
}

/** Is a place inside a polygon around the origin whose corners are in order? @param {number} x @param {number} y @param {[number, number][]} corners */
const isInside = (x, y, corners) =>
  corners.every(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length] ?? [0, 0];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
  });

/**
 * The rows and columns that a part of the screen may show: first row, last row, first column, last column.
 * @param {number} left @param {number} top @param {number} right @param {number} bottom @param {Board} board
 * @returns {[number, number, number, number]}
 */
export function visible(left, top, right, bottom, { rows, columns, topology }) {
  const { kind, columnWidth, rowHeight } = SHAPES[topology];
  const clamp = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(0, Math.min(most, value));
  const vertically = /** @type {const} */ ([
    clamp(Math.floor(top / rowHeight) - 1, rows - 1),
    clamp(Math.ceil(bottom / rowHeight), rows - 1),
  ]);
  const shift = kind === "sphere" ? columns / strips : kind === "layers" ? GAP * (columns / rows - 1) : 0;
  return [
    ...vertically,
    clamp(Math.floor((left - shift) / columnWidth) - 1, columns - 1),
    clamp(Math.ceil(right / columnWidth), columns - 1),
  ];
}

/**
 * The cells around one, for the preview of a press. Rules are the server's.
 * @param {number} row @param {number} column @param {Board} board
 * @returns {[number, number][]}
 */
export function around(row, column, board) {
  const { rows, columns, topology } = board;
  const { kind, steps: pattern } = SHAPES[topology];
  if (kind === "sphere") return sphereNeighbours(columns / strips).get(row * columns + column) ?? [];
  const line = pattern[row % pattern.length] ?? [];
  const near = line[column % line.length] ?? [];
  /** @type {[number, number][]} */
  const cells = [];
  if (kind === "layers") {
    const layer = Math.floor(column / rows);
    for (const [dr = 0, dc = 0] of [...near, [0, 0]]) {
      for (const up of [-1, 0, 1]) {
        const [r, c, l] = [row + dr, (column % rows) + dc, layer + up];
        if ((dr || dc || up) && r >= 0 && r < rows && c >= 0 && c < rows && l >= 0 && l * rows < columns)
          cells.push([r, l * rows + c]);
      }
    }
    return cells;
  }
  for (const [dr = 0, dc = 0] of near) {
    const [r, c] = wrap(row + dr, column + dc, board);
    if (r >= 0 && r < rows && c >= 0 && c < columns) cells.push([r, c]);
  }
  return cells;
}
