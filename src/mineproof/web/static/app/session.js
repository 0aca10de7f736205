/**
 * One game as the page knows it: the latest view from the server, and the player's moves that it has not confirmed yet.
 *
 * A move is shown at once (`shown`), and sent when all earlier ones are confirmed. It carries the number of moves before
 * it, so the server makes it only in the position that the page knows. A move that has become pointless, such as opening
 * a cell that a flood has opened, is not sent. Without a connection moves wait, and are sent again when it is back; the
 * server recognises a move that it has already made. No DOM here.
 *
 * @typedef {import("./api.js").Cell} Cell
 *
 * @typedef {object} PendingMove
 * @property {string} kind
 * @property {Cell | undefined} cell
 * @property {string} game id of the game it is meant for
 * @property {string} mark symbol that a flag or question move leads to; "" for other kinds
 * @property {boolean} mayBeMade whether it was sent and the response got lost
 * @property {number} number of moves before it, as it was sent; -1 before that
 * @property {(isMade: boolean) => void} done
 */
import * as api from "./api.js";
import { around } from "./board/shape.js";
import { COVERED, FLAG, QUESTION, isCovered, isNumber, symbolsOf } from "./board/state.js";
import { t } from "./messages.js";

const RETRY_MILLISECONDS = [500, 1000, 2000, 4000]; // waits between two attempts without a connection
const CHANNEL = "mineproof-game";

export class Session {
  /** The latest view, a mineproof/view/1; null before the first game. @type {import("./api.js").View | null} */
  view = null;
  /** Counts the views, so that answers about an earlier one can be ignored. */
  turn = 0;
  /** Moves that the server has not confirmed, in their order. @type {PendingMove[]} */
  pending = [];
  /** The last move that the server has confirmed. @type {PendingMove | null} */
  lastMove = null;
  /** Whether the last attempt to send a move got no response. */
  isOffline = false;
  #since = 0; // when the view came, on the browser's clock
  /** Loads that wait for the moves before them. @type {{load: () => Promise<import("./api.js").View>, after: PendingMove | undefined, done: () => void}[]} */
  #loads = [];
  #isWorking = false;
  #wake = () => {}; // ends the wait before the next attempt
  /** @type {BroadcastChannel | null} */
  #tabs = null;

  /**
   * @param {(view: import("./api.js").View) => void} changed
   * @param {(error: unknown, action: string) => void} failed with the kind of the move, or "take"
   * @param {() => void} [pressed] the pending moves have changed, or the connection was lost
   */
  constructor(changed, failed, pressed = () => {}) {
    this.changed = changed;
    this.failed = failed;
    this.pressed = pressed;
  }

  /** @returns {string} */
  get id() {
    return this.view?.["id"] ?? "";
  }

  get isOver() {
    return this.view?.["status"] === "won" || this.view?.["status"] === "lost";
  }

  get isPaused() {
    return this.view?.["paused"] === true;
  }

  get isRunning() {
    return this.view?.["status"] === "running" && !this.isPaused;
  }

