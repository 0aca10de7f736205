/**
 * What cells look like: one picture for each look, made once for its size, its colours and the screen.
 *
 * Nothing is shown by colour alone: safe has a tick, a mine a cross, numbers of a proof a thick ring, doubt short dashes
 * on a light ground.
 *
 * @typedef {object} Look
 * @property {string} symbol as in the state of a board
 * @property {boolean} pressed
 * @property {import("./state.js").Mark | undefined} mark
 * @property {boolean} doubtful
 * @property {string} note on a covered cell: "safe", "mine", "odds:heat:words" (both in per cent), "far" (away from
 *   all numbers, where one value holds for all), or nothing
 * @property {boolean} hover
 * @property {number} size in CSS pixels
 * @property {import("./shape.js").OutlineName} border
 */
import { OUTLINES } from "./shape.js";
import { heatColour } from "./skin.js";
import { isCovered } from "./state.js";

/** @typedef {import("./skin.js").Palette} Palette */

const TEXT_FROM = 15; // CSS pixels of a cell in which a per cent can be read
const SIGN_FROM = 30; // and from which on there is room for the sign
const MAX_PICTURES = 1500; // in memory

export class Pictures {
  /** @type {Map<string, HTMLCanvasElement>} */
  #drawn = new Map();

  /** Forget them: the colours or the sharpness of the screen have changed. */
  clear() {
    this.#drawn.clear();
  }

