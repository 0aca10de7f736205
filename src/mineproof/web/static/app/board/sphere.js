/**
 * The sphere of hexagons and twelve pentagons: which cells touch, and where they are on its map. `board/sphere.py` says
 * what the map is. Here cells are points of an icosahedron in space, and neighbours are the nearest points. No DOM here.
 *
 * @typedef {[number, number, number]} Point
 */

/** Strips of the map, each as wide as an edge of the icosahedron. */
export const strips = 5;
const GOLDEN = (1 + Math.sqrt(5)) / 2;
const NEAR = 1.3; // the next points are 1 away, the others at least 1.6

/** @type {Map<number, Map<number, [number, number][]>>} */
const known = new Map();

/** How far the first cell of a strip lies right of the strip's left end. @param {number} frequency @param {number} row */
export const sphereOffset = (frequency, row) => Math.abs(row - frequency) / 2;

/**
 * The neighbours of each cell, by its place on a board of 5n columns.
 * @param {number} frequency n, the number of cells along an edge
 */
export function sphereNeighbours(frequency) {
  let all = known.get(frequency);
  if (!all) known.set(frequency, (all = findNeighbours(frequency)));
  return all;
}

/** @param {number} frequency @returns {Map<number, [number, number][]>} */
function findNeighbours(frequency) {
  const rows = 3 * frequency + 1;
  /** @type {{column: number, point: Point}[][]} */
  const lines = Array.from({ length: rows }, () => []);
  for (let row = 0; row < rows; row++) {
    const pole = row === 0 || row === rows - 1;
    const count = pole ? 1 : Math.min(row, frequency, rows - 1 - row);
    for (let strip = 0; strip < strips; strip++) {
      if (pole && strip !== 2) continue;
      for (let place = 0; place < count; place++)
        lines[row]?.push({ column: strip * frequency + place, point: pointOf(frequency, row, strip, place) });
    }
  }
  return new Map(
    lines.flatMap((line, row) =>
      line.map(({ column, point }) => {
        const near = [row - 1, row, row + 1].flatMap((other) =>
          (lines[other] ?? [])
            .filter((one) => (other !== row || one.column !== column) && distance(point, one.point) < NEAR)
            .map((one) => /** @type {[number, number]} */ ([other, one.column])),
        );
        return /** @type {[number, [number, number][]]} */ ([row * strips * frequency + column, near]);
      }),
    ),
  );
}

/** Where a cell is in space. @param {number} frequency @param {number} row @param {number} strip @param {number} place @returns {Point} */
function pointOf(frequency, row, strip, place) {
  const radius = (frequency * Math.sqrt(GOLDEN * Math.sqrt(5))) / 2;
  const corner = (/** @type {number} */ turn, /** @type {1 | -1} */ side) => {
    const angle = (2 * Math.PI * turn) / strips;
    const around = (2 * radius) / Math.sqrt(5);
    return /** @type {Point} */ ([around * Math.cos(angle), around * Math.sin(angle), (side * radius) / Math.sqrt(5)]);
  };
  /** @type {[Point, number][]} */
  let parts;
  const [upper, nextUpper, lower, nextLower] = [corner(strip, 1), corner(strip + 1, 1), corner(strip + 0.5, -1), corner(strip + 1.5, -1)]; // prettier-ignore
  if (row <= frequency) {
    parts = [[[0, 0, radius], frequency - row], [upper, row - place], [nextUpper, place]]; // prettier-ignore
  } else if (row < 2 * frequency) {
    const down = row - frequency;
    const bend = Math.min(place, frequency - down);
    parts = [[upper, frequency - down - bend], [lower, down - (place - bend)], [nextUpper, bend], [nextLower, place - bend]]; // prettier-ignore
  } else {
    const width = 3 * frequency - row;
    parts = [[[0, 0, -radius], frequency - width], [lower, width - place], [nextLower, place]]; // prettier-ignore
  }
  const sum = (/** @type {0 | 1 | 2} */ axis) =>
    parts.reduce((total, [point, weight]) => total + (point[axis] * weight) / frequency, 0);
  return [sum(0), sum(1), sum(2)];
}

/** @param {Point} a @param {Point} b */
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
