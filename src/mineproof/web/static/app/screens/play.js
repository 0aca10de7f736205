/**
 * Play: the board of a game whose mines only the server knows, help with it, and the review when it is over.
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import * as State from "../board/state.js";
import { h, icon, segmented } from "../dom.js";
import { Coach } from "../panels/coach.js";
import { Frame } from "../panels/frame.js";
import { gameOptions, levelBar, sizeName } from "../panels/newgame.js";
import { button } from "../panels/parts.js";
import { Result } from "../panels/result.js";
import { Review } from "../panels/review.js";
import { zoomButtons } from "../panels/zoom.js";
import { Session } from "../session.js";
import * as sounds from "../sounds.js";
import { change, settings } from "../settings.js";
import { cellLabel, errorText, exactPercent } from "../format.js";
import { t, tn } from "../messages.js";

/** @returns {[import("../board/state.js").Overlay, string][]} */
const overlays = () => [
  ["none", t("page-overlay-none")],
  ["certain", t("page-overlay-certain")],
  ["odds", t("page-overlay-odds")],
  ["risk", t("page-overlay-risk")],
];

/** @type {Record<import("../board/state.js").Overlay, string>} */
const OVERLAY_HELP = {
  none: "page-overlay-none-help",
  certain: "page-overlay-certain-help",
  odds: "page-overlay-odds-help",
  risk: "page-overlay-risk-help",
};

/** @returns {[string, string][]} */
const taps = () => [
  ["open", t("page-tap-open")],
  ["flag", t("page-tap-flag")],
];

const RESTART_MILLISECONDS = 8000; // in which a second press of "Same board" restarts a game in progress

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  return new Play(page);
}

class Play {
  #odds = new AbortController();
  #shown = false;
  #place = -1; // the cell that is pointed at
  #fixed = ""; // the game on given mines, where the first click can lose
  /** The game in progress that was left for the game with this id. @type {{id: string, restore: () => void, notice: AbortController} | null} */
  #left = null;
  /** "Same board" was pressed once; not aborted while a second press restarts. @type {AbortController | null} */
  #restart = null;

  undoButton = button([icon("undo"), t("page-undo")], () => this.undo(), { class: "plain undo" });
  againButton = button([icon("again"), t("page-same-board")], () => this.again(), { class: "plain" });
  analyseButton = button(t("page-analyse-position"), () => this.analyse(), { class: "plain" });
  overlay = segmented(t("page-overlay"), overlays(), settings.overlay, (value) => this.setOverlay(value));
  tap = segmented(t("page-tap"), taps(), settings.tap, (value) => change({ tap: /** @type {"open"} */ (value) }));
  result = new Result({
    review: () => this.review.element.scrollIntoView({ block: "start" }),
    begin: () => this.begin(),
    again: () => this.again(),
  });
  waiting = h("p", { class: "waiting-moves", role: "status", hidden: true });
  overlayHelp = h("p", { class: "quiet" });
  overlays = h(
    "section",
    { class: "panel", "aria-label": t("page-overlay") },
    h("h2", {}, t("page-overlay")),
    this.overlay,
    this.overlayHelp,
  );
  under = h("span", {});
  veil = h("div", { class: "veil", hidden: true }, h("span", {}, t("page-paused")));

