/**
 * Short effects on a board: openings spread, flags drop, mines go off, a win shimmers. The board underneath always shows
 * the true state. An effect only paints over cells for a moment, so it never delays a press, and nothing runs without one.
 *
 * @typedef {import("./skin.js").Palette} Palette
 * @typedef {"open" | "flag" | "unflag" | "explode" | "win"} Kind
 * @typedef {object} Effect
 * @property {Kind} kind
 * @property {number} begun time of its first frame, in milliseconds; 0 before
 * @property {number} length milliseconds until its last cell is done
 * @property {number} each milliseconds that one cell takes
 * @property {Map<number, number>} starts when the effect of each cell starts, in milliseconds
 * @property {number} origin the cell where it began
 *
 * @typedef {object} Brush what the view offers to effects
 * @property {CanvasRenderingContext2D} context in CSS pixels of the canvas, clipped to the board
 * @property {Palette} palette
 * @property {number} size of a cell
 * @property {(place: number) => [x: number, y: number]} centre of a cell on the canvas
 * @property {(place: number) => string} symbol
 * @property {(place: number, alpha: number, scale: number) => void} cover paint a covered tile over a cell
 * @property {(place: number) => void} shade the path of a cell
 */
import { flag } from "./pictures.js";

// Milliseconds
const SPREAD = 150; // from the first cell of an opening to its last
const OPEN = 90;
const DROP = 170;
const LIFT = 120;
const FLASH = 420;
const CASCADE = 560; // from the first mine to the last
const POP = 140;
const SHIMMER = 800;
const BAND = 220; // that the light takes to pass a cell

const FLASH_REACH = 2.3; // cells
const FLASH_CELLS = 4; // rows and columns that its light may touch

export class Effects {
  /** @type {Effect[]} */
  #running = [];

  get busy() {
    return this.#running.length > 0;
  }

  clear() {
    this.#running = [];
  }

  /**
   * @param {Kind} kind @param {number[]} places its cells
   * @param {(place: number) => [number, number]} centre of a cell, in cells @param {number} origin where it begins
   */
  play(kind, places, centre, origin) {
    if (!places.length) return;
    const middle = centre(origin);
    const far = (/** @type {number} */ place) => {
      const [x, y] = centre(place);
      return kind === "win" ? x + y : Math.hypot(x - middle[0], y - middle[1]);
    };
    const distances = places.map(far);
    const [least, most] = distances.reduce(
      ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
      [Infinity, 0],
    );
    const [wait, spread, each] = TIMES[kind];
    const rate = most > least ? Math.min(1, (most - least) / SLOWEST[kind]) : 0; // small ones are quicker
    const starts = new Map(
      places.map((place, i) => {
        const part = most > least ? ((distances[i] ?? 0) - least) / (most - least) : 0;
        return [place, wait + part * spread * rate];
      }),
    );
    const length = Math.max(wait + spread * rate + each, kind === "explode" ? FLASH : 0);
    this.#running.push({ kind, begun: 0, length, each, starts, origin });
  }

  /**
   * The cells that a frame has to draw again, before `paint`: those that an effect changes, or has changed.
   * @param {number} now @param {number} columns @param {number} rows
   * @returns {Set<number>}
   */
  due(now, columns, rows) {
    /** @type {Set<number>} */
    const places = new Set();
    for (const effect of this.#running) {
      effect.begun ||= now;
      // the light of a win leaves cells alone before it comes
      for (const [place, start] of effect.starts)
        if (effect.kind !== "win" || now - effect.begun >= start) places.add(place);
      if (effect.kind !== "explode") continue;
      const [middle, side] = [Math.floor(effect.origin / columns), effect.origin % columns];
      for (let row = Math.max(0, middle - FLASH_CELLS); row <= Math.min(rows - 1, middle + FLASH_CELLS); row++) {
        const last = Math.min(columns - 1, side + FLASH_CELLS);
        for (let column = Math.max(0, side - FLASH_CELLS); column <= last; column++) places.add(row * columns + column);
      }
    }
    return places;
  }

