/** Parts that several panels are made of. */
import { h } from "../dom.js";

/** @typedef {import("../dom.js").Child} Child */

/** @type {(words: Child | Child[], press: () => void, more?: Record<string, any>) => HTMLButtonElement} */
export const button = (words, press, more) => h("button", { type: "button", onclick: press, ...more }, words);

/** @type {(words: Child) => HTMLElement} */
export const quiet = (words) => h("p", { class: "quiet" }, words);

/** It takes a while, and can be stopped. @type {(give: () => void) => HTMLElement} */
export const waiting = (give) => h("p", { class: "row quiet" }, "Working… ", button("Stop", give));

/** Heads that begin with ">" stand above numbers. @param {string[]} heads @param {(Child | Child[])[][]} rows */
export function table(heads, rows) {
  const right = heads.map((head) => (head.startsWith(">") ? { class: "number" } : {}));
  const top = heads.map((head, column) => h("th", right[column], head.replace(">", "")));
  const lines = rows.map((cells) => h("tr", {}, ...cells.map((cell, column) => h("td", right[column], cell))));
  return Object.assign(h("table", {}, h("thead", {}, h("tr", {}, top)), h("tbody", {}, lines)), { lines });
}

/** Numbers with their names. @param {Record<string, Child>} named */
export const facts = (named) =>
  h("dl", { class: "facts" }, Object.entries(named).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))); // prettier-ignore

/** A key that does what a button does. @param {string} name */
export const key = (name) => h("kbd", {}, name);

/** @param {HTMLSelectElement} control @param {string} none words of no choice @param {import("../api.js").Document[]} ladder */
export function fillTechniques(control, none, ladder) {
  const words = ladder.map(({ name, label }, place) => h("option", { value: name }, `${place + 1} · ${label}`));
  control.replaceChildren(h("option", { value: "" }, none), ...words);
}
