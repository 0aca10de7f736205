/**
 * The best move with its decision table: what each cell risks, what it wins, and what each number would tell. The chosen
 * row is lit on the board.
 *
 * @typedef {import("../api.js").Document} Document
 * @typedef {import("./asked.js").Desk} Desk
 */
import * as api from "../api.js";
import { fill, h, set } from "../dom.js";
import { at, estimate, exactPercent } from "../words.js";
import { AskedPanel } from "./asked.js";
import { button, quiet, table } from "./parts.js";
import { proofText } from "./proof.js";
import { Thinking } from "./thinking.js";

const FIRST = 8; // rows that are shown until more are wanted

/** @param {Desk} desk @param {() => void} told there is an answer @param {(text: string) => void} say to screen readers */
export function decisions(desk, told, say) {
  /** @type {Document} */
  let asked = {};
  const ask = (/** @type {Document} */ question, /** @type {{signal: AbortSignal}} */ stop) => {
    asked = question;
    return api.best(question, stop);
  };
  const panel = new AskedPanel("Best move", false, ask, (answer, wanted) => {
    const { best, safest, text, moves } = answer;
    queueMicrotask(told);
    thinking.offer(answer);
    const outlook = h("div", { class: "asked" });
    const is = (/** @type {Document} */ move, /** @type {unknown} */ cell) => String(move["cell"]) === String(cell);
    const choose = (/** @type {Document} */ move) => {
      rows.lines.forEach((line, place) => set(line, { class: moves[place] === move && "chosen" }));
      fill(outlook, outlookOf(move, desk));
      desk.light([["safest", safest && [safest]], [is(move, best) ? "best" : "near", [move["cell"]]]]); // prettier-ignore
    };
    const rows = table(
      ["Cell", ">Mine", "Wins"],
      moves.map((/** @type {Document} */ move) => [
        [button(at(move["cell"]), () => choose(move), { class: "cellref" }), is(move, safest) && " safest"],
        move["mine_probability"] === null ? "not known" : exactPercent(move["mine_probability"]),
        wins(move),
      ]),
    );
    const shown = (/** @type {number} */ most) => rows.lines.forEach((line, place) => (line.hidden = place >= most));
    shown(FIRST);
    const more = button(`Show all ${moves.length} cells`, () => {
      shown(Infinity);
      more.remove();
    });
    if (wanted && moves.length) choose(moves[0]);
    return [
      proofText(text, desk.point),
      thinking.element,
      moves.length > 0 &&
        h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Decision table" }, rows),
      moves.length > FIRST && more,
      outlook,
    ];
  });
  const thinking = new Thinking(panel, {
    source: (seconds, progress, stop) => api.think({ ...asked, seconds }, progress, stop),
    light: (cell) => {
      const { safest } = panel.answer ?? {};
      desk.light([["safest", safest && [safest]], ["best", [cell]]]); // prettier-ignore
    },
    tell: (answer) => panel.tell(answer),
    say,
  });
  return panel;
}

/** The chance to win, as a fraction where it is exact, else with its error. @param {Document} move */
function wins({ win_probability, win_fraction, standard_error }) {
  if (win_probability === null) return "not known";
  if (standard_error) return estimate(win_probability, standard_error);
  return exactPercent(win_probability) + (win_fraction ? ` = ${win_fraction}` : "");
}

/** What each number would tell. @param {Document} move @param {Desk} desk */
function outlookOf({ cell, outlook }, { suppose }) {
  if (!outlook.length) return [quiet("What its numbers would tell is worked out for the first ten cells only.")];
  const rows = outlook.map((/** @type {Document} */ { number, chance, safe, safety }) => [
    button(`Suppose ${number}`, () => suppose(cell, String(number)), { class: "small" }),
    exactPercent(chance),
    safe ? `${safe} safe` : safety >= 1 ? "all is known" : `${exactPercent(1 - safety)} in the safest`,
  ]);
  return [
    h("h3", {}, `If ${at(cell)} shows a number`),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Numbers" }, table(["Number", ">Chance", "Then"], rows)), // prettier-ignore
    quiet("Then: cells that are certainly safe and tell something, or the chance of a mine in the safest one."),
  ];
}
