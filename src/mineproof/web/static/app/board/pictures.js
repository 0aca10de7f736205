/**
 * What cells look like: one picture for each look, made once for its size, its colours and the screen.
 *
 * Nothing is told by colour alone: safe has a tick, a mine a cross, numbers of a proof a thick ring, doubt short dashes
 * on a light ground.
 *
 * @typedef {object} Look
 * @property {string} symbol as in the state of a board
 * @property {boolean} pressed
 * @property {import("./state.js").Mark | undefined} mark
 * @property {boolean} doubtful
 * @property {string} told of a covered cell: "safe", "mine", "heat:words" (both in per cent), or nothing
 * @property {boolean} hover
 * @property {number} size in CSS pixels
 * @property {boolean} hex
 */
import { hexagon } from "./shape.js";
import { isCovered } from "./state.js";

const GAP = 1; // CSS pixels between cells
const TEXT_FROM = 15; // CSS pixels of a cell in which a per cent can be read
const MOST = 1500; // pictures that are kept
const ON_HEAT = "#14181f"; // can be read on all of it

/** Names of the style sheet's variables, read once a theme. */
const COLOURS = /** @type {const} */ ([
  "stage", "covered", "covered-edge", "open", "open-edge", "pressed", "ink", "quiet", "flag", "pole",
  "mine", "exploded", "safe", "wrong", "because", "best", "cursor", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8",
]); // prettier-ignore
/** @typedef {Record<(typeof COLOURS)[number], string>} Palette */

export class Pictures {
  /** @type {Map<string, HTMLCanvasElement>} */
  #made = new Map();

  /** Forget them: the colours or the sharpness of the screen have changed. */
  clear() {
    this.#made.clear();
  }

