/**
 * Practise: a position, a task, the player's cell, and the proof. The server finds puzzles, judges answers, rates the
 * player and times storms. The address names the puzzle, so it can be shared and reloaded.
 *
 * @typedef {"puzzles" | "streak" | "storm" | "daily"} Mode
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import { COVERED, FLAG, cellOf, clearNotes, index, positionText, setMarks } from "../board/state.js";
import { fill, h, segmented, set, svg } from "../dom.js";
import { button, facts, key, segments, techniqueOptions } from "../panels/parts.js";
import { listBox } from "../panels/listbox.js";
import { ProofSteps, plainText, pointer, proofText } from "../panels/proof.js";
import { puzzleAddress, puzzleOptions, techniqueOf } from "../practise/address.js";
import { Daily, dayName } from "../practise/daily.js";
import { Progress, showStanding } from "../practise/progress.js";
import { change, settings } from "../settings.js";
import { errorText, sentence } from "../format.js";
import { number, t } from "../messages.js";

const SEARCH_SECONDS = 60; // time limit
const MAX_SEEN = 100; // puzzles whose solution was shown
const MAX_TRIES = 2; // wrong answers before the solution is shown
const CLOCK_MS = 200; // between two looks at the clock of a storm

/** Rows and columns of the levels, for the board that is drawn while a puzzle loads. @type {Record<string, [number, number]>} */
const SIZES = { beginner: [9, 9], intermediate: [16, 16], expert: [16, 30] };

const mineIcon = () =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    svg("path", { d: "M8 1v14M1 8h14M3 3l10 10M13 3L3 13", stroke: "currentColor", "stroke-width": 1.5 }),
    svg("circle", { cx: 8, cy: 8, r: 4.5, fill: "currentColor" }),
  );

/** @type {Record<string, string>} */
const LEVEL_NAMES = {
  beginner: "page-level-beginner",
  intermediate: "page-level-intermediate",
  expert: "page-level-expert",
};

/** @param {Wire.CountedRunJson} run */
const runName = (run) => t(run["mode"] === "storm" ? "page-practise-storm" : "page-practise-streak");

/** Seconds as minutes and seconds. @param {number} seconds */
const countdown = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Stands where no puzzle is shown. @type {Wire.PuzzleJson} */
const NO_PUZZLE = {
  schema: "mineproof/puzzle/1",
  ...{ technique: "", kind: "open", level: "", seed: null, date: null, task: "", positions: 0, games: 0 },
  board: { schema: "mineproof/board/1", rows: 0, columns: 0, total_mines: 0, topology: "grid", cells: [] },
  ...{ solution: null, deduction: null, best: null },
};

class Practise {
  #puzzle = NO_PUZZLE;
  #address = "";
  /** @type {Mode} */
  #mode = "puzzles";
  /** @type {"loading" | "ready" | "asking" | "judging" | "done" | "nothing"} */
  #stage = "nothing";
  /** Whether each answer to the puzzle was right. @type {boolean[]} */
  #tries = [];
  /** Milliseconds of the first answer. @type {number | null} */
  #time = null;
  #shownAt = 0;
  #hidden = false; // the technique is not named yet
  #control = new AbortController();
  /** The next puzzle: the search runs while the player thinks. @type {Promise<Wire.PuzzleJson> | null} */
  #ahead = null;
  #aheadControl = new AbortController();
  /** The current streak or storm. @type {Wire.CountedRunJson | null} */
  #run = null;
  #runEnd = 0; // of a storm, by `performance.now`
  #timer = 0;
  /** Failed puzzles that are still to be retried, or null. @type {Pick<Wire.FailedPuzzleJson, "technique" | "level" | "seed">[] | null} */
  #retries = null;
  /** The label of each technique, by its name. @type {Map<string, string>} */
  #techniques = new Map();
  #level = settings.practiceLevel; // or that of a link

