/**
 * Import and export of positions: text, links and files in any format that the server reads; copies as text, link or
 * picture.
 */
import * as api from "../api.js";
import { View } from "../board/view.js";
import { extent } from "../board/shape.js";
import { download, field, fill, h, svg } from "../dom.js";
import { number, t, tn } from "../messages.js";
import { listBox } from "./listbox.js";
import { button, fileButton } from "./parts.js";

const MAX_FILE_BYTES = 700_000; // as base64 it fits into a request
const MAX_PICTURE_BYTES = 16 << 20;
const SIZE = 32; // CSS pixels of a cell in a picture

/** What a first visit sees. */
export const FIRST_EXAMPLE =
  "9x9x10/#########/###1111##/12#1002##/01#1001##/0111001##/0000111##/00112####/001######/001######";

/** @returns {[text: string, label: string][]} */
const examples = () => [
  [FIRST_EXAMPLE, t("page-example-begun")],
  ["5x3x6/#####/123##/###3#", t("page-example-safest")],
  ["6x4x5/######/F112##/11F###/######", t("page-example-flag")],
  ["8x7x9 hex/#1000000/#1110000/####1000/###10011/###1001#/###201##/####11##", t("page-shape-hex")],
];

/** @param {string} key @param {number} size @param {number} most bytes */
const tooLarge = (key, size, most) => new Error(t(key, { size: number(size), most: number(most) }));

/** @param {File} file @returns {Promise<string>} */
export async function base64(file) {
  if (file.size > MAX_FILE_BYTES) throw tooLarge("page-file-too-large", file.size, MAX_FILE_BYTES);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * Read a text or a file: returns a mineproof/board/1 or a mineproof/layout/1. The position may be contradictory.
 * @param {string | File} source @param {Partial<Wire.ConvertRequest>} more options that the text leaves open
 */
export async function read(source, more) {
  return api.convert({ ...more, ...(typeof source === "string" ? { board: source } : { data: await base64(source) }) });
}

/** @param {string | File} source @returns {source is File} */
export const isPicture = (source) => typeof source !== "string" && source.type.startsWith("image/");

/** The board on a screenshot: a mineproof/reading/1. @param {Blob} file @param {string} confirm @param {string} size @param {api.Stop} stop */
export async function readPicture(file, confirm, size, stop) {
  if (file.size > MAX_PICTURE_BYTES) throw tooLarge("page-picture-too-large", file.size, MAX_PICTURE_BYTES);
  return api.readImage(file, confirm, size, stop);
}

/** The whole board as a picture, with what is lit on it. @param {import("../board/board.js").Board} board @returns {Promise<Blob | null>} */
function picture(board) {
  const state = { ...board.state, size: SIZE, left: 0, top: 0, ruled: false, cursorShown: false, hover: -1 };
  const [width, height] = extent(state);
  const canvas = h("canvas", { class: "picture", "aria-hidden": "true" });
  [canvas.style.width, canvas.style.height] = [`${Math.ceil(width * SIZE)}px`, `${Math.ceil(height * SIZE)}px`];
  document.body.append(canvas); // its size and its colours come from the page
  new View(state, canvas).draw();
  canvas.remove();
  return new Promise((done) => canvas.toBlob(done));
}

/** The first picture in the clipboard, or its text. @returns {Promise<string | File>} */
async function fromClipboard() {
  for (const item of await navigator.clipboard.read()) {
    const type = item.types.find((one) => one.startsWith("image/"));
    if (type) return new File([await item.getType(type)], "screenshot", { type });
  }
  return navigator.clipboard.readText();
}

/** A picture with a board in it. */
const pictureIcon = () =>
  svg("svg", { viewBox: "0 0 32 32", width: 32, height: 32, "aria-hidden": "true" },
    svg("rect", { class: "frame", x: 2, y: 4, width: 28, height: 24, rx: 4 }),
    ...[0, 1, 2, 3, 4, 5].map((place) => svg("rect", { class: place % 4 === 1 ? "open" : "covered", x: 7 + (place % 3) * 6.5, y: 9.5 + Math.floor(place / 3) * 6.5, width: 5.5, height: 5.5 })),
  ); // prettier-ignore

/**
 * The place for screenshots above the board: paste, drop or choose. It is large until there is a position.
 * @param {import("../main.js").Page} page @param {(source: string | File) => void} take
 */
export function intake({ notify }, take) {
  const paste = async () => {
    try {
      const source = await fromClipboard();
      if (source) return take(source);
      notify(t("page-clipboard-empty"));
    } catch {
      notify(t("page-clipboard-blocked"), "error"); // the browser does not allow reading the clipboard
    }
  };
  const texts = h("div", { class: "texts" }, h("p", { class: "strong" }, t("page-intake")), h("p", { class: "help" }, t("page-read-screenshot-help"))); // prettier-ignore
  const choose = fileButton(t("page-choose-screenshot"), take, { class: "primary", accept: "image/*" });
  const element = h("section", { class: "intake", "aria-label": t("page-read-screenshot") }, pictureIcon(), texts, h("div", { class: "row" }, choose, button(t("page-paste-screenshot"), paste))); // prettier-ignore
  return {
    element,
    /** There is a position: be small. */
    shrink: () => element.classList.add("small"),
  };
}

/**
 * @param {import("../main.js").Page} page @param {import("../board/board.js").Board} board
 * @param {(source: string | File) => void} take
 * @param {{text: () => string, link: () => string, layout: () => string}} written
 */
export function exchange({ notify }, board, take, written) {
  const box = h("textarea", { rows: "4", class: "mono", spellcheck: "false" });
  const example = listBox(t("page-example"), [["", t("page-example-choose")], ...examples()], "", (value) => {
    if (value) take(value);
    example.show("");
  });
  const copy = (/** @type {"text" | "link" | "layout"} */ what) => async () => {
    const text = written[what]();
    try {
      await navigator.clipboard.writeText(text);
      notify(what === "text" ? t("page-copied-text") : t("page-copied-link"));
    } catch {
      box.value = text; // the browser does not allow writing to the clipboard
      box.select();
      notify(t("page-copy-by-hand"));
    }
  };
  const copyPicture = async () => {
    const blob = await picture(board);
    if (!blob) return notify(t("page-no-picture"), "error");
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      notify(t("page-copied-picture"));
    } catch {
      download(blob, "position.png");
      notify(t("page-saved-picture", { file: "position.png" }));
    }
  };
  const layout = h("div", { class: "stack", hidden: true });
  const showLayout = (/** @type {number | null} */ mines) => {
    layout.hidden = mines === null;
    fill(layout, h("p", {}, tn("page-layout-read", mines ?? 0)), button(t("page-copy-layout"), copy("layout")));
  };
  const copies = [
    button(t("page-copy-text"), copy("text")),
    button(t("page-copy-link"), copy("link")),
    button(t("page-copy-picture"), copyPicture),
  ];
  const element = h(
    "section",
    { class: "panel" },
    h("h2", {}, t("page-share")),
    h("div", { class: "row" }, copies),
    layout,
    field(t("page-paste"), box, t("page-paste-help")),
    h(
      "div",
      { class: "row" },
      button(t("page-read"), () => (box.value.trim() ? take(box.value) : box.focus())),
      fileButton(t("page-open-file"), take),
    ),
    example,
  );
  return { element, box, showLayout };
}
