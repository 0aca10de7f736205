/**
 * What follows from the numbers: the list of deductions, to step through, and the hint in four levels. Both light up
 * the board.
 *
 * @typedef {import("./answer.js").Desk} Desk
 */
import * as api from "../api.js";
import { fill, h, segmented, set } from "../dom.js";
import { at } from "../format.js";
import { t, tn } from "../messages.js";
import { AnswerPanel } from "./answer.js";
import { button, quiet } from "./parts.js";
import { drawArrows, ProofSteps, proofText } from "./proof.js";

/** @param {Desk} desk */
export const deductions = ({ light, point }) =>
  new AnswerPanel(t("page-deductions"), true, api.solve, ({ steps, board }) => {
    const isFinished = !/[#?]/.test(board?.cells.join("") ?? "#"); // the flags are trusted
    if (!steps.length) return [quiet(t(isFinished ? "page-deductions-done" : "page-deductions-none"))];
    const count = h("span", { class: "quiet" }, tn("page-steps", steps.length));
    const proof = h("div", {});
    let now = -1;
    const go = (/** @type {number} */ number) => {
      now = Math.max(0, Math.min(steps.length - 1, number));
      const step = steps[now];
      if (!step) return;
      const { text, because, safe, mines, uses_total } = step;
      fill(count, t("page-count-of", { count: now + 1, all: steps.length }));
      fill(proof, proofText(uses_total ? `${text} ${t("page-uses-total")}` : text, point));
      choices.forEach((choice, place) => set(choice, { "aria-pressed": String(place === now) }));
      list.scrollTop = (choices[now]?.offsetTop ?? 0) - list.offsetTop - list.clientHeight / 2;
      light([["because", because], ["safe", safe], ["mine", mines]]); // prettier-ignore
      drawArrows(point, because, [["safe", safe], ["mine", mines]]); // prettier-ignore
    };
    /** @type {HTMLElement[]} */
    const choices = steps.map((step, place) =>
      button(`${place + 1}. ${short(step)}`, () => go(place), { "aria-pressed": "false" }),
    );
    const items = choices.map((choice) => h("li", {}, choice));
    const list = h("ol", { class: "steps" }, items);
    const turn = [button(t("page-back"), () => go(now - 1)), button(t("page-next"), () => go(now + 1)), count];
    return [h("div", { class: "row" }, turn), proof, list];
  });

/** "B1 is safe" @param {Wire.DeductionJson} step */
function short({ safe, mines }) {
  const parts = [
    safe[0] && safe.length === 1
      ? t("page-step-safe", { cell: at(safe[0]) })
      : safe.length && tn("page-verdict-safe", safe.length),
    mines[0] && mines.length === 1
      ? t("page-step-mine", { cell: at(mines[0]) })
      : mines.length && tn("page-mine-count", mines.length),
  ];
  return parts.filter(Boolean).join(", ");
}

/** @param {Desk} desk */
export function hint({ light, point }) {
  let level = 1;
  /** The guess or the wrong flag, which stays lit. @type {import("./answer.js").Lights} */
  let move = [];
  const steps = new ProofSteps((lights) => light([...lights, ...move]), point);
  const levels = segmented(t("page-hint-level"), [["1", t("page-hint-where")], ["2", t("page-hint-idea")], ["3", t("page-hint-cells")], ["4", t("page-hint-why")]], "1", (value) => {
    level = Number(value);
    void panel.again();
  }); // prettier-ignore
  const panel = new AnswerPanel(
    t("page-hint"),
    false,
    (question, stop) => api.hint({ ...question, level, flags: "check" }, stop),
    ({ kind, text, near, because, safe, mines, cell, safest, candidates }, requested) => {
      move = [["safest", safest && [safest]], [kind === "guess" ? "best" : "fault", cell && [cell]]]; // prettier-ignore
      const looked = kind === "guess" && level > 1 ? candidates : near && level < 3 ? [near] : null;
      const compared = kind === "guess" && level === 2 ? (candidates ?? []).length : 0;
      const flag = kind === "flag";
      if (requested) light([["because", because], ["near", looked], ["safe", flag ? null : safe], ["mine", mines], ...move]); // prettier-ignore
      if (requested && level === 4 && kind !== "done") {
        steps.show(text, { safe: flag ? [] : safe, mines });
        return [steps.element];
      }
      return [compared > 0 && h("p", {}, tn("page-hint-compare", compared)), proofText(text, point)];
    },
    levels,
  );
  return panel;
}
