/** Parts that several panels are made of. */
import { h } from "../dom.js";

/** @param {import("../dom.js").Child} words @param {() => void} press @param {Record<string, any>} [more] */
export const button = (words, press, more) => h("button", { type: "button", onclick: press, ...more }, words);

/** It takes a while. @param {() => void} give what stops it */
export const waiting = (give) => h("p", { class: "row quiet" }, "Working… ", button("Stop", give));

/**
 * @param {string[]} heads those that begin with ">" stand above numbers
 * @param {(import("../dom.js").Child | import("../dom.js").Child[])[][]} rows
 */
export function table(heads, rows) {
  const right = heads.map((head) => (head.startsWith(">") ? { class: "number" } : {}));
  const top = heads.map((head, column) => h("th", right[column], head.replace(">", "")));
  const lines = rows.map((cells) => h("tr", {}, ...cells.map((cell, column) => h("td", right[column], cell))));
  return Object.assign(h("table", {}, h("thead", {}, h("tr", {}, top)), h("tbody", {}, lines)), { lines });
}
