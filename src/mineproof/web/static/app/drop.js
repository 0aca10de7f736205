/**
 * Files, links and pictures that are dropped or pasted anywhere on the page. A replay or a board asks what to do with
 * it; a picture and a position go to Analyse. The browser never opens the file itself.
 *
 * @typedef {import("./main.js").Page} Page
 */
import { errorText } from "./format.js";

const OWN_LINK = /#\/(analyse|play|practise|generate|review)\?/;

/** Events that were handed over to a screen, which reads them itself. @type {WeakSet<Event>} */
export const handedOver = new WeakSet();

/** What a drop or a paste brings: a file, or a text that could be a board. @param {DataTransfer | null} transfer */
export const sourceOf = (transfer) =>
  transfer?.files[0] ?? (transfer?.getData("text/uri-list") || transfer?.getData("text/plain") || null);

/** Whether a text can be a link to a board. @param {string} text */
export const isLink = (text) => /^\s*https?:\/\/\S+\s*$/.test(text);

/** Whether a text can be a board: a link, the text of a file, or more signs of cells than words. @param {string} text */
export const maybeBoard = (text) =>
  isLink(text) ||
  /^[\s0-9#F~.*?HMx/()]{4,}$/.test(text) ||
  /^\s*(\{|Board:|RawVF|\d+x\d+)/.test(text) ||
  hasCells(text);

const SHORTCODES = /:(?:[a-z]+_)*(?:zero|one|two|three|four|five|six|seven|eight|square|flag|post|bomb):/g;
const SIGNS = /[0-8#F.*?~■□█▓⚑⬛⬜🚩💣]|[\u{1f7e5}-\u{1f7eb}]/gu;

/** Whether a text has signs of cells, and at most half as many words: emoji, tables, lists. @param {string} text */
function hasCells(text) {
  const plain = text.slice(0, 100_000).replace(/<[^<>]*>/g, " ").replace(SHORTCODES, "#"); // prettier-ignore
  const signs = plain.match(SIGNS)?.length ?? 0;
  return signs >= 4 && 2 * (plain.match(/\p{L}{2,}/gu)?.length ?? 0) <= signs;
}

/** @param {string | File} source @returns {source is File} */
const isPicture = (source) => typeof source !== "string" && source.type.startsWith("image/");

/** Whether the page is at a screen. @param {string} name */
export const isAt = (name) => document.getElementById("screen")?.dataset["screen"] === name;

/** Whether an event is for a field. @param {Event} event */
const inField = ({ target }) => target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null; // prettier-ignore

/** Take whatever is dropped or pasted. @param {Page} page */
export function takeDrops(page) {
  addEventListener("dragover", (event) => inField(event) || event.preventDefault());
  addEventListener("drop", (event) => receive(page, event, event.dataTransfer, true), { capture: true });
  addEventListener("paste", (event) => receive(page, event, event.clipboardData, false), { capture: true });
}

/** @param {Page} page @param {Event} event @param {DataTransfer | null} transfer @param {boolean} dropped */
function receive(page, event, transfer, dropped) {
  if (handedOver.has(event)) return;
  const source = sourceOf(transfer);
  const isText = typeof source === "string";
  if (!source || (isText && (inField(event) || OWN_LINK.test(source)))) return;
  if (isAt("history") && !isText && dropped) return; // it adds files to the history
  if (isAt("analyse") && (isPicture(source) || (isText && !isLink(source)))) return; // it reads them
  if (isText && !dropped && !maybeBoard(source)) return;
  event.preventDefault();
  event.stopPropagation();
  import("./panels/dropped.js") // most visits never need it
    .then(({ handOver, offer }) =>
      isPicture(source) ? handOver(page, source) : offer(page, source, dropped || !isText),
    )
    .catch((error) => page.notify(errorText(error), "error"));
}