  /** The clock: the server's, and the time since its last view. */
  get seconds() {
    const known = this.view?.["seconds"] ?? 0;
    return this.isRunning ? known + (performance.now() - this.#since) / 1000 : known;
  }

  /**
   * What to show now: the cells of the view with the marks of pending moves, and the cells that pending moves open.
   * @returns {{cells: string[], opening: Set<number>, minesLeft: number}}
   */
  shown() {
    const cells = symbols(this.view);
    const before = cells.filter((symbol) => symbol === FLAG).length;
    /** @type {Set<number>} */
    const opening = new Set();
    for (const move of withoutUndone(this.pending)) {
      const place = this.#place(move.cell);
      if (move.mark && isCovered(cells[place])) cells[place] = move.mark;
      else if (move.kind === "open" && cells[place] !== FLAG && isCovered(cells[place])) opening.add(place);
      else if (move.kind === "chord") for (const one of this.#chorded(cells, move.cell)) opening.add(one);
    }
    const flags = cells.filter((symbol) => symbol === FLAG).length - before;
    return { cells, opening, minesLeft: (this.view?.["mines_left"] ?? 0) - flags };
  }

  /** Load another game, or another state of this one, after the moves before it. @param {() => Promise<import("./api.js").View>} load */
  take(load) {
    const waits = /** @type {Promise<void>} */ (
      new Promise((done) => this.#loads.push({ load, after: this.pending.at(-1), done }))
    );
    this.#wake();
    void this.#work();
    return waits;
  }

  /** Show a move at once and send it; returns whether it was made. @param {string} kind @param {Cell} [cell] */
  move(kind, cell) {
    if (kind === "undo" && this.isOver && !this.pending.length) return this.#undoEnd();
    return /** @type {Promise<boolean>} */ (
      new Promise((done) => {
        const mark = cell ? this.#markAfter(kind, cell) : "";
        this.pending.push({ kind, cell, game: this.id, mark, mayBeMade: false, number: -1, done });
        this.pressed();
        void this.#work();
      })
    );
  }

  /** Try to send pending moves now: the connection may be back. */
  retry() {
    this.#wake();
  }

  /** Follow the same game in other tabs of this browser, so that a tab never moves in an old position. */
  followTabs() {
    if (typeof BroadcastChannel === "undefined") return;
    this.#tabs = new BroadcastChannel(CHANNEL);
    this.#tabs.onmessage = ({ data }) => {
      if (data?.["id"] !== this.id || data["moves"] < (this.view?.["moves"] ?? 0)) return;
      if (data["moves"] === this.view?.["moves"] && data["paused"] === this.view?.["paused"]) return;
      this.#see({ ...data, outcome: undefined });
    };
  }

  // sending

  /** Send moves and loads one after the other, until there are none. */
  async #work() {
    if (this.#isWorking) return;
    this.#isWorking = true;
    await undefined; // presses of the same event come first
    let failures = 0;
    for (;;) {
      const [move] = this.pending;
      const load = this.#loads.find(({ after }) => !after || !this.pending.includes(after));
      if (load) await this.#load(load);
      else if (!move) break;
      else if (await this.#send(move)) failures = 0;
      else {
        this.#rejectLoads();
        await this.#wait(RETRY_MILLISECONDS[Math.min(failures++, RETRY_MILLISECONDS.length - 1)] ?? 0);
      }
    }
    this.#isWorking = false;
  }

  /** @param {{load: () => Promise<import("./api.js").View>, done: () => void}} waiting */
  async #load(waiting) {
    this.#loads = this.#loads.filter((one) => one !== waiting);
    try {
      this.#see(await waiting.load());
      this.#tell();
    } catch (error) {
      this.failed(error, "take");
    }
    waiting.done();
  }

  /** Without a connection nothing can be loaded; the player hears so at once. */
  #rejectLoads() {
    const waiting = this.#loads;
    this.#loads = [];
    for (const { done } of waiting) done();
    if (waiting.length) this.failed(api.offline("page-error-no-response"), "take");
  }

  /** Send the first pending move, if it still has a meaning; returns false if there was no response. @param {PendingMove} move */
  async #send(move) {
    if (move.kind === "undo" && this.isOver && move.game === this.id) {
      this.pending.shift();
      await this.#load({ load: () => api.move(move.game, { kind: "undo" }), done: () => move.done(true) });
      return true;
    }
    if (!move.mayBeMade && !this.#isStillMeant(move)) return this.#settle(move, false);
    if (!move.mayBeMade) move.number = this.view?.["moves"] ?? -1;
    try {
      const view = await api.move(move.game, this.#body(move));
      this.isOffline = false;
      this.pending.shift();
      this.lastMove = move;
      if (move.game === this.id) this.#see(view); // else another game was loaded meanwhile
      this.#tell();
      move.done(true);
    } catch (error) {
      return this.#refused(move, error);
    }
    return true;
  }

  /** @param {PendingMove} move */
  #body({ kind, cell, number, mayBeMade }) {
    return {
      kind: /** @type {Wire.MoveRequest["kind"]} */ (kind),
      ...(cell && { cell }),
      ...(number >= 0 && { moves: number }),
      ...(mayBeMade && { retry: true }),
    };
  }

  /** @param {PendingMove} move @param {unknown} error */
  async #refused(move, error) {
    if (error instanceof api.ApiError && error.code === "offline" && move.number >= 0) {
      this.isOffline = move.mayBeMade = true;
      this.pressed();
      return false;
    }
    this.isOffline = false;
    if (error instanceof api.ApiError && error.code === "illegal-move" && move.number >= 0) {
      const latest = await api.game(move.game).catch(() => null);
      if (latest && latest["moves"] !== move.number && move.game === this.id) {
        move.mayBeMade = false; // another tab or device has moved: look whether the move still has a meaning
        this.#see(latest);
        return true;
      }
    }
    this.#settle(move, false);
    this.failed(error, move.kind);
    return true;
  }

