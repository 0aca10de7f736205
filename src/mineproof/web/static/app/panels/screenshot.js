/**
 * The screenshot that a position was read from, to compare with the board, and questions about unclear cells.
 *
 * @typedef {import("../api.js").Cell} Cell
 * @typedef {import("../editor.js").Position} Position
 * @typedef {import("../screenshot.js").Doubt} Doubt
 * @typedef {import("../screenshot.js").Screenshot} Screenshot
 * @typedef {import("../screenshot.js").SizeDoubt} SizeDoubt
 *
 * @typedef {object} Actions
 * @property {(cell: Cell, mark: string) => void} confirm a cell, and those that look alike, show this
 * @property {(doubt: SizeDoubt, belongs: boolean) => void} resize a row or column at the border belongs to the board
 * @property {(cells: Cell[]) => void} light show cells on the board
 * @property {() => void} close hide the screenshot
 */
import { fill, h } from "../dom.js";
import { doubts, rivals, sizeDoubts } from "../screenshot.js";
import { at, symbolName } from "../format.js";
import { t, tn } from "../messages.js";
import { button, quiet } from "./parts.js";

const MAX_NAMED = 4; // cells of a group that are named
const SIDE = 36; // CSS pixels of a cell that is shown beside its question
const WIDE = 700; // pixels of the picture: more than the panel is wide, for sharp screens

/** The question about a side, without or with one more row or column. @type {Record<string, [string, string]>} */
const SIZE_QUESTIONS = {
  up: ["page-size-remove-up", "page-size-add-up"],
  down: ["page-size-remove-down", "page-size-add-down"],
  left: ["page-size-remove-left", "page-size-add-left"],
  right: ["page-size-remove-right", "page-size-add-right"],
};

