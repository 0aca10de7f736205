/**
 * The cells that a best move was compared with, as rows of a table: cells that are alike are one row, and every row has
 * its difference to the best, with the error of that difference. No DOM here.
 *
 * @typedef {import("../api.js").Cell} Cell
 * @typedef {Pick<Wire.RankedOptionJson, "cell" | "win_probability" | "standard_error">} Estimate
 * @typedef {Estimate & Partial<Omit<Wire.RankedOptionJson, keyof Estimate | "mine_probability">> & {mine_probability?: number | null, played_by?: string}} Move
 */
import { at } from "../format.js";
import { number, t } from "../messages.js";

/** Whether two cells are the same in every respect that was computed exactly. @param {Move} one @param {Move} other */
const isIdentical = (one, other) =>
  Boolean(one["win_fraction"]) &&
  (one["outlook"] ?? []).length > 0 &&
  one["win_fraction"] === other["win_fraction"] &&
  one["mine_probability"] === other["mine_probability"] &&
  JSON.stringify(one["outlook"]) === JSON.stringify(other["outlook"]);

/**
 * Moves whose cells are alike: the first cell is that of the move.
 * @template {Move} M
 * @typedef {{move: M, cells: Cell[]}} Row
 */

/**
 * @template {Move} M
 * @param {M[]} moves the best first; `alike` lists the cells that are the same by symmetry @returns {Row<M>[]}
 */
export function groupAlike(moves) {
  /** @type {Row<M>[]} */
  const rows = [];
  for (const move of moves) {
    const cell = /** @type {Cell} */ (move["cell"]);
    const name = String(cell);
    const row = rows.find(({ move: first, cells }) => cells.some((one) => String(one) === name) || isIdentical(first, move)); // prettier-ignore
    if (!row) rows.push({ move, cells: [cell, ...(move["alike"] ?? [])] });
    else {
      const known = new Set(row.cells.map(String));
      row.cells.push(...[cell, ...(move["alike"] ?? [])].filter((one) => !known.has(String(one))));
      const { win_probability, standard_error } = move;
      if (row.move["win_probability"] === null && win_probability !== null)
        row.move = { ...row.move, win_probability, standard_error };
    }
  }
  return rows;
}

/** The name of a row: "A1", or "A1 ×4" for four cells that are alike. @param {{cells: Cell[]}} row */
export const rowName = ({ cells: [first = [0, 0], ...others] }) =>
  others.length ? t("page-best-alike", { cell: at(first), count: others.length + 1 }) : at(first);

/**
 * How much more or less a cell wins than the best, and the error of that; null where it cannot be compared. Both are
 * estimated on the same layouts, so the error is at most that of independent estimates, which is shown.
 * @param {Move} move @param {Move} best
 * @returns {{value: number, error: number} | null}
 */
export function difference(move, best) {
  if (move["win_probability"] === null || best["win_probability"] === null) return null;
  if (move["played_by"] !== best["played_by"]) return null; // by two strategies
  const error = Math.hypot(move["standard_error"] ?? 0, best["standard_error"] ?? 0);
  return { value: move["win_probability"] - best["win_probability"], error };
}

/** @typedef {{value: number, error: number} | null} Gap */

/** Whether an estimate does not decide between two cells. @param {Gap} gap */
export const isClose = (gap) => gap !== null && gap.error > 0 && Math.abs(gap.value) <= gap.error;

/** A difference in percentage points with one decimal: "−1.2 ± 3.0". @param {Gap} gap */
export function differenceText(gap) {
  if (!gap) return t("page-unknown");
  const { value, error } = gap;
  const digits = number(Math.abs(value) * 100, 1);
  const sign = Number(Math.abs(value * 100).toFixed(1)) === 0 ? "" : value < 0 ? "−" : "+";
  return `${sign}${digits}${error ? `\u00a0±\u00a0${number(error * 100, 1)}` : ""}`;
}

/** What a difference means: "too close to call", or that another cell may be better. @param {Gap} gap */
export function differenceNote(gap) {
  if (isClose(gap)) return t("page-best-close");
  return gap && gap.error && gap.value > 0 ? t("page-best-maybe-better") : "";
}

/** Both in one line. @param {Gap} gap */
export const differenceLine = (gap) => [differenceText(gap), differenceNote(gap)].filter(Boolean).join(", ");
