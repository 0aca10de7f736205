/**
 * State to canvas. What is drawn is asked for by `request` and happens once a frame; only cells on the screen are drawn,
 * each as one picture that was made once for its size and colours. Cells that are named are drawn alone, and a board that
 * was moved is copied, with what came into sight drawn beside it: 100×100 cells would take a frame longer than it has.
 *
 * Nothing is told by colour alone: safe has a tick, a mine a cross, numbers of a proof a thick ring.
 *
 * @typedef {import("./state.js").BoardState} BoardState
 */
import { percent } from "../words.js";
import * as shape from "./shape.js";
import { cellOf, isCovered, shownOdds } from "./state.js";

const GAP = 1; // CSS pixels between cells
const RULER = 18; // CSS pixels of the border that numbers rows and columns
const TEXT_FROM = 15; // CSS pixels of a cell in which a per cent can be read

/** Names of the style sheet's variables, read once a theme. */
const COLOURS = /** @type {const} */ ([
  "stage", "covered", "covered-edge", "covered-low", "open", "open-edge", "pressed", "ink", "quiet", "flag", "pole",
  "mine", "exploded", "safe", "wrong", "because", "best", "cursor", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8",
]); // prettier-ignore
/** @typedef {Record<(typeof COLOURS)[number], string>} Palette */

