/**
 * State to canvas. What is drawn is asked for by `request` and happens once a frame; only cells on the screen are drawn,
 * each as one picture that was made once for its size and colours. Cells that are named are drawn alone, and a board that
 * was moved is copied, with what came into sight drawn beside it: 100×100 cells would take a frame longer than it has.
 *
 * @typedef {import("./state.js").BoardState} BoardState
 * @typedef {import("./pictures.js").Palette} Palette
 */
import { percent } from "../words.js";
import { Pictures, outline, readPalette } from "./pictures.js";
import * as shape from "./shape.js";
import { cellOf, isCovered, shownOdds } from "./state.js";

const RULER = 18; // CSS pixels of the border that numbers rows and columns

export class View {
  #pictures = new Pictures();
  #asked = 0;
  #all = true; // everything is to be drawn
  /** @type {Set<number>} cells that are to be drawn, where not everything is */
  #some = new Set();
  #drawn = { left: 0, top: 0, size: 0 }; // as it is on the canvas
  /** @type {Palette | null} */
  #palette = null;
  #scale = 1;

  /** @param {BoardState} state @param {HTMLCanvasElement} canvas */
  constructor(state, canvas) {
    this.state = state;
    this.canvas = canvas;
  }

  /** Width and height of the canvas in CSS pixels. @returns {[number, number]} */
  get room() {
    return [this.canvas.clientWidth, this.canvas.clientHeight];
  }

  get ruler() {
    return this.state.ruled ? RULER : 0;
  }

  /** Draw at the next frame: everything, or the cells that are named. @param {number[]} [places] */
  request(places) {
    if (places) for (const place of places) this.#some.add(place);
    else this.#all = true;
    this.#schedule();
  }

  #schedule() {
    if (!this.#asked) this.#asked = requestAnimationFrame(() => this.draw());
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
    const [columns, rows] = shape.extent(state.rows, state.columns, state.topology);
    const size = Math.min((width - this.ruler - 2) / columns, (height - this.ruler - 2) / rows);
    state.size = Math.max(least, Math.min(most, Math.floor(size)));
    state.left = (columns * state.size + this.ruler - width) / 2;
    state.top = (rows * state.size + this.ruler - height) / 2;
    this.clamp();
  }

  /** Keep the board on the screen: in the middle where it is smaller, else without a margin. */
  clamp() {
    const { state } = this;
    const [width, height] = this.room;
    const [columns, rows] = shape.extent(state.rows, state.columns, state.topology);
    const [w, h] = [columns * state.size + this.ruler, rows * state.size + this.ruler];
    state.left = w <= width ? (w - width) / 2 : Math.max(0, Math.min(w - width, state.left));
    state.top = h <= height ? (h - height) / 2 : Math.max(0, Math.min(h - height, state.top));
    this.request();
  }

  /** Whether a part of the board is off the screen. */
  get overflows() {
    const { state } = this;
    const [width, height] = this.room;
    const [columns, rows] = shape.extent(state.rows, state.columns, state.topology);
    return columns * state.size + this.ruler > width + 1 || rows * state.size + this.ruler > height + 1;
  }

  /**
   * Make cells larger or smaller around a place of the canvas.
   * @param {number} size @param {number} x @param {number} y
   */
  zoom(size, x, y) {
    const { state } = this;
    const next = Math.max(6, Math.min(96, size));
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
    return shape.cellAt(bx, by, state.rows, state.columns, state.topology);
  }

  /** Pan so that a cell can be seen. @param {number} place */
  reveal(place) {
    const { state } = this;
    const [width, height] = this.room;
    const [x, y] = shape.centre(...cellOf(state, place), state.topology);
    const [left, top] = [x * state.size - state.left + this.ruler, y * state.size - state.top + this.ruler];
    const margin = state.size;
    if (left < margin + this.ruler) state.left -= margin + this.ruler - left;
    if (left > width - margin) state.left += left - width + margin;
    if (top < margin + this.ruler) state.top -= margin + this.ruler - top;
    if (top > height - margin) state.top += top - height + margin;
    this.clamp();
  }

