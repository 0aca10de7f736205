/**
 * Help in games of variants: hints in four levels, the best move, and the solver that plays. Cells are lit on the board
 * until the next move.
 */
import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { errorText } from "../format.js";
import { t } from "../messages.js";
import { settings } from "../settings.js";
import { button, key } from "./parts.js";
import { ProofSteps, proofText } from "./proof.js";

const STEP_KEYS = ["page-hint-step-1", "page-hint-step-2", "page-hint-step-3", "page-hint-step-4"];
const MORE_KEYS = ["page-hint", "page-hint-more-2", "page-hint-more-3", "page-hint-more-4", "page-hint-next"];
const LEVELS = STEP_KEYS.length;

/**
 * @typedef {object} Table the game that is helped with
 * @property {() => Wire.LiveVariantJson | null} game
 * @property {(kind: "open" | "flag", cell: api.Cell) => Promise<void>} play
 */

export class VariantHelp {
  #level = 0;
  /** @type {Wire.VariantHintJson | null} */
  #answer = null;
  #stop = new AbortController();
  #playing = false;
  #hint = button("", () => void this.hint(), { title: t("page-hint-title") });
  #best = button([t("page-best-move"), " ", key("B")], () => void this.best(), { title: t("page-best-title") });
  #auto = button("", () => void this.autoplay(), { title: t("page-autoplay-title") });
  #text = h("div", { class: "words", "aria-live": "polite" });
  element = h("div", { class: "stack" }, h("div", { class: "row" }, this.#hint, this.#best, this.#auto), this.#text);

  /** @param {import("../board/variant.js").VariantBoard} board @param {Table} table */
  constructor(board, table) {
    this.board = board;
    this.table = table;
    const point = (/** @type {api.Cell | null} */ cell, cells = cell ? [cell] : []) => board.ring(cells);
    this.point = point;
    this.steps = new ProofSteps(
      (lights) => board.mark(lights),
      point,
      () => this.#show(),
    );
    this.reset();
  }

  /** The board has changed: remove the help. */
  reset() {
    if (this.#isOff) this.#playing = false;
    if (!this.#playing) this.#stop.abort();
    this.#level = 0;
    this.#answer = null;
    this.board.mark([]);
    this.board.ring([]);
    if (!this.#playing) fill(this.#text);
    this.#show();
  }

  /** Whether there is nothing to help with. */
  get #isOff() {
    const status = this.table.game()?.["status"];
    return status !== "new" && status !== "running";
  }

  #show() {
    const isLast = this.#level >= LEVELS && (this.#answer?.["kind"] === "done" || !this.steps.hasNext);
    fill(this.#hint, t(isLast ? "page-hint-first" : (MORE_KEYS[this.#level] ?? "page-hint")), " ", key("H"));
    fill(this.#auto, t(this.#playing ? "page-stop" : "page-autoplay"), " ", key("A"));
    this.#hint.disabled = this.#best.disabled = this.#auto.disabled = this.#isOff;
  }

  /** The next level of the hint; then its sentences one by one. */
  async hint() {
    const game = this.table.game();
    if (!game || this.#isOff) return;
    if (game["status"] === "new") {
      fill(this.#text, h("p", {}, t("page-hint-start")));
    } else if (this.#level >= LEVELS) {
      if (this.#answer?.["kind"] === "step") this.steps.step(1);
    } else {
      await this.#ask(async (signal) => {
        const answer = await api.variantHint(game["id"], this.#level + 1, { signal });
        if (this.table.game() !== game) return;
        this.#level = answer["kind"] === "step" ? answer["level"] : LEVELS;
        this.#answer = answer;
        this.#showHint(answer);
      });
    }
    this.#show();
  }

  /** @param {Wire.VariantHintJson} answer */
  #showHint({ kind, level, text, because, safe, mines, cell }) {
    const heading = kind === "step" && h("p", { class: "quiet" }, t(STEP_KEYS[level - 1] ?? ""));
    if (kind === "step" && level === LEVELS) {
      fill(this.#text, heading, this.steps.element);
      this.steps.show(text, { safe, mines });
      return;
    }
    fill(this.#text, heading, proofText(text, this.point));
    this.board.mark([["because", because], ["safe", safe], ["mine", mines], ["best", cell ? [cell] : []]]); // prettier-ignore
  }

  /** Show the best move. */
  async best() {
    const game = this.table.game();
    if (!game || this.#isOff) return;
    await this.#ask(async (signal) => {
      const { best, text } = await api.variantBest(game["id"], { signal });
      if (this.table.game() !== game) return;
      this.#level = 0;
      fill(this.#text, proofText(text, this.point));
      this.board.mark([["best", best ? [best] : []]]);
    });
    this.#show();
  }

  /** Let the solver play until it is stopped. */
  async autoplay() {
    if (this.#playing || this.#isOff) {
      this.#playing = false;
      this.#stop.abort();
      this.#show();
      return;
    }
    this.#playing = true;
    this.#show();
    while (this.#playing && (await this.#step()));
    this.#playing = false;
    this.#show();
  }

  /** One step of autoplay; false if there is no next step. */
  async #step() {
    const game = this.table.game();
    if (!game || this.#isOff) return false;
    if (game["status"] === "new") {
      await this.table.play("open", [Math.floor(game["rows"] / 2), Math.floor(game["columns"] / 2)]);
      return this.table.game() !== game;
    }
    await this.#ask(async (signal) => {
      const answer = await api.variantHint(game["id"], LEVELS, { signal });
      if (this.table.game() !== game) return;
      const { text, because, safe, mines, cell } = answer;
      fill(this.#text, proofText(text, this.point));
      this.board.mark([["because", because], ["safe", safe], ["mine", mines], ["best", cell ? [cell] : []]]); // prettier-ignore
      await pause(settings.pace, signal);
      for (const [kind, place] of moves(answer)) {
        if (!this.#playing || this.table.game()?.["id"] !== game["id"]) return;
        if (this.#isCovered(place)) await this.table.play(kind, place); // a clue may have opened it
      }
    });
    return this.table.game() !== game;
  }

  /** @param {api.Cell} cell */
  #isCovered([row, column]) {
    return this.table.game()?.["cells"][row]?.[column] === "#" && !this.#isOff;
  }

  /** @param {(signal: AbortSignal) => Promise<void>} work */
  async #ask(work) {
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    try {
      await work(signal);
    } catch (error) {
      if (api.isAbort(error)) return;
      const isLarge = error instanceof api.ApiError && error.code === "budget";
      fill(this.#text, h("p", { class: isLarge ? "quiet" : "bad" }, isLarge ? t("page-variants-no-odds") : errorText(error))); // prettier-ignore
    }
  }
}

/** The moves that a hint suggests. @param {Wire.VariantHintJson} hint @returns {["open" | "flag", api.Cell][]} */
function moves({ mines, safe, cell }) {
  if (cell) return [["open", cell]];
  const all = (/** @type {"open" | "flag"} */ what, /** @type {api.Cell[] | null} */ cells) =>
    (cells ?? []).map((one) => /** @type {["open" | "flag", api.Cell]} */ ([what, one]));
  return [...all("flag", mines), ...all("open", safe)];
}

/** @param {number} milliseconds @param {AbortSignal} signal */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("stopped", "AbortError"));
    });
  });
}
