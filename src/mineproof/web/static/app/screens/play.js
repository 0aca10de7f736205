/**
 * Play: the board of a game whose mines the server keeps, help with it, and the look back when it is over.
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import * as State from "../board/state.js";
import { h, segmented, set } from "../dom.js";
import { Coach } from "../panels/coach.js";
import { newGameDialog, summary, wanted } from "../panels/newgame.js";
import { options } from "../panels/options.js";
import { button, key } from "../panels/parts.js";
import { Review } from "../panels/review.js";
import { zoomButtons } from "../panels/zoom.js";
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

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  return new Play(page);
}

class Play {
  #odds = new AbortController();
  #shown = false;
  #place = -1; // the cell that is pointed at

  mines = h("span", { class: "counter", title: "Mines left", role: "img", "aria-label": "Mines left" });
  clock = h(
    "span",
    { class: "counter", title: "Seconds", role: "timer", "aria-label": "Seconds", "aria-live": "off" },
    "0",
  );
  level = button("New game …", () => this.dialog.open());
  pauseButton = button("Pause", () => this.pause());
  undoButton = button("Undo", () => this.undo());
  againButton = button("Same board", () => this.again());
  analyseButton = button("Analyse this position", () => this.analyse());
  overlay = segmented("What to show on covered cells", OVERLAYS, settings.overlay, (value) => this.tell(value));
  tap = segmented("What a tap does", TAPS, settings.tap, (value) => change({ tap: /** @type {"open"} */ (value) }));
  verdict = h("p", { class: "verdict" });
  result = h("section", { class: "panel", "aria-label": "Result", hidden: true });
  told = h("p", { class: "quiet" });
  overlays = h(
    "section",
    { class: "panel", "aria-label": "Overlay" },
    h("h2", {}, "Show on covered cells"),
    this.overlay,
    this.told,
  );
  under = h("span", {});
  veil = h("div", { class: "veil", hidden: true }, h("span", {}, "Paused. Click or press P to go on."));

  /** @param {import("../main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.session = new Session((view) => this.#changed(view), (error, asked) => this.#failed(error, asked)); // prettier-ignore
    this.board = new Board("Minesweeper board", {
      primary: (cell, how) => this.#primary(cell, how),
      secondary: (cell, how) => this.#mark(cell, how),
      chord: (cell, how) => this.#chord(cell, how),
      hover: (cell) => this.#hover(cell),
      preview: (cell, chord) => this.#preview(cell, chord),
    });
    this.coach = new Coach(this.session, this.board, (text) => page.say(text));
    this.review = new Review(this.board);
    this.dialog = newGameDialog(() => this.begin());
    this.board.state.overlay = settings.overlay;
    this.board.state.ruled = settings.ruled;
    this.element = this.#build();
    setInterval(() => this.#tick(), 200);
  }

  // what is on the page

  #build() {
    this.board.element.append(this.veil);
    const again = button(["Same board ", key("G")], () => this.again());
    const next = button(["New game ", key("N")], () => this.begin(), { class: "primary" });
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
          button("New", () => this.begin(), { class: "primary" }),
          this.clock,
          this.pauseButton,
          this.level,
          h("span", { class: "push row wide" }, this.undoButton, this.againButton),
        ),
        this.board.element,
        h("div", { class: "under row" }, this.under, zoomButtons(this.board)),
        h("div", { class: "thumb" }, this.coach.caption, this.tap, button("Hint", () => this.coach.hint()), button("Undo", () => this.undo())),
      ),
      h(
        "aside",
        { class: "side", "aria-label": "Help and review" },
        this.result,
        this.review.element,
        this.coach.element,
        this.overlays,
        h(
          "section",
          { class: "panel", "aria-label": "More" },
          h("div", { class: "row" }, this.analyseButton, button("Same board", () => this.again(), { class: "narrow" })),
          options(() => {
            this.board.state.ruled = settings.ruled;
            this.board.fit();
          }),
        ),
      ),
      this.dialog.element,
    ); // prettier-ignore
  }

  // being shown

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    this.#shown = true;
    const [layout, topology, id] = ["layout", "topology", "game"].map((name) => parameters.get(name));
    if (layout || id) history.replaceState(null, "", "#/play"); // a reload goes on with the game
    if (!this.session.view) void this.session.take(() => this.#kept());
    if (layout) void this.#replace(() => api.beginGame(topology ? { layout, topology } : { layout }));
    else if (id) void this.#replace(() => api.game(id));
    this.#focus();
  }

  /** The clock of a game does not run where it is not seen. */
  hide() {
    this.#shown = false;
    this.coach.thinking.forget();
    if (this.session.isRunning) this.pause();
  }

  /** The game that was on when the page was left, or a new one. */
  async #kept() {
    if (settings.game) {
      try {
        return await api.game(settings.game);
      } catch (error) {
        if (!(error instanceof api.ApiError) || error.status !== 404) throw error;
      }
    }
    return api.beginGame(wanted());
  }

  /** Another game, if the one that is on may be given up for it. @param {() => Promise<api.Document>} ask */
  async #replace(ask) {
    await this.session.take(async () => {
      if (this.session.view?.["status"] === "running" && !(await this.#asks()))
        return /** @type {api.Document} */ (this.session.view);
      return ask();
    });
  }

  /** Whether the player gives the game up that is on. @returns {Promise<boolean>} */
  #asks() {
    return new Promise((resolve) => {
      const yes = h("button", { type: "submit", class: "primary", value: "yes" }, "Give it up");
      const no = h("button", { type: "submit", value: "no" }, "Go on with it");
      const words = h("p", {}, "A game is on. Give it up for the other one?");
      const dialog = h(
        "dialog",
        { "aria-label": "Another game" },
        h("form", { method: "dialog" }, words, h("div", { class: "row" }, yes, no)),
      );
      dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes");
      });
      this.element.append(dialog);
      dialog.showModal();
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
    void this.session.take(() => api.beginGame(wanted()));
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

  /** @param {number} [mines] in all */
  analyse(mines = this.session.view?.["total_mines"]) {
    const { state } = this.board;
    this.page.go("analyse", { board: State.positionText(state), mines: String(mines), topology: state.topology });
  }

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
    if (!chords[how] || !State.isNumber(symbol) || symbol === "0") return false;
    if (this.#canMove()) this.#tryChord(cell);
    return true;
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
    if (this.session.isPaused) this.pause();
    else return Boolean(this.session.view) && !this.session.isOver;
    return false;
  }

  /** @param {import("../api.js").Cell} cell @param {boolean} chord */
  #preview(cell, chord) {
    if (this.session.isOver || this.session.isPaused) return [];
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
    this.coach.element.hidden = this.overlays.hidden = session.isOver;
    this.analyseButton.disabled = session.isPaused;
    this.review.close();
    this.#odds.abort();
    this.board.setCells(/** @type {any} */ (view));
    state.hidden = session.isPaused;
    this.veil.hidden = !session.isPaused;
    State.setOdds(state, null);
    if (session.isOver) State.showMines(state, view["mines"], view["exploded"], view["status"] === "won");
    change({ game: session.id });
    this.coach.forget();
    if (view["status"] === "new" && view["start"]) State.setMarks(state, [["start", [view["start"]]]]);
    const left = view["status"] === "won" ? 0 : view["mines_left"];
    this.mines.textContent = String(left);
    set(this.mines, { "aria-label": `${left} mines left` });
    this.pauseButton.textContent = session.isPaused ? "Go on" : "Pause";
    this.pauseButton.disabled = !session.isPaused && !session.isRunning;
    this.level.textContent = `${summary(view)} …`;
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
    this.page.say(this.verdict.textContent);
    const { id } = this.session;
    void this.review.open({
      review: (stop) => api.gameReview(id, stop),
      lesson: (stop) => api.gameLesson(id, stop),
      page: api.gameLessonPage(id),
      timeline: (stop) => api.gameTimeline(id, stop),
      from: (move) => void this.session.take(() => api.gameFrom(id, move)),
      analyse: (mines) => this.analyse(mines),
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

  /** @param {unknown} error @param {string} asked the kind of a move, or "take" */
  #failed(error, asked) {
    const { id } = this.session;
    if (!(error instanceof api.ApiError) || asked === "take") this.page.notify(failure(error), "error");
    else if (error.status === 404) {
      this.page.notify("That game is no longer there. Here is a new one.");
      this.begin();
    } else if (error.code === "illegal-move") {
      if (asked !== "chord") void this.session.take(() => api.game(id)); // it was moved in elsewhere
    } else this.page.notify(failure(error), "error");
    if (!this.session.view && asked === "take") this.level.textContent = "New game …";
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
