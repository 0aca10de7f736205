/**
 * Positions from elsewhere and to elsewhere: text, links and files in any format that the server reads; text, a link and
 * a picture to be copied.
 */
import * as api from "../api.js";
import { View } from "../board/view.js";
import { extent } from "../board/shape.js";
import { download, field, fill, h, select } from "../dom.js";
import { button } from "./parts.js";

const LARGEST = 700_000; // bytes of a file: as base64 it fits into what the server takes
const LARGEST_PICTURE = 16 << 20; // bytes that the server takes of a screenshot
const SIZE = 32; // CSS pixels of a cell in a picture

/** The first one is what a first visit sees. @type {[text: string, words: string][]} */
export const EXAMPLES = [
  [
    "9x9x10/#########/###1111##/12#1002##/01#1001##/0111001##/0000111##/00112####/001######/001######",
    "A game just begun",
  ],
  ["5x3x6/#####/123##/###3#", "The safest cell is not the best"],
  ["6x4x5/######/F112##/11F###/######", "A wrong flag"],
  ["8x7x9 hex/#1000000/#1110000/####1000/###10011/###1001#/###201##/####11##", "Hexagons"],
];

/** @param {File} file @returns {Promise<string>} */
export async function base64(file) {
  if (file.size > LARGEST) throw new Error(`Found a file of ${file.size} bytes, expected at most ${LARGEST}.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * What a text or a file holds: a mineproof/board/1 or a mineproof/layout/1. Whether any layout fits is not asked.
 * @param {string | File} given @param {Record<string, any>} more what it leaves open
 */
export async function read(given, more) {
  return api.convert({ ...more, ...(typeof given === "string" ? { board: given } : { data: await base64(given) }) });
}

/** @param {string | File} given @returns {given is File} */
export const isPicture = (given) => typeof given !== "string" && given.type.startsWith("image/");

/** The board on a screenshot: a mineproof/reading/1. @param {Blob} file @param {string} confirm @param {api.Stop} stop */
export async function readPicture(file, confirm, stop) {
  if (file.size > LARGEST_PICTURE) throw new Error(`Found a picture of ${file.size} bytes, expected at most ${LARGEST_PICTURE}.`); // prettier-ignore
  return api.readImage(file, confirm, stop);
}

/** The whole board as a picture, with what is lit on it. @param {import("../board/board.js").Board} board @returns {Promise<Blob | null>} */
function picture(board) {
  const state = { ...board.state, size: SIZE, left: 0, top: 0, ruled: false, cursorShown: false, hover: -1 };
  const [width, height] = extent(state.rows, state.columns, state.topology);
  const canvas = h("canvas", { class: "picture", "aria-hidden": "true" });
  [canvas.style.width, canvas.style.height] = [`${Math.ceil(width * SIZE)}px`, `${Math.ceil(height * SIZE)}px`];
  document.body.append(canvas); // its size and its colours come from the page
  new View(state, canvas).draw();
  canvas.remove();
  return new Promise((done) => canvas.toBlob(done));
}

/**
 * @param {import("../main.js").Page} page @param {import("../board/board.js").Board} board
 * @param {(given: string | File) => void} take
 * @param {{text: () => string, link: () => string, layout: () => string}} written
 */
export function exchange({ notify }, board, take, written) {
  const box = h("textarea", { rows: "4", class: "mono", spellcheck: "false" });
  const file = h("input", { type: "file", onchange: () => file.files?.[0] && take(file.files[0]) });
  const screen = h("input", { type: "file", accept: "image/*", onchange: () => {
    if (screen.files?.[0]) take(screen.files[0]);
    screen.value = ""; // so that the same one can be chosen again
  } }); // prettier-ignore
  const examples = select([["", "Choose…"], ...EXAMPLES], "", (value) => {
    if (value) take(value);
    examples.value = "";
  });
  const copy = (/** @type {"text" | "link" | "layout"} */ what) => async () => {
    const text = written[what]();
    try {
      await navigator.clipboard.writeText(text);
      notify(`Copied the ${what}.`);
    } catch {
      box.value = text; // the browser keeps its clipboard to itself
      box.select();
      notify(`Copy the ${what} from the box.`);
    }
  };
  const copyPicture = async () => {
    const blob = await picture(board);
    if (!blob) return notify("The browser made no picture.", "error");
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      notify("Copied the picture.");
    } catch {
      download(blob, "position.png");
      notify("Saved the picture as position.png.");
    }
  };
  const layout = h("div", { class: "asked", hidden: true });
  const told = (/** @type {number | null} */ mines) => {
    layout.hidden = mines === null;
    const words = `This was a layout with ${mines} mines. The board shows what its player sees at first; text, link and picture do not tell the mines.`;
    fill(layout, h("p", {}, words), button("Copy a link that tells the mines", copy("layout")));
  };
  const copies = [
    button("Copy text", copy("text")),
    button("Copy link", copy("link")),
    button("Copy picture", copyPicture),
  ];
  const help =
    "Rows of text, a link, a game ID, JSON or a replay. Ctrl+V anywhere on this screen does it too, and so does dropping text or a file.";
  const seen =
    "Of any program, whole or in part; what is in doubt is asked. Pasting and dropping do it too. Nothing is kept.";
  const element = h(
    "section",
    { class: "panel" },
    h("h2", {}, "Share and open"),
    h("div", { class: "row" }, copies),
    layout,
    field("Paste a board", box, help),
    button("Read it", () => (box.value.trim() ? take(box.value) : box.focus())),
    field("Read a screenshot", screen, seen),
    field("Open a file", file),
    field("See an example", examples),
  );
  return { element, box, told };
}
