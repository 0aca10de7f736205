/** Parts that several panels are made of. */
import { h, segmented } from "../dom.js";
import { t } from "../messages.js";

/** @typedef {import("../dom.js").Child} Child */

/** @type {(label: Child | Child[], press: () => void, more?: Record<string, unknown>) => HTMLButtonElement} */
export const button = (label, press, more) => h("button", { type: "button", onclick: press, ...more }, label);

/** @type {(text: Child) => HTMLElement} */
export const quiet = (text) => h("p", { class: "quiet" }, text);

/** Shown while a request takes long; it can be stopped. @type {(stop: () => void) => HTMLElement} */
export const waiting = (stop) => h("p", { class: "row quiet" }, t("page-working"), " ", button(t("page-stop"), stop));

/** Heads that begin with ">" stand above numbers. @param {string[]} heads @param {(Child | Child[])[][]} rows */
export function table(heads, rows) {
  const right = heads.map((head) => (head.startsWith(">") ? { class: "number" } : {}));
  const top = heads.map((head, column) => h("th", right[column], head.replace(">", "")));
  const lines = rows.map((cells) => h("tr", {}, ...cells.map((cell, column) => h("td", right[column], cell))));
  return Object.assign(h("table", {}, h("thead", {}, h("tr", {}, top)), h("tbody", {}, lines)), { lines });
}

/**
 * A button that opens a file: the browser's own field, which says "No file chosen", is hidden behind it.
 * @param {string} label @param {(file: File, all: File[]) => void} take @param {Record<string, unknown>} [more] of the field
 */
export function fileButton(label, take, more = {}) {
  const { class: kind = "", ...rest } = more;
  const input = h("input", { type: "file", class: "unseen", ...rest, onchange: () => {
    const files = [...(input.files ?? [])];
    if (files[0]) take(files[0], files);
    input.value = ""; // so that the same one can be chosen again
  } }); // prettier-ignore
  return h("label", { class: `button file ${kind}` }, label, input);
}

/**
 * A choice of one, shown as a row of chips; in a form it has a name and a value like a list.
 * @param {string} legend @param {string} name @param {string[][]} options values and labels @param {string} value
 * @param {Child} [help]
 */
export function chips(legend, name, options, value, help) {
  const row = h("div", { class: "chips" });
  /** @param {string[]} option @param {boolean} checked */
  const add = ([option = "", label = ""], checked) =>
    row.append(h("label", {}, h("input", { type: "radio", class: "unseen", name, value: option, checked }), h("span", {}, label))); // prettier-ignore
  for (const option of options) add(option, option[0] === value);
  const element = h("fieldset", { class: "field" }, h("legend", {}, legend), row, help && h("p", { class: "help" }, help)); // prettier-ignore
  return Object.assign(element, { add: (/** @type {string[]} */ option) => add(option, false) });
}

/** Numbers with their names. @param {[name: string, value: Child][]} rows */
export const facts = (rows) =>
  h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))); // prettier-ignore

/** The key of the keyboard for a button. @param {string} name */
export const key = (name) => h("kbd", {}, name);

/** Techniques as the options of a list. @param {string} none label of no choice @param {{name: string, label: string}[]} ladder */
export const techniqueOptions = (none, ladder) =>
  [["", none], ...ladder.map(({ name, label }, place) => [name, `${place + 1} · ${label}`])].map(
    ([name = "", text = ""]) => /** @type {[string, string]} */ ([name, text]),
  );

/**
 * A row of buttons of which one is pressed, below its label.
 * @param {string} label @param {[value: string, label: string][]} options @param {string} value
 * @param {(value: string) => void} onchange @param {Child} [help]
 */
export function segments(label, options, value, onchange, help) {
  const row = segmented(label, options, value, onchange);
  const caption = h("span", { "aria-hidden": "true" }, label);
  const element = h("div", { class: "setting" }, caption, row, help && h("p", { class: "help" }, help));
  return Object.assign(element, { choose: row.choose });
}