  draw() {
    this.#asked = 0;
    const { state, canvas } = this;
    const [width, height] = this.room;
    const context = canvas.getContext("2d");
    if (!context || !width || !height) return;
    this.#prepare(width, height);
    const palette = /** @type {Palette} */ (this.#palette);
    context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
    // the cursor and the rulers lie over cells, so with them everything is drawn
    const pointed = state.cursorShown && !state.hidden && state.cursor >= 0;
    if (this.#all || pointed || state.ruled || this.#drawn.size !== state.size)
      this.#region(context, 0, 0, width, height);
    else {
      this.#shift(context, width, height);
      for (const place of this.#some) if (place >= 0) this.#again(context, place);
    }
    if (pointed) this.#outline(context, state.cursor, palette);
    if (state.ruled) this.#rulers(context, palette, this.#visible(0, 0, width, height));
    this.#all = false;
    this.#some.clear();
    this.#drawn = { left: state.left, top: state.top, size: state.size };
  }

  /** The rows and columns in a part of the canvas. @param {number} x @param {number} y @param {number} right @param {number} bottom */
  #visible(x, y, right, bottom) {
    const { size, left, top, rows, columns, topology } = this.state;
    const [dx, dy] = [left - this.ruler, top - this.ruler];
    return shape.visible((x + dx) / size, (y + dy) / size, (right + dx) / size, (bottom + dy) / size, rows, columns, topology); // prettier-ignore
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
    context.fillStyle = /** @type {Palette} */ (this.#palette).stage;
    context.fillRect(x, y, right - x, bottom - y);
    const [firstRow, lastRow, firstColumn, lastColumn] = this.#visible(x, y, right, bottom);
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        this.#cell(context, row * this.state.columns + column);
      }
    }
    context.restore();
  }

  /** Draw a cell over itself; the edges of squares would else show through. @param {CanvasRenderingContext2D} context @param {number} place */
  #again(context, place) {
    const { size, left, top, topology } = this.state;
    if (topology !== "hex") {
      const [x, y] = shape.centre(...cellOf(this.state, place), topology);
      context.fillStyle = /** @type {Palette} */ (this.#palette).stage;
      const [px, py] = [x * size + this.ruler - size / 2, y * size + this.ruler - size / 2];
      context.fillRect(this.#sharp(px) - this.#sharp(left), this.#sharp(py) - this.#sharp(top), size, size);
    }
    this.#cell(context, place);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} place */
  #cell(context, place) {
    const { size, left, top, topology } = this.state;
    const picture = this.#picture(place);
    if (!picture) return;
    const [x, y] = shape.centre(...cellOf(this.state, place), topology);
    const tall = picture.height / this.#scale;
    const [px, py] = [x * size + this.ruler - size / 2, y * size + this.ruler - tall / 2];
    context.drawImage(picture, this.#sharp(px) - this.#sharp(left), this.#sharp(py) - this.#sharp(top), size, tall);
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
  }

  /** A place on whole pixels of the screen. @param {number} value */
  #sharp(value) {
    return Math.round(value * this.#scale) / this.#scale;
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
    this.#palette ??= readPalette(this.canvas);
  }

  /** What a cell looks like, made once. @param {number} place */
  #picture(place) {
    const { state } = this;
    const symbol = state.hidden && state.cells[place] !== "~" ? "#" : (state.cells[place] ?? "~");
    if (symbol === "~" && !state.marks.has(place)) return null;
    const pressed = state.pressed.has(place) && symbol === "#";
    const mark = state.hidden ? undefined : state.marks.get(place);
    const told = state.hidden || !isCovered(symbol) ? "" : this.#told(place);
    const hover = state.hover === place && !state.hidden;
    const doubtful = state.doubtful.has(place) && !state.hidden;
    const { size, topology } = state;
    const look = { symbol, pressed, mark, doubtful, told, hover, size, hex: topology === "hex" };
    return this.#pictures.of(look, /** @type {Palette} */ (this.#palette), this.#scale);
  }

  /** What the overlay tells of a covered cell: "safe", "mine", a per cent, or nothing. @param {number} place */
  #told(place) {
    const { state } = this;
    if (state.overlay === "none") return "";
    const certain = state.safe.has(place) ? "safe" : state.mines.has(place) ? "mine" : "";
    if (state.overlay === "certain") return certain;
    const chance = shownOdds(state, place);
    if (chance === null) return certain;
    if (certain && (state.overlay === "odds" || certain === "mine" || state.survived === 1)) return certain;
    return `${Math.round(chance * 100)}:${percent(chance)}`;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} place @param {Palette} palette */
  #outline(context, place, palette) {
    const { state } = this;
    const [x, y] = shape.centre(...cellOf(state, place), state.topology);
    context.save();
    context.translate(
      this.#sharp(x * state.size - state.left + this.ruler),
      this.#sharp(y * state.size - state.top + this.ruler),
    );
    const hex = state.topology === "hex";
    for (const [colour, width] of /** @type {[string, number][]} */ ([
      [palette.stage, 5],
      [palette.cursor, 3],
    ])) {
      outline(context, state.size, hex, 1);
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
    const [edgeX, edgeY] = [Math.max(0, originX - RULER), Math.max(0, originY - RULER)];
    const [width, height] = this.room;
    context.fillStyle = palette.stage;
    context.fillRect(0, edgeY, width, RULER);
    context.fillRect(edgeX, 0, RULER, height);
    context.fillStyle = palette.quiet;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const step = size >= 17 ? 1 : size >= 9 ? 2 : 5;
    for (let column = firstColumn; column <= lastColumn; column++) {
      const x = originX + (column + 0.5) * size;
      if (column % step === 0 && x > edgeX + RULER) context.fillText(String(column), x, edgeY + RULER / 2);
    }
    for (let row = firstRow; row <= lastRow; row++) {
      const y = originY + shape.centre(row, 0, state.topology)[1] * size;
      if (row % step === 0 && y > edgeY + RULER) context.fillText(String(row), edgeX + RULER / 2, y);
    }
    context.fillStyle = palette.stage;
    context.fillRect(edgeX, edgeY, RULER, RULER);
  }
}