  /** @param {import("../main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.session = new Session((view) => this.#changed(view), (error, action) => this.#failed(error, action), () => this.#showPending()); // prettier-ignore
    this.session.followTabs();
    addEventListener("online", () => this.session.retry());
    this.board = new Board(t("page-board"), {
      primary: (cell, how) => this.#primary(cell, how),
      secondary: (cell, how) => this.#mark(cell, how),
      chord: (cell, how) => this.#chord(cell, how),
      hover: (cell) => this.#hover(cell),
      preview: (cell, chord) => this.#preview(cell, chord),
    });
    this.coach = new Coach(this.session, this.board, (text) => page.say(text));
    this.review = new Review(this.board);
    this.frame = new Frame(this.board, { begin: () => this.begin(), pause: () => this.pause() });
    this.levels = levelBar(() => this.begin());
    this.board.state.overlay = settings.overlay;
    this.element = this.#build();
    this.#showOddsButton();
    setInterval(() => this.#tick(), 200);
  }

  // what is on the page

  #build() {
    this.board.element.append(this.veil, this.waiting);
    const side = h(
      "aside",
      { class: "side", id: "side", "aria-label": t("page-side") },
      this.review.element,
      this.coach.element,
      this.overlays,
      h(
        "div",
        { class: "narrow row" },
        button([icon("again"), t("page-same-board")], () => this.again()),
        button(t("page-analyse-position"), () => this.analyse()),
        button(t("page-zoom-fit"), () => this.frame.fit(true)),
      ),
    );
    return h(
      "div",
      { class: "layout play" },
      h("h1", { class: "unseen" }, t("page-screen-play")),
      this.levels.element,
      h(
        "div",
        { class: "work" },
        this.frame.element,
        h("div", { class: "under row" }, this.under, this.#tools()),
      ),
      h("div", { class: "rail" }, this.result.element, side),
      this.#thumbBar(side),
    ); // prettier-ignore
  }

  /** What is done with the game, below the board. */
  #tools() {
    const zoom = zoomButtons(this.board, () => this.frame.fit(true));
    return h("span", { class: "tools push row" }, this.undoButton, this.againButton, this.analyseButton, zoom);
  }

  /** The buttons for the thumb, on a touch screen. @param {HTMLElement} side a sheet that "More" opens there */
  #thumbBar(side) {
    const labelled = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ press) =>
      button([icon(name), h("span", {}, label)], press);
    const more = labelled("more", t("page-more"), () => open(!side.classList.contains("open")));
    const open = (/** @type {boolean} */ isOpen) => {
      side.classList.toggle("open", isOpen);
      more.setAttribute("aria-expanded", String(isOpen));
    };
    open(false);
    more.setAttribute("aria-controls", side.id);
    this.board.canvas.addEventListener("pointerdown", () => open(false));
    for (const tap of this.tap.querySelectorAll("button"))
      tap.replaceChildren(icon(tap.dataset["value"] ?? ""), h("span", {}, tap.textContent ?? ""));
    this.oddsButton = labelled("odds", t("page-overlay-odds"), () => this.toggleOdds());
    this.helpButtons = [
      this.oddsButton,
      labelled("best", t("page-best-move"), () => {
        if (this.coach.thinker.isOffered) open(true); // a second press thinks longer, and the sheet shows the table
        void this.coach.best();
      }),
      labelled("hint", t("page-hint"), () => this.coach.hint()),
    ];
    return h(
      "div",
      { class: "thumb" },
      this.coach.caption,
      this.tap,
      this.helpButtons,
      labelled("undo", t("page-undo-short"), () => this.undo()),
      more,
    );
  }

  // being shown

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    this.#shown = true;
    const [layout, topology, id] = ["layout", "topology", "game"].map((name) => parameters.get(name));
    if (layout || id) history.replaceState(null, "", "#/play"); // a reload continues the game
    if (!this.session.view) void this.session.take(() => this.#lastGame());
    if (layout) void this.#replace(() => this.#beginLayout(topology ? { layout, topology } : { layout }));
    else if (id) void this.#replace(() => api.game(id));
    this.#focus();
  }

  /** The clock of a game stops while another screen is shown. */
  hide() {
    this.#shown = false;
    this.coach.thinker.reset();
    if (this.session.isRunning) this.pause();
  }

  /** A game on given mines, none of which moves. @param {Record<string, string>} request */
  async #beginLayout(request) {
    const view = await api.beginGame(request);
    this.#fixed = view["id"];
    return view;
  }

  /** The game that was open when the page was closed, or a new one. */
  async #lastGame() {
    if (settings.game) {
      try {
        return await api.game(settings.game);
      } catch (error) {
        if (!(error instanceof api.ApiError) || error.status !== 404) throw error;
      }
    }
    return api.beginGame(gameOptions());
  }

  /** Load another game, if the player agrees to abandon the current one. @param {() => Promise<api.View>} load */
  async #replace(load) {
    await this.session.take(async () => {
      if (this.session.view?.["status"] === "running" && !(await this.#confirmAbandon()))
        return /** @type {api.View} */ (this.session.view);
      return load();
    });
  }

  /** Ask whether to abandon the current game. @returns {Promise<boolean>} */
  #confirmAbandon() {
    return new Promise((resolve) => {
      const yes = h("button", { type: "submit", value: "yes" }, t("page-abandon"));
      const no = h("button", { type: "submit", class: "primary", value: "no" }, t("page-keep-playing"));
      const question = h("p", {}, t("page-abandon-question"));
      const dialog = h(
        "dialog",
        { "aria-label": t("page-abandon-title") },
        h("form", { method: "dialog" }, question, h("div", { class: "row" }, no, yes)),
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
    void this.#leave(() => api.beginGame(gameOptions()));
  }

  /** Start another game. One that is in progress is paused, and Undo brings it back. @param {() => Promise<api.View>} load */
  async #leave(load) {
    const { session } = this;
    const [left, wasRunning] = [session.id, session.isRunning];
    const inProgress = session.view?.["status"] === "running";
    await session.take(load);
    if (!inProgress || session.id === left) return;
    if (wasRunning) void api.pause(left).catch(() => {}); // its clock stops
    const restore = () => void session.take(() => (wasRunning ? api.resume(left) : api.game(left)));
    this.undoButton.disabled = false;
    this.#left = { id: session.id, restore, notice: new AbortController() };
    const action = { label: t("page-undo"), act: () => this.undo(), until: this.#left.notice.signal };
    this.page.notify(t("page-new-game-started"), "note", action);
  }

  again() {
    const { id, view } = this.session;
    if (!id) return;
    // the server deletes a game in progress then, so that its board cannot be tried out first: ask for a second press
    const isSure = view?.["status"] !== "running" || this.#restart?.signal.aborted === false;
    if (isSure) return void this.session.take(() => api.again(id));
    const restart = (this.#restart = new AbortController());
    setTimeout(() => restart.abort(), RESTART_MILLISECONDS);
    const action = { label: t("page-same-board"), act: () => this.again(), until: restart.signal };
    this.page.notify(t("page-same-board-question"), "note", action);
  }

  /** Take the last move back; on a board without a move, return to the game that was left for it. */
  undo() {
    if (this.#left?.id === this.session.id && this.session.view?.["status"] === "new") return this.#left.restore();
    if (this.undoButton.disabled) return;
    void this.session.move("undo");
  }

  pause() {
    const { session } = this;
    if (session.isPaused) void session.take(() => api.resume(session.id));
    else if (session.isRunning) void session.take(() => api.pause(session.id));
  }

  /** @param {number} [mines] on the whole board */
  analyse(mines = this.session.view?.["total_mines"]) {
    const { state } = this.board;
    this.page.go("analyse", { board: State.positionText(state), mines: String(mines), topology: state.topology });
  }

  toggleOdds() {
    this.setOverlay(settings.overlay === "odds" ? "none" : "odds");
  }

  /** @param {string} overlay */
  setOverlay(overlay) {
    change({ overlay: /** @type {import("../board/state.js").Overlay} */ (overlay) });
    this.board.state.overlay = settings.overlay;
    this.overlay.choose(overlay);
    this.#showOddsButton();
    void this.#loadOdds();
  }

  /** @param {import("../api.js").Cell} cell @param {import("../board/input.js").How} how */
  #primary(cell, how) {
    const symbol = this.#symbolToPress(cell);
    if (symbol === null) return;
    if (how === "touch" && settings.tap === "flag" && State.isCovered(symbol)) this.#make("flag", cell);
    else if (symbol === State.COVERED || symbol === State.QUESTION) this.#make("open", cell);
    else if (State.isNumber(symbol) && symbol !== "0" && settings.chordLeft) this.#tryChord(cell);
  }

  /** @param {import("../api.js").Cell} cell @param {import("../board/input.js").How} how */
  #mark(cell, how) {
    const symbol = this.#symbolToPress(cell);
    if (symbol === null || !State.isCovered(symbol)) return;
    const opens = how === "touch" && settings.tap === "flag" && symbol !== State.FLAG;
    const turns = symbol === State.QUESTION || (settings.questions && symbol === State.FLAG);
    this.#make(opens ? "open" : turns ? "question" : "flag", cell);
  }

  /** The symbol of a cell that can be pressed now, else null; a cell that is opening waits for its answer. @param {import("../api.js").Cell} cell */
  #symbolToPress(cell) {
    const { state } = this.board;
    const place = State.index(state, cell);
    return this.#canMove() && !state.opening.has(place) ? (state.cells[place] ?? null) : null;
  }

  /** Make a move: it is seen, heard and felt at once. @param {string} kind @param {import("../api.js").Cell} cell */
  #make(kind, cell) {
    const { state } = this.board;
    void this.session.move(kind, cell);
    if (kind === "open" || kind === "chord") sounds.play(kind);
    else {
      const effect = state.cells[State.index(state, cell)] === State.FLAG ? "flag" : "unflag";
      sounds.play(effect);
      sounds.vibrate("flag");
      this.#animate(effect, [cell], cell);
    }
  }

  /** @param {string} kind @param {import("../api.js").Cell[]} cells @param {import("../api.js").Cell} [origin] */
  #animate(kind, cells, origin = cells[0]) {
    const { play } = /** @type {{play?: (effect: object) => void}} */ (/** @type {unknown} */ (this.board));
    play?.call(this.board, { kind, cells, origin });
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
   * Send a chord, unless the server would refuse it: flags are missing, or nothing is covered.
   * @param {import("../api.js").Cell} cell
   */
  #tryChord(cell) {
    const { board } = this;
    const number = Number(board.state.cells[State.index(board.state, cell)]);
    if (board.aroundWith(cell, State.FLAG).length < number || !board.aroundWith(cell, State.COVERED).length) return;
    this.#make("chord", cell);
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
      o: () => this.toggleOdds(),
      u: () => this.undo(),
      p: () => this.pause(),
      n: () => this.begin(),
      g: () => this.again(),
      1: () => this.levels.start(0),
      2: () => this.levels.start(1),
      3: () => this.levels.start(2),
      ",": () => this.coach.step(-1),
      ".": () => this.coach.step(1),
      escape: () => this.coach.close(),
    };
    const act = keys[event.key.toLowerCase()];
    if (act) act();
    else if (event.key.startsWith("Arrow")) this.board.focus();
    return Boolean(act) || event.key.startsWith("Arrow");
  }

  // answers of the server

  /** @param {api.View} view */
  #changed(view) {
    const { state } = this.board;
    const { session } = this;
    const isNew = session.id !== settings.game || session.turn === 1;
    this.coach.element.hidden = this.overlays.hidden = session.isOver;
    this.analyseButton.disabled = session.isPaused;
    for (const help of this.helpButtons ?? []) help.disabled = session.isOver || session.isPaused;
    this.analyseButton.hidden = session.isOver; // the review has one
    this.review.close();
    this.#odds.abort();
    this.board.setCells(/** @type {any} */ (view));
    this.#showPending();
    state.hidden = session.isPaused;
    this.veil.hidden = !session.isPaused;
    State.setOdds(state, null);
    if (session.isOver) State.showMines(state, view["mines"] ?? [], view["exploded"], view["status"] === "won");
    change({ game: session.id });
    this.coach.reset();
    if (view["status"] === "new" && view["start"]) State.setMarks(state, [["start", [view["start"]]]]);
    this.frame.show({
      left: view["status"] === "won" ? 0 : view["mines_left"],
      mood: view["status"] === "won" ? "won" : view["status"] === "lost" ? "lost" : "playing",
      isPaused: session.isPaused,
      canPause: session.isPaused || session.isRunning,
    });
    this.levels.show(view);
    this.#restart?.abort();
    if (this.#left && (this.#left.id !== session.id || view["status"] !== "new")) {
      this.#left.notice.abort();
      this.#left = null;
    }
    if (isNew) this.frame.fit();
    this.undoButton.disabled = (view["status"] === "new" && !this.#left) || session.isPaused;
    this.againButton.disabled = view["status"] === "new";
    this.#tick();
    this.#end(view);
    if (isNew) this.#place = -1;
    this.#update();
    if (isNew) this.#focus();
    if (view["outcome"]) this.#announce(view, view["outcome"]);
    if (view["outcome"]) this.#celebrate(view, view["outcome"]);
    if (!session.isOver) void this.#loadOdds();
  }

  /** @param {api.View} view @param {Wire.OutcomeJson} outcome */
  #announce({ status }, outcome) {
    const opened = outcome.opened.length;
    if (status === "running" && opened)
      this.page.say(tn("page-opened", opened, { number: outcome.opened[0]?.[2] ?? 0 }));
    if (outcome.redrawn) this.page.notify(t("page-mines-moved"));
  }

  /** Show and play the effect of the last move. @param {api.View} view @param {Wire.OutcomeJson} outcome */
  #celebrate({ status, mines }, outcome) {
    const { cell } = this.session.lastMove ?? {};
    const opened = outcome.opened.map(([row, column]) => /** @type {api.Cell} */ ([row, column]));
    if (opened.length) this.#animate("open", opened, cell);
    if (outcome.exploded.length) {
      this.#animate("explode", outcome.exploded);
      sounds.play("explode");
      sounds.vibrate("explode");
    } else if (status === "won") {
      this.#animate("win", mines ?? [], cell);
      sounds.play("win");
    }
  }

  /** Show the marks of moves that the server has not confirmed, and the cells that they open as pressed. */
  #showPending() {
    const { board, session } = this;
    const { state } = board;
    const { cells, opening, minesLeft } = session.shown();
    const isShown = !session.isOver && !session.isPaused && cells.length === state.cells.length;
    const changed = State.setOpening(state, isShown ? opening : new Set());
    if (isShown) {
      for (const [place, symbol] of cells.entries()) if (symbol !== state.cells[place]) changed.push(place);
      state.cells = cells;
    }
    board.mirror.request();
    board.view.request(changed);
    if (session.view) this.frame.setMinesLeft(session.view["status"] === "won" ? 0 : minesLeft);
    const isWaiting = session.isOffline && session.pending.length > 0;
    this.waiting.hidden = !isWaiting;
    const text = isWaiting ? tn("page-offline-moves", session.pending.length) : "";
    if (this.waiting.textContent !== text) this.waiting.textContent = text;
  }

  /** @param {api.View} view */
  #end(view) {
    if (!this.session.isOver) return this.result.close();
    const { id, turn } = this.session;
    const isShown = () => this.session.turn === turn;
    this.result.open(view);
    this.page.say(this.result.verdict.textContent ?? "");
    api.gameResult(id).then(
      (result) => isShown() && this.result.setResult(result),
      () => {}, // the result is complete without record and streak
    );
    void this.review.open({
      review: async (stop) => {
        const review = await api.gameReview(id, stop);
        if (isShown()) this.result.setReview(review);
        return review;
      },
      lesson: (stop) => api.gameLesson(id, stop),
      page: api.gameLessonPage(id),
      timeline: (stop) => api.gameTimeline(id, stop),
      from: (move) => void this.session.take(() => api.gameFrom(id, move)),
      analyse: (mines) => this.analyse(mines),
    });
  }

  /** Whether nothing was opened yet and the first click is safe: odds would only frighten, and count as help. */
  get #cannotLose() {
    return this.session.view?.["status"] === "new" && this.session.id !== this.#fixed && settings.first_click !== "any";
  }

  async #loadOdds() {
    this.#odds.abort();
    const { state } = this.board;
    const { session } = this;
    this.overlayHelp.textContent = t(OVERLAY_HELP[settings.overlay]);
    if (settings.overlay === "none" || session.isOver || session.isPaused || !session.view || this.#cannotLose) {
      this.#update();
      return;
    }
    const { signal } = (this.#odds = new AbortController());
    const { turn } = session;
    try {
      const analysis = await api.gameOdds(session.id, { signal });
      if (turn !== session.turn) return;
      State.setOdds(state, analysis);
      if (settings.overlay === "risk") {
        this.overlayHelp.textContent = t("page-risk-so-far", { chance: exactPercent(1 - state.survived) });
      }
    } catch (error) {
      if (api.isAbort(error)) return;
      this.overlayHelp.textContent = errorText(error);
    }
    this.#update();
  }

  /** @param {unknown} error @param {string} action the kind of a move, or "take" */
  #failed(error, action) {
    const { id } = this.session;
    if (!(error instanceof api.ApiError) || action === "take") this.page.notify(errorText(error), "error");
    else if (error.status === 404) {
      this.page.notify(t("page-game-gone"));
      this.begin();
    } else if (error.code === "illegal-move") {
      if (action !== "chord") void this.session.take(() => api.game(id)); // another tab has moved
    } else this.page.notify(errorText(error), "error");
  }

  // small things

  #update() {
    this.board.update();
    this.#describe();
  }

  #tick() {
    if (this.#shown) this.frame.tick(this.session.seconds);
  }

  /** @param {import("../api.js").Cell | null} cell */
  #hover(cell) {
    this.#place = cell ? State.index(this.board.state, cell) : -1;
    this.#describe();
  }

  /** Describe the cell under the pointer, or else the game. */
  #describe() {
    const { view } = this.session;
    const game = view ? sizeName(view) : "";
    this.under.textContent = this.#place < 0 ? game : cellLabel(this.board.state, this.#place);
  }

  #showOddsButton() {
    this.oddsButton?.setAttribute("aria-pressed", String(settings.overlay === "odds"));
  }
}
