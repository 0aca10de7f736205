import { h } from "../dom.js";

/** @param {import("../main.js").Page} _page @returns {import("../main.js").Screen} */
export function create(_page) {
  return { element: h("div", { class: "page" }, h("h1", {}, "practise")) };
}
