/**
 * One request at a time: a new one stops the one before, and the server stops working on it.
 */
import { isAbort } from "./api.js";

export class Latest {
  /** @type {AbortController | null} */
  #current = null;

  /**
   * @template T
   * @param {(stop: {signal: AbortSignal}) => Promise<T>} work
   * @returns {Promise<T | null>} null if it was stopped
   */
  async ask(work) {
    this.stop();
    const mine = (this.#current = new AbortController());
    try {
      const answer = await work({ signal: mine.signal });
      return mine.signal.aborted ? null : answer;
    } catch (error) {
      if (mine.signal.aborted || isAbort(error)) return null;
      throw error;
    } finally {
      if (this.#current === mine) this.#current = null;
    }
  }

  get busy() {
    return this.#current !== null;
  }

  stop() {
    this.#current?.abort();
    this.#current = null;
  }
}
