/**
 * A panel that can be folded, whose content is an answer of the server. While it is open it follows the position; while
 * it is folded it costs nothing.
 *
 * @typedef {import("../api.js").Cell} Cell
 * @typedef {[import("../board/state.js").Mark, Cell[] | null][]} Lights
 *
 * @typedef {object} Desk what a panel may do to the board
 * @property {(lights: Lights) => void} light
 * @property {import("./proof.js").Point} point show cells, or no longer
 * @property {(cell: Cell, symbol: string) => void} assume
 */
import { fill, h } from "../dom.js";
import { errorText } from "../format.js";
import { Latest } from "../latest.js";
import { t } from "../messages.js";
import { button, quiet, waiting } from "./parts.js";

export const SLOW = 150; // milliseconds without an answer until the panel says so

/** @template {object} Q the question @template A the answer */
export class AnswerPanel extends Latest {
  /** @type {Q | null} */
  #question = null;
  #stale = true;
  /** The player has requested an answer, and none is shown yet. */
  #requested = false;
  /** About this position; null if there is none yet. @type {A | null} */
  answer = null;

  /**
   * @param {string} title @param {boolean} unfolded
   * @param {(question: Q, stop: {signal: AbortSignal}) => Promise<A>} source
   * @param {(answer: A, requested: boolean) => import("../dom.js").Child[]} render `requested`: the player opened the panel
   * @param {HTMLElement} [head] stands above the answer
   */
  constructor(title, unfolded, source, render, head) {
    super();
    this.source = source;
    this.render = render;
    this.content = h("div", { class: "stack" });
    const toggled = () => {
      if (!this.element.open) return this.fold();
      if (this.#stale) void this.again();
    };
    const summary = h("summary", {}, h("h2", {}, title));
    this.element = h("details", { class: "panel", open: unfolded, ontoggle: toggled }, summary, head, this.content);
  }

  /** Stop; an unfinished request is repeated when the panel is unfolded. */
  fold() {
    if (!this.answer) this.#stale = true;
    this.#requested = false;
    this.stop();
  }

  /** Another position; null if there is nothing to ask. @param {Q | null} question */
  about(question) {
    this.stop();
    this.#question = question;
    this.#stale = true;
    this.answer = null;
    if (this.element.open) void this.again(this.#requested);
  }

  /** Ask once more. @param {boolean} [requested] */
  async again(requested = true) {
    const question = this.#question;
    this.#stale = false;
    this.#requested = requested;
    if (!question) return fill(this.content, quiet(t("page-answer-needs-odds")));
    const stopWaiting = () => {
      this.#requested = false;
      this.stop();
      fill(this.content, button(t("page-retry"), () => void this.again())); // prettier-ignore
    };
    const slow = setTimeout(() => fill(this.content, waiting(stopWaiting)), SLOW);
    try {
      const answer = await this.ask((stop) => this.source(question, stop));
      if (answer) this.show(answer, requested);
    } catch (error) {
      this.#requested = false;
      fill(this.content, h("p", { class: "bad" }, errorText(error)));
    }
    clearTimeout(slow);
  }

  /** @param {A} answer @param {boolean} [requested] */
  show(answer, requested = true) {
    this.#requested = false;
    fill(this.content, this.render((this.answer = answer), requested));
  }
}
