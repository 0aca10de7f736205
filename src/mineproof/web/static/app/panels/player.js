/**
 * Replay a finished game on a board: in real time or faster, step by step, with the path of the mouse and the odds of
 * every position. A graph above the slider shows the chances; the slider has a mark at each guess and each mistake.
 * The functions above `Player` need no page.
 *
 * @typedef {import("../api.js").Cell} Cell
 * @typedef {{move: number, mistake: boolean, lost: boolean}} Mark a guess, before which `move` moves were made
 * @typedef {[import("../board/state.js").Mark, Cell[] | null | undefined][]} Lights
 * @typedef {Wire.TimelineJson & {mouse_path?: [number, number, number][] | null}} Timeline
 */
import * as api from "../api.js";
import { clearNotes, positionText, setMarks, setOdds, showMines } from "../board/state.js";
import { fill, h, segmented, set, svg } from "../dom.js";
import { at, clock, errorText, exactPercent } from "../format.js";
import { t, tn } from "../messages.js";
import { change, settings } from "../settings.js";
import { stepPath } from "./chart.js";
import { button } from "./parts.js";

const LEAD = 300; // milliseconds before the first move
const PACE = 500; // milliseconds of a move, where the record has no times
const TRAIL = 1500; // milliseconds of the mouse path that are visible
const SPEEDS = [50, 100, 200, 400]; // per cent

/** When each move happens, in milliseconds. @param {Wire.TimelineStepJson[]} steps */
export function moveTimes(steps) {
  const times = steps.map(({ time }) => Math.round(time * 1000));
  return (times.at(-1) ?? 0) > (times[0] ?? 0) ? times : times.map((_, place) => place * PACE);
}

/** How many moves were made at a time. @param {number[]} times in order @param {number} ms */
export function movesAt(times, ms) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The path of the mouse shortly before a time; the last place lies between two recorded ones.
 * @param {number[][]} path of [ms, x, y], in order @param {number} ms @param {number} [length] milliseconds
 * @returns {[x: number, y: number][]}
 */
export function trail(path, ms, length = TRAIL) {
  const end = movesAt(path.map(([time = 0]) => time), ms); // prettier-ignore
  /** @type {[number, number][]} */
  const places = path
    .slice(0, end)
    .filter(([time = 0]) => time >= ms - length)
    .map(([, x = 0, y = 0]) => [x, y]);
  const [before, after] = [path[end - 1], path[end]];
  if (before && after) {
    const [[t0 = 0, x0 = 0, y0 = 0], [t1 = 0, x1 = 0, y1 = 0]] = [before, after];
    const share = t1 > t0 ? (ms - t0) / (t1 - t0) : 0;
    places.push([x0 + share * (x1 - x0), y0 + share * (y1 - y0)]);
  } else if (before && !places.length) places.push([before[1] ?? 0, before[2] ?? 0]);
  return places;
}

/** Guesses of a review as marks; a mistake is a guess that was worse than another cell. @param {Wire.ReviewJson} review @returns {Mark[]} */
export const marksOf = ({ guesses }) =>
  guesses.map((guess) => ({
    move: guess["index"],
    mistake: guess["kept"] < 1,
    lost: !guess["survived"] && !guess["undone"],
  }));

/** @type {Record<string, string>} */
const ICONS = {
  start: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  next: "M5 3v10l7-5z",
  end: "M3 3v10l7-5zM11 3h2v10h-2z",
};

/** A drawn sign: not every font has arrows. @param {string} name */
const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

export class Player {
  #move = 0;
  #clock = -LEAD; // milliseconds of the game
  #frame = 0;
  #last = 0; // when the last frame was drawn
  /** @type {number[]} */
  #times = [];
  /** @type {Timeline | null} */
  #timeline = null;
  /** @type {Mark[]} */
  #marks = [];
  /** Odds by move, while they are shown. @type {Map<number, any>} */
  #odds = new Map();
  #asking = new AbortController();
  /** @type {import("../board/state.js").Overlay | null} the overlay of the board before */
  #overlayBefore = null;

