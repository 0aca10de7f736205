/**
 * The review of a finished game: its numbers, the help used, every guess with a better move, the lesson, and a player
 * for the game, from any move of which the player can try again. Its source is a game of this server or of the history.
 *
 * @typedef {object} Source
 * @property {(stop: import("../api.js").Stop) => Promise<Wire.ReviewJson>} review
 * @property {(stop: import("../api.js").Stop) => Promise<Timeline>} timeline
 * @property {(stop: import("../api.js").Stop) => Promise<Wire.LessonJson>} lesson
 * @property {string} page the address of the lesson as a page
 * @property {(move: number) => void} from try again from a move
 * @property {(mines: number) => void} analyse the position that the board shows
 * @property {(review: Wire.ReviewJson) => void} [loaded] the review has arrived
 * @typedef {Wire.TimelineJson & {mouse_path?: [number, number, number][] | null}} Timeline
 */
import { isAbort } from "../api.js";
import { fill, h } from "../dom.js";
import { accuracyText, clock, errorText, exactPercent, keepPercents, wholePercent } from "../format.js";
import { number, t, tn } from "../messages.js";
import { button, facts } from "./parts.js";
import { Player } from "./player.js";

export class Review {
  element = h("section", { class: "panel review", "aria-label": t("page-screen-review"), hidden: true });
  #stop = new AbortController();
  #advice = h("div", { class: "lesson", id: "lesson", tabindex: -1 });
  #moments = h("div", { class: "lesson" });
  /** @type {Source | null} */
  #source = null;
  /** @type {Wire.ReviewJson | null} */
  #review = null;

  /** @param {import("../board/board.js").Board} board @param {{apart?: boolean}} [options] apart: the screen places the player itself */
  constructor(board, { apart = false } = {}) {
    this.board = board;
    this.apart = apart;
    this.player = new Player(
      board,
      (move) => this.#source?.from(move),
      (mines) => this.#source?.analyse(mines),
    );
    this.player.element.hidden = true;
  }

  close() {
    this.#stop.abort();
    this.player.close();
    this.player.element.hidden = true;
    this.element.hidden = true;
    fill(this.element);
  }

  /** Show what to learn. */
  showLesson() {
    this.#advice.scrollIntoView({ block: "start" });
    this.#advice.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.player.key(event);
  }

  /** @param {Source} source */
  async open(source) {
    this.close();
    const { signal } = (this.#stop = new AbortController());
    this.element.hidden = false;
    fill(this.element, h("h2", {}, t("page-screen-review")), h("p", { class: "quiet" }, t("page-loading")));
    try {
      const [review, timeline] = await Promise.all([source.review({ signal }), source.timeline({ signal })]);
      this.#source = source;
      this.#review = review;
      this.#fill(review, timeline);
      source.loaded?.(review);
      void this.#teach(source, signal);
    } catch (error) {
      if (isAbort(error)) return;
      fill(this.element, h("h2", {}, t("page-screen-review")), h("p", { class: "bad" }, errorText(error)));
    }
  }

  /** @param {Wire.ReviewJson} review @param {Timeline} timeline */
  #fill(review, timeline) {
    this.player.element.hidden = false;
    fill(this.#advice, h("h3", {}, t("page-review-lesson")), h("p", { class: "quiet" }, t("page-loading")));
    this.#showMoments(null);
    fill(
      this.element,
      h("h2", {}, t("page-screen-review")),
      !this.apart && this.player.element,
      review["help_text"] && h("p", { class: "helped" }, review["help_text"]),
      facts(numbers(review)),
      h("p", {}, guessSummary(review)),
      review["notes"].map((/** @type {string} */ note) => h("p", { class: "help" }, note)),
      this.#advice,
      this.#moments,
    );
    this.player.open(timeline, review);
  }

  /** Show the lesson when it arrives; the rest does not wait. @param {Source} source @param {AbortSignal} signal */
  async #teach(source, signal) {
    try {
      const lesson = await source.lesson({ signal });
      const link = { class: "button", href: source.page, target: "_blank", rel: "noopener" };
      fill(
        this.#advice,
        h("h3", {}, t("page-review-lesson")),
        h("ol", { class: "sentences" }, lesson["sentences"].map(lessonItem)),
        h("p", {}, h("a", link, t("page-review-open-lesson"))),
      );
      this.#showMoments(lesson);
      this.player.drawChances(winChances(lesson));
    } catch (error) {
      if (isAbort(error)) return;
      fill(this.#advice, h("h3", {}, t("page-review-lesson")), h("p", { class: "bad" }, errorText(error)));
    }
  }

  /** Guesses, mistakes and pauses, each with a way to its moment. @param {Wire.LessonJson | null} lesson */
  #showMoments(lesson) {
    const guesses = (this.#review?.["guesses"] ?? []).map((guess, place) =>
      this.#guess(guess, lesson?.["guesses"][place] ?? null),
    );
    const pauses = (lesson?.["pauses"] ?? []).map((pause) => this.#pause(pause));
    fill(
      this.#moments,
      guesses.length > 0 && [h("h3", {}, t("page-review-moments")), h("ol", { class: "steps moments" }, guesses)],
      pauses.length > 0 && [h("h3", {}, t("page-review-pauses")), h("ol", { class: "steps moments" }, pauses)],
    );
  }

  /** @param {Wire.GuessReviewJson} guess @param {Wire.GuessLessonJson | null | undefined} taught the lesson of the guess */
  #guess(guess, taught) {
    const { index, cells, alternative, kept, forced, text } = guess;
    const [mistake, hint] = [kept < 1, taught?.["hint"]];
    const best = taught?.["best"] ?? alternative;
    /** @type {import("./player.js").Lights} */
    const lights = [
      ["because", hint?.because],
      ["safe", hint?.safe],
      [forced ? "best" : "safe", best && [best]],
      ["assume", cells],
    ];
    const kind = mistake ? t("page-replay-mistake") : t("page-replay-guess");
    const jump = () => this.player.show(index, lights, keepPercents(text));
    return h(
      "li",
      { class: mistake ? "mistake" : "guess" },
      button([h("b", {}, kind), " ", keepPercents(text)], jump),
      taught?.["text"] && h("p", { class: "quiet words" }, keepPercents(taught["text"])),
    );
  }

