/**
 * "Think longer" about a guess: the cells that come close, with their chances to win as the errors narrow. It can be
 * stopped at any moment, and the best so far stays: it is in the last event that arrived.
 *
 *
 * @typedef {Wire.RivalJson & {cells: import("../api.js").Cell[]}} Rival with the cells that are like it
 * @typedef {Omit<Wire.ThoughtJson, "rivals"> & {rivals: Wire.RivalJson[], stopped?: boolean}} Thought `stopped`: by the player
 * @typedef {Omit<Thought, "rivals"> & {rivals: Rival[]}} Shown
 * @typedef {Omit<Wire.RankedOptionJson, "mine_probability"> & {mine_probability: number | null}} Option
 * @typedef {Omit<Wire.BestMoveJson, "thought" | "moves"> & {thought: Thought | null, moves: Option[]}} Answer
 *
 * @typedef {object} Actions where answers come from, and what happens with them
 * @property {(seconds: number, progress: (thought: Wire.ThoughtJson) => void, stop: {signal: AbortSignal}) => Promise<Answer>} source
 * @property {(cell: import("../api.js").Cell) => void} light the best so far
 * @property {(answer: Answer) => void} show the best move at the end; `offer` is to be called again
 * @property {(text: string) => void} say to screen readers: that it begins, and how it ended
 */
import { fill, h, segmented, set } from "../dom.js";
import { at, errorText, estimate } from "../format.js";
import { number, t, tn } from "../messages.js";
import { change, settings } from "../settings.js";
import { difference, differenceLine, groupAlike, isClose, rowName } from "./comparison.js";
import { button, table } from "./parts.js";

const TIME_LIMITS = [2, 5, 15, 60]; // seconds

/** @param {number} seconds */
const tenths = (seconds) => number(seconds, 1);

/** A cell that the first answer did not compare. @type {Omit<Option, "cell" | "win_probability" | "standard_error">} */
const UNKNOWN = { mine_probability: null, exact: false, win_fraction: null, score: null, progress: null, fate: null, outlook: [], alike: [] }; // prettier-ignore

/** The state of the search. @param {Thought} thought @param {number} limit seconds */
export const progressText = ({ seconds, rivals }, limit) =>
  t("page-think-progress", { seconds: tenths(seconds), limit, cell: at(rivals[0]?.cell ?? [0, 0]) });

/** How long it took, and whether the choice is clear. @param {Thought} thought */
export function resultText({ seconds, clear, stopped, rivals }) {
  const layouts = Math.max(...rivals.map((rival) => rival["layouts"]));
  const fields = { seconds: tenths(seconds) };
  const work = tn(stopped ? "page-think-stopped-after" : "page-think-finished-after", layouts, fields);
  const close = rivals.slice(1).some((rival) => rivals[0] && isClose(difference(rival, rivals[0])));
  return `${work} ${clear ? (close ? t("page-think-close") : t("page-think-clear")) : t("page-think-unclear")}`;
}

/**
 * The result when it is stopped: the earlier answer, with the chances to win of the last event, the best so far first.
 * @param {Answer} answer @param {Wire.ThoughtJson} thought @returns {Answer}
 */
export function bestSoFar(answer, thought) {
  const others = new Map(answer["moves"].map((move) => [String(move["cell"]), move]));
  const rivals = thought["rivals"].map(({ cell, win_probability, standard_error }) => {
    const move = others.get(String(cell)) ?? { cell, ...UNKNOWN };
    others.delete(String(cell));
    return { ...move, win_probability, standard_error };
  });
  const [first] = rivals;
  if (!first) return answer;
  const { cell, mine_probability, win_probability, standard_error } = first;
  const chance = estimate(win_probability, standard_error);
  return {
    ...answer,
    best: cell,
    mine_probability,
    win_probability,
    text: t("page-think-best-so-far", { cell: at(cell), chance }),
    thought: { ...thought, stopped: true },
    moves: [...rivals, ...others.values()],
  };
}

