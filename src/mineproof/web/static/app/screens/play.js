/**
 * Play: the board of a game whose mines the server keeps, help with it, and the look back when it is over.
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import * as State from "../board/state.js";
import { h, segmented, set } from "../dom.js";
import { Coach } from "../panels/coach.js";
import { newGameDialog, summary, tick, wanted } from "../panels/newgame.js";
import { Review } from "../panels/review.js";
import { Session } from "../session.js";
import { change, settings } from "../settings.js";
import { cellLabel, exactPercent, failure } from "../words.js";

/** @type {[import("../board/state.js").Overlay, string][]} */
const OVERLAYS = [
  ["none", "None"],
  ["certain", "Certain"],
  ["odds", "Odds"],
  ["risk", "Risk"],
];

/** @type {[string, string][]} */
const TAPS = [
  ["open", "Dig"],
  ["flag", "Flag"],
];

const KEYS = [
  ["Arrows", "move"],
  ["Enter", "open"],
  ["F", "flag"],
  ["C", "chord"],
  ["H", "hint"],
  ["B", "best move"],
  ["O", "odds"],
  ["A", "let it play"],
  ["U", "undo"],
  ["P", "pause"],
  ["N", "new game"],
  ["G", "same board"],
];

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  return new Play(page);
}

class Play {
  #odds = new AbortController();
  #shown = false;
  #place = -1; // the cell that is pointed at
  #looksBack = false; // a game of the history is shown, and none is on

  mines = h("span", { class: "counter", title: "Mines left", role: "img", "aria-label": "Mines left" });
  clock = h(
    "span",
    { class: "counter", title: "Seconds", role: "timer", "aria-label": "Seconds", "aria-live": "off" },
    "0",
  );
  level = h("button", { type: "button", onclick: () => this.dialog.open() });
  pauseButton = h("button", { type: "button", onclick: () => this.pause() }, "Pause");
  undoButton = h("button", { type: "button", onclick: () => this.undo() }, "Undo");
  againButton = h("button", { type: "button", onclick: () => this.again() }, "Same board");
  overlay = segmented("What to show on covered cells", OVERLAYS, settings.overlay, (value) => this.tell(value));
  tap = segmented("What a tap does", TAPS, settings.tap, (value) => change({ tap: /** @type {"open"} */ (value) }));
  verdict = h("p", { class: "verdict", role: "status" });
  result = h("section", { class: "panel", "aria-label": "Result", hidden: true });
  told = h("p", { class: "quiet" });
  under = h("span", {});
  veil = h("div", { class: "veil", hidden: true }, h("span", {}, "Paused. Click or press P to go on."));

