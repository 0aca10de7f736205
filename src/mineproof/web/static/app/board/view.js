/**
 * State to canvas. `request` schedules drawing, which happens once a frame; only cells on the screen are drawn,
 * each as one picture that was made once for its size and colours. Cells that are named are drawn alone, and a board that
 * was moved is copied, with what came into sight drawn beside it: 100×100 cells would take a frame longer than it has.
 *
 * @typedef {import("./state.js").BoardState} BoardState
 * @typedef {import("./skin.js").Palette} Palette
 * @typedef {object} Caption what is printed once for all cells away from the numbers, in CSS pixels of the board
 * @property {string} words
 * @property {number} letters their size
 * @property {number} left
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */
import { columnLabel, percent, rowLabel, wholePercent } from "../format.js";
import { t } from "../messages.js";
import { Effects } from "./effects.js";
import { farCells } from "./far.js";
import { Pictures, font, outline, text } from "./pictures.js";
import * as shape from "./shape.js";
import { readPalette } from "./skin.js";
import { cellOf, isCovered, shownOdds } from "./state.js";

// CSS pixels
const RULER = 20; // of the border with the letters of columns and the numbers of rows
const FRAME = 8; // around the board
const THIN_FRAME = 3; // on a small screen
const JOINED_FRAME = 7; // at least, where arrows show that borders are joined
/** Screens where the board needs all the room there is, as in styles/play.css. */
export const SMALL = "(max-width: 640px), (max-height: 480px)";
const CAPTION = [11, 22]; // least and largest text of the caption for cells away from the numbers

export class View {
  #pictures = new Pictures();
  #frame = 0;
  #all = true; // everything is to be drawn
  /** @type {Set<number>} cells that are to be drawn, where not everything is */
  #some = new Set();
  #drawn = { left: 0, top: 0, size: 0, ruled: false }; // as it is on the canvas
  /** Pictures of cells that show their symbol alone, which most do, for the size that is drawn. @type {Map<string, HTMLCanvasElement>} */
  #plain = new Map();
  /** @type {Palette | null} */
  #palette = null;
  #scale = 1;
  #zoomed = 0; // the size before it was rounded to whole pixels, so that small steps of a pinch add up
  #farLook = ""; // sizes that its caption was made for
  /** @type {import("./far.js").Far | null} */
  #far = null;
  /** @type {Caption | null} */
  #caption = null;
  effects = new Effects();
  /** Called after each frame: what lies over the canvas follows it. */
  drawn = () => {};

  /** @param {BoardState} state @param {HTMLCanvasElement} canvas */
  constructor(state, canvas) {
    this.state = state;
    this.canvas = canvas;
    /** What gives the canvas its size. @type {HTMLElement} */
    this.stage = canvas.closest(".stage") ?? canvas;
  }

  /** Width and height of the canvas in CSS pixels. @returns {[number, number]} */
  get room() {
    return [this.stage.clientWidth, this.stage.clientHeight];
  }

  get ruler() {
    return this.state.ruled && shape.isRuled(this.state.topology) ? RULER : 0;
  }

  /** Width of the frame around the board, in CSS pixels. */
  get frame() {
    const frame = matchMedia(SMALL).matches ? THIN_FRAME : FRAME;
    return shape.isFramed(this.state.topology) ? Math.max(frame, JOINED_FRAME) : frame;
  }

  /** Draw at the next frame: everything, or the cells that are named. @param {number[]} [places] */
  request(places) {
    if (places) for (const place of places) this.#some.add(place);
    else this.#all = true;
    this.#schedule();
  }

