/**
 * The best move with its decision table: the risk of each cell, its chance to win, and what follows from each number. The
 * chosen row is lit on the board.
 *
 * @typedef {import("./answer.js").Desk} Desk
 * @typedef {import("./thinker.js").Option} Option
 * @typedef {import("./thinker.js").Answer} Answer
 */
import * as api from "../api.js";
import { fill, h, set } from "../dom.js";
import { at, estimate, exactPercent } from "../format.js";
import { difference, differenceLine, groupAlike, isClose, rowName } from "./comparison.js";
import { t, tn } from "../messages.js";
import { AnswerPanel } from "./answer.js";
import { button, quiet, table } from "./parts.js";
import { proofText } from "./proof.js";
import { Thinker } from "./thinker.js";

const FIRST_ROWS = 8; // of the table, before "Show all"

/** @param {Desk} desk @param {() => void} answered there is an answer @param {(text: string) => void} say to screen readers */
export function decisions(desk, answered, say) {
  /** @type {Wire.BestRequest} */
  let lastQuestion = {};
  const ask = /** @type {(question: Wire.BestRequest, stop: {signal: AbortSignal}) => Promise<Answer>} */ (
    question,
    stop,
  ) => {
    lastQuestion = question;
    return api.best(question, stop);
  };
  const panel = new AnswerPanel(t("page-best-move"), false, ask, (answer) => {
    const { best, safest, text, moves } = answer;
    const groups = groupAlike(moves);
    const first = groups[0]?.move;
    queueMicrotask(answered);
    thinker.offer(answer);
    const outlook = h("div", { class: "stack" });
    const is = (/** @type {Option} */ move, /** @type {unknown} */ cell) => String(move["cell"]) === String(cell);
    const choose = (/** @type {import("./comparison.js").Row<Option>} */ group) => {
      const { move, cells } = group;
      rows.lines.forEach((line, place) => set(line, { class: groups[place] === group && "chosen" }));
      fill(outlook, outlookOf(move, desk));
      const others = cells.slice(1);
      desk.light([["near", others], ["safest", safest && [safest]], [is(move, best) ? "best" : "near", [move["cell"]]]]); // prettier-ignore
    };
    const rows = table(
      [t("page-column-cell"), `>${t("page-column-mine")}`, `${t("page-column-wins")}, ${t("page-column-difference")}`],
      groups.map((group, place) => {
        const { move, cells } = group;
        const behind = place && first ? difference(move, first) : null;
        const name = { class: "cellref", title: t("page-best-row-title"), ...hovering(desk, cells) };
        const isSafest = cells.some((cell) => String(cell) === String(safest));
        return [
          [button(rowName(group), () => choose(group), name), isSafest && ` ${t("page-mark-safest")}`],
          move["mine_probability"] === null ? t("page-unknown") : exactPercent(move["mine_probability"]),
          [wins(move), h("small", { class: "quiet" }, place ? differenceLine(behind) : t("page-think-best"))],
        ];
      }),
    );
    const close = groups.slice(1).filter(({ move }) => first && isClose(difference(move, first))).length; // prettier-ignore
    const shown = (/** @type {number} */ most) => rows.lines.forEach((line, place) => (line.hidden = place >= most));
    shown(FIRST_ROWS);
    const more = button(tn("page-show-all-cells", groups.length), () => {
      shown(Infinity);
      more.remove();
    });
    if (groups[0]) choose(groups[0]); // also for another position: the star belongs to the answer
    return [
      proofText(text, desk.point),
      close > 0 && h("p", { class: "strong" }, tn("page-best-close-rows", close)),
      thinker.element,
      moves.length > 0 &&
        h(
          "div",
          { class: "scroll decision", tabindex: "0", role: "region", "aria-label": t("page-decision-table") },
          rows,
        ),
      groups.length > FIRST_ROWS && more,
      outlook,
    ];
  });
  const thinker = new Thinker(panel, {
    source: (seconds, progress, stop) => api.think({ ...lastQuestion, seconds }, progress, stop),
    light: (cell) => {
      const { safest } = panel.answer ?? {};
      desk.light([["safest", safest ? [safest] : null], ["best", [cell]]]); // prettier-ignore
    },
    show: (answer) => panel.show(answer),
    say,
  });
  return panel;
}

/** Show cells while a button is pointed at. @param {Desk} desk @param {import("../api.js").Cell[]} cells */
function hovering({ point }, cells) {
  const [show, hide] = [() => point(cells[0] ?? null, cells), () => point(null)];
  return { onmouseenter: show, onfocus: show, onmouseleave: hide, onblur: hide };
}

/** The chance to win, as a fraction where it is exact, else with its error. @param {Option} move */
function wins({ win_probability, win_fraction, standard_error }) {
  if (win_probability === null) return t("page-unknown");
  if (standard_error) return estimate(win_probability, standard_error);
  return exactPercent(win_probability) + (win_fraction ? ` = ${win_fraction}` : "");
}

/** What follows from each number. @param {Option} move @param {Desk} desk */
function outlookOf({ cell, outlook }, { assume }) {
  if (!outlook.length) return [quiet(t("page-outlook-limit"))];
  const rows = outlook.map(({ number, chance, safe, safety }) => [
    button(t("page-assume-number", { number }), () => assume(cell, String(number)), { class: "small" }),
    exactPercent(chance),
    safe
      ? tn("page-verdict-safe", safe)
      : safety >= 1
        ? t("page-outlook-solved")
        : t("page-outlook-risk", { chance: exactPercent(1 - safety) }),
  ]);
  return [
    h("h3", {}, t("page-outlook-title", { cell: at(cell) })),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page-outlook-numbers") }, table([t("page-column-number"), `>${t("page-column-chance")}`, t("page-column-then")], rows)), // prettier-ignore
    quiet(t("page-outlook-help")),
  ];
}
