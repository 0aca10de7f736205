/**
 * Looking back upon a game that is over: its numbers, every guess with what would have been better, and a time line to
 * walk along, from any place of which one can play on. It asks a source, which is a game of this server or of the
 * history.
 *
 * @typedef {import("../api.js").Document} Document
 * @typedef {object} Source
 * @property {(stop: import("../api.js").Stop) => Promise<Document>} review
 * @property {(stop: import("../api.js").Stop) => Promise<Document>} timeline
 * @property {(stop: import("../api.js").Stop) => Promise<Document>} lesson
 * @property {string} page the address of the lesson as a page
 * @property {(move: number) => void} from play on from there
 * @property {(mines: number) => void} analyse the position that the board shows
 */
import { isAbort } from "../api.js";
import { forget, setMarks, showMines } from "../board/state.js";
import { fill, h } from "../dom.js";
import { clock, exactPercent, failure, plural, tied } from "../words.js";
import { button, facts } from "./parts.js";

export class Review {
  element = h("section", { class: "panel", "aria-label": "Review", hidden: true });
  #stop = new AbortController();
  /** @type {Document | null} */
  #timeline = null;
  #move = 0;
  #slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Move" });
  #said = h("p", { class: "words" });
  #lesson = h("div", { class: "lesson" });
  #from = button("Try from here", () => this.#source?.from(this.#move));
  /** @type {Source | null} */
  #source = null;

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.#slider.addEventListener("input", () => this.#show(Number(this.#slider.value)));
  }

  close() {
    this.#stop.abort();
    this.#timeline = null;
    this.element.hidden = true;
    fill(this.element);
  }

  /** @param {Source} source */
  async open(source) {
    this.close();
    const { signal } = (this.#stop = new AbortController());
    this.element.hidden = false;
    fill(this.element, h("h2", {}, "Review"), h("p", { class: "quiet" }, "Looking back …"));
    try {
      const [review, timeline] = await Promise.all([source.review({ signal }), source.timeline({ signal })]);
      this.#timeline = timeline;
      this.#source = source;
      this.#fill(review, timeline);
      void this.#teach(source, signal);
    } catch (error) {
      if (!isAbort(error)) fill(this.element, h("h2", {}, "Review"), h("p", { class: "bad" }, failure(error)));
    }
  }

  /** The five sentences of the lesson, once they are there; the rest does not wait. @param {Source} source @param {AbortSignal} signal */
  async #teach(source, signal) {
    try {
      const { sentences } = await source.lesson({ signal });
      fill(
        this.#lesson,
        h("h3", {}, "What to do"),
        h("ol", { class: "sentences" }, sentences.map(sentence)),
        h(
          "p",
          {},
          h("a", { class: "button", href: source.page, target: "_blank", rel: "noopener" }, "Open the whole lesson"),
        ),
      );
    } catch (error) {
      if (!isAbort(error)) fill(this.#lesson, h("p", { class: "bad" }, failure(error)));
    }
  }

  /** @param {Document} review @param {Document} timeline */
  #fill(review, timeline) {
    const last = timeline["steps"].length;
    fill(this.#lesson);
    this.#slider.max = String(last);
    const step = (/** @type {number} */ by) => () => this.#show(this.#move + by);
    const analyse = button("Analyse this position", () => this.#source?.analyse(timeline["total_mines"]));
    fill(
      this.element,
      h("h2", {}, "Review"),
      facts(numbers(review)),
      h("p", {}, told(review)),
      review["notes"].map((/** @type {string} */ note) => h("p", { class: "help" }, note)),
      this.#lesson,
      guesses(review, (index) => this.#show(index)),
      h("h3", {}, "Time line"),
      h(
        "div",
        { class: "row timeline" },
        button("◀", step(-1), { "aria-label": "Back" }),
        this.#slider,
        button("▶", step(1), { "aria-label": "Forward" }),
      ),
      this.#said,
      h("div", { class: "row" }, this.#from, analyse),
    );
    this.#show(last);
  }

  /** Show the board after so many moves. @param {number} move */
  #show(move) {
    const timeline = this.#timeline;
    if (!timeline) return;
    const { steps, rows, columns, topology, cells, mines } = timeline;
    this.#move = Math.max(0, Math.min(steps.length, move));
    this.#slider.value = String(this.#move);
    const { board } = this;
    forget(board.state);
    board.setCells({ rows, columns, topology, cells });
    for (const { changes } of steps.slice(0, this.#move)) {
      for (const [row, column, symbol] of changes) board.state.cells[row * columns + column] = symbol;
    }
    const step = steps[this.#move - 1];
    const ends = this.#move === steps.length;
    this.#from.disabled = ends;
    if (ends) showMines(board.state, mines, step?.exploded ?? [], timeline["status"] === "won");
    else for (const [row, column] of step?.exploded ?? []) board.state.cells[row * columns + column] = "X";
    setMarks(board.state, [["last", step?.cell && !ends ? [step.cell] : []]]);
    board.update();
    this.#slider.setAttribute("aria-valuetext", `move ${this.#move} of ${steps.length}`);
    this.#said.textContent = step
      ? stepWords(step, steps.length)
      : `Before the first of ${plural(steps.length, "move")}.`;
  }
}

/** A sentence, with a link to puzzles where it names a technique. @param {Document} said */
function sentence({ text, technique }) {
  return h("li", {}, tied(text), technique && [" ", h("a", { href: `#/practise?technique=${technique}` }, "Puzzles")]);
}

const KINDS = new Map([
  ["open", "opened"],
  ["chord", "chorded"],
  ["flag", "flag at"],
  ["question", "question mark at"],
  ["undo", "took a move back"],
]);

/** @param {Document} step @param {number} last */
function stepWords(step, last) {
  const { move, kind, cell, time, odds, survived, redrawn } = step;
  const parts = [
    `Move ${move} of ${last}, ${clock(time)}: ${KINDS.get(kind)}${cell ? ` (${cell[0]},${cell[1]})` : ""}.`,
  ];
  if (odds !== null && odds !== undefined)
    parts.push(odds === 0 ? "It was safe." : `A mine with ${exactPercent(odds)}.`);
  if (redrawn) parts.push("The mines moved out of the way.");
  if (survived < 1) parts.push(`Chance to get this far: ${exactPercent(survived)}.`);
  return parts.join(" ");
}

/** @param {Document} review */
function numbers(review) {
  /** @type {[string, string | null][]} */
  const rows = [
    ["time", clock(review["seconds"])],
    ["3BV", review["bbbv"] === null ? null : review["solved_bbbv"] < review["bbbv"] ? `${review["solved_bbbv"]} of ${review["bbbv"]}` : String(review["bbbv"])],
    ["3BV a second", review["bbbv_per_second"]?.toFixed(2) ?? null],
    ["efficiency", ratio(review["efficiency"])],
    ["clicks", String(review["clicks"])],
    ["correct clicks", ratio(review["correctness"])],
    ["guesses", String(review["guesses"].length)],
    ["luck", review["luck"] === null ? null : exactPercent(review["luck"])],
    ["mines moved", review["redraws"] ? String(review["redraws"]) : null],
  ]; // prettier-ignore
  return Object.fromEntries(rows.filter(([, value]) => value !== null));
}

/** @param {number | null} value */
const ratio = (value) => (value === null ? null : `${Math.round(value * 100)} %`);

/** @param {Document} review */
function told(review) {
  const forced = review["guesses"].filter((/** @type {Document} */ guess) => guess["forced"]).length;
  const needless = review["guesses"].length - forced;
  if (!review["guesses"].length) return "No guess: every cell was opened on certain knowledge.";
  const parts = [];
  if (forced) parts.push(`${plural(forced, "guess", "guesses")} could not be avoided`);
  if (needless)
    parts.push(`${plural(needless, "guess", "guesses")} was needless`.replace("guesses was", "guesses were"));
  const luck = review["luck"] === null ? "" : " Luck is how likely it was to survive those that were survived.";
  return `${parts.join(", ")}.${luck}`;
}

/** @param {Document} review @param {(index: number) => void} show */
function guesses(review, show) {
  if (!review["guesses"].length) return null;
  const items = review["guesses"].map((/** @type {Document} */ guess) =>
    h("li", {}, h("button", { type: "button", onclick: () => show(guess["index"]) }, tied(guess["text"]))),
  );
  return h("ol", { class: "steps" }, items);
}
