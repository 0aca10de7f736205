/**
 * The tools of the editor: a brush for each symbol, and Look, which paints nothing.
 */
import { symbolsFor } from "../editor.js";
import { h, iconButton, set, svg } from "../dom.js";
import { t } from "../messages.js";
import { button } from "./parts.js";

export const LOOK = "look";
/** @type {Map<string, string>} */
const NAME_KEYS = new Map([[LOOK, "page-tool-look"], ["#", "page-tool-covered"], ["F", "page-tool-flag"], ["~", "page-tool-outside"]]); // prettier-ignore

/** @param {string} tool */
function face(tool) {
  if (tool === LOOK) return t("page-tool-look-short");
  if (tool === "#" || tool === "~") return h("span", { class: tool === "#" ? "tile" : "tile none" });
  if (tool !== "F") return h("span", { class: `n${((Number(tool) + 7) % 8) + 1}` }, tool);
  const [pole, cloth] = ["M5 2h1.500v11H9v1.500H2.500V13H5z", "M6.500 2 13 5 6.500 8z"];
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16 }, svg("path", { class: "pole", d: pole }), svg("path", { class: "cloth", d: cloth })); // prettier-ignore
}

export class Palette {
  tool = LOOK;
  filling = false;

  /** @param {() => void} chosen another tool @param {(way: "undo" | "redo") => void} step */
  constructor(chosen, step) {
    this.chosen = chosen;
    this.brushes = [LOOK, ...symbolsFor("cube")].map((tool) => {
      const name = t(NAME_KEYS.get(tool) ?? "page-tool-number", { number: tool });
      return button(face(tool), () => this.choose(tool), { "data-tool": tool, "aria-label": name, title: name });
    });
    this.fill = button(t("page-tool-fill"), () => this.choose(this.tool === LOOK ? "#" : this.tool, !this.filling), {
      title: t("page-tool-fill-help"),
      class: "fill",
    });
    this.undo = iconButton("undo", t("page-undo"), () => step("undo"));
    this.redo = iconButton("redo", t("page-redo"), () => step("redo"));
    this.element = h(
      "div",
      { class: "palette", role: "group", "aria-label": t("page-tools") },
      this.brushes,
      this.fill,
      this.undo,
      this.redo,
    );
    this.choose(LOOK);
  }

  /** Offer the numbers of a shape. @param {import("../board/state.js").Topology} topology */
  offer(topology) {
    const symbols = [LOOK, ...symbolsFor(topology)];
    for (const brush of this.brushes) brush.hidden = !symbols.includes(brush.dataset["tool"] ?? "");
    if (!symbols.includes(this.tool)) this.choose(LOOK);
  }

  /** @param {string} tool @param {boolean} [filling] */
  choose(tool, filling = this.filling) {
    this.tool = tool;
    this.filling = filling && tool !== LOOK;
    for (const brush of this.brushes) set(brush, { "aria-pressed": String(brush.dataset["tool"] === tool) });
    set(this.fill, { "aria-pressed": String(this.filling) });
    this.chosen();
  }
}
