/**
 * Addresses of puzzles: which puzzle an address names, and how a puzzle is named without giving its technique away.
 * No DOM.
 *
 *
 * @typedef {NonNullable<Wire.PuzzleRequest["technique"]>} Technique
 */

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const SEED = /^\d{1,16}$/;
const CODE = /^([\da-z]+)-(\d+)-(\d{1,16})$/;

/**
 * The options of the puzzle that an address names, null if it names none, or "bad" if it names one that cannot be.
 * @param {URLSearchParams} named @param {string} today @param {readonly string[]} techniques in the order of the server
 * @returns {Wire.PuzzleRequest | null | "bad"}
 */
export function puzzleOptions(named, today, techniques) {
  const { daily, technique, level = "expert", seed, puzzle } = Object.fromEntries(named);
  if (puzzle !== undefined) return decodePuzzle(puzzle, techniques) ?? "bad";
  if (technique !== undefined && !techniques.includes(technique)) return "bad";
  if (daily !== undefined) {
    if (!DATE.test(daily) || daily > today) return "bad";
    return daily === today ? { daily: true } : { date: daily };
  }
  if (seed === undefined) return null;
  if (!SEED.test(seed) || !Number.isSafeInteger(Number(seed))) return "bad";
  return { ...(technique && { technique: /** @type {Technique} */ (technique) }), level, seed: Number(seed) };
}

/**
 * The technique of an address that names no puzzle, as links of lessons do.
 * @param {URLSearchParams} named
 */
export const techniqueOf = (named) =>
  named.has("seed") || named.has("daily") || named.has("puzzle") ? null : named.get("technique");

/**
 * The address of a puzzle; a hidden technique is a digit that also depends on the seed.
 * @param {Wire.PuzzleJson} puzzle @param {boolean} hidden @param {readonly string[]} techniques
 */
export function puzzleAddress({ date, technique, level, seed }, hidden, techniques) {
  if (date) return String(new URLSearchParams({ daily: date }));
  if (!hidden) return String(new URLSearchParams({ technique, level, seed: String(seed) }));
  const digit = (techniques.indexOf(technique) + ((seed ?? 0) % techniques.length)) % techniques.length;
  return String(new URLSearchParams({ puzzle: `${level}-${digit}-${seed}` }));
}

/** @param {string} code @param {readonly string[]} techniques @returns {Wire.PuzzleRequest | null} */
function decodePuzzle(code, techniques) {
  const [, level, digit, seed] = CODE.exec(code) ?? [];
  if (!level || !Number.isSafeInteger(Number(seed)) || Number(digit) >= techniques.length) return null;
  const place = (Number(digit) - (Number(seed) % techniques.length) + techniques.length) % techniques.length;
  return { technique: /** @type {Technique} */ (techniques[place]), level, seed: Number(seed) };
}

/**
 * The weeks of a month, from Monday on: dates such as 2026-11-01, or "" before the first and after the last.
 * @param {string} month such as 2026-11
 * @returns {string[][]}
 */
export function weeksOf(month) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const days = [
    ...Array(before).fill(""),
    ...Array.from({ length }, (_, day) => `${month}-${String(day + 1).padStart(2, "0")}`),
  ];
  while (days.length % 7) days.push("");
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7));
}

/** Another month. @param {string} month such as 2026-11 @param {number} by */
export function otherMonth(month, by) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}
