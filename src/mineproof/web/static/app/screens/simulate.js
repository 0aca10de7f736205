import { h } from "../dom.js";

/** @returns {import("../main.js").Screen} */
export function create() {
  return { element: h("div", { class: "page" }, h("h1", {}, "simulate")) };
}