  /** @param {import("../main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.session = new Session((view) => this.#changed(view), (error) => this.#failed(error)); // prettier-ignore
    this.board = new Board("Minesweeper board", {
      primary: (cell, how) => this.#primary(cell, how),
      secondary: (cell, how) => this.#mark(cell, how),
      chord: (cell, how) => this.#chord(cell, how),
      hover: (cell) => this.#hover(cell),
      preview: (cell, chord) => this.#preview(cell, chord),
    });
    this.coach = new Coach(this.session, this.board);
    this.review = new Review(this.board);
    this.dialog = newGameDialog(() => this.begin());
    this.board.state.overlay = settings.overlay;
    this.board.state.ruled = settings.ruled;
    this.element = this.#build();
    setInterval(() => this.#tick(), 200);
  }

  // what is on the page

  #build() {
    const zoom = (/** @type {number} */ by) => () => {
      const [width, height] = this.board.view.room;
      this.board.view.zoom(this.board.state.size * by, width / 2, height / 2);
      this.board.input.moved();
    };
    this.board.element.append(this.veil);
    const again = h("button", { type: "button", onclick: () => this.again() }, "Same board ", h("kbd", {}, "G"));
    const next = h(
      "button",
      { type: "button", class: "primary", onclick: () => this.begin() },
      "New game ",
      h("kbd", {}, "N"),
    );
    this.result.append(this.verdict, h("div", { class: "row" }, next, again));
    return h(
      "div",
      { class: "layout play" },
      h("h1", { class: "unseen" }, "Play"),
      h(
        "div",
        { class: "work" },
        h(
          "div",
          { class: "bar" },
          this.mines,
          h("button", { type: "button", class: "primary", onclick: () => this.begin() }, "New"),
          this.clock,
          this.pauseButton,
          this.level,
          h("span", { class: "push row wide" }, this.undoButton, this.againButton),
        ),
        this.board.element,
        h(
          "div",
          { class: "under row" },
          this.under,
          h(
            "span",
            { class: "push row zoom" },
            h("button", { type: "button", class: "plain", "aria-label": "Smaller", onclick: zoom(0.8) }, "−"),
            h("button", { type: "button", class: "plain", onclick: () => this.board.fit(true) }, "Fit"),
            h("button", { type: "button", class: "plain", "aria-label": "Larger", onclick: zoom(1.25) }, "+"),
          ),
        ),
      ),
      h(
        "aside",
        { class: "side", "aria-label": "Help and review" },
        this.result,
        this.review.element,
        this.coach.element,
        h("section", { class: "panel", "aria-label": "Overlay" }, h("h2", {}, "Show on covered cells"), this.overlay, this.told),
        this.#options(),
      ),
      h(
        "div",
        { class: "thumb" },
        this.coach.caption,
        this.tap,
        h("button", { type: "button", onclick: () => this.coach.hint() }, "Hint"),
        h("button", { type: "button", onclick: () => this.undo() }, "Undo"),
      ),
      this.dialog.element,
    ); // prettier-ignore
  }

  #options() {
    const ruled = () => {
      this.board.state.ruled = settings.ruled;
      this.board.fit();
    };
    const rule = h("input", { type: "checkbox", checked: settings.chord_rule === "at-least" });
    rule.addEventListener("change", () => change({ chord_rule: rule.checked ? "at-least" : "equal" }));
    return h(
      "section",
      { class: "panel", "aria-label": "More" },
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => this.analyse() }, "Analyse this position"),
        h("button", { type: "button", class: "narrow", onclick: () => this.again() }, "Same board"),
      ),
      h(
        "details",
        {},
        h("summary", {}, "Options"),
        h("p", { class: "help" }, "Left opens, right flags. A chord opens around a number whose flags are set. Chord with:"),
        tick("left click on the number", "", "chordLeft"),
        tick("middle click", "", "chordMiddle"),
        tick("both buttons", "", "chordBoth"),
        tick("double click", "", "chordDouble"),
        h("label", { class: "tick" }, rule, h("span", {}, "chord with more flags than the number too", h("small", {}, "From the next game on."))),
        tick("question marks", "A second right click puts one in place of the flag.", "questions"),
        tick("number rows and columns", "Hints count them from 0.", "ruled", ruled),
      ),
      h(
        "details",
        {},
        h("summary", {}, "Keys and touch"),
        h("div", { class: "keys" }, KEYS.map(([key, words]) => h("span", {}, h("kbd", {}, key), " ", words))),
        h("p", { class: "help" }, "The wheel or two fingers zoom; drag to move a board that is larger than the screen. On a touch screen a long press does what a tap does not: flag or dig."),
      ),
    ); // prettier-ignore
  }

  // being shown

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    this.#shown = true;
    const [layout, number, id] = ["layout", "history", "game"].map((name) => parameters.get(name));
    if (layout || number || id) history.replaceState(null, "", "#/play"); // a reload goes on with the game
    if (layout) void this.session.take(() => api.beginGame({ layout, ...this.#topology(parameters) }));
    else if (number) void this.#past(Number(number));
    else if (id) void this.session.take(() => api.game(id));
    else if (!this.session.view) void this.#resume();
    this.#focus();
  }

  hide() {
    this.#shown = false;
    if (this.coach.isPlaying) void this.coach.autoplay();
  }

  /** @param {URLSearchParams} parameters */
  #topology(parameters) {
    const topology = parameters.get("topology");
    return topology ? { topology } : {};
  }

  async #resume() {
    if (settings.game) {
      try {
        const view = await api.game(settings.game);
        if (view["status"] === "new" || view["status"] === "running") {
          await this.session.take(async () => view);
          return;
        }
      } catch (error) {
        if (!(error instanceof api.ApiError) || error.status !== 404) {
          this.#failed(error);
          return;
        }
      }
    }
    await this.begin();
  }

  /** Show a game of the history. @param {number} number */
  async #past(number) {
    this.#looksBack = true;
    this.result.hidden = true;
    this.coach.element.hidden = true;
    await this.review.open({
      review: (stop) => api.historyReview(number, stop),
      timeline: (stop) => api.historyTimeline(number, stop),
      from: (move) => void this.session.take(() => api.historyFrom(number, move)),
    });
  }

  /** Keys go to the board, whose cursor is not shown before one is used. */
  #focus() {
    if (!this.#shown || document.activeElement?.closest("dialog, input, select")) return;
    this.board.focus();
    this.board.state.cursorShown = false;
  }

  // what the player does

  begin() {
    return this.session.take(() => api.beginGame(wanted()));
  }

  again() {
    const { id } = this.session;
    if (id) void this.session.take(() => api.again(id));
  }

  undo() {
    if (this.undoButton.disabled) return;
    void this.session.move("undo");
  }

  pause() {
    const { session } = this;
    if (session.isPaused) void session.take(() => api.resume(session.id));
    else if (session.isRunning) void session.take(() => api.pause(session.id));
  }

  analyse() {
    const { state } = this.board;
    const rows = Array.from({ length: state.rows }, (_, row) => state.cells.slice(row * state.columns, (row + 1) * state.columns));
    const text = rows.map((row) => row.map((symbol) => (symbol === "?" || symbol === "*" || symbol === "X" ? "#" : symbol === "W" ? "F" : symbol)).join("")).join("/");
    const mines = this.session.view?.["total_mines"];
    this.page.go("analyse", { board: text, ...(mines === undefined ? {} : { mines: String(mines) }), topology: state.topology });
  } // prettier-ignore

  /** @param {string} overlay */
  tell(overlay) {
    change({ overlay: /** @type {import("../board/state.js").Overlay} */ (overlay) });
    this.board.state.overlay = settings.overlay;
    this.overlay.choose(overlay);
    void this.#askOdds();
  }

  /** @param {import("../api.js").Cell} cell @param {import("../board/input.js").How} how */
  #primary(cell, how) {
    if (!this.#canMove()) return;
    const symbol = this.board.state.cells[State.index(this.board.state, cell)];
    if (how === "touch" && settings.tap === "flag" && State.isCovered(symbol)) void this.session.move("flag", cell);
    else if (symbol === State.COVERED || symbol === State.QUESTION) void this.session.move("open", cell);
    else if (State.isNumber(symbol) && symbol !== "0" && settings.chordLeft) this.#tryChord(cell);
  }

  /** @param {import("../api.js").Cell} cell @param {import("../board/input.js").How} how */
  #mark(cell, how) {
    if (!this.#canMove()) return;
    const symbol = this.board.state.cells[State.index(this.board.state, cell)];
    if (!State.isCovered(symbol)) return;
    const digs = how === "touch" && settings.tap === "flag" && symbol !== State.FLAG;
    const goesOn = symbol === State.QUESTION || (settings.questions && symbol === State.FLAG);
    void this.session.move(digs ? "open" : goesOn ? "question" : "flag", cell);
  }

  /** @param {import("../api.js").Cell} cell @param {"middle" | "both" | "double" | "key"} how */
  #chord(cell, how) {
    const chords = { middle: settings.chordMiddle, both: settings.chordBoth, double: settings.chordDouble, key: true };
    const symbol = this.board.state.cells[State.index(this.board.state, cell)];
    if (this.#canMove() && chords[how] && State.isNumber(symbol) && symbol !== "0") this.#tryChord(cell);
  }

  /**
   * Ask for a chord, unless it is plain that it would be refused: flags are missing, or nothing is covered.
   * @param {import("../api.js").Cell} cell
   */
  #tryChord(cell) {
    const { board } = this;
    const number = Number(board.state.cells[State.index(board.state, cell)]);
    if (board.aroundWith(cell, State.FLAG).length < number || !board.aroundWith(cell, State.COVERED).length) return;
    void this.session.move("chord", cell);
  }

  #canMove() {
    if (this.#looksBack || !this.session.view || this.session.isOver) return false;
    if (this.session.isPaused) this.pause();
    else return true;
    return false;
  }

  /** @param {import("../api.js").Cell} cell @param {boolean} chord */
  #preview(cell, chord) {
    if (this.#looksBack || this.session.isOver || this.session.isPaused) return [];
    const symbol = this.board.state.cells[State.index(this.board.state, cell)];
    if (State.isNumber(symbol) && symbol !== "0")
      return chord || settings.chordLeft ? this.board.aroundWith(cell, State.COVERED) : [];
    return chord ? [] : [cell];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, () => unknown>} */
    const keys = {
      h: () => this.coach.hint(),
      b: () => this.coach.best(),
      a: () => this.coach.autoplay(),
      o: () => this.tell(settings.overlay === "odds" ? "none" : "odds"),
      u: () => this.undo(),
      p: () => this.pause(),
      n: () => this.begin(),
      g: () => this.again(),
    };
    const act = keys[event.key.toLowerCase()];
    if (act) act();
    else if (event.key.startsWith("Arrow")) this.board.focus();
    return Boolean(act) || event.key.startsWith("Arrow");
  }

  // what the server says

  /** @param {import("../api.js").Document} view */
  #changed(view) {
    const { state } = this.board;
    const { session } = this;
    const isNew = session.id !== settings.game || session.turn === 1;
    this.#looksBack = false;
    this.coach.element.hidden = session.isOver;
    change({ game: session.id });
    this.review.close();
    this.#odds.abort();
    this.board.setCells(/** @type {any} */ (view));
    state.hidden = session.isPaused;
    this.veil.hidden = !session.isPaused;
    State.setOdds(state, null);
    if (session.isOver) State.showMines(state, view["mines"], view["exploded"]);
    this.coach.forget();
    if (view["status"] === "new" && view["start"]) State.setMarks(state, [["start", [view["start"]]]]);
    this.mines.textContent = String(view["mines_left"]);
    set(this.mines, { "aria-label": `${view["mines_left"]} mines left` });
    this.pauseButton.textContent = session.isPaused ? "Go on" : "Pause";
    this.pauseButton.disabled = !session.isPaused && !session.isRunning;
    this.level.textContent = `${summary()} …`;
    this.undoButton.disabled = view["status"] === "new" || session.isPaused;
    this.againButton.disabled = view["status"] === "new";
    this.#tick();
    this.#end(view);
    if (isNew) this.#place = -1;
    this.#update();
    if (isNew) this.#focus();
    if (view["outcome"]) this.#tell(view);
    if (!session.isOver) void this.#askOdds();
  }

  /** @param {import("../api.js").Document} view */
  #tell({ outcome, status }) {
    const opened = outcome.opened.length;
    if (status === "running" && opened)
      this.page.say(opened === 1 ? `opened ${outcome.opened[0][2]}` : `${opened} cells opened`);
    if (outcome.redrawn) this.page.notify("That was a forced guess: the mines moved out of its way.");
  }

  /** @param {import("../api.js").Document} view */
  #end(view) {
    const over = this.session.isOver;
    this.result.hidden = !over;
    if (!over) return;
    this.verdict.textContent =
      view["status"] === "won" ? `Won in ${view["seconds"].toFixed(2)} s.` : "Lost: that was a mine.";
    this.verdict.className = `verdict ${view["status"] === "won" ? "good" : "bad"}`;
    const { id } = this.session;
    void this.review.open({
      review: (stop) => api.gameReview(id, stop),
      timeline: (stop) => api.gameTimeline(id, stop),
      from: (move) => void this.session.take(() => api.gameFrom(id, move)),
    });
  }

  async #askOdds() {
    this.#odds.abort();
    const { state } = this.board;
    const { session } = this;
    this.told.textContent = RISK[settings.overlay] ?? "";
    if (settings.overlay === "none" || session.isOver || session.isPaused || !session.view) {
      this.#update();
      return;
    }
    const { signal } = (this.#odds = new AbortController());
    const { turn } = session;
    try {
      const analysis = await api.gameOdds(session.id, { signal });
      if (turn !== session.turn) return;
      State.setOdds(state, /** @type {any} */ (analysis));
      if (settings.overlay === "risk") {
        this.told.textContent = `Risk taken so far: ${exactPercent(1 - state.survived)}. A cell shows what it would be after opening it.`;
      }
    } catch (error) {
      if (api.isAbort(error)) return;
      this.told.textContent = failure(error);
    }
    this.#update();
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof api.ApiError && error.code === "illegal-move") return; // such as a chord without its flags
    if (error instanceof api.ApiError && error.status === 404) {
      this.page.notify("That game is no longer there. Here is a new one.");
      void this.begin();
      return;
    }
    this.page.notify(failure(error), "error");
  }

  // small things

  #update() {
    this.board.update();
    this.#describe();
  }

  #tick() {
    if (this.#shown) this.clock.textContent = String(Math.floor(this.session.seconds));
  }

  /** @param {import("../api.js").Cell | null} cell */
  #hover(cell) {
    this.#place = cell ? State.index(this.board.state, cell) : -1;
    this.#describe();
  }

  /** Say what is known of the cell that is pointed at. */
  #describe() {
    this.under.textContent = this.#place < 0 ? "" : cellLabel(this.board.state, this.#place);
  }
}

/** @type {Record<string, string>} */
const RISK = {
  none: "Nothing but what you see.",
  certain: "Cells that are certainly safe (tick) or certainly mines (cross).",
  odds: "The chance of a mine in per cent; tick and cross are certain.",
  risk: "The chance to have lost by now, if this cell is opened next.",
};
