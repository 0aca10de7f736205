/**
 * What follows from the numbers: the list of deductions, to be stepped through, and the hint, which tells as much as is
 * wanted. Both light up the board.
 *
 * @typedef {import("../api.js").Document} Document
 * @typedef {import("./asked.js").Desk} Desk
 */
import * as api from "../api.js";
import { fill, h, segmented, set } from "../dom.js";
import { at, plural } from "../words.js";
import { AskedPanel } from "./asked.js";
import { button, quiet } from "./parts.js";
import { proofText } from "./proof.js";

/** @param {Desk} desk */
export const deductions = ({ light, point }) =>
  new AskedPanel("Deductions", true, api.solve, ({ steps }) => {
    if (!steps.length) return [quiet("No cell is certain: the next move is a guess.")];
    const count = h("span", { class: "quiet" }, plural(steps.length, "step"));
    const words = h("div", {});
    let now = -1;
    const go = (/** @type {number} */ number) => {
      now = Math.max(0, Math.min(steps.length - 1, number));
      const { text, because, safe, mines, uses_total } = steps[now];
      fill(count, `${now + 1} of ${steps.length}`);
      fill(words, proofText(text + (uses_total ? " It needs the total of mines." : ""), point));
      choices.forEach((choice, place) => set(choice, { "aria-pressed": String(place === now) }));
      list.scrollTop = (choices[now]?.offsetTop ?? 0) - list.offsetTop - list.clientHeight / 2;
      light([["because", because], ["safe", safe], ["mine", mines]]); // prettier-ignore
    };
    /** @type {HTMLElement[]} */
    const choices = steps.map((/** @type {Document} */ step, /** @type {number} */ place) =>
      button(`${place + 1}. ${short(step)}`, () => go(place), { "aria-pressed": "false" }),
    );
    const items = choices.map((choice) => h("li", {}, choice));
    const list = h("ol", { class: "steps" }, items);
    const turn = [button("Previous", () => go(now - 1)), button("Next", () => go(now + 1)), count];
    return [h("div", { class: "row" }, turn), words, list];
  });

/** "single-open: (0,1) is safe" @param {Document} step */
function short({ technique, safe, mines }) {
  const parts = [[safe, "is safe", "safe cells"], [mines, "is a mine", "mines"]].map(([cells, one, many]) =>
    cells.length === 1 ? `${at(cells[0])} ${one}` : cells.length ? `${cells.length} ${many}` : "",
  ); // prettier-ignore
  return `${technique}: ${parts.filter(Boolean).join(", ")}`;
}

/** @param {Desk} desk */
export function hint({ light, point }) {
  let level = 1;
  const levels = segmented("How much the hint tells", [["1", "Where"], ["2", "Idea"], ["3", "Cells"], ["4", "Why"]], "1", (value) => {
    level = Number(value);
    void panel.again();
  }); // prettier-ignore
  const panel = new AskedPanel(
    "Hint",
    false,
    (question, stop) => api.hint({ ...question, level, flags: "check" }, stop),
    ({ kind, text, near, because, safe, mines, cell, safest }, wanted) => {
      const lights = /** @type {import("./asked.js").Lights} */ ([
        ["because", because], ["near", near && level < 3 ? [near] : null], ["safe", safe], ["mine", mines],
        ["safest", safest && [safest]], [kind === "guess" ? "best" : "fault", cell && [cell]],
      ]); // prettier-ignore
      if (wanted) light(lights);
      return [proofText(text, point)];
    },
    levels,
  );
  return panel;
}
