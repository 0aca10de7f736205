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
  /** Seconds that a guess is thought over at most. */
  thinking: 5,
  /** What is practised, "" for what fits the rating, and on which boards. */
  technique: "",
  practiceLevel: "beginner",
  /** Puzzles whose solution was shown: their answers no longer count. @type {string[]} */
  seen: [],
  /** The game that is on, to go on with after a reload. */
  game: "",
};

/** @typedef {typeof DEFAULTS} Settings */

/** What a setting may be, where not every value of its type will do. @type {Partial<Record<keyof Settings, readonly unknown[]>>} */
const CHOICES = {
  theme: ["auto", "light", "dark"],
  level: ["beginner", "intermediate", "expert", "custom"],
  topology: ["grid", "torus", "hex"],
  first_click: ["any", "safe", "open"],
  fairness: ["none", "forced", "kind", "strict"],
  chord_rule: ["equal", "at-least"],
  tap: ["open", "flag"],
  overlay: ["none", "certain", "odds", "risk"],
  thinking: [2, 5, 15, 60],
};

/** Whether a value that was kept, by whomever, can be a setting. @param {string} name @param {unknown} value */
function isSetting(name, value) {
  const known = DEFAULTS[/** @type {keyof Settings} */ (name)];
  if (typeof value !== typeof known || Array.isArray(value) !== Array.isArray(known)) return false;
  if (typeof value === "number" && !(Number.isInteger(value) && value >= 0)) return false;
  return CHOICES[/** @type {keyof Settings} */ (name)]?.includes(value) ?? true;
}

/** What is kept, without what cannot be. @returns {Partial<Settings>} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(found ?? {}).filter(([name, value]) => isSetting(name, value)));
  } catch {
    return {}; // a browser that keeps nothing, or kept something else
  }
}

/** Read it freely; change it by `change`. @type {Readonly<Settings>} */
export const settings = { ...DEFAULTS, ...kept() };

/** Only what changes is written: another tab may have changed the rest. @param {Partial<Settings>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...changes }));
  } catch {
    // it is not kept; the page goes on
  }
}
