/**
 * Thinking a guess over: the cells that come close, with their chances to win as the errors narrow. It can be stopped at
 * any moment, and what is known by then is kept: it is in the last event that arrived.
 *
 * @typedef {import("../api.js").Document} Document
 *
 * @typedef {object} Hands what it asks, and what it does with the answers
 * @property {(seconds: number, progress: (thought: Document) => void, stop: {signal: AbortSignal}) => Promise<Document>} source
 * @property {(cell: import("../api.js").Cell) => void} light the best so far
 * @property {(answer: Document) => void} tell the best move at the end; `offer` is to be called again
 * @property {(text: string) => void} say to screen readers: that it begins, and how it ended
 */
import { fill, h, select, set } from "../dom.js";
import { change, settings } from "../settings.js";
import { at, estimate, failure, plural } from "../words.js";
import { button, table } from "./parts.js";

/** @type {[value: string, words: string][]} */
const TIMES = [2, 5, 15, 60].map((seconds) => [String(seconds), `${seconds} s`]);
const NOTHING = "There is nothing to think over: no other cell comes close.";

/** How far it is. @param {Document} thought @param {number} most */
export const thinking = ({ seconds, rivals }, most) =>
  `Thinking: ${seconds.toFixed(1)} s of ${most} s at most. The best so far is ${at(rivals[0].cell)}.`;

/** How long it took, and whether it is clear. @param {Document} thought `stopped`: by whoever asked */
export function ended({ seconds, clear, stopped, rivals }) {
  const layouts = Math.max(...rivals.map((/** @type {Document} */ rival) => rival["layouts"]));
  const begin = stopped ? "Stopped after" : "Thought over for";
  const end = clear ? "the choice is clear" : "more time might change the choice";
  return `${begin} ${seconds.toFixed(1)} s, ${plural(layouts, "layout")} from the best cells; ${end}.`;
}

/**
 * What is known when it is stopped: the answer before, with the chances to win of the last event, the best so far first.
 * @param {Document} answer @param {Document} thought @returns {Document}
 */
export function soFar(answer, thought) {
  const known = new Map(answer["moves"].map((/** @type {Document} */ move) => [String(move["cell"]), move]));
  const rivals = thought["rivals"].map((/** @type {Document} */ { cell, win_probability, standard_error }) => {
    const move = known.get(String(cell)) ?? { cell, mine_probability: null, win_fraction: null, outlook: [] };
    known.delete(String(cell));
    return { ...move, win_probability, standard_error };
  });
  const [{ cell, mine_probability, win_probability, standard_error }] = rivals;
  return {
    ...answer,
    best: cell,
    mine_probability,
    win_probability,
    text: `Open ${at(cell)}: the best so far. It wins ${estimate(win_probability, standard_error)}.`,
    thought: { ...thought, stopped: true },
    moves: [...rivals, ...known.values()],
  };
}

