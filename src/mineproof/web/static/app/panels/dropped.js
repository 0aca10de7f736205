/**
 * What was dropped or pasted on the page (`drop.js`): read it, and ask what to do with it.
 *
 * @typedef {import("../main.js").Page} Page
 * @typedef {Wire.ConvertedBoardJson | Wire.ConvertedLayoutJson} Converted
 */
import * as api from "../api.js";
import { WholeBoard } from "../board/whole.js";
import { handedOver, isAt } from "../drop.js";
import * as Editor from "../editor.js";
import { fill, h } from "../dom.js";
import { errorText } from "../format.js";
import { t, tn } from "../messages.js";
import { base64, read } from "./exchange.js";
import { button } from "./parts.js";

const REPLAYS = ["avf", "evf", "mvf", "rmv", "rawvf"]; // formats of recorded games

/**
 * What can be done with the content of a source.
 * @param {Converted} content @param {boolean} saved it is a saved game
 * @returns {"replay" | "layout" | "position"}
 */
export function kindOf(content, saved) {
  if (saved || REPLAYS.includes(content["read_as"].format)) return "replay";
  return "cells" in content ? "position" : "layout";
}

/** Let Analyse read a source, as if it were dropped there. @param {Page} page @param {string | File} source */
export async function handOver(page, source) {
  const place = /** @type {HTMLElement} */ (document.getElementById("screen"));
  if (!isAt("analyse")) {
    const shown = new Promise((done) => {
      const observer = new MutationObserver(() => {
        if (!isAt("analyse")) return;
        observer.disconnect();
        done(null);
      });
      observer.observe(place, { attributes: true, attributeFilter: ["data-screen"] });
    });
    page.go("analyse");
    await shown;
  }
  const transfer = new DataTransfer();
  if (typeof source === "string") transfer.setData("text/plain", source);
  else transfer.items.add(source);
  const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
  handedOver.add(event);
  place.firstElementChild?.dispatchEvent(event);
}

/** Read a source, and ask what to do with it. @param {Page} page @param {string | File} source @param {boolean} loud report errors */
export async function offer(page, source, loud) {
  try {
    const content = await read(source, {});
    const kind = kindOf(content, await isSavedGame(source));
    if (kind === "position" && isAt("analyse")) return await handOver(page, source);
    if (kind !== "position") ask(page, content, source, kind);
    else if ("cells" in content) openPosition(Editor.fromBoard(content));
  } catch (error) {
    if (loud) page.notify(errorText(error), "error");
  }
}

/** @param {string | File} source */
async function isSavedGame(source) {
  const text = typeof source === "string" ? source : await source.slice(0, 400).text();
  return /"schema":\s*"mineproof\/game\//.test(text);
}

/** @param {import("../editor.js").Position} position */
const openPosition = (position) => (location.hash = `#/analyse?${Editor.toLink(position)}`);

/**
 * Ask what to do with a replay or a board.
 * @param {Page} page @param {Converted} content @param {string | File} source @param {"replay" | "layout"} kind
 */
function ask(page, content, source, kind) {
  const layout = "cells" in content ? null : content;
  const name = typeof source === "string" ? source.trim() : source.name;
  const choose = (/** @type {string} */ label, /** @type {() => unknown} */ act, primary = false) =>
    button(label, () => { dialog.close(); void act(); }, { class: primary ? "primary" : null }); // prettier-ignore
  const isReplay = kind === "replay";
  const mines = h("div", { class: "mines", hidden: true });
  const reveal = button(t("page-drop-mines"), () => {
    reveal.disabled = true;
    mines.hidden = false;
    if (layout) showMines(mines, layout);
  });
  const start = "cells" in content ? Editor.fromBoard(content) : Editor.fromLayout(content);
  const count = start.mines ?? 0;
  const size = { columns: content["columns"], rows: content["rows"] };
  const dialog = h(
    "dialog",
    { class: "dropped", "aria-label": t("page-drop-title"), onclose: () => dialog.remove() },
    h(
      "form",
      { method: "dialog" },
      h("h2", {}, t("page-drop-title")),
      h("p", { class: "words" }, h("b", {}, name.slice(0, 80)), " ", tn(isReplay ? "page-drop-replay" : "page-drop-board", count, size)),
      h(
        "div",
        { class: "row" },
        isReplay && choose(t("page-drop-watch"), () => watch(page, source), true),
        layout && choose(t("page-drop-play"), () => play(layout), !isReplay),
        layout && reveal,
        choose(layout ? t("page-drop-analyse") : t("page-analyse-position"), () => openPosition(start)),
      ),
      mines,
      h("div", { class: "row" }, h("button", { type: "submit" }, t("page-cancel"))),
    ),
  ); // prettier-ignore
  document.body.append(dialog);
  dialog.showModal();
}

/** Put a replay into the history, among the imported games, and show it. @param {Page} page @param {string | File} source */
async function watch(page, source) {
  const file = typeof source === "string" ? new File([source], "replay.rawvf") : source;
  try {
    const { files } = await api.historyImport(await base64(file), file.name);
    page.go("review", { number: String(files[0]?.games[0]?.id), play: "1" });
  } catch (error) {
    page.notify(errorText(error), "error");
  }
}

/** @param {Wire.LayoutJson} layout */
const play = (layout) => (location.hash = `#/play?${Editor.toLayoutLink(layout)}`);

/** @param {HTMLElement} place @param {Wire.LayoutJson} layout */
function showMines(place, layout) {
  const board = new WholeBoard(t("page-drop-mines"), {});
  const { rows, columns, topology, cells } = Editor.fromLayout(layout);
  for (const [row, column] of layout["mines"]) cells[row * columns + column] = "*";
  fill(place, board.element);
  board.setCells({ rows, columns, topology, cells: Editor.rowsOf({ rows, columns, cells }) });
  board.fit();
}
