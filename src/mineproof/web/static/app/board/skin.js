/**
 * Skins: how tiles are painted, and which colours they have. The colours are variables of `styles/board.css`, which
 * follow `data-skin` and `data-digits` of the document; `readPalette` hands them to the canvas.
 *
 * @typedef {"soft" | "bevel" | "line"} Edge soft light from above, the strong bevel of old windows, or plain lines
 * @typedef {object} Skin
 * @property {Edge} edge
 * @property {number} line width of the edges of a covered cell, as a part of its size
 */
import { settings } from "../settings.js";

/** @type {Record<string, Skin>} */
const SKINS = {
  mineproof: { edge: "soft", line: 0.045 },
  classic: { edge: "bevel", line: 0.1 },
  contrast: { edge: "line", line: 0.045 },
};

/** Names of the style sheet's variables. */
const COLOURS = /** @type {const} */ ([
  "stage", "covered", "covered-light", "covered-edge", "open", "open-edge", "pressed", "well", "ink", "quiet", "flag",
  "pole", "mine", "exploded", "safe", "wrong", "safe-ground", "mine-ground", "because", "best", "cursor", "frame",
  "frame-light", "frame-dark", "frame-ink", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "heat0", "heat1", "heat2",
  "heat3", "heat4", "on-heat",
]); // prettier-ignore
/** @typedef {Record<(typeof COLOURS)[number], string> & {skin: Skin}} Palette */

/** Let the document say which skin it has, so that style sheets can follow. */
function applySkin() {
  const { dataset } = document.documentElement;
  dataset["skin"] = settings.skin;
  dataset["digits"] = settings.digits;
}

/** Whether the system has a contrast theme. */
export const FORCED_COLOURS = "(forced-colors: active)";

/** The colours of the theme and the skin, as a canvas takes them. @param {HTMLElement} element @returns {Palette} */
export function readPalette(element) {
  const before = element.style.color;
  const read = COLOURS.map((name) => {
    element.style.color = `var(--${name})`;
    return [name, getComputedStyle(element).color];
  });
  element.style.color = before;
  const skin = matchMedia(FORCED_COLOURS).matches ? "contrast" : settings.skin;
  return /** @type {Palette} */ ({ ...Object.fromEntries(read), skin: SKINS[skin] });
}

/** Red, green and blue of a computed colour, up to 255. @param {string} colour @returns {number[]} */
export function channels(colour) {
  const numbers = (colour.match(/-?[\d.]+(e-?\d+)?/g) ?? []).slice(0, 3).map(Number);
  return colour.startsWith("color(") ? numbers.map((number) => number * 255) : numbers;
}

/**
 * The colour of odds, mixed from the five of the palette.
 * @param {Palette} palette @param {number} chance
 */
export function heatColour(palette, chance) {
  const stops = [palette.heat0, palette.heat1, palette.heat2, palette.heat3, palette.heat4];
  const place = Math.max(0, Math.min(1, chance)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(place));
  const [from, to] = [channels(stops[low] ?? ""), channels(stops[low + 1] ?? "")];
  const mixed = from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * (place - low)));
  return `rgb(${mixed.join(" ")})`;
}

// Before the listeners of boards, which read the colours when the theme or a setting changes.
if (typeof document !== "undefined") {
  applySkin();
  for (const name of ["themechange", "settingchange"]) document.addEventListener(name, applySkin);
}