export class Thinker {
  /** The best move to think about. @type {Answer | null} */
  #answer = null;
  #busy = false;
  #stopped = false;
  #press = button("", () => void this.toggle());
  #seconds = segmented(
    t("page-think-time"),
    TIME_LIMITS.map((seconds) => [String(seconds), t("page-seconds", { number: seconds })]),
    String(settings.thinking),
    (value) => change({ thinking: Number(value) }),
  );
  #time = h("div", { class: "row" }, h("span", { "aria-hidden": "true" }, t("page-think-for")), this.#seconds);
  #status = h("p", { class: "quiet" });
  #bar = h("progress", { "aria-label": t("page-think-time-used") });
  #rivals = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page-think-rivals") });
  element = h(
    "div",
    { class: "stack thinking", hidden: true },
    h("div", { class: "row" }, this.#press, this.#time),
    this.#status,
    this.#bar,
    this.#rivals,
  );

  /** @param {import("../latest.js").Latest} latest stops it when another request begins @param {Actions} actions @param {Node} [key] */
  constructor(latest, actions, key) {
    this.latest = latest;
    this.actions = actions;
    this.key = key;
  }

  /** Whether there is something to think about. */
  get isOffered() {
    return !this.element.hidden;
  }

  /** Another best move; one that is certain, or exact, needs no thinking. @param {Answer} answer */
  offer(answer) {
    this.#answer = answer;
    this.element.hidden = answer["reason"] !== "ahead";
    const thought = answer["thought"] && this.#merged(answer["thought"]);
    this.#show(thought ? resultText(thought) : "", thought);
  }

  /** Rivals that are alike are one; its estimate is that of the first. @param {Thought} thought @returns {Shown} */
  #merged(thought) {
    /** @type {Map<string, Option>} */
    const options = new Map(this.#answer?.["moves"].map((move) => [String(move["cell"]), move]));
    const rivals = thought["rivals"].map((rival) => ({ ...rival, alike: options.get(String(rival["cell"]))?.["alike"] ?? [] })); // prettier-ignore
    return { ...thought, rivals: groupAlike(rivals).map(({ move, cells }) => ({ ...move, cells })) };
  }

  /** The board has changed, or another request begins. */
  reset() {
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

  /** @param {Answer} answer */
  async #think(answer) {
    const seconds = settings.thinking;
    /** @type {Wire.ThoughtJson | null} */
    let last = null;
    [this.#busy, this.#stopped] = [true, false];
    this.#setBar(seconds, 0);
    this.#show(t("page-think-begin"), null);
    this.actions.say(tn("page-think-announce", seconds));
    const progress = (/** @type {Wire.ThoughtJson} */ thought) => {
      if (this.#answer !== answer || this.#stopped) return; // it was on its way
      this.#setBar(seconds, thought["seconds"]);
      this.#show(progressText(thought, seconds), this.#merged(thought));
      if (!last) this.element.scrollIntoView({ block: "nearest" }); // it has grown
      last = thought;
      if (thought["rivals"][0]) this.actions.light(thought["rivals"][0].cell);
    };
    let [result, problem] = [/** @type {Answer | null} */ (null), ""];
    try {
      result = await this.latest.ask((stop) => this.actions.source(seconds, progress, stop));
    } catch (error) {
      problem = errorText(error);
    }
    if (this.#answer !== answer) return; // the board has changed
    this.#busy = false;
    if (result || problem || this.#stopped) this.#end(result ?? (last && bestSoFar(answer, last)), problem);
    else this.#show("", null); // another request took its place
  }

  /** @param {Answer | null} answer @param {string} problem */
  #end(answer, problem) {
    const focused = document.activeElement === this.#press;
    if (answer) this.actions.show(answer);
    else this.#show(t("page-stopped"), null);
    if (answer && !answer["thought"]) this.#show(t("page-think-nothing"), null);
    if (problem) fill(this.#status, h("span", { class: "bad" }, problem));
    if (focused) (this.#press.hidden ? this.#rivals : this.#press).focus({ preventScroll: true }); // it was replaced
    this.actions.say(this.#status.textContent ?? "");
  }

  /** @param {number} max @param {number} value */
  #setBar(max, value) {
    set(this.#bar, { max, value });
  }

  /** @param {string} status @param {Shown | null} thought */
  #show(status, thought) {
    fill(this.#press, this.#busy ? t("page-stop") : t("page-think-longer"), this.key && " ", this.key);
    this.#press.hidden = !this.#busy && Boolean(thought?.["clear"]); // more time would change nothing
    this.#seconds.choose(String(settings.thinking)); // it may have been chosen on another screen
    this.#time.hidden = this.#busy || this.#press.hidden;
    this.#bar.hidden = !this.#busy;
    this.#status.hidden = !status;
    fill(this.#status, status);
    this.#rivals.hidden = !thought;
    if (thought) fill(this.#rivals, rivalsTable(thought["rivals"]));
  }
}

/** Estimates by two strategies cannot be compared, so the table says which one played. @param {Rival[]} rivals */
function rivalsTable(rivals) {
  const rows = table(
    [t("page-column-cell"), `${t("page-column-wins")}, ${t("page-column-difference")}`, `>${t("page-column-layouts")}`],
    rivals.map((rival, place) => {
      const { cells, win_probability, standard_error, layouts, played_by, dropped } = rival;
      const behind = place ? difference(rival, rivals[0] ?? rival) : null;
      return [
        [rowName({ cells }), dropped ? ` ${t("page-think-dropped")}` : place === 0 && ` ${t("page-think-best")}`],
        [estimate(win_probability, standard_error), place > 0 && h("small", { class: "quiet" }, differenceLine(behind))],
        `${number(layouts)} ${played_by}`,
      ];
    }),
  ); // prettier-ignore
  rows.lines.forEach((line, place) =>
    set(line, { class: place === 0 ? "chosen" : rivals[place]?.["dropped"] && "dropped" }),
  );
  return rows;
}