export class View {
  /** @type {Map<string, HTMLCanvasElement>} pictures of cells, by what they show */
  #pictures = new Map();
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
    if (!this.#palette) {
      this.#palette = readPalette(this.canvas);
    }
    if (this.#pictures.size > 1500) this.#pictures.clear();
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
    const key = `${state.topology === "hex" ? 6 : 4}|${state.size}|${symbol}|${pressed}|${mark ?? ""}|${told}|${hover}`;
    let picture = this.#pictures.get(key);
    if (!picture) {
      picture = this.#paint(symbol, pressed, mark, told, hover);
      this.#pictures.set(key, picture);
    }
    return picture;
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

  /**
   * @param {string} symbol @param {boolean} pressed @param {import("./state.js").Mark | undefined} mark
   * @param {string} told @param {boolean} hover
   */
  #paint(symbol, pressed, mark, told, hover) {
    const { size, topology } = this.state;
    const palette = /** @type {Palette} */ (this.#palette);
    const hex = topology === "hex";
    const tall = hex ? size * (2 / Math.sqrt(3)) : size;
    const picture = document.createElement("canvas");
    picture.width = Math.ceil(size * this.#scale);
    picture.height = Math.ceil(tall * this.#scale);
    const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
    context.scale(this.#scale, this.#scale);
    context.translate(size / 2, tall / 2);
    const covered = isCovered(symbol) && !pressed;
    const low =
      symbol === "X" ? palette.exploded : covered ? palette.covered : pressed ? palette.pressed : palette.open;
    this.#tile(context, low, covered ? palette["covered-edge"] : palette["open-edge"], hex);
    const [heat, words = ""] = told.split(":");
    if (words) {
      context.save();
      this.#outlinePath(context, hex, GAP / 2);
      context.fillStyle = heatColour(Number(heat) / 100);
      context.fill();
      context.restore();
    }
    if (hover && covered) {
      this.#outlinePath(context, hex, GAP / 2);
      context.fillStyle = "rgb(255 255 255 / 14%)";
      context.fill();
    }
    if (symbol >= "1" && symbol <= "8") {
      context.fillStyle = palette[/** @type {"n1"} */ (`n${symbol}`)];
      this.#text(context, symbol, size * 0.62, 700);
    } else if (symbol === "F" || symbol === "W") {
      flag(context, size, palette);
      if (symbol === "W") cross(context, size * 0.36, palette.wrong, size * 0.1);
    } else if (symbol === "*" || symbol === "X") {
      mine(context, size, symbol === "X" ? "#fff" : palette.mine);
    } else if (symbol === "?") {
      context.fillStyle = words ? inkOn(Number(heat) / 100) : palette.ink;
      this.#text(context, "?", size * (words ? 0.28 : 0.55), 700, words ? [-size * 0.32, -size * 0.3] : [0, 0]);
    }
    if (symbol === "#" || symbol === "?") {
      if (told === "safe") tick(context, size * 0.2, palette.safe, size * 0.11);
      if (told === "mine") cross(context, size * 0.17, palette.wrong, size * 0.11);
      if (words && size >= TEXT_FROM && mark !== "safe" && mark !== "mine") {
        context.fillStyle = inkOn(Number(heat) / 100);
        this.#text(context, words, Math.min(size * 0.4, 15), 600);
      }
    } else if (symbol === "F" && words && size >= 22) {
      context.fillStyle = inkOn(Number(heat) / 100);
      this.#text(context, words, size * 0.26, 600, [size * 0.28, size * 0.3]);
    }
    if (mark) this.#mark(context, mark, palette, hex, symbol === "#", Boolean(words));
    return picture;
  }

  /** @param {CanvasRenderingContext2D} context @param {boolean} hex @param {number} inset */
  #outlinePath(context, hex, inset) {
    const { size } = this.state;
    context.beginPath();
    if (!hex) {
      const half = size / 2 - inset;
      context.roundRect(-half, -half, 2 * half, 2 * half, Math.min(4, size * 0.12));
      return;
    }
    for (const [x, y] of shape.hexagon()) context.lineTo(x * (size - 2 * inset), y * (size - 2 * inset));
    context.closePath();
  }

  /** @param {CanvasRenderingContext2D} context @param {string} fill @param {string} edge @param {boolean} hex */
  #tile(context, fill, edge, hex) {
    this.#outlinePath(context, hex, GAP / 2);
    context.fillStyle = fill;
    context.fill();
    this.#outlinePath(context, hex, GAP / 2 + 0.5);
    context.strokeStyle = edge;
    context.lineWidth = 1;
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {string} words @param {number} size @param {number} weight
   * @param {[number, number]} [place] from the middle of the cell
   */
  #text(context, words, size, weight, [x, y] = [0, 0]) {
    context.font = `${weight} ${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(words, x, y + size * 0.06);
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {import("./state.js").Mark} mark @param {Palette} palette
   * @param {boolean} hex @param {boolean} blank the cell is covered, without a flag @param {boolean} told it has a per cent
   */
  #mark(context, mark, palette, hex, blank, told) {
    const { size } = this.state;
    const line = Math.max(2, size * 0.1);
    const colours = {
      safe: palette.safe, mine: palette.wrong, because: palette.because, near: palette.because, fault: palette.wrong,
      best: palette.best, safest: palette.best, last: palette.cursor, start: palette.cursor,
      suppose: palette.cursor,
    }; // prettier-ignore
    this.#outlinePath(context, hex, GAP / 2 + line / 2);
    context.strokeStyle = colours[mark];
    context.lineWidth = line;
    if (mark === "near" || mark === "safest") context.setLineDash([line * 1.5, line]);
    context.stroke();
    context.setLineDash([]);
    if (!blank) return;
    if (mark === "safe") tick(context, size * 0.2, palette.safe, size * 0.11);
    if (mark === "mine") cross(context, size * 0.17, palette.wrong, size * 0.11);
    if (mark === "best" && !told) star(context, size * 0.28, palette.best);
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
      this.#outlinePath(context, hex, 1);
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

/** The colours of the theme, as a canvas takes them. @param {HTMLElement} element */
function readPalette(element) {
  const before = element.style.color;
  const read = COLOURS.map((name) => {
    element.style.color = `var(--${name})`;
    return [name, getComputedStyle(element).color];
  });
  element.style.color = before;
  return /** @type {Palette} */ (Object.fromEntries(read));
}

/**
 * From blue (safe) over pale to orange (dangerous): two hues that colour-blind people tell apart.
 * @param {number} chance
 */
export function heatColour(chance) {
  const stops = [[33, 102, 172], [146, 197, 222], [247, 237, 215], [244, 165, 96], [178, 62, 10]]; // prettier-ignore
  const place = Math.max(0, Math.min(1, chance)) * (stops.length - 1);
  const [low, part] = [Math.floor(place), place % 1];
  const [from, to] = [stops[low], stops[Math.min(stops.length - 1, low + 1)]];
  const mixed = [0, 1, 2].map((i) => Math.round((from?.[i] ?? 0) * (1 - part) + (to?.[i] ?? 0) * part));
  return `rgb(${mixed.join(" ")})`;
}

/** Black or white, whichever can be read on the heat. @param {number} chance */
const inkOn = (chance) => (chance < 0.13 || chance > 0.88 ? "#fff" : "#14181f");

/** @param {CanvasRenderingContext2D} context @param {number} size @param {Palette} palette */
function flag(context, size, palette) {
  context.fillStyle = palette.pole;
  context.fillRect(-size * 0.14, -size * 0.28, size * 0.07, size * 0.56);
  context.fillRect(-size * 0.24, size * 0.24, size * 0.3, size * 0.07);
  context.fillStyle = palette.flag;
  context.beginPath();
  context.moveTo(-size * 0.09, -size * 0.3);
  context.lineTo(size * 0.27, -size * 0.12);
  context.lineTo(-size * 0.09, size * 0.06);
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {number} size @param {string} colour */
function mine(context, size, colour) {
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = size * 0.08;
  context.beginPath();
  for (let spike = 0; spike < 4; spike++) {
    const [x, y] = [Math.cos((spike * Math.PI) / 4) * size * 0.33, Math.sin((spike * Math.PI) / 4) * size * 0.33];
    context.moveTo(-x, -y);
    context.lineTo(x, y);
  }
  context.stroke();
  context.beginPath();
  context.arc(0, 0, size * 0.22, 0, 2 * Math.PI);
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {number} reach @param {string} colour @param {number} line */
function cross(context, reach, colour, line) {
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(-reach, -reach);
  context.lineTo(reach, reach);
  context.moveTo(reach, -reach);
  context.lineTo(-reach, reach);
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {number} reach @param {string} colour @param {number} line */
function tick(context, reach, colour, line) {
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  context.moveTo(-reach, 0);
  context.lineTo(-reach * 0.25, reach * 0.75);
  context.lineTo(reach, -reach * 0.75);
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {number} reach @param {string} colour */
function star(context, reach, colour) {
  context.fillStyle = colour;
  context.beginPath();
  for (let point = 0; point < 10; point++) {
    const [angle, far] = [(point * Math.PI) / 5 - Math.PI / 2, point % 2 ? reach * 0.45 : reach];
    context.lineTo(Math.cos(angle) * far, Math.sin(angle) * far);
  }
  context.fill();
}