export class Thinking {
  /** What is thought over. @type {Document | null} */
  #answer = null;
  #busy = false;
  #stopped = false;
  #press = button("", () => void this.toggle());
  #seconds = select(TIMES, String(settings.thinking), (value) => change({ thinking: Number(value) }));
  #time = h("label", { class: "row" }, "for", this.#seconds);
  #told = h("p", { class: "quiet" });
  #bar = h("progress", { "aria-label": "Time used" });
  #rivals = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Cells that come close" });
  element = h(
    "div",
    { class: "asked thinking", hidden: true },
    h("div", { class: "row" }, this.#press, this.#time),
    this.#told,
    this.#bar,
    this.#rivals,
  );

  /** @param {import("../latest.js").Latest} latest stops it when something else is asked @param {Hands} hands @param {Node} [key] */
  constructor(latest, hands, key) {
    this.latest = latest;
    this.hands = hands;
    this.key = key;
    set(this.#seconds, { "aria-label": "Thinking time" });
  }

  /** Whether there is something to think over. */
  get isOffered() {
    return !this.element.hidden;
  }

  /** Another best move; one that is certain, or exact, needs no thinking. @param {Document} answer */
  offer(answer) {
    this.#answer = answer;
    this.element.hidden = answer["reason"] !== "ahead";
    const { thought } = answer;
    this.#show(thought ? ended(thought) : "", thought);
  }

  /** The board is another one, or something else is asked. */
  forget() {
    this.#answer = null;
    this.#busy = false;
    this.element.hidden = true;
    this.latest.stop();
  }

  /** Begin, or stop and keep the best so far. */
  async toggle() {
    if (this.#busy) {
      this.#stopped = true;
      this.latest.stop();
    } else if (this.#answer && !this.#answer["thought"]?.clear) await this.#think(this.#answer);
  }

  /** @param {Document} answer */
  async #think(answer) {
    const seconds = settings.thinking;
    /** @type {Document | null} */
    let last = null;
    [this.#busy, this.#stopped] = [true, false];
    this.#set(seconds, 0);
    this.#show("Thinking …", null);
    this.hands.say(`Thinking for up to ${seconds} seconds.`);
    const progress = (/** @type {Document} */ thought) => {
      if (this.#answer !== answer || this.#stopped) return; // it was on its way
      this.#set(seconds, thought["seconds"]);
      this.#show(thinking(thought, seconds), thought);
      if (!last) this.element.scrollIntoView({ block: "nearest" }); // it has grown
      last = thought;
      this.hands.light(thought["rivals"][0].cell);
    };
    let [found, problem] = [/** @type {Document | null} */ (null), ""];
    try {
      found = await this.latest.ask((stop) => this.hands.source(seconds, progress, stop));
    } catch (error) {
      problem = failure(error);
    }
    if (this.#answer !== answer) return; // nobody waits for it any more
    this.#busy = false;
    if (found || problem || this.#stopped) this.#end(found ?? (last && soFar(answer, last)), problem);
    else this.#show("", null); // something else was asked
  }

  /** @param {Document | null} answer @param {string} problem */
  #end(answer, problem) {
    const focused = document.activeElement === this.#press;
    if (answer) this.hands.tell(answer);
    else this.#show("Stopped.", null);
    if (answer && !answer["thought"]) this.#show(NOTHING, null);
    if (problem) fill(this.#told, h("span", { class: "bad" }, problem));
    if (focused) (this.#press.hidden ? this.#rivals : this.#press).focus({ preventScroll: true }); // it was made anew
    this.hands.say(this.#told.textContent ?? "");
  }

  /** @param {number} max @param {number} value */
  #set(max, value) {
    set(this.#bar, { max, value });
  }

  /** @param {string} words @param {Document | null} thought */
  #show(words, thought) {
    fill(this.#press, this.#busy ? "Stop" : "Think longer", this.key && " ", this.key);
    this.#press.hidden = !this.#busy && Boolean(thought?.["clear"]); // more time would change nothing
    this.#seconds.value = String(settings.thinking); // it may have been chosen on another screen
    this.#time.hidden = this.#busy || this.#press.hidden;
    this.#bar.hidden = !this.#busy;
    this.#told.hidden = !words;
    fill(this.#told, words);
    this.#rivals.hidden = !thought;
    if (thought) fill(this.#rivals, rivalsTable(thought["rivals"]));
  }
}

/** Estimates by two strategies are not to be compared, so it says who played on. @param {Document[]} found */
function rivalsTable(found) {
  const rows = table(
    ["Cell", "Wins", ">Layouts, by"],
    found.map(({ cell, win_probability, standard_error, layouts, played_by, dropped }, place) => [
      `${at(cell)}${dropped ? " dropped" : place === 0 ? " best" : ""}`,
      estimate(win_probability, standard_error),
      `${layouts.toLocaleString("en")} ${played_by}`,
    ]),
  );
  rows.lines.forEach((line, place) =>
    set(line, { class: place === 0 ? "chosen" : found[place]?.dropped && "dropped" }),
  );
  return rows;
}
