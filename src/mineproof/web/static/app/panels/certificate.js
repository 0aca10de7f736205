/**
 * Plays the certificate of a layout: each step lit with its explanation, then done. The certificate has the cells that
 * a step opens, the opened board has their numbers; no rule is needed here. A step costs a pass over those before it.
 *
 *
 * @typedef {Pick<Wire.CertificateJson, "rows" | "columns" | "topology" | "opened" | "steps">} Proof
 */
import { COVERED, FLAG, setMarks } from "../board/state.js";
import { fill, h, segmented, set } from "../dom.js";
import { change, settings } from "../settings.js";
import { t } from "../messages.js";
import { button, key } from "./parts.js";
import { drawArrows, plainText, pointer, proofText } from "./proof.js";

/** @returns {[value: string, label: string][]} */
const paces = () => [["1800", t("page-speed-slow")], ["600", t("page-speed-normal")], ["150", t("page-speed-fast")]]; // prettier-ignore

/**
 * The visible board before a step.
 * @param {Pick<Proof, "opened" | "steps">} certificate @param {string[]} end rows of the opened board @param {number} step
 */
export function seenBefore({ opened, steps }, end, step) {
  const seen = end.map((line) => [...line.replace(/[^~]/g, COVERED)]);
  /** @param {[number, number][]} cells @param {string} [symbol] */
  const put = (cells, symbol) => {
    for (const [row, column] of cells) (seen[row] ?? [])[column] = symbol ?? end[row]?.[column] ?? COVERED;
  };
  put(opened);
  for (const done of steps.slice(0, step)) {
    put(done.mines, FLAG);
    put(done.opened);
  }
  return seen.map((line) => line.join(""));
}

export class CertificatePlayer {
  /** @type {Proof} */
  #proof = { rows: 0, columns: 0, topology: "grid", opened: [], steps: [] };
  /** @type {string[]} */
  #end = [];
  /** @type {string[]} */
  #texts = [];
  #step = 0;
  #timer = 0;
  /** Names of techniques for players, by those of the library. @type {ReadonlyMap<string, string>} */
  labels = new Map();

  /** @param {import("../board/board.js").Board} board @param {import("../main.js").Page} page */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    this.back = button([t("page-back"), key(",")], () => this.to(this.#step - 1));
    this.next = button([t("page-next"), key(".")], () => this.to(this.#step + 1));
    this.playing = button("", () => this.play());
    this.line = h("input", {
      type: "range",
      min: 0,
      "aria-label": t("page-proof-step"),
      oninput: () => this.to(Number(this.line.value)),
    });
    const near = paces().find(([pace]) => Number(pace) <= settings.pace)?.[0] ?? "150";
    const pace = segmented(t("page-speed"), paces(), near, (value) => change({ pace: Number(value) }));
    this.text = h("div", {});
    const controls = h("div", { class: "row" }, this.back, this.next, this.playing, pace);
    this.element = h("section", { class: "panel" }, h("h2", {}, t("page-proof")), controls, this.line, this.text);
  }

  /** @param {Proof} certificate @param {string[]} end rows of the opened board @param {string[]} [texts] of the steps */
  load(certificate, end, texts = []) {
    [this.#proof, this.#end, this.#texts, this.#step] = [certificate, end, texts, 0];
    set(this.line, { max: certificate.steps.length });
  }

  /** Show a step: what was seen before it, and what it proves. @param {number} [step] */
  to(step = this.#step) {
    const { board, line } = this;
    const { rows, columns, topology, steps } = this.#proof;
    this.#step = Math.max(0, Math.min(steps.length, step));
    const now = steps[this.#step];
    board.setCells({
      rows,
      columns,
      topology: /** @type {"grid"} */ (topology),
      cells: seenBefore(this.#proof, this.#end, this.#step),
    });
    setMarks(board.state, now ? [["because", now.because], ["mine", now.mines], ["safe", now.safe]] : []); // prettier-ignore
    const [lit] = board.state.marks.keys();
    if (lit !== undefined) board.view.reveal(lit);
    board.update();
    const point = pointer(board);
    const fields = {
      step: this.#step + 1,
      all: steps.length,
      technique: this.labels.get(now?.technique ?? "") ?? now?.technique ?? "",
    };
    const place = now ? t("page-proof-step-of", fields) : t("page-proof-end");
    const text = now ? (this.#texts[this.#step] ?? now.text) : t("page-proof-done");
    line.value = String(this.#step);
    set(line, { "aria-valuetext": place });
    this.back.disabled = this.#step === 0;
    this.next.disabled = !now;
    fill(this.text, h("p", { class: "quiet" }, place), proofText(text, point));
    if (now) drawArrows(point, now.because, [["safe", now.safe], ["mine", now.mines]]); // prettier-ignore
    if (!this.#timer) this.page.say(`${place}. ${plainText(text)}`);
    if (!now) this.stop();
  }

  /** Play all steps, or pause; from the end it starts again. */
  play() {
    if (this.#timer) return this.stop();
    fill(this.playing, t("page-pause"), key("P"));
    if (this.#step === this.#proof.steps.length) this.#step = -1;
    return this.#go();
  }

  #go() {
    this.#timer = window.setTimeout(() => this.#go(), settings.pace);
    this.to(this.#step + 1);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    fill(this.playing, t("page-proof-play"), key("P"));
  }

  /** Whether a key was used. @param {string} pressed */
  key(pressed) {
    if (pressed === "p") this.play();
    else if (pressed === "," || pressed === ".") this.to(this.#step + (pressed === "," ? -1 : 1));
    else return false;
    return true;
  }
}
