/**
 * What the player likes, kept by the browser. Every setting is declared here once, with its default.
 */

const KEY = "mineproof";

export const DEFAULTS = {
  /** "auto" follows the system. @type {"auto" | "light" | "dark"} */
  theme: "auto",
  level: "beginner",
  rows: 16,
  columns: 30,
  mines: 99,
  topology: "grid",
  first_click: "open",
  fairness: "none",
  no_guess: false,
  /** A chord needs as many flags as the number says, or at least as many. @type {"equal" | "at-least"} */
  chord_rule: "equal",
  /** What chords, besides the key C. */
  chordLeft: true,
  chordMiddle: true,
  chordBoth: true,
  chordDouble: true,
  /** Whether a mark goes on from a flag to a question mark. */
  questions: false,
  /** What a tap does. @type {"open" | "flag"} */
  tap: "open",
  /** @type {import("./board/state.js").Overlay} */
  overlay: "none",
  ruled: false,
  /** Milliseconds between the steps of autoplay. */
  pace: 600,
  /** What is practised, "" for what fits the rating, and on which boards. */
  technique: "",
  practiceLevel: "beginner",
  /** The game that is on, to go on with after a reload. */
  game: "",
};

/** @typedef {typeof DEFAULTS} Settings */

/** @returns {Settings} */
function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.entries(kept).filter(
      ([name, value]) => name in DEFAULTS && typeof value === typeof DEFAULTS[/** @type {keyof Settings} */ (name)],
    );
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return { ...DEFAULTS }; // a browser that keeps nothing, or kept something else
  }
}

/** Read it freely; change it by `change`. @type {Readonly<Settings>} */
export const settings = load();

/** @param {Partial<Settings>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // it is not kept; the page goes on
  }
}
