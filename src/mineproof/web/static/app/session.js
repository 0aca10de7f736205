/**
 * One game as the page knows it: what the server last said of it, and the moves that are on their way. Moves are sent
 * one after the other, in the order in which they were made. No DOM here.
 *
 * @typedef {import("./api.js").Cell} Cell
 * @typedef {import("./api.js").Document} Document
 */
import * as api from "./api.js";

export class Session {
  /** What is seen: the keys of mineproof/view/1; null before the first game. @type {Document | null} */
  view = null;
  /** How many moves were answered: what was told about another board is old. */
  turn = 0;
  #since = 0; // when the view came, on the browser's clock
  /** @type {Promise<void>} */
  #last = Promise.resolve();

  /**
   * @param {(view: Document) => void} changed
   * @param {(error: unknown, asked: string) => void} failed with the kind of the move, or "take"
   */
  constructor(changed, failed) {
    this.changed = changed;
    this.failed = failed;
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

  /** The clock: the server's, and what has passed since it was asked. */
  get seconds() {
    const known = this.view?.["seconds"] ?? 0;
    return this.isRunning ? known + (performance.now() - this.#since) / 1000 : known;
  }

  /** Ask for another game, or for another state of this one. @param {() => Promise<Document>} ask */
  async take(ask) {
    await this.#queue("take", async () => this.#see(await ask()));
  }

  /** Whether it was made. @param {string} kind @param {Cell} [cell] */
  async move(kind, cell) {
    const { id } = this;
    let made = false;
    await this.#queue(kind, async () => {
      if (id !== this.id || this.isPaused || (this.isOver && kind !== "undo")) return; // meant for what was there before
      this.#see(await api.move(id, cell ? { kind, cell } : { kind }));
      made = true;
    });
    return made;
  }

  /** @param {string} asked @param {() => Promise<void>} work */
  #queue(asked, work) {
    this.#last = this.#last.then(work).catch((error) => this.failed(error, asked));
    return this.#last;
  }

  /** @param {Document} view */
  #see(view) {
    if (view["schema"] !== "mineproof/view/1") throw new Error("That is not a game.");
    this.view = view;
    this.turn++;
    this.#since = performance.now();
    this.changed(view);
  }
}
