/**
 * How Play is played: what chords, marks and rulers, and the keys.
 */
import { h } from "../dom.js";
import { change, settings } from "../settings.js";

const KEYS = [
  ["Arrows", "move"],
  ["Enter", "open"],
  ["F", "flag"],
  ["C", "chord"],
  ["H", "hint"],
  ["B", "best move"],
  ["O", "odds"],
  ["A", "let it play"],
  ["U", "undo"],
  ["P", "pause"],
  ["N", "new game"],
  ["G", "same board"],
];

/**
 * @param {string} words @param {string} help @param {keyof import("../settings.js").Settings} name
 * @param {() => void} [changed]
 */
function tick(words, help, name, changed) {
  const box = h("input", {
    type: "checkbox",
    checked: Boolean(settings[name]),
    onchange: () => {
      change({ [name]: box.checked });
      changed?.();
    },
  });
  return h("label", { class: "tick" }, box, h("span", {}, words, help && h("small", {}, help)));
}

/** @param {() => void} ruled the rulers were switched on or off */
export function options(ruled) {
  const rule = h("input", { type: "checkbox", checked: settings.chord_rule === "at-least" });
  rule.addEventListener("change", () => change({ chord_rule: rule.checked ? "at-least" : "equal" }));
  return [
    h(
      "details",
      {},
      h("summary", {}, "Options"),
      h("p", { class: "help" }, "Left opens, right flags. A chord opens around a number whose flags are set. Chord with:"),
      tick("left click on the number", "", "chordLeft"),
      tick("middle click", "", "chordMiddle"),
      tick("both buttons", "", "chordBoth"),
      tick("double click", "", "chordDouble"),
      h("label", { class: "tick" }, rule, h("span", {}, "chord with more flags than the number too", h("small", {}, "From the next game on."))),
      tick("question marks", "A second right click puts one in place of the flag.", "questions"),
      tick("number rows and columns", "Hints count them from 0.", "ruled", ruled),
    ),
    h(
      "details",
      {},
      h("summary", {}, "Keys and touch"),
      h("div", { class: "keys" }, KEYS.map(([name, words]) => h("span", {}, h("kbd", {}, name), " ", words))),
      h("p", { class: "help" }, "The wheel or two fingers zoom; drag to move a board that is larger than the screen. On a touch screen a long press does what a tap does not: flag or dig."),
    ),
  ]; // prettier-ignore
}