  /** @param {Wire.PauseJson} pause */
  #pause({ index, lost, hint }) {
    const title = t("page-review-pause", { time: clock(lost), move: index + 1 });
    /** @type {import("./player.js").Lights} */
    const lights = [
      ["because", hint.because],
      ["safe", hint.safe],
    ];
    return h(
      "li",
      { class: "pause" },
      button(title, () => this.player.show(index, lights, hint.text)),
      h("p", { class: "quiet words" }, keepPercents(hint.text)),
    );
  }
}

/** The chance to win before each guess for which the lesson knows it. @param {Wire.LessonJson} lesson */
const winChances = ({ guesses }) =>
  guesses.flatMap((guess) => {
    const win = guess["best_win"]?.win_probability ?? null;
    return win === null ? [] : [{ move: guess["index"], win }];
  });

/** A sentence of the lesson, with a link to puzzles where it names a technique. @param {Wire.SentenceJson} sentence */
function lessonItem({ text, technique }) {
  const link = technique && h("a", { href: `#/practise?technique=${technique}` }, t("page-review-puzzles"));
  return h("li", {}, keepPercents(text), technique && [" ", link]);
}

/** @param {Wire.ReviewJson} review @returns {[string, string][]} */
function numbers(review) {
  const { accuracy, seconds, bbbv, solved_bbbv, bbbv_per_second, efficiency, clicks, correctness, luck, redraws } =
    review;
  const guesses = review["guesses"].length;
  const share = (/** @type {number | null} */ value) => (value === null ? null : wholePercent(value));
  const solved =
    solved_bbbv !== null && bbbv !== null && solved_bbbv < bbbv
      ? t("page-count-of", { count: solved_bbbv, all: bbbv })
      : String(bbbv);
  /** @type {[string, string | null][]} */
  const rows = [
    [t("page-fact-accuracy"), accuracy === null ? null : accuracyText(accuracy)],
    [t("page-fact-time"), clock(seconds)],
    [t("page-fact-3bv"), bbbv === null ? null : solved],
    [t("page-fact-3bv-per-second"), bbbv_per_second === null ? null : number(bbbv_per_second, 2)],
    [t("page-fact-efficiency"), share(efficiency)],
    [tn("page-fact-click-count", clicks), String(clicks)],
    [t("page-fact-useful-clicks"), share(correctness)],
    [tn("page-fact-guess-count", guesses), String(guesses)],
    [t("page-fact-luck"), luck === null || (luck === 1 && review["with_help"]) ? null : exactPercent(luck)],
    [t("page-fact-mines-moved"), redraws ? String(redraws) : null],
  ];
  return /** @type {[string, string][]} */ (rows.filter(([, value]) => value !== null));
}

/** @param {Wire.ReviewJson} review */
function guessSummary({ guesses, luck }) {
  if (!guesses.length) return t("page-review-no-guess");
  const forced = guesses.filter((guess) => guess["forced"]).length;
  const needless = guesses.length - forced;
  const parts = [
    forced && tn("page-review-forced", forced),
    needless && tn("page-review-needless", needless),
    luck !== null && t("page-review-luck"),
  ];
  return parts.filter(Boolean).join(" ");
}
