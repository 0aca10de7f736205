/**
 * The positions of the tutorial. The page does not judge them: `open` are exactly the cells that are certainly safe and
 * `flag` exactly those that are certainly mines. `tests/web/test_tutorial.py` counts every position and checks both.
 * No DOM here.
 *
 * @typedef {[number, number]} Cell
 * @typedef {object} Step
 * @property {string} id
 * @property {[title: string, task: string, tip: string, done: string]} texts keys of its texts
 * @property {string} position rows as in a link
 * @property {string} solution the same board with all numbers and mines
 * @property {number | null} mines in all; null if the number does not matter
 * @property {Cell[]} open cells to open
 * @property {Cell[]} flag cells to flag
 * @property {Cell[]} because numbers that prove it
 * @property {Cell} [chord] the number to press
 * @property {boolean} [guess] nothing is certain: any of the covered cells will do
 */

/** @type {Step[]} */
export const STEPS = [
  {
    id: "numbers",
    texts: ["page-learn-numbers-title", "page-learn-numbers-task", "page-learn-numbers-tip", "page-learn-numbers-done"],
    position: "F###/1111/0000",
    solution: "*11*/1111/0000",
    mines: null,
    open: [[0, 1], [0, 2]],
    flag: [[0, 3]],
    because: [[1, 0], [1, 1]],
  },
  {
    id: "flag",
    texts: ["page-learn-flag-title", "page-learn-flag-task", "page-learn-flag-tip", "page-learn-flag-done"],
    position: "1#1/111/000",
    solution: "1*1/111/000",
    mines: null,
    open: [],
    flag: [[0, 1]],
    because: [[0, 0]],
  },
  {
    id: "chord",
    texts: ["page-learn-chord-title", "page-learn-chord-task", "page-learn-chord-tip", "page-learn-chord-done"],
    position: "###/#1F/###",
    solution: "011/01*/011",
    mines: null,
    open: [[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1], [2, 2]],
    flag: [],
    because: [[1, 1]],
    chord: [1, 1],
  },
  {
    id: "1-1",
    texts: ["page-learn-1-1-title", "page-learn-1-1-task", "page-learn-1-1-tip", "page-learn-1-1-done"],
    position: "#####/11111/00000",
    solution: "1*11*/11111/00000",
    mines: null,
    open: [[0, 2]],
    flag: [],
    because: [[1, 0], [1, 1]],
  },
  {
    id: "1-2",
    texts: ["page-learn-1-2-title", "page-learn-1-2-task", "page-learn-1-2-tip", "page-learn-1-2-done"],
    position: "#####/12221/00000",
    solution: "1**2*/12221/00000",
    mines: null,
    open: [],
    flag: [[0, 2]],
    because: [[1, 0], [1, 1]],
  },
  {
    id: "1-2-1",
    texts: ["page-learn-1-2-1-title", "page-learn-1-2-1-task", "page-learn-1-2-1-tip", "page-learn-1-2-1-done"],
    position: "###/121/000",
    solution: "*2*/121/000",
    mines: null,
    open: [[0, 1]],
    flag: [[0, 0], [0, 2]],
    because: [[1, 0], [1, 1], [1, 2]],
  },
  {
    id: "1-2-2-1",
    texts: ["page-learn-1-2-2-1-title", "page-learn-1-2-2-1-task", "page-learn-1-2-2-1-tip", "page-learn-1-2-2-1-done"],
    position: "####/1221/0000",
    solution: "1**1/1221/0000",
    mines: null,
    open: [[0, 0], [0, 3]],
    flag: [[0, 1], [0, 2]],
    because: [[1, 0], [1, 1], [1, 2], [1, 3]],
  },
  {
    id: "count",
    texts: ["page-learn-count-title", "page-learn-count-task", "page-learn-count-tip", "page-learn-count-done"],
    position: "1##/###",
    solution: "111/1*1",
    mines: 1,
    open: [[0, 2], [1, 2]],
    flag: [],
    because: [[0, 0]],
  },
  {
    id: "guess",
    texts: ["page-learn-guess-title", "page-learn-guess-task", "page-learn-guess-tip", "page-learn-guess-done"],
    position: "#10/#10",
    solution: "110/*10",
    mines: 1,
    open: [],
    flag: [],
    because: [[0, 1], [1, 1]],
    guess: true,
  },
]; // prettier-ignore

/** Rows of symbols. @param {string} text */
export const rowsOf = (text) => text.split("/");

/** The symbol at a cell. @param {string} text @param {Cell} cell */
export const symbolAt = (text, [row, column]) => rowsOf(text)[row]?.[column] ?? "~";

/** Whether a list has a cell. @param {Cell[]} cells @param {Cell} cell */
export const has = (cells, [row, column]) => cells.some(([r, c]) => r === row && c === column);

/**
 * A step that a player works on: which cells are done, and what a press means. A press is right if it opens a safe
 * cell or flags a mine, and otherwise named by what is wrong with it.
 */
export class Attempt {
  /** @type {string[][]} */
  cells;
  /** @type {Cell[]} */
  #done = [];
  isDone = false;

  /** @param {Step} step */
  constructor(step) {
    this.step = step;
    this.cells = rowsOf(step.position).map((row) => [...row]);
  }

  /** Rows of text, as the board takes them. */
  get rows() {
    return this.cells.map((row) => row.join(""));
  }

  /** Cells that are still to be opened and flagged. @returns {Cell[]} */
  get left() {
    return [...this.#open, ...this.#flag].filter((cell) => !has(this.#done, cell));
  }

  /** In the first step a mine is known, too, but the task is to open the safe cells. */
  get #flag() {
    return this.step.id === "numbers" ? [] : this.step.flag;
  }

  get #open() {
    return this.step.open;
  }

  /**
   * @param {"open" | "flag"} kind @param {Cell} cell
   * @returns {"right" | "done" | "mine" | "safe" | "uncertain" | "use-chord" | "flags-missing" | "nothing"}
   */
  press(kind, cell) {
    const { step } = this;
    const symbol = this.cells[cell[0]]?.[cell[1]] ?? "~";
    if (this.isDone) return "nothing";
    if (step.chord) return this.#chord(cell, symbol);
    if (symbol === "F" && kind === "flag" && !has(this.#done, cell)) return "nothing";
    if (symbol !== "#") return "nothing";
    if (step.guess) return kind === "open" ? this.#reveal(cell) : "uncertain";
    if (kind === "open" && has(step.open, cell)) return this.#reveal(cell);
    if (kind === "flag" && has(this.#flag, cell)) return this.#reveal(cell, "F");
    if (has(step.open, cell)) return "safe";
    return has(step.flag, cell) ? "mine" : "uncertain";
  }

  /** @param {Cell} cell @param {string} symbol */
  #chord(cell, symbol) {
    if (symbol === "#") return "use-chord";
    if (!this.step.chord || !has([this.step.chord], cell)) return "nothing";
    for (const safe of this.step.open) this.#reveal(safe);
    return "done";
  }

  /** @param {Cell} cell @param {string} [symbol] */
  #reveal(cell, symbol = symbolAt(this.step.solution, cell)) {
    const row = this.cells[cell[0]];
    if (row) row[cell[1]] = symbol;
    this.#done.push(cell);
    this.isDone = this.step.guess === true || this.left.length === 0;
    return this.isDone ? "done" : "right";
  }
}
