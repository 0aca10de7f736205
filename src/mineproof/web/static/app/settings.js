/**
 * The player's settings, stored by the browser. Every setting is declared here once, with its default.
 */
import { SHAPES } from "./board/shape.js";

const KEY = "mineproof";

export const DEFAULTS = {
  /** "auto" follows the system. @type {"auto" | "light" | "dark"} */
  theme: "auto",
  /** How boards are drawn. @type {"mineproof" | "classic" | "contrast"} */
  skin: "mineproof",
  /** Colours of the numbers: those of the skin, those of Windows, or eight that colour-blind people can tell apart.
   * @type {"skin" | "classic" | "distinct"} */
  digits: "skin",
  /** Whether boards move: openings, flags, the end of a game. The system's "reduce motion" wins over it. */
  animation: true,
  /** Whether the bar for the thumb begins at the left. */
  leftHanded: false,
  /** Whether the wheel, or two fingers on a trackpad, zoom boards. */
  wheelZoom: false,
  /** Code of the page's language; "" follows the browser. */
  language: "",
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
  /** Whether a second mark turns a flag into a question mark. */
  questions: false,
  /** What a tap does. @type {"open" | "flag"} */
  tap: "open",
  /** @type {import("./board/state.js").Overlay} */
  overlay: "none",
  /** Whether boards have a ruler: letters above the columns, numbers beside the rows. */
  ruler: true,
  /** Milliseconds between the steps of autoplay. */
  pace: 600,
  /** Speed of a replay in per cent, and whether it shows odds and the path of the mouse. */
  replaySpeed: 100,
  replayOdds: false,
  replayPath: true,
  /** Time limit of "Think longer", in seconds. */
  thinking: 5,
  /** The technique to practise, "" for one that fits the rating, and the level of its boards. */
  technique: "",
  practiceLevel: "beginner",
  /** Whether the technique of a puzzle is named only after the answer. */
  hideTechnique: true,
  /** Steps of the tutorial that are done. @type {string[]} */
  learnt: [],
  /** Puzzles whose solution was shown: answers to them no longer count. @type {string[]} */
  seen: [],
  /** Whether moves and the end of a game make a sound: off at first, so that the page does not surprise players in an office or a class. */
  sound: false,
  /** Whether a phone vibrates on a long press, a flag and an explosion. */
  haptics: true,
  /** The current game, to continue after a reload. */
  game: "",
};

/** @typedef {typeof DEFAULTS} Settings */

/** The allowed values of settings that do not take every value of their type. @type {Partial<Record<keyof Settings, readonly unknown[]>>} */
const CHOICES = {
  theme: ["auto", "light", "dark"],
  skin: ["mineproof", "classic", "contrast"],
  digits: ["skin", "classic", "distinct"],
  level: ["beginner", "intermediate", "expert", "custom"],
  topology: Object.keys(SHAPES),
  first_click: ["any", "safe", "open"],
  fairness: ["none", "forced", "kind", "strict", "safest", "local"],
  chord_rule: ["equal", "at-least"],
  tap: ["open", "flag"],
  overlay: ["none", "certain", "odds", "risk"],
  replaySpeed: [50, 100, 200, 400],
  thinking: [2, 5, 15, 60],
};

/**
 * A line of the settings panel: a switch, or a row of choices. `panels/settings.js` builds the panel from the list.
 *
 * @typedef {object} Entry
 * @property {keyof Settings} name
 * @property {string} label key of the text
 * @property {string} [help] key of a sentence below
 * @property {[value: string, label: string][]} [choices] values with the keys of their texts; a switch has none
 * @property {[off: string, on: string]} [values] what a switch stores, if not false and true
 */

/** The settings panel: sections with their entries. To add a setting, add its default above and a line here. @type {[title: string, entries: Entry[]][]} */
export const SETTINGS_PANEL = [
  [
    "page-settings-look",
    [
      {
        name: "theme",
        label: "page-theme",
        choices: [
          ["auto", "page-theme-auto"],
          ["light", "page-theme-light"],
          ["dark", "page-theme-dark"],
        ],
      },
      {
        name: "skin",
        label: "page-setting-skin",
        choices: [
          ["mineproof", "page-skin-mineproof"],
          ["classic", "page-skin-classic"],
          ["contrast", "page-skin-contrast"],
        ],
      },
      {
        name: "digits",
        label: "page-setting-digits",
        choices: [
          ["skin", "page-digits-skin"],
          ["classic", "page-digits-classic"],
          ["distinct", "page-digits-distinct"],
        ],
      },
      { name: "ruler", label: "page-option-ruler", help: "page-option-ruler-help" },
    ],
  ],
  [
    "page-settings-feel",
    [
      { name: "sound", label: "page-setting-sound" },
      { name: "animation", label: "page-setting-animation" },
      { name: "haptics", label: "page-setting-haptics", help: "page-setting-haptics-help" },
      { name: "leftHanded", label: "page-setting-left-handed", help: "page-setting-left-handed-help" },
      { name: "wheelZoom", label: "page-setting-wheel-zoom", help: "page-setting-wheel-zoom-help" },
    ],
  ],
  [
    "page-settings-moves",
    [
      { name: "questions", label: "page-option-questions", help: "page-option-questions-help" },
      { name: "chordLeft", label: "page-option-chord-left" },
      { name: "chordMiddle", label: "page-option-chord-middle" },
      { name: "chordBoth", label: "page-option-chord-both" },
      { name: "chordDouble", label: "page-option-chord-double" },
      {
        name: "chord_rule",
        label: "page-option-chord-rule",
        help: "page-option-next-game",
        values: ["equal", "at-least"],
      },
    ],
  ],
];

/** Whether a stored value is valid. @param {string} name @param {unknown} value */
function isSetting(name, value) {
  const known = DEFAULTS[/** @type {keyof Settings} */ (name)];
  if (typeof value !== typeof known || Array.isArray(value) !== Array.isArray(known)) return false;
  if (typeof value === "number" && !(Number.isInteger(value) && value >= 0)) return false;
  return CHOICES[/** @type {keyof Settings} */ (name)]?.includes(value) ?? true;
}

/** The stored settings that are valid. @returns {Partial<Settings>} */
function storedSettings() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(stored ?? {}).filter(([name, value]) => isSetting(name, value)));
  } catch {
    return {}; // the browser stores nothing, or something else
  }
}

/** Read it freely; change it by `change`. @type {Readonly<Settings>} */
export const settings = { ...DEFAULTS, ...storedSettings() };

/** Only what changes is written: another tab may have changed the rest. @param {Partial<Settings>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...storedSettings(), ...changes }));
  } catch {
    // the browser does not store it; the page works without
  }
}