export class ScreenshotPanel {
  /** @type {Screenshot | undefined} */
  #shown;
  /** The board's part of the picture; null where the browser cannot decode it. @type {ImageBitmap | null} */
  #bitmap = null;
  /** @type {Position | null} */
  #position = null;

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.title = h("h2", { tabindex: "-1" }, t("page-screenshot"));
    this.canvas = h("canvas", { class: "screenshot", role: "img", "aria-label": t("page-screenshot-board") });
    this.summary = h("div", { class: "stack" });
    this.groups = h("fieldset", { class: "doubts" });
    this.element = h("section", { class: "panel", "aria-label": t("page-screenshot"), hidden: true });
    /** In the place of the board while a picture is read. */
    this.reading = h("div", { class: "reading", role: "group", "aria-label": t("page-screenshot-reading"), hidden: true }); // prettier-ignore
  }

  /** Show the picture while it is read. @param {Blob} file @param {() => void} stop */
  wait(file, stop) {
    this.#shown = undefined;
    this.#clear();
    this.element.hidden = true;
    this.reading.hidden = false;
    const address = URL.createObjectURL(file);
    const picture = h("img", { src: address, alt: t("page-screenshot"), onerror: () => picture.remove() });
    const progress = h("progress", { "aria-label": t("page-screenshot-reading") });
    const line = h("div", { class: "row" }, h("span", { role: "status" }, t("page-screenshot-reading")), button(t("page-cancel"), stop)); // prettier-ignore
    fill(this.reading, picture, progress, line);
  }

  #clear() {
    this.reading.hidden = true;
    for (const picture of this.reading.getElementsByTagName("img")) URL.revokeObjectURL(picture.src);
    fill(this.reading);
  }

  /** @param {Position} position */
  update(position) {
    this.#clear();
    const before = this.#shown;
    const { screenshot } = position;
    this.#position = position;
    this.element.hidden = !screenshot;
    if (!screenshot || screenshot === before) return;
    this.#shown = screenshot;
    this.groups.disabled = false;
    const close = button(t("page-close"), this.actions.close, { class: "small push" });
    fill(this.title, t("page-screenshot"), close);
    fill(this.summary, this.#summary(screenshot, doubts(position), sizeDoubts(position)));
    fill(this.groups, h("legend", { class: "unseen" }, t("page-unclear-cells")), sizeDoubts(position).map((doubt) => this.#sizeQuestion(doubt)), doubts(position).map((doubt) => this.#question(doubt))); // prettier-ignore
    fill(this.element, this.title, this.canvas, this.summary, this.groups);
    if (before?.file === screenshot.file && this.#bitmap) this.#draw();
    else void this.#load(screenshot);
  }

  /** An answer is on its way: one question at a time. @param {boolean} is */
  busy(is) {
    this.groups.disabled = is;
  }

  /** Move the focus to the next question, or to the title. */
  focus() {
    const [next] = this.groups.getElementsByTagName("button");
    (next ?? this.title).focus();
  }

  /** @param {Screenshot} screenshot @param {Doubt[]} questions @param {SizeDoubt[]} sizes */
  #summary({ reading }, questions, sizes) {
    const cells = questions.reduce((sum, doubt) => sum + doubt.cells.length, 0);
    const text = cells ? tn("page-unclear-count", cells) : t("page-unclear-none");
    const unsure = !cells && !sizes.length && reading["sure"] === false;
    const counter = reading["counter"];
    const crossed = reading["wrong_flags"].map(at).join(", ");
    return [
      h("p", cells ? { class: "strong" } : { class: "good" }, text),
      unsure && h("p", { class: "strong" }, t("page-size-unsure")),
      counter !== null && quiet(t("page-screenshot-counter", { number: counter })),
      crossed && quiet(t("page-screenshot-crossed", { cells: crossed })),
      ...reading["notes"].map((/** @type {string} */ note) => quiet(note)),
    ];
  }

  /** @param {SizeDoubt} doubt */
  #sizeQuestion(doubt) {
    const [without = "", more = ""] = SIZE_QUESTIONS[doubt.side] ?? [];
    const question = t(doubt.change > 0 ? more : without);
    const choose = (/** @type {boolean} */ belongs) =>
      button(t(belongs ? "page-size-yes" : "page-size-no"), () => this.actions.resize(doubt, belongs), {
        class: "small",
        "aria-label": `${question} ${t(belongs ? "page-size-yes" : "page-size-no")}`,
      });
    return h("div", { class: "doubt size" }, h("p", {}, question), h("div", { class: "row" }, choose(true), choose(false))); // prettier-ignore
  }

  /** @param {Doubt} doubt */
  #question(doubt) {
    const { cells, mark } = doubt;
    const [first] = cells;
    const others = rivals(doubt).map(symbolName).join(t("page-unclear-or"));
    const places = cells.slice(0, MAX_NAMED).map(at).join(" ") + (cells.length > MAX_NAMED ? " …" : "");
    const light = () => this.actions.light(cells);
    const dark = () => this.actions.light([]);
    const choose = (/** @type {string} */ chosen) =>
      button(symbolName(chosen), () => first && this.actions.confirm(first, chosen), {
        class: "small",
        "aria-label": tn("page-unclear-answer", cells.length, { cells: places, symbol: symbolName(chosen) }),
      });
    return h(
      "div",
      { class: "doubt", onmouseenter: light, onmouseleave: dark, onfocusin: light, onfocusout: dark },
      h("canvas", { class: "sample", "data-cell": String(first), "aria-hidden": "true" }),
      h("div", {}, h("p", {}, tn("page-unclear-question", cells.length, { symbol: symbolName(mark), others })), h("p", { class: "quiet" }, places)), // prettier-ignore
      h("div", { class: "row" }, [mark, ...doubt.alternatives.map((one) => one.mark)].map(choose)),
    );
  }

  /** @param {Screenshot} screenshot */
  async #load(screenshot) {
    this.#bitmap?.close();
    this.#bitmap = null;
    this.canvas.hidden = true;
    const [left, top, right, bottom] = /** @type {[number, number, number, number]} */ (
      screenshot.reading["box"].map(Math.round)
    );
    const bitmap = await createImageBitmap(screenshot.file, left, top, right - left, bottom - top).catch(() => null);
    if (this.#shown?.file !== screenshot.file) return bitmap?.close();
    this.#bitmap = bitmap;
    this.#draw();
  }

  /** The board as it is in the picture, and a sample of each group. */
  #draw() {
    const [bitmap, position, context] = [this.#bitmap, this.#position, this.canvas.getContext("2d")];
    this.canvas.hidden = !bitmap;
    if (!bitmap || !position || !context) return;
    const scale = Math.min(WIDE / bitmap.width, WIDE / bitmap.height);
    [this.canvas.width, this.canvas.height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
    context.imageSmoothingEnabled = scale < 2;
    context.drawImage(bitmap, 0, 0, this.canvas.width, this.canvas.height);
    const [wide, tall] = [this.canvas.width / position.columns, this.canvas.height / position.rows];
    for (const [row, column] of doubts(position).flatMap(({ cells }) => cells)) {
      frame(context, column * wide, row * tall, wide, tall);
    }
    for (const sample of this.groups.getElementsByTagName("canvas")) this.#sample(sample, bitmap, position);
  }

  /** @param {HTMLCanvasElement} sample @param {ImageBitmap} bitmap @param {Position} position */
  #sample(sample, bitmap, { rows, columns }) {
    const [row = 0, column = 0] = (sample.dataset["cell"] ?? "").split(",").map(Number);
    const [wide, tall] = [bitmap.width / columns, bitmap.height / rows];
    sample.width = sample.height = SIDE * 2;
    sample
      .getContext("2d")
      ?.drawImage(bitmap, column * wide, row * tall, wide, tall, 0, 0, sample.width, sample.height);
  }
}

/** Dashes of black on white: they are seen on any picture. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} wide @param {number} tall */
function frame(context, x, y, wide, tall) {
  const line = (context.lineWidth = Math.max(3, wide * 0.08));
  for (const [colour, dash] of /** @type {[string, number[]][]} */ ([["#fff", []], ["#000", [line * 1.5, line * 1.5]]])) {
    context.strokeStyle = colour;
    context.setLineDash(dash);
    context.strokeRect(x + line / 2, y + line / 2, wide - line, tall - line);
  } // prettier-ignore
  context.setLineDash([]);
}
