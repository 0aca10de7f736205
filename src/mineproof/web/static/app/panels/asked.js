/**
 * A panel that can be folded, whose content is asked of the server. While it is open it follows the position; while it
 * is folded it costs nothing.
 *
 * @typedef {import("../api.js").Document} Document
 * @typedef {import("../api.js").Cell} Cell
 * @typedef {[import("../board/state.js").Mark, Cell[] | null][]} Lights
 *
 * @typedef {object} Desk what a panel may do to the board
 * @property {(lights: Lights) => void} light
 * @property {(cell: Cell | null) => void} point show a cell, or no longer
 * @property {(cell: Cell, symbol: string) => void} suppose
 */
import { fill, h } from "../dom.js";
import { Latest } from "../latest.js";
import { failure } from "../words.js";
import { button, quiet, waiting } from "./parts.js";

export const SLOW = 150; // milliseconds without an answer until it is said

export class AskedPanel extends Latest {
  /** @type {Document | null} */
  #question = null;
  #stale = true;
  /** About this position; null if there is none yet. @type {Document | null} */
  answer = null;

  /**
   * @param {string} title @param {boolean} unfolded
   * @param {(question: Document, stop: {signal: AbortSignal}) => Promise<Document>} source
   * @param {(answer: Document, wanted: boolean) => import("../dom.js").Child[]} show `wanted`: somebody just asked for it
   * @param {HTMLElement} [head] stands above the answer
   */
  constructor(title, unfolded, source, show, head) {
    super();
    this.source = source;
    this.show = show;
    this.content = h("div", { class: "asked" });
    const toggled = () => {
      if (!this.element.open) return this.fold();
      if (this.#stale) void this.again();
    };
    const summary = h("summary", {}, h("h2", {}, title));
    this.element = h("details", { class: "panel", open: unfolded, ontoggle: toggled }, summary, head, this.content);
  }

  /** What is being asked is asked again when it is unfolded. */
  fold() {
    if (this.busy && !this.answer) this.#stale = true;
    this.stop();
  }

  /** Another position; null if there is nothing to ask. @param {Document | null} question */
  about(question) {
    this.stop();
    this.#question = question;
    this.#stale = true;
    this.answer = null;
    if (this.element.open) void this.again(false);
  }

  /** Ask once more. @param {boolean} [wanted] */
  async again(wanted = true) {
    const asked = this.#question;
    this.#stale = false;
    if (!asked) return fill(this.content, quiet("There is nothing to tell without odds."));
    const give = () => {
      this.stop();
      fill(this.content, button("Ask again", () => void this.again())); // prettier-ignore
    };
    const slow = setTimeout(() => fill(this.content, waiting(give)), SLOW);
    try {
      const answer = await this.ask((stop) => this.source(asked, stop));
      if (answer) this.tell(answer, wanted);
    } catch (error) {
      fill(this.content, h("p", { class: "bad" }, failure(error)));
    }
    clearTimeout(slow);
  }

  /** @param {Document} answer @param {boolean} [wanted] */
  tell(answer, wanted = true) {
    fill(this.content, this.show((this.answer = answer), wanted));
  }
}