  /** @param {import("../board/board.js").Board} board @param {(move: number) => void} from @param {(mines: number) => void} analyse */
  constructor(board, from, analyse) {
    this.board = board;
    const jump = (/** @type {() => number} */ target) => () => this.show(target());
    this.slider = h("input", { type: "range", min: 0, step: 1, "aria-label": t("page-review-move"), oninput: () => this.show(Number(this.slider.value)) }); // prettier-ignore
    this.playButton = button(icon("play"), () => this.toggle(), {
      class: "primary",
      "aria-label": t("page-replay-play"),
    });
    this.time = h("output", { class: "time" });
    this.caption = h("p", { class: "words", role: "status" });
    this.from = button(t("page-review-try"), () => from(this.#move));
    const percent = (/** @type {number} */ speed) => `×${speed === 50 ? "½" : speed / 100}`;
    const speeds = segmented(
      t("page-replay-speed"),
      SPEEDS.map((speed) => [String(speed), percent(speed)]),
      String(settings.replaySpeed),
      (value) => change({ replaySpeed: Number(value) }),
    );
    this.oddsButton = button(t("page-overlay-odds"), () => this.#toggleOdds(), { "aria-pressed": String(settings.replayOdds) }); // prettier-ignore
    this.pathButton = button(t("page-replay-path"), () => this.#togglePath(), { "aria-pressed": String(settings.replayPath) }); // prettier-ignore
    this.graph = h("div", { class: "chances" });
    this.strip = h("div", { class: "strip", "aria-hidden": "true" });
    this.legend = h("p", { class: "legend quiet" });
    const label = (/** @type {string} */ key) => ({ "aria-label": t(key), title: t(key) });
    this.element = h(
      "div",
      { class: "player", role: "group", "aria-label": t("page-review-replay") },
      this.graph,
      h("div", { class: "track" }, this.strip, this.slider),
      this.legend,
      h(
        "div",
        { class: "row transport" },
        button(icon("start"), jump(() => 0), label("page-replay-start")),
        button(icon("back"), jump(() => this.#move - 1), label("page-back")),
        this.playButton,
        button(icon("next"), jump(() => this.#move + 1), label("page-next")),
        button(icon("end"), jump(() => this.#times.length), label("page-replay-end")),
        this.time,
        speeds,
        h("span", { class: "row" }, this.oddsButton, this.pathButton),
      ),
      h("div", { class: "row said" }, this.caption, this.from, button(t("page-analyse-position"), () => analyse(this.#timeline?.["total_mines"] ?? 0))),
    ); // prettier-ignore
    this.element.addEventListener("keydown", (event) => {
      if (!event.defaultPrevented && this.key(event)) event.preventDefault();
    });
    this.graph.addEventListener("pointerdown", (event) => this.#seek(event));
    this.graph.addEventListener("pointermove", (event) => event.buttons && this.#seek(event));
    this.overlay = svg("svg", { class: "mouse-path", "aria-hidden": "true" });
    for (const kind of ["wheel", "pointermove"])
      board.element.addEventListener(kind, () => requestAnimationFrame(() => this.#drawPath()), { passive: true });
    new ResizeObserver(() => this.#drawPath()).observe(board.element);
  }

  get move() {
    return this.#move;
  }

  get playing() {
    return this.#frame !== 0;
  }

  /** Show a game from its end. @param {Timeline} timeline @param {Wire.ReviewJson} review */
  open(timeline, review) {
    this.close();
    this.#timeline = timeline;
    this.#marks = marksOf(review);
    this.#times = moveTimes(timeline["steps"]);
    this.slider.max = String(this.#times.length);
    this.pathButton.hidden = !timeline["mouse_path"];
    this.board.element.append(this.overlay);
    this.#drawMarks();
    this.drawChances([]);
    this.#startOdds();
    this.show(this.#times.length);
  }

  close() {
    this.pause();
    this.#asking.abort();
    this.#timeline = null;
    this.#odds.clear();
    this.overlay.remove();
    if (this.#overlayBefore !== null) this.board.state.overlay = this.#overlayBefore;
    this.#overlayBefore = null;
  }

  // time

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.#timeline || this.playing) return;
    if (this.#move >= this.#times.length) this.show(0);
    this.#last = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#run(now));
    this.#showPlaying();
  }

  pause() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#showPlaying();
  }

  /** @param {number} now */
  #run(now) {
    this.#clock += ((now - this.#last) * settings.replaySpeed) / 100;
    this.#last = now;
    const move = movesAt(this.#times, this.#clock);
    if (move !== this.#move) this.#place(move);
    this.#showTime();
    this.#drawPath();
    if (move < this.#times.length) this.#frame = requestAnimationFrame((next) => this.#run(next));
    else this.pause();
  }

  #showPlaying() {
    fill(this.playButton, icon(this.playing ? "pause" : "play"));
    set(this.playButton, { "aria-label": t(this.playing ? "page-replay-pause" : "page-replay-play") });
  }

  /** A key of the player; true if it was used. @param {KeyboardEvent} event */
  key({ key, target, ctrlKey, metaKey, altKey }) {
    const control = target instanceof Element ? target.closest("button, a, input, select, textarea, summary") : null;
    if (!this.#timeline || ctrlKey || metaKey || altKey) return false;
    if (key === " " && (!control || control === this.slider)) this.toggle();
    else if (control && control !== this.slider && control.matches("input, select, textarea")) return false;
    else if (key === "ArrowLeft") this.show(this.#move - 1);
    else if (key === "ArrowRight") this.show(this.#move + 1);
    else if (key === "Home") this.show(0);
    else if (key === "End") this.show(this.#times.length);
    else return false;
    return true;
  }

  /** @param {PointerEvent} event */
  #seek({ clientX }) {
    const { left, width } = this.graph.getBoundingClientRect();
    this.show(Math.round(((clientX - left) / width) * this.#times.length));
  }

  // the board

  /** Stop, and show the board after a number of moves. @param {number} move @param {Lights} [lights] @param {string} [text] */
  show(move, lights, text) {
    this.pause();
    if (!this.#timeline) return;
    const target = Math.max(0, Math.min(this.#times.length, move));
    this.#clock = target ? (this.#times[target - 1] ?? 0) : -LEAD;
    this.#place(target, lights, text);
    if (lights) this.board.element.scrollIntoView({ block: "nearest" }); // on a phone it may be far above
    this.#showTime();
    this.#drawPath();
  }

  /** @param {number} move @param {Lights} [lights] @param {string} [text] */
  #place(move, lights, text) {
    const timeline = /** @type {Timeline} */ (this.#timeline);
    const { steps, rows, columns, topology, cells, mines } = timeline;
    const { board } = this;
    this.#move = move;
    this.slider.value = String(move);
    clearNotes(board.state);
    board.setCells({ rows, columns, topology: /** @type {"grid"} */ (topology), cells });
    for (const { changes } of steps.slice(0, move)) {
      for (const [row, column, symbol] of changes) board.state.cells[row * columns + column] = symbol;
    }
    const step = steps[move - 1];
    const ends = move === steps.length;
    this.from.disabled = ends;
    if (ends) showMines(board.state, mines, step?.exploded ?? [], timeline["status"] === "won");
    else for (const [row, column] of step?.exploded ?? []) board.state.cells[row * columns + column] = "X";
    setMarks(board.state, lights ?? [["last", step?.cell && !ends ? [step.cell] : []]]);
    this.#showOdds();
    board.update();
    this.slider.setAttribute("aria-valuetext", t("page-review-move-of", { move, last: steps.length }));
    const words = step ? stepText(step, steps.length) : tn("page-review-before-first", steps.length);
    this.caption.textContent = text ?? words;
    set(this.caption, { role: this.playing ? null : "status" }); // no screen reader could follow a game
    this.cursor.style.left = this.#across(move);
  }

  #showTime() {
    const end = (this.#times.at(-1) ?? 0) / 1000;
    const now = Math.min(end, Math.max(0, this.#clock / 1000));
    this.time.textContent = t("page-replay-time", { now: clock(now), end: clock(end) });
  }

  // odds

  #toggleOdds() {
    change({ replayOdds: !settings.replayOdds });
    set(this.oddsButton, { "aria-pressed": String(settings.replayOdds) });
    this.#startOdds();
    this.#showOdds();
    this.board.update();
  }

  #startOdds() {
    const { state } = this.board;
    this.#overlayBefore ??= state.overlay;
    state.overlay = settings.replayOdds ? "odds" : "none";
  }

  /** Show the odds of this position, if they are wanted and it is not the last one. */
  #showOdds() {
    this.#asking.abort();
    const move = this.#move;
    const known = this.#odds.get(move);
    setOdds(this.board.state, settings.replayOdds ? (known ?? null) : null);
    if (settings.replayOdds && !known && move < this.#times.length) void this.#loadOdds(move);
  }

  /** @param {number} move */
  async #loadOdds(move) {
    const { signal } = (this.#asking = new AbortController());
    const { state } = this.board;
    const question = { board: positionText(state), mines: this.#timeline?.["total_mines"], topology: state.topology, flags: /** @type {const} */ ("ignore") }; // prettier-ignore
    try {
      const analysis = await api.analyze(question, { signal });
      this.#odds.set(move, analysis);
      if (signal.aborted || move !== this.#move) return;
      setOdds(state, analysis);
      this.board.update();
    } catch (error) {
      if (!api.isAbort(error)) this.caption.textContent = errorText(error);
    }
  }

  // the mouse

  #togglePath() {
    change({ replayPath: !settings.replayPath });
    set(this.pathButton, { "aria-pressed": String(settings.replayPath) });
    this.#drawPath();
  }

  #drawPath() {
    const path = this.#timeline?.["mouse_path"];
    if (!path || !settings.replayPath) return fill(this.overlay);
    const { state, view } = this.board;
    const places = trail(path, this.#clock).map(([x, y]) => [x * state.size - state.left + view.ruler, y * state.size - state.top + view.ruler]); // prettier-ignore
    const [x, y] = places.at(-1) ?? [];
    const points = places.map((place) => place.map((value) => value.toFixed(1)).join(",")).join(" ");
    const pointer = x !== undefined && y !== undefined && svg("path", { d: "M0 0v16l4-4 3 6 2-1-3-6h6z", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }); // prettier-ignore
    fill(this.overlay, svg("polyline", { points }), pointer);
  }

  // chances and marks

  cursor = h("i", { class: "cursor" });

  /** Where a move is on the graph and the slider. @param {number} move */
  #across(move) {
    return `${((100 * move) / Math.max(1, this.#times.length)).toFixed(2)}%`;
  }

  #drawMarks() {
    const marks = this.#marks.map(({ move, mistake }) => {
      const mark = h("i", { class: mistake ? "mistake" : "guess" });
      mark.style.left = this.#across(move);
      return mark;
    });
    fill(this.strip, marks);
  }

  /**
   * Draw the chances over the game: to get this far after each move, and to win at the moments for which it is known.
   * @param {{move: number, win: number}[]} wins before the move, in order
   */
  drawChances(wins) {
    const timeline = this.#timeline;
    if (!timeline) return;
    const last = Math.max(1, this.#times.length);
    const won = timeline["status"] === "won";
    const far = [[0, 1], ...timeline["steps"].map((step) => [step["move"], step["survived"]])];
    const line = (/** @type {number[][]} */ points, /** @type {string} */ name, jumps = true) =>
      svg("path", { class: name, d: stepPath(points.map(([move = 0, chance = 0]) => [(100 * move) / last, 100 - 100 * chance]), jumps) }); // prettier-ignore
    const ends = wins.length ? [...wins.map(({ move, win }) => [move, win]), [last, won ? 1 : 0]] : [];
    const dots = wins.map(({ move, win }) => dot(this.#across(move), win, "win"));
    const guesses = this.#marks.map(({ move, mistake }) =>
      dot(this.#across(move + 1), far[move + 1]?.[1] ?? 0, mistake ? "mistake" : "guess"),
    );
    const lowest = Math.min(...far.map(([, chance = 0]) => chance));
    const description = tn("page-replay-graph", this.#marks.length, {
      chance: exactPercent(lowest),
      mistakes: tn("page-replay-mistakes", this.#marks.filter(({ mistake }) => mistake).length),
    });
    fill(
      this.graph,
      svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img", "aria-label": description }, svg("path", { class: "grid", d: "M0 0H100M0 50H100M0 100H100" }), line(far, "far"), ends.length > 0 && line(ends, "win", false)),
      guesses,
      dots,
      this.cursor,
      [100, 50, 0].map((value) => h("span", { class: `scale at-${value}`, "aria-hidden": "true" }, t("page-percent", { number: value }))),
    ); // prettier-ignore
    this.cursor.style.left = this.#across(this.#move);
    const swatch = (/** @type {string} */ name, /** @type {string} */ text) => h("span", {}, h("i", { class: `swatch-${name}` }), text); // prettier-ignore
    fill(
      this.legend,
      swatch("far", t("page-replay-far")),
      ends.length > 0 && swatch("win", t("page-replay-win")),
      this.#marks.some(({ mistake }) => !mistake) && swatch("guess", t("page-replay-guess")),
      this.#marks.some(({ mistake }) => mistake) && swatch("mistake", t("page-replay-mistake")),
    );
  }
}

/** @param {string} left @param {number} chance @param {string} name */
function dot(left, chance, name) {
  const mark = h("i", { class: `dot ${name}` });
  [mark.style.left, mark.style.top] = [left, `${100 - 100 * chance}%`];
  return mark;
}

/** @type {Map<string, string>} */
const KIND_KEYS = new Map([
  ["open", "page-review-opened"],
  ["chord", "page-review-chorded"],
  ["flag", "page-review-flagged"],
  ["question", "page-review-questioned"],
  ["undo", "page-review-undone"],
]);

/** @param {Wire.TimelineStepJson} step @param {number} last */
function stepText({ move, kind, cell, time, odds, survived, redrawn }, last) {
  const fields = { move, last, time: clock(time), cell: cell ? at(cell) : "" };
  const parts = [t(KIND_KEYS.get(kind) ?? kind, fields)];
  if (odds === 0) parts.push(t("page-review-was-safe"));
  else if (odds === 1) parts.push(t("page-review-was-mine"));
  else if (odds !== null && odds !== undefined) parts.push(t("page-review-odds", { chance: exactPercent(odds) }));
  if (redrawn) parts.push(t("page-review-redrawn"));
  if (survived > 0 && survived < 1) parts.push(t("page-review-survived", { chance: exactPercent(survived) }));
  return parts.join(" ");
}
