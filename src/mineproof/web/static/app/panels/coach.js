/**
 * Help while playing: hints in four levels, the best move, and the solver playing on, each saying why. What it tells is
 * lit on the board, and is gone with the next move.
 */
import * as api from "../api.js";
import { setMarks } from "../board/state.js";
import { field, fill, h } from "../dom.js";
import { Latest } from "../latest.js";
import { change, settings } from "../settings.js";
import { estimate, exactPercent, failure } from "../words.js";
import { button, facts, key } from "./parts.js";
import { pointer, proofText } from "./proof.js";
import { Thinking } from "./thinking.js";

const LEVELS = ["Where to look", "Which idea", "Which cells", "Why"];
const SLOWEST = 2000; // milliseconds between two steps of autoplay

export class Coach {
  #level = 0;
  #stop = new AbortController();
  #playing = false;
  #said = h("div", { class: "words", "aria-live": "polite" });
  /** The same words where a thumb is, on a small screen. */
  caption = h("div", { class: "caption" });
  #hint = button("", () => this.hint(), { class: "primary" });
  #best = button(["Best move ", key("B")], () => this.best());
  #auto = button("", () => this.autoplay());
  /** @type {api.Cell | null} */
  #safest = null;
  #game = ""; // that autoplay plays

  /**
   * @param {import("../session.js").Session} session @param {import("../board/board.js").Board} board
   * @param {(text: string) => void} say to screen readers
   */
  constructor(session, board, say) {
    this.session = session;
    this.board = board;
    this.thinking = new Thinking(
      new Latest(),
      {
        source: (seconds, progress, stop) => api.gameThink(this.session.id, seconds, progress, stop),
        light: (cell) => this.#mark(cell),
        tell: (told) => this.#tellBest(told),
        say,
      },
      key("B"),
    );
    const pace = h("input", { type: "range", min: 0, max: SLOWEST, step: 100, value: SLOWEST - settings.pace });
    const paced = () => pace.setAttribute("aria-valuetext", `${settings.pace / 1000} seconds a step`);
    pace.addEventListener("input", () => {
      change({ pace: SLOWEST - Number(pace.value) });
      paced();
    });
    paced();
    this.element = h(
      "section",
      { class: "panel", "aria-label": "Help" },
      h("h2", {}, "Help"),
      h("div", { class: "row" }, this.#hint, this.#best),
      this.#said,
      this.thinking.element,
      h("div", { class: "row" }, this.#auto, field("Speed", pace)),
    );
    this.forget();
  }

  /** The board is another one: what was told is old. */
  forget() {
    const { session } = this;
    if (session.id !== this.#game || session.isPaused || session.isOver) this.#playing = false;
    if (!this.#playing) this.#stop.abort();
    this.thinking.forget();
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
    fill(this.#hint, words, " ", key("H"));
    fill(this.#auto, this.#playing ? "Stop" : "Let it play", " ", key("A"));
    const off = this.#isOff;
    this.#hint.disabled = off || this.#level >= LEVELS.length;
    this.#auto.disabled = this.#best.disabled = off;
  }

  /** Whether there is nothing to help with. */
  get #isOff() {
    return !this.session.view || this.session.isOver || this.session.isPaused;
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

  /** The best move; once it is told, think it over, or stop that. */
  async best() {
    if (this.#isOff) return;
    if (this.thinking.isOffered) return void this.thinking.toggle();
    fill(this.#said, h("p", { class: "quiet" }, "Thinking …"));
    await this.#ask(async (signal) => {
      this.#tellBest(await api.gameBest(this.session.id, { signal }));
    });
  }

  /** @param {api.Document} told a best move */
  #tellBest(told) {
    this.#safest = told["safest"];
    this.#mark(told["best"]);
    this.#say(told["text"]);
    const { mine_probability, win_probability, moves: all } = told;
    const error = all[0]?.standard_error;
    const win = error ? estimate(win_probability, error) : chance(win_probability);
    this.#said.append(facts({ "chance of a mine": chance(mine_probability), "chance to win": win }));
    this.thinking.offer(told);
  }

  /** Light the best move up, and the safest. @param {api.Cell | null} best */
  #mark(best) {
    setMarks(this.board.state, [
      ["safest", this.#safest && [this.#safest]],
      ["best", best && [best]],
    ]);
    this.board.update();
  }

  /** Let the solver play until it is stopped. */
  async autoplay() {
    if (this.#playing) {
      this.#playing = false;
      this.#stop.abort();
      this.#show();
      return;
    }
    if (this.#isOff) return;
    this.#playing = true;
    this.#game = this.session.id;
    this.#show();
    while (this.#playing && (await this.#step()));
    this.#playing = false;
    this.#show();
  }

  /** One step of autoplay, unless somebody else moves meanwhile; false if it cannot go on. */
  async #step() {
    const { session } = this;
    let { turn } = session;
    const before = turn;
    await this.#ask(async (signal) => {
      const told = await api.gameHint(session.id, LEVELS.length, { signal });
      if (turn !== session.turn) return;
      this.#light(told);
      this.board.update();
      this.#say(told["text"]);
      await pause(settings.pace, signal);
      for (const [kind, cell] of moves(told)) {
        if (!this.#playing || turn !== session.turn) return;
        if (told["kind"] === "step" && !this.#isLeft(cell)) continue; // a zero has opened it
        if (await session.move(kind, cell)) turn++;
      }
    });
    return session.turn !== before;
  }

  /** @param {api.Cell} cell */
  #isLeft([row, column]) {
    const { cells, columns } = this.board.state;
    return "#?".includes(cells[row * columns + column] ?? "~");
  }

  /** @param {string} text @param {import("../dom.js").Child} [heading] */
  #say(text, heading) {
    fill(this.#said, heading, proofText(text, pointer(this.board)));
    fill(this.caption, proofText(text, pointer(this.board)));
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
    this.thinking.forget();
    const { signal } = (this.#stop = new AbortController());
    try {
      await work(signal);
      this.board.update();
    } catch (error) {
      if (!api.isAbort(error)) fill(this.#said, h("p", { class: "bad" }, failure(error)));
    }
  }
}

/** What a hint says to do. @param {api.Document} told @returns {[string, api.Cell][]} */
function moves({ kind, mines, safe, cell }) {
  if (kind === "flag") return [["flag", cell]];
  if (kind === "guess") return [["open", cell]];
  const all = (/** @type {string} */ what, /** @type {api.Cell[] | null} */ cells) =>
    (cells ?? []).map((one) => /** @type {[string, api.Cell]} */ ([what, one]));
  return [...all("flag", mines), ...all("open", safe)];
}

/** @param {number | null} value */
const chance = (value) => (value === null ? "not known" : exactPercent(value));

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