  /** Paint over the board; cells and effects that are done are dropped. @param {Brush} brush @param {number} now */
  paint(brush, now) {
    for (const effect of this.#running) {
      const time = now - effect.begun;
      for (const [place, start] of effect.starts) {
        const part = (time - start) / effect.each;
        if (part >= 1)
          effect.starts.delete(place); // its cell was drawn without the effect just now
        else CELLS[effect.kind](brush, place, part);
      }
      if (effect.kind === "explode") flash(brush, effect, time / FLASH);
    }
    this.#running = this.#running.filter(({ begun, length }) => now - begun < length);
  }
}

/** Milliseconds before the first cell, from the first to the last, and of each cell. @type {Record<Kind, [number, number, number]>} */
const TIMES = {
  open: [0, SPREAD, OPEN],
  flag: [0, 0, DROP],
  unflag: [0, 0, LIFT],
  explode: [60, CASCADE, POP],
  win: [0, SHIMMER - BAND, BAND],
};

/** Distance in cells from which on an effect takes its whole time. @type {Record<Kind, number>} */
const SLOWEST = { open: 5, flag: 1, unflag: 1, explode: 8, win: 10 };

/** @param {number} part */
const easeOut = (part) => 1 - (1 - part) ** 3;

/** What an effect paints on a cell; `part` goes from below 0 (it waits) to 1. @type {Record<Kind, (brush: Brush, place: number, part: number) => void>} */
const CELLS = {
  open: (brush, place, part) => {
    if (brush.symbol(place) === "F") return; // flagged again meanwhile
    if (part <= 0) brush.cover(place, 1, 1);
    else brush.cover(place, 1 - part, 1 - 0.4 * part);
  },
  flag: (brush, place, part) => {
    if (brush.symbol(place) !== "F") return;
    const fall = easeOut(Math.max(0, part));
    const bounce = part > 0.7 ? Math.sin(((part - 0.7) / 0.3) * Math.PI) * 0.06 : 0;
    flying(brush, place, -(1 - fall) * 0.7 - bounce, Math.min(1, 0.3 + fall));
  },
  unflag: (brush, place, part) => {
    if (brush.symbol(place) === "#") flying(brush, place, -easeOut(Math.max(0, part)) * 0.6, 1 - part);
  },
  explode: (brush, place, part) => {
    const symbol = brush.symbol(place);
    if (symbol !== "*" && symbol !== "X" && symbol !== "W") return;
    if (symbol === "X") return; // it is seen at once, under the flash
    if (part <= 0) brush.cover(place, 1, 1);
    else brush.cover(place, 1 - part, 1 - 0.5 * part);
  },
  win: (brush, place, part) => {
    if (part <= 0) return;
    const { context } = brush;
    brush.shade(place);
    context.fillStyle = `rgb(255 255 255 / ${(Math.sin(part * Math.PI) * 0.6).toFixed(3)})`;
    context.fill();
  },
};

/**
 * A flag over its tile, on its way.
 * @param {Brush} brush @param {number} place @param {number} up part of a cell above its place @param {number} alpha
 */
function flying(brush, place, up, alpha) {
  const { context, size, palette } = brush;
  brush.cover(place, 1, 1);
  const [x, y] = brush.centre(place);
  context.save();
  brush.shade(place);
  context.clip();
  context.globalAlpha = Math.max(0, alpha);
  context.translate(x, y + up * size);
  flag(context, size, palette);
  context.restore();
}

/** The light of an explosion: a ring that grows and fades. @param {Brush} brush @param {Effect} effect @param {number} part */
function flash(brush, { origin }, part) {
  if (part >= 1) return;
  const { context, size, palette } = brush;
  const [x, y] = brush.centre(origin);
  const grown = easeOut(part);
  context.save();
  context.beginPath();
  context.arc(x, y, (0.3 + (FLASH_REACH - 0.3) * grown) * size, 0, 2 * Math.PI);
  context.globalAlpha = (1 - part) * 0.75;
  context.lineWidth = Math.max(1, size * 0.5 * (1 - part));
  context.strokeStyle = palette.heat4;
  context.stroke();
  context.globalAlpha = Math.max(0, 0.85 - 1.6 * part);
  context.fillStyle = "rgb(255 246 214)";
  context.fill();
  context.restore();
}
