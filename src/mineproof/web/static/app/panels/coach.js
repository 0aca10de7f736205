/**
 * Help while playing: hints in four levels, the best move, and the solver that plays, each with its reasons. Cells are
 * lit on the board until the next move.
 */
import * as api from "../api.js";
import { setMarks } from "../board/state.js";
import { field, fill, h } from "../dom.js";
import { Latest } from "../latest.js";
import { change, settings } from "../settings.js";
import { errorText, estimate, exactPercent } from "../format.js";
import { rounded, t, tn } from "../messages.js";
import { button, facts, key } from "./parts.js";
import { ProofSteps, plainText, pointer, proofText } from "./proof.js";
import { Thinker } from "./thinker.js";

const STEP_KEYS = ["page-hint-step-1", "page-hint-step-2", "page-hint-step-3", "page-hint-step-4"];
const MORE_KEYS = ["page-hint", "page-hint-more-2", "page-hint-more-3", "page-hint-more-4", "page-hint-next"];
const LEVELS = STEP_KEYS.length;
const SLOWEST = 2000; // milliseconds between two steps of autoplay

export class Coach {
  #level = 0;
  /** The hint of that level. @type {Wire.HintJson | null} */
  #answer = null;
  /** What the panel shows. @type {"" | "hint" | "best"} */
  #topic = "";
  #position = 0; // counts the positions, so that presses for an earlier one are dropped
  /** Presses of Hint, one after the other: each of them counts. @type {Promise<void>} */
  #presses = Promise.resolve();
  #stop = new AbortController();
  #playing = false;
  #text = h("div", { class: "words", "aria-live": "polite" });
  /** The same text near the thumb, on a small screen. */
  caption = h("div", { class: "caption" });
  #hint = button("", () => this.hint(), { class: "primary", title: t("page-hint-title") });
  #best = button([t("page-best-move"), " ", key("B")], () => this.best(), { title: t("page-best-title") });
  #auto = button("", () => this.autoplay(), { title: t("page-autoplay-title") });
  #close = button("×", () => this.close(), { class: "small plain push", "aria-label": t("page-hint-close"), title: t("page-hint-close"), hidden: true }); // prettier-ignore
  #backTurn = button("‹", () => this.step(-1), { "aria-label": t("page-back"), title: t("page-proof-back-title") });
  #nextTurn = button("›", () => this.step(1), { "aria-label": t("page-next"), title: t("page-proof-next-title") });
  #turns = h("div", { class: "turns" }, this.#backTurn, this.#nextTurn);
  /** @type {api.Cell | null} */
  #safest = null;
  #game = ""; // that autoplay plays
  /** The first game of a new player: on a phone a sentence says how to begin. @type {string | null} */
  #firstGame = settings.game || settings.learnt.length ? null : "";
  #words = ""; // the text that is shown
  /** Cells of that text that the board marks. @type {[import("./proof.js").Sign, api.Cell | null | undefined][]} */
  #signs = [];