  /** @param {Look} look @param {Palette} palette @param {number} scale */
  of(look, palette, scale) {
    const { symbol, pressed, mark, doubtful, note, hover, size, border } = look;
    const key = `${symbol}|${note}|${mark ?? ""}|${doubtful}|${pressed}|${hover}|${size}|${border}`;
    let picture = this.#drawn.get(key);
    if (!picture) {
      if (this.#drawn.size >= MAX_PICTURES) this.#drawn.clear();
      this.#drawn.set(key, (picture = paint(look, palette, scale)));
    }
    return picture;
  }
}

/** @param {Look} look @param {Palette} palette @param {number} scale pixels of the screen in a CSS pixel */
function paint(look, palette, scale) {
  const { symbol, pressed, mark, doubtful, note, hover, size: cell, border } = look;
  const { wide, tall, room } = OUTLINES[border];
  const size = cell * room; // of signs
  const picture = document.createElement("canvas");
  picture.width = Math.round(cell * wide * scale);
  picture.height = Math.ceil(cell * tall * scale - 1e-6);
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
  context.scale(scale, scale);
  context.translate(picture.width / scale / 2, (cell * tall) / 2);
  const covered = isCovered(symbol) && !pressed;
  const [kind, , label = ""] = note.split(":");
  const certain = kind === "safe" || kind === "mine" ? kind : mark === "safe" || mark === "mine" ? mark : "";
  const [ground, blend] = groundOf(look, certain, palette);
  if (covered) coveredTile(context, cell, border, palette, scale, ground, blend);
  else openTile(context, cell, border, palette, scale, ground);
  if (kind === "far") {
    outline(context, cell, border, 0);
    context.globalAlpha = 0.4;
    context.fillStyle = palette.open;
    context.fill();
    context.globalAlpha = 1;
  }
  if (hover && covered) {
    outline(context, cell, border, 0);
    context.fillStyle = "rgb(255 255 255 / 18%)";
    context.fill();
  }
  const ink = label ? palette["on-heat"] : palette.ink;
  if (symbol >= "1" && symbol < ":") {
    context.fillStyle = palette[/** @type {"n1"} */ (`n${((Number(symbol) - 1) % 8) + 1}`)];
    text(context, symbol, size * (symbol.length > 1 ? 0.54 : 0.64), 750);
  } else if (symbol === "F" || symbol === "W") {
    const marked = Boolean(label) && size >= 22;
    context.save();
    if (marked) {
      context.translate(-size * 0.12, -size * 0.1);
      context.scale(0.8, 0.8);
    }
    flag(context, size, label ? { ...palette, flag: ink, pole: ink } : palette);
    context.restore();
    // a flag that is certainly wrong is struck out, also while the game runs; one that is certainly right says so itself
    if (symbol === "W" || kind === "safe") cross(context, size * 0.34, palette.wrong, size * 0.1);
  } else if (symbol === "*" || symbol === "X") {
    mine(context, size, symbol === "X" ? "#fff" : palette.mine, palette.open);
  } else if (symbol === "?") {
    context.fillStyle = ink;
    const aside = Boolean(label) || certain !== "";
    text(context, "?", size * (aside ? 0.28 : 0.55), 700, aside ? [-size * 0.32, -size * 0.3] : [0, 0]);
  }
  if (symbol === "#" || symbol === "?") {
    context.save();
    if (mark === "best") context.transform(0.85, 0, 0, 0.85, certain ? -size * 0.1 : -size * 0.03, size * 0.12); // beside its star
    if (certain === "safe") tick(context, size * 0.22, palette.safe, size * 0.12);
    else if (certain === "mine") cross(context, size * 0.18, palette.wrong, size * 0.12);
    else if (label && size >= TEXT_FROM) percentText(context, label, size, ink);
    context.restore();
  } else if (symbol === "F" && label && size >= 22) {
    context.fillStyle = ink;
    text(context, label, size * 0.28, 700, [size * 0.24, size * 0.3]);
  }
  if (mark) ring(context, mark, palette, cell, border, symbol === "#" && !label && !certain && kind !== "far");
  if (doubtful) doubt(context, palette, cell, border);
  return picture;
}

/**
 * The ground of a cell, and how strongly the edges of its tile show on it.
 * @param {Look} look @param {string} certain @param {Palette} palette @returns {[string, number]}
 */
function groundOf({ symbol, pressed, note }, certain, palette) {
  if (symbol === "X") return [palette.exploded, 1];
  if (pressed) return [palette.pressed, 1];
  if (!isCovered(symbol)) return [palette.open, 1];
  if (certain === "safe") return [palette["safe-ground"], 0.5];
  if (certain === "mine") return [palette["mine-ground"], 0.5];
  if (note.startsWith("odds:")) return [heatColour(palette, Number(note.split(":")[1]) / 100), 0.5];
  return [palette.covered, 1];
}

/**
 * The border of a cell around the origin.
 * @param {CanvasRenderingContext2D} context @param {number} size @param {import("./shape.js").OutlineName} border @param {number} inset
 */
export function outline(context, size, border, inset) {
  context.beginPath();
  if (border === "square") {
    const half = size / 2 - inset;
    context.rect(-half, -half, 2 * half, 2 * half);
    return;
  }
  const { corners, depth } = OUTLINES[border];
  const length = size - (2 * inset) / depth;
  for (const [x, y] of corners) context.lineTo(x * length, y * length);
  context.closePath();
}

/** Whole pixels of the screen, at least one, in CSS pixels. @param {number} length @param {number} scale */
const whole = (length, scale) => Math.max(1, Math.round(length * scale)) / scale;

/**
 * A covered cell: light falls from above left. Tiles fill their cells, so nothing shines through at the corners.
 * @param {CanvasRenderingContext2D} context @param {number} size @param {import("./shape.js").OutlineName} border @param {Palette} palette
 * @param {number} scale @param {string} ground @param {number} blend of the edges
 */
function coveredTile(context, size, border, palette, scale, ground, blend) {
  const { edge, line } = palette.skin;
  const width = whole(Math.min(size * line, edge === "bevel" ? 4 : 2.5), scale);
  outline(context, size, border, 0);
  context.fillStyle = ground;
  context.fill();
  context.globalAlpha = edge === "soft" ? blend : 1;
  if (border !== "square") polygonEdges(context, size, border, palette, width);
  else if (edge === "line") {
    outline(context, size, "square", width / 2);
    context.strokeStyle = palette["covered-edge"];
    context.lineWidth = width;
    context.stroke();
  } else {
    const half = size / 2;
    corner(context, half, width, palette["covered-light"]);
    context.save();
    context.rotate(Math.PI);
    corner(context, half, width, palette["covered-edge"]);
    context.restore();
  }
  context.globalAlpha = 1;
}

/**
 * The left and the upper edge, with mitred ends.
 * @param {CanvasRenderingContext2D} context @param {number} half of the size @param {number} width @param {string} colour
 */
function corner(context, half, width, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(-half, half);
  context.lineTo(-half, -half);
  context.lineTo(half, -half);
  context.lineTo(half - width, -half + width);
  context.lineTo(-half + width, -half + width);
  context.lineTo(-half + width, half - width);
  context.fill();
}

/**
 * The edges of a polygon: lit from above and from the left, in shade below and on the right.
 * @param {CanvasRenderingContext2D} context @param {number} size @param {import("./shape.js").OutlineName} border
 * @param {Palette} palette @param {number} width
 */
function polygonEdges(context, size, border, palette, width) {
  const { corners, depth } = OUTLINES[border];
  const inner = corners.map(([x, y]) => [x * (size - width / depth), y * (size - width / depth)]);
  context.lineWidth = width;
  context.lineCap = "round";
  for (const lit of [false, true]) {
    context.strokeStyle = palette[lit ? "covered-light" : "covered-edge"];
    context.beginPath();
    inner.forEach(([x = 0, y = 0], i) => {
      const [nextX = 0, nextY = 0] = inner[(i + 1) % inner.length] ?? [];
      const [outX, outY] = [(x + nextX) / size, (y + nextY) / size];
      if (lit !== (outY < -1e-6 || (outY < 1e-6 && outX < 0))) return;
      context.moveTo(x, y);
      context.lineTo(nextX, nextY);
    });
    context.stroke();
  }
}

/**
 * An open cell: flat, with a thin line at its right and below.
 * @param {CanvasRenderingContext2D} context @param {number} size @param {import("./shape.js").OutlineName} border @param {Palette} palette
 * @param {number} scale @param {string} ground
 */
function openTile(context, size, border, palette, scale, ground) {
  outline(context, size, border, 0);
  context.fillStyle = ground;
  context.fill();
  const width = whole(0.75, scale);
  if (border !== "square") {
    outline(context, size, border, width / 2);
    context.strokeStyle = palette["open-edge"];
    context.lineWidth = width;
    context.stroke();
    return;
  }
  const half = size / 2;
  context.fillStyle = palette["open-edge"];
  context.fillRect(half - width, -half, width, size);
  context.fillRect(-half, half - width, size, width);
}

/**
 * A per cent, as large as its cell allows, with its sign where there is room.
 * @param {CanvasRenderingContext2D} context @param {string} label @param {number} size @param {string} ink
 */
function percentText(context, label, size, ink) {
  const signed = size >= SIGN_FROM && label.length < 3;
  const digits = size * (signed ? 0.44 : label.length < 3 ? 0.5 : 0.36);
  const sign = digits * 0.6;
  context.fillStyle = ink;
  if (!signed) {
    text(context, label, digits, 700);
    return;
  }
  context.font = font(digits, 700);
  const wide = context.measureText(label).width;
  context.font = font(sign, 600);
  const signWide = context.measureText("%").width;
  const smaller = Math.min(1, (size * 0.8) / (wide + signWide));
  const left = (-(wide + signWide) / 2) * smaller;
  text(context, label, digits * smaller, 700, [left + (wide / 2) * smaller, 0]);
  text(context, "%", sign * smaller, 600, [left + (wide + signWide / 2) * smaller, digits * smaller * 0.12]);
}

/** @param {number} size @param {number} weight */
export const font = (size, weight) => `${weight} ${size}px system-ui, sans-serif`;

/**
 * @param {CanvasRenderingContext2D} context @param {string} characters @param {number} size @param {number} weight
 * @param {[number, number]} [place] from the middle of the cell
 */
export function text(context, characters, size, weight, [x, y] = [0, 0]) {
  context.font = font(size, weight);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(characters, x, y + size * 0.06);
}

/**
 * @param {CanvasRenderingContext2D} context @param {import("./state.js").Mark} mark @param {Palette} palette
 * @param {number} size @param {import("./shape.js").OutlineName} border @param {boolean} blank nothing else is drawn on the cell
 */
function ring(context, mark, palette, size, border, blank) {
  const line = Math.max(2, size * 0.1);
  const colours = {
    safe: palette.safe, mine: palette.wrong, because: palette.because, near: palette.because, fault: palette.wrong,
    best: palette.best, safest: palette.best, last: palette.cursor, start: palette.cursor,
    assume: palette.cursor,
  }; // prettier-ignore
  outline(context, size, border, line / 2);
  context.strokeStyle = colours[mark];
  context.lineWidth = line;
  if (mark === "near" || mark === "safest") context.setLineDash([line * 1.5, line]);
  context.stroke();
  context.setLineDash([]);
  if (mark !== "best") return;
  // beside whatever the cell shows, in a corner of its own
  if (blank) star(context, size * 0.28 * OUTLINES[border].room, palette.best, [0, 0]);
  else cornerStar(context, size, border, palette);
}

/** @param {CanvasRenderingContext2D} context @param {number} size @param {import("./shape.js").OutlineName} border @param {Palette} palette */
function cornerStar(context, size, border, palette) {
  const place = /** @type {[number, number]} */ (
    border === "square" ? [size * 0.3, -size * 0.3] : [0, -size * 0.36 * OUTLINES[border].depth]
  );
  const reach = size * 0.17;
  context.fillStyle = palette.open;
  context.beginPath();
  context.arc(place[0], place[1], reach, 0, 2 * Math.PI);
  context.fill();
  star(context, reach * 0.86, palette.best, place);
}

/**
 * Dashes along the border; a ring that is lit lies under them.
 * @param {CanvasRenderingContext2D} context @param {Palette} palette @param {number} size @param {import("./shape.js").OutlineName} border
 */
function doubt(context, palette, size, border) {
  context.lineWidth = Math.max(2, size * 0.08);
  const dash = Math.max(3, size * 0.12);
  outline(context, size, border, 1 + context.lineWidth / 2);
  context.strokeStyle = palette.stage;
  context.stroke();
  context.strokeStyle = palette.ink;
  context.setLineDash([dash, dash]);
  context.stroke();
  context.setLineDash([]);
}

/** @param {CanvasRenderingContext2D} context @param {number} size @param {Palette} palette */
export function flag(context, size, palette) {
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

/** @param {CanvasRenderingContext2D} context @param {number} size @param {string} colour @param {string} shine */
function mine(context, size, colour, shine) {
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
  context.fillStyle = shine;
  context.globalAlpha = 0.8;
  context.beginPath();
  context.arc(-size * 0.07, -size * 0.08, size * 0.055, 0, 2 * Math.PI);
  context.fill();
  context.globalAlpha = 1;
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

/** @param {CanvasRenderingContext2D} context @param {number} reach @param {string} colour @param {[number, number]} place */
function star(context, reach, colour, [x, y]) {
  context.fillStyle = colour;
  context.beginPath();
  for (let point = 0; point < 10; point++) {
    const [angle, far] = [(point * Math.PI) / 5 - Math.PI / 2, point % 2 ? reach * 0.45 : reach];
    context.lineTo(x + Math.cos(angle) * far, y + Math.sin(angle) * far);
  }
  context.fill();
}
