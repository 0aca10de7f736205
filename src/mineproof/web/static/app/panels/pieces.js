/** What the screens for practising and for making boards share: buttons, numbers with names, choices of a technique. */
import { h } from "../dom.js";

/** @param {string} words @param {() => unknown} onclick @param {string} [key] that does the same */
export const button = (words, onclick, key) =>
  h("button", { type: "button", onclick }, words, key && h("kbd", {}, key));

/** @param {Record<string, string | number>} named */
export const facts = (named) =>
  h("dl", { class: "facts" }, Object.entries(named).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))); // prettier-ignore

/** @param {HTMLSelectElement} control @param {string} none words of no choice @param {import("../api.js").Document[]} ladder */
export function fillTechniques(control, none, ladder) {
  const words = ladder.map(({ name, label }, place) => h("option", { value: name }, `${place + 1} · ${label}`));
  control.replaceChildren(h("option", { value: "" }, none), ...words);
}