  board = new Board(t("page-puzzle"), {
    primary: (cell) => this.#press(cell),
    secondary: (cell) => this.#puzzle["kind"] === "flag" && this.#press(cell),
  });
  skeleton = h("div", { class: "skeleton", "aria-hidden": "true" }, h("div", {}));
  /** Over the covered board before a streak or a storm. */
  gateTitle = h("p", { class: "display" });
  technique = listBox(
    t("page-technique"),
    [["", t("page-technique-by-rating")]],
    "",
    (technique) => this.#choose({ technique }),
    { help: t("page-technique-help") },
  );
  level = segments(
    t("page-puzzle-board"),
    [
      ["beginner", t("page-level-beginner")],
      ["intermediate", t("page-level-intermediate")],
      ["expert", t("page-level-expert")],
    ],
    settings.practiceLevel,
    (value) => {
      this.#level = value;
      this.#choose({ practiceLevel: value });
    },
    t("page-puzzle-board-help"),
  );
  hide = h("input", { type: "checkbox", checked: settings.hideTechnique, onchange: () => this.#hideTechnique() });
  modes = segmented(
    t("page-practise-mode"),
    [
      ["puzzles", t("page-practise-puzzles")],
      ["daily", t("page-practise-daily")],
      ["streak", t("page-practise-streak")],
      ["storm", t("page-practise-storm")],
    ],
    "puzzles",
    (mode) => this.#chooseMode(/** @type {Mode} */ (mode)),
  );
  mines = h("p", { class: "mines" });
  task = h("p", { class: "task" });
  verdict = h("p", { class: "verdict" });
  start = button([t("page-practise-start"), key("N")], () => void this.#startRun(), { class: "primary" });
  stop = button(t("page-cancel"), () => this.#control.abort());
  show_ = button([t("page-show-solution"), key("S")], () => this.#giveUp());
  analyse = button(t("page-practise-analyse"), () => this.#analyse());
  playOn = button(t("page-practise-play-on"), () => void this.#playOn());
  next = button([t("page-next-puzzle"), key("N")], () => this.#next());
  proof = h("section", { class: "panel" });
  /** What is certain after the proof. @type {{because: import("../api.js").Cell[], safe: import("../api.js").Cell[], mines: import("../api.js").Cell[]}} */
  #proved = { because: [], safe: [], mines: [] };
  #point = pointer(this.board);
  steps = new ProofSteps((lights) => this.#light(lights), this.#point);
  rating = h("section", { class: "panel" });
  runPanel = h("section", { class: "panel run", hidden: true });
  /** Score and time of a run, beside the board. */
  status = h("p", { class: "status" });
  hideField = h("label", { class: "tick" }, this.hide, h("span", {}, t("page-setting-hide-technique")));
  choices = h(
    "section",
    { class: "panel" },
    this.technique,
    this.hideField,
    this.level,
    h("p", { class: "help" }, t("page-puzzle-help")),
  );

  /** @param {import("../main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.daily = new Daily(page, (date) => void this.#loadDay(date));
    this.progress = new Progress(page, (failed) => this.#retry(failed));
    this.gate = h("div", { class: "gate", hidden: true }, this.gateTitle);
    this.board.element.append(this.skeleton, this.gate);
    this.top = h("div", { class: "bar" }, h("h1", {}, t("page-screen-practise")), this.modes, this.mines, this.task);
    this.answers = h("div", { class: "bar answers" }, this.status, this.verdict, this.stop, this.show_, this.analyse, this.playOn, this.start, this.next); // prettier-ignore
    const work = h("div", { class: "work" }, this.top, this.board.element, this.answers);
    const side = h("div", { class: "side" }, this.runPanel, this.proof, this.daily.element, this.rating, this.progress.element, this.choices); // prettier-ignore
    this.element = h("div", { class: "layout practise" }, work, side);
    new ResizeObserver(() => this.#snap()).observe(this.top);
    this.#drawMode();
    this.#become("nothing", "");
  }

  /** Keep the board on whole pixels: digits are soft otherwise. */
  #snap() {
    const { style } = this.board.element;
    style.marginTop = "";
    const top = this.board.element.getBoundingClientRect().top + scrollY;
    const rest = Math.ceil(top - 0.01) - top;
    style.marginTop = rest > 0.01 ? `${rest}px` : "";
  }

  /** On a phone the board's place is as high as the board. @param {number} rows @param {number} columns */
  #makeRoom(rows, columns) {
    const { style } = this.board.element;
    style.setProperty("--rows", String(rows));
    style.setProperty("--columns", String(columns));
  }

  // being shown

  /** @param {URLSearchParams} named */
  async show(named) {
    await this.#loadTechniques().catch((error) => this.page.notify(errorText(error), "error"));
    const today = new Date().toISOString().slice(0, 10); // the day of UTC
    const linked = techniqueOf(named);
    if (linked !== null && this.#techniques.has(linked)) {
      this.technique.show(linked);
      this.#toMode("puzzles");
      this.#choose({ technique: linked });
      return;
    }
    if (this.#address && (!named.size || String(named) === this.#address)) {
      this.#showAddress();
      return;
    }
    if (!named.size && this.#stage !== "nothing") return; // a run, or a puzzle that loads
    const options = puzzleOptions(named, today, [...this.#techniques.keys()]);
    if (options === "bad") this.#showBadLink();
    else if (options && (options["daily"] || options["date"])) {
      this.#toMode("daily");
      void this.#loadDay(options["date"] ?? today);
    } else {
      this.#toMode("puzzles");
      void this.#load(options);
    }
  }

  hideScreen() {
    if (this.#stage === "loading") this.#control.abort();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const name = event.key.toLowerCase();
    if (name === "n") (this.start.hidden ? this.next : this.start).click();
    else if (name === "s") this.#giveUp();
    else if ((name === "," || name === ".") && this.steps.element.isConnected) this.steps.step(name === "," ? -1 : 1);
    else if (event.key.startsWith("Arrow")) this.board.focus();
    else return false;
    return true;
  }

  async #loadTechniques() {
    if (this.#techniques.size) return;
    const standing = await api.standing();
    showStanding(this.rating, standing);
    this.technique.offer(techniqueOptions(t("page-technique-by-rating"), standing["techniques"]));
    this.#techniques = new Map(standing["techniques"].map(({ name, label }) => [name, label]));
    this.technique.show(settings.technique);
  }

  // what to practise

  #showAddress() {
    history.replaceState(null, "", `#/practise${this.#address ? `?${this.#address}` : ""}`);
  }

  /** @param {Partial<import("../settings.js").Settings>} changes */
  #choose(changes) {
    change(changes);
    this.#dropAhead();
    this.#retries = null;
    if (this.#isRun) this.#prepareRun();
    else void this.#load(null);
  }

  #hideTechnique() {
    change({ hideTechnique: this.hide.checked });
    if (this.#stage !== "asking") return;
    this.#hidden = this.#isHidden();
    this.#nameTask();
  }

  get #isRun() {
    return this.#mode === "streak" || this.#mode === "storm";
  }

  /** Change the mode without loading anything. @param {Mode} mode */
  #toMode(mode) {
    this.#mode = mode;
    this.modes.choose(mode);
    this.#run = null;
    this.#retries = null;
    this.#stopClock();
    this.#dropAhead();
    this.#drawMode();
  }

  /** @param {Mode} mode */
  #chooseMode(mode) {
    this.#toMode(mode);
    if (this.#isRun) this.#prepareRun();
    else if (mode === "daily") void this.#loadDay(new Date().toISOString().slice(0, 10));
    else void this.#load(null);
  }

  #drawMode() {
    this.daily.element.hidden = this.#mode !== "daily";
    this.choices.hidden = this.#mode === "daily";
    this.technique.hidden = this.hideField.hidden = this.#isRun;
    this.rating.hidden = this.#isRun;
    this.runPanel.hidden = true;
    fill(this.status);
  }

  /** Whether to name the technique only after the answer: not if the player has chosen it. */
  #isHidden() {
    return settings.hideTechnique && (this.#mode !== "puzzles" || !this.technique.value());
  }

  // loading

  /** A search for another one of the chosen kind. @param {AbortController} control */
  #search(control) {
    if (this.#run) return api.puzzle({ run: this.#run["id"], solution: false, budget: SEARCH_SECONDS }, control);
    const technique = /** @type {Wire.PuzzleRequest["technique"]} */ (this.technique.value() || undefined);
    return api.puzzle({ technique, level: this.#level, budget: SEARCH_SECONDS }, control);
  }

  #dropAhead() {
    this.#aheadControl.abort();
    this.#ahead = null;
  }

  #lookAhead() {
    if (this.#mode === "daily" || this.#ahead || this.#retries) return;
    this.#aheadControl = new AbortController();
    const coming = this.#search(this.#aheadControl);
    this.#ahead = coming;
    coming.catch(() => this.#ahead === coming && (this.#ahead = null)); // Next searches again
  }

  #next() {
    if (this.#isRun && !this.#run) return this.#prepareRun();
    const retry = this.#retries?.shift();
    if (retry) return void this.#load(/** @type {Wire.PuzzleRequest} */ (retry));
    if (this.#retries) {
      this.#retries = null;
      this.page.notify(t("page-retry-done"));
    }
    if (this.#mode === "daily") this.#toMode("puzzles");
    return void this.#load(null);
  }

  /** A puzzle that loads is no longer shown when it comes. */
  #cancelLoad() {
    this.#control.abort();
    this.#control = new AbortController();
  }

  /** @param {string} date */
  async #loadDay(date) {
    const today = new Date().toISOString().slice(0, 10);
    void this.daily.show(date);
    this.daily.showResult(null);
    await this.#load(date === today ? { daily: true } : { date });
  }

  /** @param {Wire.PuzzleRequest} options */
  #followLink({ technique, level }) {
    this.technique.show(technique ?? this.technique.value());
    if (!level || !SIZES[level]) return;
    this.#level = level;
    this.level.choose(level);
  }

  /** @param {Wire.PuzzleRequest | null} options null for another one */
  async #load(options) {
    const coming = options ? null : this.#ahead;
    this.#control.abort();
    const mine = (this.#control = new AbortController());
    if (!coming) this.#dropAhead();
    this.#ahead = null;
    const inside = this.element.contains(document.activeElement);
    const isLink = options !== null && !this.#retries;
    if (isLink && options["seed"] !== undefined && new URLSearchParams(location.hash.split("?")[1]).has("technique")) {
      this.#followLink(options);
    }
    const showWait = setTimeout(() => this.#become("loading", t("page-puzzle-searching")), coming ? 60 : 0);
    try {
      const stopped = new Promise((_, reject) => {
        mine.signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      });
      const request =
        coming ?? (options ? api.puzzle({ ...options, budget: SEARCH_SECONDS }, mine) : this.#search(mine));
      const loaded = /** @type {Wire.PuzzleJson} */ (await Promise.race([request, stopped]));
      if (mine !== this.#control) return; // another search has begun
      clearTimeout(showWait);
      this.#ask(loaded);
      if (inside) this.board.focus();
    } catch (error) {
      clearTimeout(showWait);
      if (mine !== this.#control) return;
      this.#address = "";
      if (api.isAbort(error)) this.#become("nothing", t("page-stopped"));
      else if (isLink && error instanceof api.ApiError && error.status === 400) this.#showBadLink();
      else this.#become("nothing", `${sentence(errorText(error))} ${t("page-puzzle-try-other")}`);
    }
  }

  #showBadLink() {
    this.#address = "";
    this.#puzzle = NO_PUZZLE;
    this.#become("nothing", t("page-puzzle-bad-link"));
  }

  /** Show a puzzle. @param {Wire.PuzzleJson} puzzle */
  #ask(puzzle) {
    this.#puzzle = puzzle;
    this.#tries = [];
    this.#time = null;
    this.#hidden = this.#isHidden();
    const hides = this.#hidden && !this.#isRun;
    this.#address = this.#isRun ? "" : puzzleAddress(puzzle, hides, [...this.#techniques.keys()]);
    this.#showAddress();
    const { board } = this;
    clearNotes(board.state);
    this.#point(null);
    board.state.overlay = "none";
    const { rows, columns, topology, cells } = puzzle["board"];
    this.#makeRoom(rows, columns);
    board.setCells({ rows, columns, topology: /** @type {"grid"} */ (topology), cells });
    this.#become("asking", puzzle["task"]);
    this.#bringIntoView(board.state.cells.flatMap((symbol, place) => (symbol === COVERED ? [place] : [])));
    this.#nameTask();
    this.#shownAt = performance.now();
    this.#lookAhead();
  }

  // what is shown

  /** @param {"loading" | "ready" | "asking" | "nothing"} now @param {string} text */
  #become(now, text) {
    this.#stage = now;
    fill(this.task, h("strong", {}, text));
    fill(this.verdict);
    this.proof.hidden = true;
    this.stop.hidden = now !== "loading";
    this.show_.hidden = now !== "asking" || this.#isRun;
    this.start.hidden = this.gate.hidden = now !== "ready";
    if (now === "ready") this.gate.append(this.start);
    else this.answers.insertBefore(this.start, this.next);
    this.gateTitle.textContent = t(this.#mode === "storm" ? "page-practise-storm" : "page-practise-streak");
    this.next.hidden = this.#isRun;
    this.analyse.hidden = this.playOn.hidden = true;
    set(this.next, { class: now === "nothing" && "primary" });
    if (now !== "asking") fill(this.mines);
    this.board.element.style.visibility = now === "asking" ? "" : "hidden";
    this.skeleton.hidden = now !== "loading" && now !== "ready";
    if (now !== "asking") this.#makeRoom(...(SIZES[this.#mode === "daily" ? "expert" : this.#level] ?? [9, 9]));
    this.skeleton.classList.toggle("busy", now === "loading");
    this.#snap();
    this.page.say(text);
  }

  /** On a small screen, move the board so that these cells are seen: the one in their middle. @param {number[]} places */
  #bringIntoView(places) {
    const { state, view } = this.board;
    if (!view.overflows || !places.length) return;
    const cells = places.map((place) => cellOf(state, place));
    const mean = (axis = 0) => cells.reduce((sum, cell) => sum + (cell[axis] ?? 0), 0) / cells.length;
    const [row, column] = [mean(0), mean(1)];
    const far = (cell = [0, 0]) => Math.hypot((cell[0] ?? 0) - row, (cell[1] ?? 0) - column);
    view.reveal(
      index(
        state,
        cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best)),
      ),
    );
  }

  /** The task, what is known of the puzzle, and its mines. */
  #nameTask() {
    const { task, date, technique, level, board } = this.#puzzle;
    const label = this.#techniques.get(technique) ?? technique;
    const named = this.#hidden ? "" : label;
    const about = date ? t("page-puzzle-of-day", { date: dayName(date) }) : "";
    const flags = board.cells.join("").split(FLAG).length - 1;
    const size = `${LEVEL_NAMES[level] ? t(LEVEL_NAMES[level]) : ""} ${board.columns}×${board.rows}`.trim();
    const total = board.total_mines ?? 0;
    const mines = { left: number(total - flags), total: number(total) };
    fill(
      this.task,
      h("strong", {}, task),
      " ",
      h("span", { class: "quiet" }, [about, named].filter(Boolean).join(" · ")),
    );
    fill(this.mines, mineIcon(), h("strong", {}, t("page-practise-mines", mines)), h("span", { class: "quiet" }, size));
    this.#snap();
    this.page.say([task, about, named, t("page-practise-mines", mines)].filter(Boolean).join(" "));
  }

  /**
   * Light up what a sentence of the proof speaks of, and the solution; the whole proof if it names no number.
   * @param {import("../panels/answer.js").Lights} lights
   */
  #light(lights) {
    const { because, safe, mines } = this.#proved;
    const hasNumbers = lights.some(([mark, cells]) => mark === "because" && cells?.length);
    setMarks(this.board.state, [["because", hasNumbers ? [] : because], ...lights, ["mine", mines], ["safe", safe]]); // prettier-ignore
    this.board.update();
  }

  /**
   * Show the verdict on an answer, and the steps that prove it, sentence by sentence.
   * @param {string} how "good", "bad", "warn" or "quiet" @param {string} result @param {string} text
   * @param {{steps?: Wire.DeductionJson[], signs?: Parameters<typeof proofText>[2]}} [more]
   */
  #showVerdict(how, result, text, { steps = [], signs = [] } = {}) {
    const title = this.#hidden
      ? t("page-hint-why")
      : (this.#techniques.get(this.#puzzle["technique"]) ?? this.#puzzle["technique"]);
    fill(this.verdict, h("span", { class: how }, result));
    fill(this.proof, h("h2", {}, title), steps.length ? this.steps.element : proofText(text, this.#point, signs));
    if (steps.length) {
      const all = (/** @type {"because" | "mines" | "safe"} */ name) => steps.flatMap((step) => step[name]);
      const proved = (this.#proved = { because: all("because"), safe: all("safe"), mines: all("mines") });
      this.steps.show(text, proved);
      const lit = [...proved.safe, ...proved.mines, ...proved.because];
      this.#bringIntoView(lit.map((cell) => index(this.board.state, cell)));
    }
    this.proof.hidden = !text;
    this.page.say(`${result} ${plainText(text)}`);
  }

  /** The puzzle is over. @param {string} how @param {string} result @param {Wire.CountedAnswerJson} [answer] */
  #finish(how, result, answer) {
    const { deduction, best, solution } = answer?.["puzzle"] ?? this.#puzzle;
    const { state } = this.board;
    this.#stage = "done";
    this.#hidden = false;
    this.#nameTask();
    this.show_.hidden = true;
    this.analyse.hidden = this.playOn.hidden = false;
    set(this.next, { class: "primary" });
    const right = answer?.["verdict"] === "right";
    const text = (right ? answer : (deduction ?? best))?.text ?? "";
    const steps = right ? answer?.["proof"] : deduction ? [deduction] : [];
    const signs = best ? [["best", best.best], ["safest", best.safest]] : []; // prettier-ignore
    this.#showVerdict(how, result, text, { steps, signs: /** @type {Parameters<typeof proofText>[2]} */ (signs) });
    if (best) {
      state.odds = state.cells.map(() => null);
      for (const { cell, mine_probability } of best.moves) state.odds[index(state, cell)] = mine_probability;
      state.overlay = "odds";
      setMarks(state, [["safest", best.safest && [best.safest]], ["best", solution]]); // prettier-ignore
      this.board.update();
    }
    this.#lookAhead();
    void this.progress.load();
  }

  // answers

  /** The name of the puzzle in the list of those whose solution was shown. */
  get #name() {
    return puzzleAddress({ ...this.#puzzle, date: null }, false, [...this.#techniques.keys()]);
  }

  get #isSeen() {
    return settings.seen.includes(this.#name);
  }

  #giveUp() {
    if (this.#stage !== "asking" || this.#isRun) return;
    if (!this.#isSeen) change({ seen: [...settings.seen, this.#name].slice(-MAX_SEEN) });
    this.#finish("quiet", t("page-puzzle-solution"));
    this.board.focus();
  }

  /** @param {[number, number]} cell */
  async #press(cell) {
    const { board } = this;
    if (this.#stage !== "asking" || board.state.cells[index(board.state, cell)] !== COVERED) return;
    const [current, run] = [this.#puzzle, this.#run];
    this.#stage = "judging";
    this.#time ??= Math.round(performance.now() - this.#shownAt);
    setMarks(board.state, [["last", [cell]]]);
    board.update();
    try {
      const { board: position, technique, level, seed, date } = current;
      const isToday = date === new Date().toISOString().slice(0, 10);
      const named = /** @type {Partial<Wire.PuzzleAnswerRequest>} */ (date && isToday ? { date } : { level, seed });
      const more = { ...(run && { run: run["id"] }), ...(this.#retries && { retry: true }) };
      const answer = await api.answer({ board: /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (position)), technique: /** @type {Wire.PuzzleAnswerRequest["technique"]} */ (technique), cell, counted: !this.#isSeen, ms: this.#time, ...named, ...more }); // prettier-ignore
      showStanding(this.rating, answer["standing"], answer["change"]);
      if (current !== this.#puzzle || this.#stage !== "judging") return;
      this.#stage = "asking";
      if (answer["verdict"] !== "harder") this.#tries.push(answer["verdict"] === "right");
      if (run) this.#judgeInRun(answer);
      else this.#judge(answer, cell);
    } catch (error) {
      if (this.#stage === "judging") this.#stage = "asking";
      this.page.notify(errorText(error), "error");
    }
  }

  /** @param {Wire.CountedAnswerJson} answer @param {import("../api.js").Cell} cell */
  #judge(answer, cell) {
    const what = answer["text"].replace(/\. .*/s, "."); // its proof may give the solution away
    const wrong = this.#tries.filter((right) => !right).length;
    const signs = /** @type {Parameters<typeof proofText>[2]} */ ([["last", cell]]);
    if (answer["verdict"] === "harder")
      this.#showVerdict("warn", t("page-puzzle-harder"), this.#hidden ? "" : what, { signs }); // prettier-ignore
    else if (answer["verdict"] === "right") this.#finish("good", t("page-puzzle-right"), answer);
    else if (wrong < MAX_TRIES) this.#showVerdict("bad", t("page-puzzle-wrong"), what, { signs });
    else this.#finish("bad", t("page-puzzle-wrong-solution"), answer);
    if (this.#stage === "done" && this.#puzzle["date"]) this.#shareDay(answer["standing"]["daily_streak"]);
  }

  /** @param {number} streak */
  #shareDay(streak) {
    const date = this.#puzzle["date"] ?? "";
    this.daily.showResult({ date, tries: this.#tries, ms: this.#time, streak });
    void this.daily.show(date);
  }

  // streaks and storms

  /** Say what the run is about; it starts with the button. */
  #prepareRun() {
    this.#run = null;
    this.#address = "";
    this.#stopClock();
    this.#dropAhead();
    this.#cancelLoad();
    this.#showAddress();
    this.#drawMode();
    this.#become("ready", t(this.#mode === "storm" ? "page-practise-storm-help" : "page-practise-streak-help"));
  }

  async #startRun() {
    try {
      const run = await api.startRun({ mode: this.#mode === "storm" ? "storm" : "streak", level: this.#level });
      this.#takeRun(run);
      if (this.#mode === "storm") this.#timer = setInterval(() => this.#tick(), CLOCK_MS);
      await this.#load(null);
      this.board.focus();
    } catch (error) {
      this.page.notify(errorText(error), "error");
    }
  }

  /** @param {Wire.CountedRunJson} run */
  #takeRun(run) {
    this.#run = run;
    this.runPanel.hidden = false;
    if (run["seconds_left"] !== null) this.#runEnd = performance.now() + 1000 * run["seconds_left"];
    this.#drawRun();
  }

  #drawRun() {
    const run = this.#run;
    if (!run) return;
    const left = Math.max(0, Math.ceil((this.#runEnd - performance.now()) / 1000));
    const time = /** @type {[string, string]} */ ([t("page-practise-time-left"), countdown(left)]);
    fill(this.status, h("strong", {}, number(run["score"])), run["mode"] === "storm" && h("span", {}, countdown(left)));
    fill(
      this.runPanel,
      h("h2", {}, runName(run)),
      facts([
        [t("page-practise-score"), run["score"]],
        [t("page-practise-best"), Math.max(run["best"], run["score"])],
        ...(run["mode"] === "storm" ? [time] : []),
      ]),
    );
  }

  #tick() {
    if (!this.element.isConnected) return; // another screen is shown; the server keeps the time
    this.#drawRun();
    if (performance.now() >= this.#runEnd && this.#stage !== "judging") this.#endRun();
  }

  #stopClock() {
    clearInterval(this.#timer);
  }

  /** @param {Wire.CountedAnswerJson} answer */
  #judgeInRun(answer) {
    if (answer["run"]) this.#takeRun(answer["run"]);
    if (answer["verdict"] === "harder") return this.#showVerdict("warn", t("page-puzzle-harder"), "");
    if (answer["run"]?.["over"]) return this.#endRun(answer);
    void this.#load(null).then(() => {
      if (this.#stage !== "asking" || this.#tries.length) return; // the run is over, or the next answer is judged
      const right = answer["verdict"] === "right";
      const key_ = right ? "page-puzzle-right" : "page-practise-storm-wrong";
      fill(this.verdict, h("span", { class: right ? "good" : "bad" }, t(key_)));
    });
  }

  /** The run is over; the solution of its last puzzle is shown if it was answered. @param {Wire.CountedAnswerJson} [answer] */
  #endRun(answer) {
    const run = this.#run;
    if (!run) return;
    this.#stopClock();
    this.#dropAhead();
    this.#cancelLoad();
    this.#run = null;
    fill(this.status);
    const isBest = run["score"] > 0 && run["score"] >= run["best"];
    const result = t(isBest ? "page-practise-run-best" : "page-practise-run-over", { score: number(run["score"]) });
    fill(this.runPanel, h("h2", {}, runName(run)), h("p", { class: "score" }, result));
    if (run["mistakes"]) this.runPanel.append(h("p", { class: "quiet" }, t("page-practise-run-retry")));
    if (answer?.["verdict"] === "wrong") this.#finish("bad", t("page-puzzle-wrong-solution"), answer);
    else {
      this.#become("nothing", result);
      void this.progress.load();
    }
    this.next.hidden = true;
    this.start.hidden = false;
    this.page.say(result);
  }

  // failed ones

  /** @param {Wire.FailedPuzzleJson[]} failed */
  #retry(failed) {
    this.#toMode("puzzles");
    this.#retries = failed.map(({ technique, level, seed }) => ({ technique, level, seed }));
    this.#next();
  }

  // going on

  #analyse() {
    const { state } = this.board;
    const mines = String(this.#puzzle["board"].total_mines);
    this.page.go("analyse", { board: positionText(state), mines, topology: state.topology });
  }

  /** A game from the position: the mines are drawn from all layouts that fit. */
  async #playOn() {
    const { rows, columns, total_mines: mines, cells } = this.#puzzle["board"];
    try {
      const game = await api.beginGame({ position: [`${columns}x${rows}x${mines}`, ...cells].join("\n") });
      this.page.go("play", { game: game["id"] });
    } catch (error) {
      this.page.notify(errorText(error), "error");
    }
  }
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  const screen = new Practise(page);
  return {
    element: screen.element,
    show: (named) => screen.show(named),
    hide: () => screen.hideScreen(),
    key: (event) => screen.key(event),
  };
}