  /** @param {PendingMove} move @param {boolean} isMade */
  #settle(move, isMade) {
    this.pending = this.pending.filter((one) => one !== move);
    move.done(isMade);
    this.pressed();
    return true;
  }

  /** Whether a move still does what the player saw, in the view that the server has confirmed. @param {PendingMove} move */
  #isStillMeant({ kind, cell, game, mark }) {
    if (game !== this.id || this.isPaused || this.isOver) return false;
    if (!cell || !this.view?.["cells"]) return true;
    const cells = symbols(this.view);
    const symbol = cells[this.#place(cell)];
    if (kind === "open") return symbol === COVERED || symbol === QUESTION;
    if (kind === "chord") return isNumber(symbol) && this.#chorded(cells, cell).length > 0;
    return isCovered(symbol) && symbol !== mark;
  }

  /** An undo after the end is another game, so it is loaded like one. */
  async #undoEnd() {
    const { id } = this;
    const { turn } = this;
    await this.take(() => api.move(id, { kind: "undo" }));
    return turn !== this.turn;
  }

  /** @param {number} milliseconds */
  #wait(milliseconds) {
    return /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      })
    );
  }

  /** Show the view in other tabs, too. */
  #tell() {
    this.#tabs?.postMessage(this.view);
  }

  /** @param {import("./api.js").View} view */
  #see(view) {
    if (view["schema"] !== "mineproof/view/1") throw new Error(t("page-error-no-game"));
    for (const move of this.pending.filter(({ game }) => game !== view["id"])) this.#settle(move, false);
    this.view = view;
    this.turn++;
    this.#since = performance.now();
    this.changed(view);
  }

  // cells

  /** @param {Cell | undefined} cell */
  #place(cell) {
    return cell ? cell[0] * (this.view?.["columns"] ?? 0) + cell[1] : -1;
  }

  /** The symbol that a mark move leads to, as the cell is shown now. @param {string} kind @param {Cell} cell */
  #markAfter(kind, cell) {
    if (kind !== "flag" && kind !== "question") return "";
    const mark = kind === "flag" ? FLAG : QUESTION;
    return this.shown().cells[this.#place(cell)] === mark ? COVERED : mark;
  }

  /** The covered cells around a number. @param {string[]} cells @param {Cell | undefined} cell */
  #chorded(cells, cell) {
    const { view } = this;
    if (!cell || !view?.rows) return [];
    const { rows, columns } = view;
    const topology = /** @type {import("./board/state.js").Topology} */ (view.topology);
    const places = around(...cell, { rows, columns, topology }).map((one) => this.#place(one));
    return places.filter((place) => cells[place] === COVERED || cells[place] === QUESTION);
  }
}

/** The cells of a view, one symbol each. @param {import("./api.js").View | null} view @returns {string[]} */
const symbols = (view) => symbolsOf(view?.["cells"] ?? []);

/** Moves in effect: an undo takes back the pending move before it. @param {PendingMove[]} moves */
function withoutUndone(moves) {
  /** @type {PendingMove[]} */
  const kept = [];
  for (const move of moves) {
    if (move.kind === "undo") kept.pop();
    else kept.push(move);
  }
  return kept;
}