  #schedule() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.draw());
  }

  /** Move the board under the screen, by CSS pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const before = this.#all;
    this.state.left -= dx;
    this.state.top -= dy;
    this.clamp();
    this.#all = before;
  }

  /** Forget colours and pictures: the theme or the sharpness of the screen has changed. */
  refresh() {
    this.#palette = null;
    this.#pictures.clear();
    this.request();
  }

  /**
   * Let the whole board be seen if its cells are then still large enough to be hit, and put it in the middle.
   * @param {number} least size of a cell @param {number} most
   */
  fit(least, most) {
    const { state } = this;
    const [width, height] = this.room;
    const [columns, rows] = shape.extent(state);
    const margin = this.ruler + 2 * this.frame;
    const size = Math.min((width - margin) / columns, (height - margin) / rows);
    state.size = this.#wholePixels(Math.max(least, Math.min(most, Math.floor(size))));
    state.left = (columns * state.size + this.ruler - width) / 2;
    state.top = (rows * state.size + this.ruler - height) / 2;
    this.clamp();
  }

  /** The size of cells at which all columns are visible. */
  get sizeAcross() {
    const [columns] = shape.extent(this.state);
    return Math.floor((this.room[0] - this.ruler - 2 * this.frame) / columns);
  }

  /** Keep the board on the screen: in the middle where it is smaller, else without a margin. */
  clamp() {
    const { state } = this;
    const [width, height] = this.room;
    const [columns, rows] = shape.extent(state);
    const [w, h] = [columns * state.size + this.ruler, rows * state.size + this.ruler];
    const { frame } = this;
    state.left = w <= width ? (w - width) / 2 : Math.max(-frame, Math.min(w - width + frame, state.left));
    state.top = h <= height ? (h - height) / 2 : Math.max(-frame, Math.min(h - height + frame, state.top));
    this.request();
  }

  /** Whether a part of the board is off the screen. */
  get overflows() {
    const { state } = this;
    const [width, height] = this.room;
    const [columns, rows] = shape.extent(state);
    return columns * state.size + this.ruler > width + 1 || rows * state.size + this.ruler > height + 1;
  }

  /**
   * Make cells larger or smaller around a place of the canvas.
   * @param {number} size @param {number} x @param {number} y
   */
  zoom(size, x, y) {
    const { state } = this;
    const width = this.#wholePixels(this.#zoomed) === state.size ? (size / state.size) * this.#zoomed : size;
    this.#zoomed = Math.max(6, Math.min(96, width));
    const next = this.#wholePixels(this.#zoomed);
    const factor = next / state.size;
    state.left = (state.left + x - this.ruler) * factor - x + this.ruler;
    state.top = (state.top + y - this.ruler) * factor - y + this.ruler;
    state.size = next;
    this.clamp();
  }

  /** @param {number} x @param {number} y of the canvas @returns {import("./state.js").Cell | null} */
  cellAt(x, y) {
    const { state } = this;
    const [bx, by] = [(x + state.left - this.ruler) / state.size, (y + state.top - this.ruler) / state.size];
    return shape.cellAt(bx, by, state);
  }

  /** The middle of a cell in the window. @param {number} place @returns {[number, number]} */
  onScreen(place) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const [x, y] = this.#centre(place);
    return [left + x, top + y];
  }

  /** Pan so that a cell can be seen. @param {number} place */
  reveal(place) {
    const { state } = this;
    const [width, height] = this.room;
    const [x, y] = shape.centre(...cellOf(state, place), state);
    const [left, top] = [x * state.size - state.left + this.ruler, y * state.size - state.top + this.ruler];
    const margin = state.size;
    if (left < margin + this.ruler) state.left -= margin + this.ruler - left;
    if (left > width - margin) state.left += left - width + margin;
    if (top < margin + this.ruler) state.top -= margin + this.ruler - top;
    if (top > height - margin) state.top += top - height + margin;
    this.clamp();
  }

  draw() {
    this.#frame = 0;
    const { state, canvas } = this;
    const [width, height] = this.room;
    const context = canvas.getContext("2d");
    if (!context || !width || !height) return;
    this.#prepare(width, height);
    const palette = /** @type {Palette} */ (this.#palette);
    const now = performance.now();
    if (this.effects.busy && state.hidden) this.effects.clear();
    for (const place of this.effects.due(now, state.columns, state.rows)) this.#some.add(place);
    this.#findFar(context);
    context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
    // the cursor lies over cells, so with it everything is drawn
    const pointed = state.cursorShown && !state.hidden && state.cursor >= 0;
    if (this.#all || pointed || this.#drawn.size !== state.size || this.#drawn.ruled !== state.ruled)
      this.#region(context, 0, 0, width, height);
    else {
      this.#shift(context, width, height);
      for (const place of this.#some) if (place >= 0) this.#again(context, place);
      this.#captionAgain(context);
    }
    if (this.effects.busy) this.#effects(context, palette, now);
    if (pointed) this.#outline(context, state.cursor, palette);
    if (this.ruler) this.#rulers(context, palette, this.#visible(0, 0, width, height));
    this.#all = false;
    this.#some.clear();
    this.#drawn = { left: state.left, top: state.top, size: state.size, ruled: state.ruled };
    this.drawn();
  }

  /** The rows and columns in a part of the canvas. @param {number} x @param {number} y @param {number} right @param {number} bottom */
  #visible(x, y, right, bottom) {
    const { size, left, top } = this.state;
    const [dx, dy] = [left - this.ruler, top - this.ruler];
    return shape.visible((x + dx) / size, (y + dy) / size, (right + dx) / size, (bottom + dy) / size, this.state); // prettier-ignore
  }

  /**
   * Draw a part of the canvas.
   * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} right @param {number} bottom
   */
  #region(context, x, y, right, bottom) {
    context.save();
    context.beginPath();
    context.rect(x, y, right - x, bottom - y);
    context.clip();
    this.#ground(context, x, y, right, bottom);
    const [firstRow, lastRow, firstColumn, lastColumn] = this.#visible(x, y, right, bottom);
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        this.#cell(context, row * this.state.columns + column);
      }
    }
    if (this.#caption) this.#drawCaption(context);
    context.restore();
  }

  /**
   * The stage, and the frame of the board with its depth.
   * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} right @param {number} bottom
   */
  #ground(context, x, y, right, bottom) {
    const palette = /** @type {Palette} */ (this.#palette);
    const { state, frame } = this;
    const [columns, rows] = shape.extent(state);
    const [left, top] = [-this.#sharp(state.left), -this.#sharp(state.top)];
    const [wide, tall] = [this.#sharp(columns * state.size) + this.ruler, this.#sharp(rows * state.size) + this.ruler];
    context.fillStyle = palette.stage;
    context.fillRect(x, y, right - x, bottom - y);
    const box = (/** @type {number} */ grown, /** @type {string} */ colour) => {
      context.fillStyle = colour;
      context.fillRect(left - grown, top - grown, wide + 2 * grown, tall + 2 * grown);
    };
    // a soft shadow below, darker towards the frame, and only around it: most pixels are those of the board
    for (let grown = frame + 16; grown > frame && palette.skin.edge !== "line"; grown -= 2) {
      context.fillStyle = `rgb(8 16 32 / ${0.6 + (frame + 16 - grown) * 0.16}%)`;
      context.beginPath();
      context.roundRect(left - grown, top - grown + 6, wide + 2 * grown, tall + 2 * grown, grown);
      context.rect(left - frame + 1, top - frame + 1, wide + 2 * frame - 2, tall + 2 * frame - 2);
      context.fill("evenodd");
    }
    box(frame, palette.frame);
    const line = Math.max(1, Math.round(frame / 5));
    bevel(context, left - frame, top - frame, wide + 2 * frame, tall + 2 * frame, line, palette["frame-light"], palette["frame-dark"]); // prettier-ignore
    if (frame > 2 * line)
      bevel(context, left - line, top - line, wide + 2 * line, tall + 2 * line, line, palette["frame-dark"], palette["frame-light"]); // prettier-ignore
    context.fillStyle = palette.well;
    context.fillRect(left + this.ruler, top + this.ruler, wide - this.ruler, tall - this.ruler);
    this.#joints(context, left, top, wide, tall);
  }

  /**
   * Arrows on the frame, pointing outwards, where the border is joined to the opposite one.
   * @param {CanvasRenderingContext2D} context @param {number} left @param {number} top @param {number} wide @param {number} tall
   */
  #joints(context, left, top, wide, tall) {
    const { state, frame, ruler } = this;
    const { joinsRows, joinsColumns } = shape.SHAPES[state.topology];
    if (!shape.isFramed(state.topology)) return;
    context.fillStyle = /** @type {Palette} */ (this.#palette)["frame-ink"];
    const half = frame / 2;
    const arrow = (
      /** @type {number} */ x,
      /** @type {number} */ y,
      /** @type {number} */ dx,
      /** @type {number} */ dy,
    ) => {
      const reach = half * 0.72;
      context.beginPath();
      context.moveTo(x + dx * reach, y + dy * reach);
      context.lineTo(x - dx * reach + dy * reach * 1.4, y - dy * reach + dx * reach * 1.4);
      context.lineTo(x - dx * reach - dy * reach * 1.4, y - dy * reach - dx * reach * 1.4);
      context.fill();
    };
    for (let column = 0; joinsRows && column < state.columns; column++) {
      const x = left + ruler + (column + 0.5) * state.size;
      arrow(x, top - half, 0, -1);
      arrow(x, top + tall + half, 0, 1);
    }
    for (let row = 0; joinsColumns && row < state.rows; row++) {
      const y = top + ruler + shape.centre(row, 0, state)[1] * state.size;
      arrow(left - half, y, -1, 0);
      arrow(left + wide + half, y, 1, 0);
    }
  }

  // cells away from all numbers: their odds are printed once

  /** Look for them again where the odds or the cells are others. @param {CanvasRenderingContext2D} context */
  #findFar(context) {
    const { state } = this;
    const far = state.hidden ? null : farCells(state);
    const look = `${state.size} ${this.#scale}`;
    if (far === this.#far && (!far || look === this.#farLook)) return;
    this.#far = far;
    this.#farLook = look;
    this.#caption = far && this.#placeCaption(context, far);
    this.#all = true;
  }

  /**
   * Where their caption is, and what it says: as large as there is room for in the middle of the largest part.
   * @param {CanvasRenderingContext2D} context @param {import("./far.js").Far} far
   * @returns {Caption}
   */
  #placeCaption(context, { chance, spot }) {
    const { size } = this.state;
    const [first] = shape.centre(spot.row, spot.first, this.state);
    const [last, middle] = shape.centre(spot.row, spot.last, this.state);
    const wide = (last - first + 1) * size;
    const [least = 0, largest = 0] = CAPTION;
    const number = chance < 0.005 || chance > 0.995 ? percent(chance) : wholePercent(chance);
    const fits = Math.max(least, Math.min(largest, spot.tall * size * 0.5));
    const sizes = [fits, least];
    const options = sizes.flatMap((letters) => [t("page-far-odds", { percent: number }), number].map((words) => ({ letters, words }))); // prettier-ignore
    const chosen =
      options.find(({ letters, words }) => this.#captionWidth(context, words, letters) <= wide) ?? options[3];
    const { letters, words } = chosen ?? { letters: least, words: number };
    const half = this.#captionWidth(context, words, letters) / 2;
    const [x, y] = [((first + last) / 2) * size, middle * size];
    return { words, letters, left: x - half, top: y - letters * 0.8, right: x + half, bottom: y + letters * 0.8 };
  }

  /** @param {CanvasRenderingContext2D} context @param {string} words @param {number} letters */
  #captionWidth(context, words, letters) {
    context.font = font(letters, 700);
    return context.measureText(words).width + letters;
  }

  /** @param {CanvasRenderingContext2D} context */
  #drawCaption(context) {
    if (!this.#caption) return;
    const palette = /** @type {Palette} */ (this.#palette);
    const { words, letters, left, top, right, bottom } = this.#caption;
    const [dx, dy] = [this.ruler - this.#sharp(this.state.left), this.ruler - this.#sharp(this.state.top)];
    context.beginPath();
    context.roundRect(left + dx, top + dy, right - left, bottom - top, letters * 0.45);
    context.fillStyle = palette.open;
    context.fill();
    context.strokeStyle = palette["covered-edge"];
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = palette.mine;
    text(context, words, letters, 700, [(left + right) / 2 + dx, (top + bottom) / 2 + dy]);
  }

  /** Draw the caption again if one of its cells was drawn over it. @param {CanvasRenderingContext2D} context */
  #captionAgain(context) {
    if (!this.#caption) return;
    const { left, top, right, bottom } = this.#caption;
    const { size } = this.state;
    const under = [...this.#some].some((place) => {
      const [x, y] = shape.centre(...cellOf(this.state, place), this.state).map((at) => at * size);
      return (x ?? 0) > left - size && (x ?? 0) < right + size && (y ?? 0) > top - size && (y ?? 0) < bottom + size;
    });
    const [dx, dy] = [this.ruler - this.state.left, this.ruler - this.state.top];
    if (under) this.#region(context, left + dx - 2, top + dy - 2, right + dx + 2, bottom + dy + 2);
  }

  // effects

  /** @param {CanvasRenderingContext2D} context @param {Palette} palette @param {number} now */
  #effects(context, palette, now) {
    const { state } = this;
    const { size } = state;
    const centre = (/** @type {number} */ place) => this.#centre(place);
    const border = (/** @type {number} */ place) => shape.outlineOf(...cellOf(state, place), state);
    const look = { symbol: "#", pressed: false, mark: undefined, doubtful: false, note: "", hover: false, size };
    const [columns, rows] = shape.extent(state);
    context.save();
    context.beginPath();
    context.rect(this.ruler - state.left, this.ruler - state.top, columns * size, rows * size);
    context.clip();
    this.effects.paint(
      {
        context,
        palette,
        size,
        centre,
        symbol: (place) => state.cells[place] ?? "~",
        cover: (place, alpha, scale) => {
          const [x, y] = centre(place);
          const cover = this.#pictures.of({ ...look, border: border(place) }, palette, this.#scale);
          const [wide, tall] = [cover.width / this.#scale, cover.height / this.#scale];
          context.globalAlpha = Math.max(0, alpha);
          context.drawImage(cover, x - (wide * scale) / 2, y - (tall * scale) / 2, wide * scale, tall * scale);
          context.globalAlpha = 1;
        },
        shade: (place) => {
          context.save();
          context.translate(...centre(place));
          outline(context, size, border(place), 0);
          context.restore();
        },
      },
      now,
    );
    context.restore();
    if (this.effects.busy) this.#schedule();
  }

  /** The middle of a cell on the canvas. @param {number} place @returns {[number, number]} */
  #centre(place) {
    const { size, left, top } = this.state;
    const [x, y] = shape.centre(...cellOf(this.state, place), this.state);
    const half = size / 2;
    const [px, py] = [
      this.#sharp(x * size + this.ruler - half) + half,
      this.#sharp(y * size + this.ruler - half) + half,
    ];
    return [px - this.#sharp(left), py - this.#sharp(top)];
  }

  /** Draw a cell over itself; the edges of squares would else show through. @param {CanvasRenderingContext2D} context @param {number} place */
  #again(context, place) {
    const { size, left, top, topology } = this.state;
    if (shape.isSquare(topology)) {
      const [x, y] = shape.centre(...cellOf(this.state, place), this.state);
      context.fillStyle = /** @type {Palette} */ (this.#palette).well;
      const [px, py] = [x * size + this.ruler - size / 2, y * size + this.ruler - size / 2];
      context.fillRect(this.#sharp(px) - this.#sharp(left), this.#sharp(py) - this.#sharp(top), size, size);
    }
    this.#cell(context, place);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} place */
  #cell(context, place) {
    const { size, left, top } = this.state;
    const picture = this.#picture(place);
    if (!picture) return;
    const [x, y] = shape.centre(...cellOf(this.state, place), this.state);
    const [wide, tall] = [picture.width / this.#scale, picture.height / this.#scale];
    const [px, py] = [x * size + this.ruler - wide / 2, y * size + this.ruler - tall / 2];
    context.drawImage(picture, this.#sharp(px) - this.#sharp(left), this.#sharp(py) - this.#sharp(top), wide, tall);
  }

  /**
   * Copy what is on the canvas to where it is now, and draw what came into sight.
   * @param {CanvasRenderingContext2D} context @param {number} width @param {number} height
   */
  #shift(context, width, height) {
    const dx = this.#sharp(this.#drawn.left) - this.#sharp(this.state.left);
    const dy = this.#sharp(this.#drawn.top) - this.#sharp(this.state.top);
    if (!dx && !dy) return;
    context.drawImage(this.canvas, dx, dy, width, height);
    if (dx) this.#region(context, dx > 0 ? 0 : width + dx, 0, dx > 0 ? dx : width, height);
    if (dy) this.#region(context, 0, dy > 0 ? 0 : height + dy, width, dy > 0 ? dy : height);
    if (!this.ruler) return;
    const [left, top] = rulerEdge(this.#drawn); // the copied ruler lies over cells
    this.#region(context, left + dx - 1, 0, left + dx + RULER + 1, height);
    this.#region(context, 0, top + dy - 1, width, top + dy + RULER + 1);
  }

  /** A place on whole pixels of the screen. @param {number} value */
  #sharp(value) {
    return Math.round(value * this.#scale) / this.#scale;
  }

  /** A size of cells that is whole on the screen, so that cells are sharp and leave no gaps. @param {number} size */
  #wholePixels(size) {
    const scale = window.devicePixelRatio || 1;
    return Math.max(1, Math.floor(size * scale + 1e-6)) / scale;
  }

  /** @param {number} width @param {number} height */
  #prepare(width, height) {
    const scale = window.devicePixelRatio || 1;
    if (scale !== this.#scale) {
      this.#pictures.clear();
      this.#all = true;
    }
    this.#scale = scale;
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      [this.canvas.width, this.canvas.height] = [w, h];
      this.#all = true;
    }
    if (this.stage !== this.canvas) this.#settle(w / scale, h / scale);
    if (!this.#palette || this.#drawn.size !== this.state.size || this.#all) this.#plain.clear();
    this.#palette ??= readPalette(this.canvas);
  }

  /** Put the canvas on whole pixels of the screen, wherever its stage begins. @param {number} width @param {number} height */
  #settle(width, height) {
    const { style } = this.canvas;
    const box = this.stage.getBoundingClientRect();
    const [left, top] = [`${this.#sharp(box.left) - box.left}px`, `${this.#sharp(box.top) - box.top}px`];
    if (style.left !== left) style.left = left;
    if (style.top !== top) style.top = top;
    if (style.width !== `${width}px`) style.width = `${width}px`;
    if (style.height !== `${height}px`) style.height = `${height}px`;
  }

  /** What a cell looks like, made once. @param {number} place */
  #picture(place) {
    const { state } = this;
    const symbol = state.hidden && state.cells[place] !== "~" ? "#" : (state.cells[place] ?? "~");
    if (symbol === "~" && !state.marks.has(place)) return null;
    const pressed = state.pressed.has(place) && symbol === "#";
    const mark = state.hidden ? undefined : state.marks.get(place);
    const note = state.hidden || !isCovered(symbol) ? "" : this.#note(place);
    const hover = state.hover === place && !state.hidden;
    const doubtful = state.doubtful.has(place) && !state.hidden;
    const plain = !pressed && !mark && !doubtful && !note && !hover;
    const border = shape.outlineOf(...cellOf(state, place), state);
    const known = plain ? this.#plain.get(border + symbol) : undefined;
    if (known) return known;
    const { size } = state;
    const look = { symbol, pressed, mark, doubtful, note, hover, size, border };
    const picture = this.#pictures.of(look, /** @type {Palette} */ (this.#palette), this.#scale);
    if (plain) this.#plain.set(border + symbol, picture);
    return picture;
  }

  /** What the overlay shows on a covered cell: "safe", "mine", a per cent, or nothing. @param {number} place */
  #note(place) {
    const { state } = this;
    if (state.overlay === "none") return "";
    const certain = state.safe.has(place) ? "safe" : state.mines.has(place) ? "mine" : "";
    if (state.overlay === "certain") return certain;
    if (this.#far?.places.has(place)) return "far";
    const chance = shownOdds(state, place);
    if (chance === null) return certain;
    if (certain && (state.overlay === "odds" || certain === "mine" || state.survived === 1)) return certain;
    return `odds:${Math.round(chance * 100)}:${percent(chance)}`;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} place @param {Palette} palette */
  #outline(context, place, palette) {
    const { state } = this;
    const [x, y] = shape.centre(...cellOf(state, place), state);
    context.save();
    context.translate(
      this.#sharp(x * state.size - state.left + this.ruler),
      this.#sharp(y * state.size - state.top + this.ruler),
    );
    const border = shape.outlineOf(...cellOf(state, place), state);
    for (const [colour, width] of /** @type {[string, number][]} */ ([
      [palette.stage, 5],
      [palette.cursor, 3],
    ])) {
      outline(context, state.size, border, 1);
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    }
    context.restore();
  }

  /** @param {CanvasRenderingContext2D} context @param {Palette} palette @param {[number, number, number, number]} seen */
  #rulers(context, palette, [firstRow, lastRow, firstColumn, lastColumn]) {
    const { state } = this;
    const { size } = state;
    const [originX, originY] = [-state.left + RULER, -state.top + RULER];
    const [edgeX, edgeY] = rulerEdge(state);
    const [width, height] = this.room;
    const [columns, rows] = shape.extent(state);
    const [right, bottom] = [Math.min(width, originX + columns * size), Math.min(height, originY + rows * size)];
    context.fillStyle = palette.frame;
    context.fillRect(edgeX, edgeY, right - edgeX, RULER);
    context.fillRect(edgeX, edgeY, RULER, bottom - edgeY);
    context.fillStyle = palette["frame-ink"];
    context.font = "600 11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const step = size >= 17 ? 1 : size >= 9 ? 2 : 5;
    const half = state.rows > 1 ? shape.SHAPES[state.topology].oddRowShift / 2 : 0; // between a cell and the shifted one below
    for (let column = firstColumn; column <= lastColumn; column++) {
      const x = originX + (shape.centre(0, column, state)[0] + half) * size;
      if (column % step === 0 && x > edgeX + RULER) context.fillText(columnLabel(column), x, edgeY + RULER / 2);
    }
    for (let row = firstRow; row <= lastRow; row++) {
      const { lower } = shape.OUTLINES[shape.outlineOf(row, 0, state)];
      const y = originY + (shape.centre(row, 0, state)[1] - lower) * size;
      if (row % step === 0 && y > edgeY + RULER) context.fillText(rowLabel(row), edgeX + RULER / 2, y, RULER);
    }
    context.fillStyle = palette.frame;
    context.fillRect(edgeX, edgeY, RULER, RULER);
  }
}

/**
 * Where the ruler is: at the border of the board, or of the screen.
 * @param {{left: number, top: number}} offset @returns {[number, number]}
 */
const rulerEdge = ({ left, top }) => [Math.max(0, -left), Math.max(0, -top)];

/**
 * Lines along a box: one colour at the left and above, the other at the right and below.
 * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {number} line @param {string} above @param {string} below
 */
function bevel(context, x, y, width, height, line, above, below) {
  context.fillStyle = below;
  context.fillRect(x, y + height - line, width, line);
  context.fillRect(x + width - line, y, line, height);
  context.fillStyle = above;
  context.fillRect(x, y, width, line);
  context.fillRect(x, y, line, height);
}