  /** @param {Look} look @param {Palette} palette @param {number} scale */
  of(look, palette, scale) {
    const { symbol, pressed, mark, doubtful, told, hover, size, hex } = look;
    const key = `${symbol}|${told}|${mark ?? ""}|${doubtful}|${pressed}|${hover}|${size}|${hex}`;
    let picture = this.#made.get(key);
    if (!picture) {
      if (this.#made.size >= MOST) this.#made.clear();
      this.#made.set(key, (picture = paint(look, palette, scale)));
    }
    return picture;
  }
}

/** @param {Look} look @param {Palette} palette @param {number} scale pixels of the screen in a CSS pixel */
function paint({ symbol, pressed, mark, doubtful, told, hover, size, hex }, palette, scale) {
  const tall = hex ? size * (2 / Math.sqrt(3)) : size;
  const picture = document.createElement("canvas");
  picture.width = Math.ceil(size * scale);
  picture.height = Math.ceil(tall * scale);
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
  context.scale(scale, scale);
  context.translate(size / 2, tall / 2);
  const covered = isCovered(symbol) && !pressed;
  const low = symbol === "X" ? palette.exploded : covered ? palette.covered : pressed ? palette.pressed : palette.open;
  tile(context, size, low, covered ? palette["covered-edge"] : palette["open-edge"], hex);
  const [heat, words = ""] = told.split(":");
  if (words) {
    context.save();
    outline(context, size, hex, GAP / 2);
    context.fillStyle = heatColour(Number(heat) / 100);
    context.fill();
    context.restore();
  }
  if (hover && covered) {
    outline(context, size, hex, GAP / 2);
    context.fillStyle = "rgb(255 255 255 / 14%)";
    context.fill();
  }
  if (symbol >= "1" && symbol <= "8") {
    context.fillStyle = palette[/** @type {"n1"} */ (`n${symbol}`)];
    text(context, symbol, size * 0.62, 700);
  } else if (symbol === "F" || symbol === "W") {
    flag(context, size, palette);
    if (symbol === "W") cross(context, size * 0.36, palette.wrong, size * 0.1);
  } else if (symbol === "*" || symbol === "X") {
    mine(context, size, symbol === "X" ? "#fff" : palette.mine);
  } else if (symbol === "?") {
    context.fillStyle = words ? ON_HEAT : palette.ink;
    text(context, "?", size * (words ? 0.28 : 0.55), 700, words ? [-size * 0.32, -size * 0.3] : [0, 0]);
  }
  if (symbol === "#" || symbol === "?") {
    if (told === "safe") tick(context, size * 0.2, palette.safe, size * 0.11);
    if (told === "mine") cross(context, size * 0.17, palette.wrong, size * 0.11);
    if (words && size >= TEXT_FROM && mark !== "safe" && mark !== "mine") {
      context.fillStyle = ON_HEAT;
      text(context, words, Math.min(size * 0.4, 15), 600);
    }
  } else if (symbol === "F" && words && size >= 22) {
    context.fillStyle = ON_HEAT;
    text(context, words, size * 0.26, 600, [size * 0.28, size * 0.3]);
  }
  if (mark) ring(context, mark, palette, size, hex, symbol === "#", Boolean(words));
  if (doubtful) doubt(context, palette, size, hex);
  return picture;
}

/**
 * The border of a cell around the origin.
 * @param {CanvasRenderingContext2D} context @param {number} size @param {boolean} hex @param {number} inset
 */
export function outline(context, size, hex, inset) {
  context.beginPath();
  if (!hex) {
    const half = size / 2 - inset;
    context.roundRect(-half, -half, 2 * half, 2 * half, Math.min(4, size * 0.12));
    return;
  }
  for (const [x, y] of hexagon()) context.lineTo(x * (size - 2 * inset), y * (size - 2 * inset));
  context.closePath();
}

/** @param {CanvasRenderingContext2D} context @param {number} size @param {string} fill @param {string} edge @param {boolean} hex */
function tile(context, size, fill, edge, hex) {
  outline(context, size, hex, GAP / 2);
  context.fillStyle = fill;
  context.fill();
  outline(context, size, hex, GAP / 2 + 0.5);
  context.strokeStyle = edge;
  context.lineWidth = 1;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context @param {string} words @param {number} size @param {number} weight
 * @param {[number, number]} [place] from the middle of the cell
 */
function text(context, words, size, weight, [x, y] = [0, 0]) {
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(words, x, y + size * 0.06);
}

/**
 * @param {CanvasRenderingContext2D} context @param {import("./state.js").Mark} mark @param {Palette} palette
 * @param {number} size @param {boolean} hex @param {boolean} blank the cell is covered, without a flag @param {boolean} told it has a per cent
 */
function ring(context, mark, palette, size, hex, blank, told) {
  const line = Math.max(2, size * 0.1);
  const colours = {
    safe: palette.safe, mine: palette.wrong, because: palette.because, near: palette.because, fault: palette.wrong,
    best: palette.best, safest: palette.best, last: palette.cursor, start: palette.cursor,
    suppose: palette.cursor,
  }; // prettier-ignore
  outline(context, size, hex, GAP / 2 + line / 2);
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

/**
 * Dashes along the border; a ring that is lit lies under them.
 * @param {CanvasRenderingContext2D} context @param {Palette} palette @param {number} size @param {boolean} hex
 */
function doubt(context, palette, size, hex) {
  context.lineWidth = Math.max(2, size * 0.08);
  const dash = Math.max(3, size * 0.12);
  outline(context, size, hex, GAP + context.lineWidth / 2);
  context.strokeStyle = palette.stage;
  context.stroke();
  context.strokeStyle = palette.ink;
  context.setLineDash([dash, dash]);
  context.stroke();
  context.setLineDash([]);
}

/** The colours of the theme, as a canvas takes them. @param {HTMLElement} element */
export function readPalette(element) {
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
function heatColour(chance) {
  const stops = [[92, 156, 212], [160, 205, 230], [247, 237, 215], [246, 178, 112], [228, 116, 58]]; // prettier-ignore
  const place = Math.max(0, Math.min(1, chance)) * (stops.length - 1);
  const [low, part] = [Math.floor(place), place % 1];
  const [from, to] = [stops[low], stops[Math.min(stops.length - 1, low + 1)]];
  const mixed = [0, 1, 2].map((i) => Math.round((from?.[i] ?? 0) * (1 - part) + (to?.[i] ?? 0) * part));
  return `rgb(${mixed.join(" ")})`;
}

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
