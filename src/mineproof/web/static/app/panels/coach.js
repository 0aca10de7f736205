/**
 * Help while playing: hints in four levels, the best move, and the solver playing on, each saying why. What it tells is
 * lit on the board, and is gone with the next move.
 */
import * as api from "../api.js";
import { setMarks } from "../board/state.js";
import { field, fill, h } from "../dom.js";
import { change, settings } from "../settings.js";
import { exactPercent, failure } from "../words.js";
import { pointer, proofText } from "./proof.js";

const LEVELS = ["Where to look", "Which idea", "Which cells", "Why"];
const SLOWEST = 2000; // milliseconds between two steps of autoplay

export class Coach {
  #level = 0;
  #stop = new AbortController();
  #playing = false;
  #said = h("div", { class: "words", "aria-live": "polite" });
  /** The same words where a thumb is, on a small screen. */
  caption = h("div", { class: "caption", "aria-hidden": "true" });
  #hint = h("button", { type: "button", class: "primary", onclick: () => this.hint() });
  #auto = h("button", { type: "button", onclick: () => this.autoplay() });

  /** @param {import("../session.js").Session} session @param {import("../board/board.js").Board} board */
  constructor(session, board) {
    this.session = session;
    this.board = board;
    const pace = h("input", { type: "range", min: 0, max: SLOWEST, step: 100, value: SLOWEST - settings.pace });
    pace.addEventListener("input", () => change({ pace: SLOWEST - Number(pace.value) }));
    const best = h("button", { type: "button", onclick: () => this.best() }, "Best move ", h("kbd", {}, "B"));
    this.element = h(
      "section",
      { class: "panel", "aria-label": "Help" },
      h("h2", {}, "Help"),
      h("div", { class: "row" }, this.#hint, best),
      this.#said,
      h("div", { class: "row" }, this.#auto, field("Speed", pace)),
    );
    this.forget();
  }

  get isPlaying() {
    return this.#playing;
  }

  /** The board is another one: what was told is old. */
  forget() {
    if (!this.#playing) this.#stop.abort();
    this.#level = 0;
    this.#show();
    if (this.#playing) return;
    setMarks(this.board.state, []);
    this.caption.textContent = "";
    const status = this.session.view?.["status"];
    fill(this.#said, h("p", { class: "help" }, status === "new" || !status ? "Open a cell to begin. Hints come in four steps, from where to look to the whole reasoning." : "A hint says as little as you like: press again for more.")); // prettier-ignore
  }

  #show() {
    const next = Math.min(this.#level + 1, LEVELS.length);
    const words =
      this.#level === 0 ? "Hint" : this.#level < LEVELS.length ? `More: ${LEVELS[next - 1]?.toLowerCase()}` : "Hint";
    fill(this.#hint, words, " ", h("kbd", {}, "H"));
    fill(this.#auto, this.#playing ? "Stop" : "Let it play", " ", h("kbd", {}, "A"));
    const off = !this.session.view || this.session.isOver || this.session.isPaused;
    this.#hint.disabled = off || this.#level >= LEVELS.length;
    this.#auto.disabled = off;
  }

  /** The next level of the hint. */
  async hint() {
    if (this.#hint.disabled) return;
    await this.#ask(async (signal) => {
      const told = await api.gameHint(this.session.id, Math.min(this.#level + 1, LEVELS.length), { signal });
      this.#level = told["level"];
      this.#light(told);
      const heading = told["kind"] === "step" ? `${this.#level} of 4: ${LEVELS[this.#level - 1]?.toLowerCase()}` : "";
      this.#say(told["text"], heading && h("p", { class: "quiet" }, heading));
      if (told["kind"] === "done" || told["kind"] === "flag") this.#level = LEVELS.length;
    });
    this.#show();
  }

  async best() {
    if (!this.session.view || this.session.isOver || this.session.isPaused) return;
    fill(this.#said, h("p", { class: "quiet" }, "Thinking …"));
    await this.#ask(async (signal) => {
      const told = await api.gameBest(this.session.id, { signal });
      setMarks(this.board.state, [
        ["safest", told["safest"] ? [told["safest"]] : []],
        ["best", told["best"] ? [told["best"]] : []],
      ]);
      const { mine_probability: mine, win_probability: win } = told;
      this.#say(told["text"]);
      this.#said.append(h("dl", { class: "facts" }, fact("chance of a mine", mine), fact("chance to win", win)));
    });
  }

  /** Let the solver play until it is stopped. */
  async autoplay() {
    if (this.#playing) {
      this.#playing = false;
      this.#stop.abort();
      this.#show();
      return;
    }
    this.#playing = true;
    this.#show();
    try {
      while (this.#playing && !this.session.isOver) if (!(await this.#step())) break;
    } finally {
      this.#playing = false;
      this.#show();
    }
  }

  /** One step of autoplay; false if it cannot go on. */
  async #step() {
    const { session } = this;
    let moved = false;
    await this.#ask(async (signal) => {
      const told = await api.gameHint(session.id, LEVELS.length, { signal });
      this.#light(told);
      this.#say(told["text"]);
      await pause(settings.pace, signal);
      /** @type {[string, api.Cell][]} */
      const moves =
        told["kind"] === "step"
          ? [...told["mines"].map((/** @type {api.Cell} */ cell) => ["flag", cell]), ...told["safe"].map((/** @type {api.Cell} */ cell) => ["open", cell])]
          : told["kind"] === "guess" ? [["open", told["cell"]]] : told["kind"] === "flag" ? [["flag", told["cell"]]] : []; // prettier-ignore
      for (const [kind, cell] of moves) {
        if (!this.#playing || session.isOver) break;
        const symbol = this.board.state.cells[cell[0] * this.board.state.columns + cell[1]];
        if (
          kind === "open"
            ? symbol !== "#" && symbol !== "?"
            : told["kind"] === "step" && symbol !== "#" && symbol !== "?"
        )
          continue;
        await session.move(kind, cell);
        moved = true;
      }
    });
    return moved;
  }

  /** @param {string} text @param {import("../dom.js").Child} [heading] */
  #say(text, heading) {
    fill(this.#said, heading, proofText(text, pointer(this.board)));
    this.caption.textContent = text;
  }

  /** @param {api.Document} told a hint */
  #light(told) {
    const { kind, near, because, safe, mines, cell, safest } = told;
    setMarks(this.board.state, [
      ["near", near && !because ? [near] : []],
      ["because", because],
      ["safe", safe],
      ["mine", mines],
      ["safest", safest ? [safest] : []],
      [kind === "flag" ? "fault" : "best", cell ? [cell] : []],
    ]);
  }

  /** @param {(signal: AbortSignal) => Promise<void>} work */
  async #ask(work) {
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    try {
      await work(signal);
      this.board.update();
    } catch (error) {
      if (!api.isAbort(error)) fill(this.#said, h("p", { class: "bad" }, failure(error)));
    }
  }
}

/** @param {string} name @param {number | null} chance */
const fact = (name, chance) =>
  h("div", {}, h("dt", {}, name), h("dd", {}, chance === null ? "not known" : exactPercent(chance)));

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
