/**
 * The first moves of a game while the engine is still loading: deals one of the boards that the site brings along, opens
 * cells and sets flags. It answers what is certain to be the same later, and nothing else: a move that ends the game, a
 * chord or a hint waits for the engine, which takes the game over. No DOM here.
 *
 * @typedef {{seed: number, mines: number[]}} Deal a beginner board: its seed and the places of its mines
 * @typedef {import("../api.js").Cell} Cell
 *
 * @typedef {object} OpeningGame
 * @property {string} id
 * @property {Wire.NewGameRequest} options as they were sent
 * @property {number | null} seed of its board, once that is chosen
 * @property {[kind: string, cell: Cell][]} moves
 * @property {number} since when the clock began, in milliseconds since 1970; 0 before that
 */
import { around } from "../board/shape.js";

const [ROWS, COLUMNS, MINES] = [9, 9, 10];
const ID_BYTES = 18; // as ids of games have
const PLAIN = { level: "beginner", topology: "grid", fairness: "none", no_guess: false };
const COVERED = "#";
const FLAG = "F";

const place = (/** @type {Cell} */ [row, column]) => row * COLUMNS + column;

export class Opening {
  /** @type {OpeningGame | null} */
  game = null;

  /** @param {Deal[]} deals @param {(game: OpeningGame) => void} keep the game has changed */
  constructor(deals, keep) {
    this.deals = deals;
    this.keep = keep;
  }

  /** A new game, or nothing where only the engine can begin it. @param {Wire.NewGameRequest} options @returns {Wire.LiveViewJson | null} */
  begin(options) {
    if (
      Object.entries(PLAIN).some(
        ([name, value]) => options[/** @type {keyof Wire.NewGameRequest} */ (name)] !== value,
      ) ||
      "layout" in options
    )
      return null;
    const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
    const id = btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
    this.game = { id, options, seed: null, moves: [], since: 0 };
    if (options["first_click"] === "any") this.game.seed = this.#deal(() => true);
    this.keep(this.game);
    return this.view();
  }

  /** The view after a move, or nothing where only the engine can make it. @param {Wire.MoveRequest} move @returns {Wire.MovedJson | null} */
  move({ kind, cell }) {
    const game = /** @type {OpeningGame} */ (this.game);
    const before = this.#cells();
    const symbol = cell ? before[place(cell)] : "";
    if (!cell) return null;
    if (kind === "open" && symbol === COVERED) {
      const seed = game.seed ?? this.#deal((mines) => isFine(mines, cell, game.options["first_click"] ?? "safe"));
      const mines = this.#mines(seed);
      if (mines.has(place(cell))) return null;
      const next = [...before];
      open(next, mines, cell);
      const covered = next.filter((one) => one === COVERED || one === FLAG).length;
      if (covered === MINES) return null;
      game.seed = seed;
      game.since ||= Date.now();
    } else if (kind !== "flag" || (symbol !== COVERED && symbol !== FLAG)) return null;
    game.moves.push([kind, cell]);
    this.keep(game);
    const after = this.#cells();
    const opened = after.flatMap((one, index) =>
      one === before[index] || one === FLAG || one === COVERED
        ? []
        : [/** @type {[number, number, number]} */ ([Math.floor(index / COLUMNS), index % COLUMNS, Number(one)])],
    );
    return { ...this.view(), outcome: { opened, exploded: [], redrawn: false } };
  }

  /** What the player sees, a mineproof/view/1. @returns {Wire.LiveViewJson} */
  view() {
    const { id, moves, since } = /** @type {OpeningGame} */ (this.game);
    const cells = this.#cells();
    const rows = Array.from({ length: ROWS }, (_, row) => cells.slice(row * COLUMNS, (row + 1) * COLUMNS).join(""));
    const flags = cells.filter((one) => one === FLAG).length;
    return {
      id,
      moves: moves.length,
      schema: "mineproof/view/1",
      rows: ROWS,
      columns: COLUMNS,
      topology: "grid",
      total_mines: MINES,
      mines_left: MINES - flags,
      status: since ? "running" : "new",
      seconds: since ? (Date.now() - since) / 1000 : 0,
      paused: false,
      cells: rows,
      redraws: 0,
      exploded: [],
    };
  }

  /** The seed of a board, chosen at random among those that will do. @param {(mines: Set<number>) => boolean} willDo */
  #deal(willDo) {
    const good = this.deals.filter(({ mines }) => willDo(new Set(mines)));
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    return good[random % good.length]?.seed ?? -1;
  }

  /** @param {number} seed */
  #mines(seed) {
    return new Set(this.deals.find((deal) => deal.seed === seed)?.mines);
  }

  /** The cells after all moves, one symbol each. */
  #cells() {
    const { moves, seed } = /** @type {OpeningGame} */ (this.game);
    /** @type {string[]} */
    const cells = Array(ROWS * COLUMNS).fill(COVERED);
    for (const [kind, cell] of moves)
      if (kind === "flag") cells[place(cell)] = cells[place(cell)] === FLAG ? COVERED : FLAG;
      else open(cells, this.#mines(seed ?? -1), cell);
    return cells;
  }
}

const neighbours = (/** @type {Cell} */ cell) => around(...cell, { rows: ROWS, columns: COLUMNS, topology: "grid" });

/** Does the first click need no mine to move? @param {Set<number>} mines @param {Cell} cell @param {string} rule */
const isFine = (mines, cell, rule) =>
  ![cell, ...(rule === "open" ? neighbours(cell) : [])].some((one) => mines.has(place(one)));

/** Open a cell, and all around where no mine is. @param {string[]} cells @param {Set<number>} mines @param {Cell} start */
function open(cells, mines, start) {
  const todo = [start];
  for (let cell = todo.pop(); cell; cell = todo.pop()) {
    if (cells[place(cell)] !== COVERED) continue;
    const near = neighbours(cell);
    const count = near.filter((one) => mines.has(place(one))).length;
    cells[place(cell)] = String(count);
    if (count === 0) todo.push(...near);
  }
}