  /**
   * @param {import("../session.js").Session} session @param {import("../board/board.js").Board} board
   * @param {(text: string) => void} say to screen readers
   */
  constructor(session, board, say) {
    this.session = session;
    this.board = board;
    this.point = pointer(board);
    this.steps = new ProofSteps(
      (lights) => this.#setMarks([...lights, ...this.#move]),
      this.point,
      (sentence) => {
        this.#showCaption(sentence, this.steps.count > 1);
        this.#show();
      },
    );
    this.thinker = new Thinker(
      new Latest(),
      {
        source: (seconds, progress, stop) => api.gameThink(this.session.id, seconds, progress, stop),
        light: (cell) => this.#mark(cell),
        show: (move) => this.#showBest(move),
        say,
      },
      key("B"),
    );
    const pace = h("input", { type: "range", min: 0, max: SLOWEST, step: 100, value: SLOWEST - settings.pace });
    const paced = () =>
      pace.setAttribute("aria-valuetext", t("page-speed-value", { seconds: rounded(settings.pace / 1000, 1) }));
    pace.addEventListener("input", () => {
      change({ pace: SLOWEST - Number(pace.value) });
      paced();
    });
    paced();
    this.element = h(
      "section",
      { class: "panel", "aria-label": t("page-help") },
      h("div", { class: "row" }, h("h2", {}, t("page-help")), this.#close),
      h("div", { class: "row" }, this.#hint, this.#best),
      this.#text,
      this.thinker.element,
      h("div", { class: "row" }, this.#auto, field(t("page-speed"), pace)),
    );
    this.reset();
  }

  /** The board has changed: remove the hint. */
  reset() {
    const { session } = this;
    if (session.id !== this.#game || session.isPaused || session.isOver) this.#playing = false;
    if (!this.#playing) this.#stop.abort();
    this.thinker.reset();
    this.#level = 0;
    this.#answer = null;
    this.#position++;
    this.#clear();
  }

  /** Close what is shown; Hint shows it again. */
  close() {
    if (!this.#topic) return false;
    this.#stop.abort();
    this.thinker.reset();
    this.#clear();
    return true;
  }

  /** Light nothing up, and say nothing. */
  #clear() {
    this.#topic = "";
    this.#show();
    if (this.#playing) return;
    setMarks(this.board.state, []);
    this.point(null);
    this.board.rule(false);
    this.board.update();
    const status = this.session.view?.["status"];
    const isNew = status === "new" || !status;
    this.#firstGame ||= this.#firstGame === null ? null : this.session.id;
    const welcomes = status === "new" && this.session.id === this.#firstGame;
    fill(this.caption, welcomes && h("p", { class: "welcome" }, t("page-hint-tap"), " ", h("a", { href: "#/learn" }, t("page-help-course")))); // prettier-ignore
    fill(
      this.#text,
      h("p", { class: "help" }, isNew ? t("page-hint-start") : t("page-hint-help")),
      isNew && !settings.learnt.length && h("p", {}, h("a", { href: "#/learn" }, t("page-help-course"))),
    );
  }

  #show() {
    const again = this.#answer && this.#topic !== "hint";
    const isLast = this.#level >= LEVELS && !this.steps.hasNext;
    const label = again ? "page-hint-again" : isLast ? "page-hint-first" : (MORE_KEYS[this.#level] ?? "page-hint");
    fill(this.#hint, t(label), " ", key("H"));
    fill(this.#auto, this.#playing ? t("page-stop") : t("page-autoplay"), " ", key("A"));
    const off = this.#isOff;
    this.#hint.disabled = this.#auto.disabled = this.#best.disabled = off;
    this.#close.hidden = !this.#topic;
  }

  /** Whether there is nothing to help with. */
  get #isOff() {
    return !this.session.view || this.session.isOver || this.session.isPaused;
  }

  /** The next level of the hint; then its sentences one by one. Quick presses wait for each other. */
  hint() {
    const position = this.#position;
    const press = () => (position === this.#position ? this.#nextHint() : undefined);
    this.#presses = this.#presses.then(press);
    return this.#presses;
  }

  async #nextHint() {
    if (this.#isOff) return;
    const { kind } = this.#answer ?? {};
    if (this.#answer && this.#topic !== "hint") {
      this.#stop.abort();
      this.#showHint(this.#answer);
    } else if (this.#level >= LEVELS) {
      if (kind !== "done") this.steps.step(1);
    } else {
      await this.#ask(async (signal) => {
        const answer = await api.gameHint(this.session.id, this.#level + 1, { signal });
        this.#level = answer["kind"] === "done" ? LEVELS : answer["level"];
        this.#answer = answer;
        this.#showHint(answer);
      });
    }
    this.#show();
    this.board.update();
  }

  /** @param {number} by sentences of the explanation, on or back */
  step(by) {
    if (this.#topic !== "hint" || this.#level < LEVELS || this.#answer?.["kind"] === "done") return;
    this.steps.step(by);
    this.#show();
    this.board.update();
  }

  /** @param {Wire.HintJson} answer */
  #showHint(answer) {
    const { kind, level, text, candidates } = answer;
    this.thinker.reset();
    this.#topic = "hint";
    this.board.rule(true);
    this.#light(answer);
    this.#signs = kind === "guess" ? [["best", answer["cell"]], ["safest", answer["safest"]]] : []; // prettier-ignore
    const heading = kind !== "done" && h("p", { class: "quiet" }, t(STEP_KEYS[level - 1] ?? ""));
    if (level === LEVELS && kind !== "done") {
      fill(this.#text, heading, this.steps.element);
      this.steps.show(text, { safe: kind === "flag" ? [] : answer["safe"], mines: answer["mines"] }, this.#signs); // prettier-ignore
    } else if (kind === "guess" && level === 2 && candidates?.length) {
      this.#say(tn("page-hint-compare", candidates.length), heading);
      this.#text.append(h("p", { class: "quiet" }, plainText(text)));
    } else this.#say(text, heading);
  }

  /** Show the best move; once it is shown, think longer, or stop that. */
  async best() {
    if (this.#isOff) return;
    if (this.thinker.isOffered) return void this.thinker.toggle();
    this.#topic = "";
    fill(this.#text, h("p", { class: "quiet" }, t("page-think-begin")));
    await this.#ask(async (signal) => {
      this.#showBest(await api.gameBest(this.session.id, { signal }));
    });
    this.#show();
  }

  /** @param {import("./thinker.js").Answer} move */
  #showBest(move) {
    this.#safest = move["safest"];
    this.#topic = "best";
    this.board.rule(true);
    this.#signs = [["safest", move["safest"]], ["best", move["best"]]]; // prettier-ignore
    this.#mark(move["best"]);
    this.#say(move["text"]);
    const { mine_probability, win_probability, moves: all } = move;
    const error = all[0]?.standard_error;
    const win = error ? estimate(win_probability ?? 0, error) : chance(win_probability);
    this.#text.append(facts([[t("page-fact-mine"), chance(mine_probability)], [t("page-fact-win"), win]])); // prettier-ignore
    this.thinker.offer(move);
  }

  /** Light the best move up, and the safest. @param {api.Cell | null} best */
  #mark(best) {
    setMarks(this.board.state, [
      ["safest", this.#safest && [this.#safest]],
      ["best", best && [best]],
    ]);
    this.board.update();
    const named = this.#signs.find(([sign]) => sign === "best")?.[1];
    if (!named || String(named) === String(best)) return;
    this.#signs = []; // the star has left the cell of the text
    this.#text.querySelector(".words")?.replaceWith(proofText(this.#words, this.point));
    this.#showCaption(this.#words);
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

  /** One step of autoplay, unless the player moves meanwhile; false if there is no next step. */
  async #step() {
    const { session } = this;
    let { turn } = session;
    const before = turn;
    await this.#ask(async (signal) => {
      const answer = await api.gameHint(session.id, LEVELS, { signal });
      if (turn !== session.turn) return;
      this.#light(answer);
      this.board.update();
      this.#say(answer["text"]);
      await pause(settings.pace, signal);
      for (const [kind, cell] of moves(answer)) {
        if (!this.#playing || turn !== session.turn) return;
        if (answer["kind"] === "step" && !this.#isLeft(cell)) continue; // a zero has opened it
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
    this.#words = text;
    fill(this.#text, heading, proofText(text, this.point, this.#signs));
    this.#showCaption(text);
  }

  /** Show a text near the thumb, or above the board if it would hide more lit cells here. @param {string} text @param {boolean} [isStep] a sentence of several */
  #showCaption(text, isStep = false) {
    fill(this.caption, proofText(text, this.point, this.#signs), isStep && this.#turns);
    this.#backTurn.disabled = !this.steps.hasBack;
    this.#nextTurn.disabled = !this.steps.hasNext;
    const { classList } = this.caption;
    classList.remove("above");
    const below = this.#litUnder(this.caption);
    if (!below) return;
    classList.add("above");
    classList.toggle("above", this.#litUnder(this.caption) < below);
  }

  /** How many lit cells an element hides. @param {HTMLElement} element */
  #litUnder(element) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [...this.board.state.marks.keys()].filter((place) => {
      const [x, y] = this.board.view.onScreen(place);
      return x > left && x < right && y > top && y < bottom;
    }).length;
  }

  /** @param {Wire.HintJson} answer */
  #light({ kind, level, near, because, safe, mines, cell, safest, candidates }) {
    const isGuess = kind === "guess";
    this.#setMarks([
      ["near", isGuess && level > 1 ? candidates : near && !because ? [near] : []],
      ["because", because],
      ["safe", kind === "flag" ? [] : safe],
      ["mine", mines],
      ["safest", safest ? [safest] : []],
      [kind === "flag" ? "fault" : "best", cell ? [cell] : []],
    ]);
  }

  /** The wrong flag or the guess of the hint, which stays lit while its explanation is read. @returns {import("./answer.js").Lights} */
  get #move() {
    const { kind, cell, safest } = this.#answer ?? {};
    return [
      ["safest", safest ? [safest] : []],
      [kind === "flag" ? "fault" : "best", cell ? [cell] : []],
    ];
  }

  /** @param {Parameters<typeof setMarks>[1]} lights */
  #setMarks(lights) {
    setMarks(this.board.state, lights);
    this.board.update();
  }

  /** @param {(signal: AbortSignal) => Promise<void>} work */
  async #ask(work) {
    this.#stop.abort();
    this.thinker.reset();
    const { signal } = (this.#stop = new AbortController());
    try {
      await work(signal);
      this.board.update();
    } catch (error) {
      if (!api.isAbort(error)) fill(this.#text, h("p", { class: "bad" }, errorText(error)));
    }
  }
}

/** The moves that a hint suggests. @param {Wire.HintJson} hint @returns {[string, api.Cell][]} */
function moves({ kind, mines, safe, cell }) {
  if (kind === "flag" || kind === "guess") return cell ? [[kind === "flag" ? "flag" : "open", cell]] : [];
  const all = (/** @type {string} */ what, /** @type {api.Cell[] | null} */ cells) =>
    (cells ?? []).map((one) => /** @type {[string, api.Cell]} */ ([what, one]));
  return [...all("flag", mines), ...all("open", safe)];
}

/** @param {number | null} value */
const chance = (value) => (value === null ? t("page-unknown") : exactPercent(value));

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
