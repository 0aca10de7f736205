/**
 * Learn: a course of small boards, from the rules to the 50/50, and a ladder of techniques that leads into Practise. The
 * positions are data that a test has counted; the player's progress is kept in the settings.
 *
 * @typedef {import("../tutorial.js").Cell} Cell
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import { clearNotes, setMarks } from "../board/state.js";
import { fill, h, segmented, set } from "../dom.js";
import { errorText } from "../format.js";
import { t, tn } from "../messages.js";
import { button, key } from "../panels/parts.js";
import { drawArrows, pointer } from "../panels/proof.js";
import { change, settings } from "../settings.js";
import { Attempt, STEPS } from "../tutorial.js";

export const ANSWERS_NEEDED = 3; // right answers that finish a rung of the ladder

/** What is wrong with a press. @type {Record<string, string>} */
const MISTAKES = {
  mine: "page-learn-wrong-mine",
  safe: "page-learn-wrong-safe",
  uncertain: "page-learn-wrong-uncertain",
  "use-chord": "page-learn-wrong-chord",
};

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  let now = 0;
  let attempt = new Attempt(/** @type {import("../tutorial.js").Step} */ (STEPS[0]));
  let tap = /** @type {"open" | "flag"} */ ("open");

  const board = new Board(t("page-learn-board"), {
    primary: (cell, how) => press(how === "touch" ? tap : "open", cell),
    secondary: (cell, how) => press(how === "touch" && tap === "flag" ? "open" : "flag", cell),
    chord: (cell) => {
      if (!attempt.step.chord || attempt.cells[cell[0]]?.[cell[1]] === "#") return false;
      press("open", cell);
      return true;
    },
  });
  board.largest = 110; // its boards are small
  const point = pointer(board);
  const title = h("strong", {});
  const task = h("p", { class: "task" });
  const verdict = h("p", { class: "verdict", role: "status" });
  const taps = segmented(t("page-tap"), [["open", t("page-tap-open")], ["flag", t("page-tap-flag")]], "open", (value) => (tap = value === "flag" ? "flag" : "open")); // prettier-ignore
  taps.classList.add("learn-tap");
  const again = button(t("page-learn-again"), () => go(now), { title: t("page-learn-again-title") });
  const next = button(
    [t("page-next"), " ", key("N")],
    () => (isLast() && attempt.isDone ? page.go("practise") : go(now + 1)),
    { title: t("page-learn-next-title") },
  );
  const bar = h("progress", { max: STEPS.length, "aria-label": t("page-learn-progress") });
  const count = h("p", { class: "quiet" });
  const choices = STEPS.map((step, place) =>
    button(
      "",
      () => {
        go(place);
        scrollTo(0, 0);
      },
      { "data-step": step.id },
    ),
  );
  const ladder = h("ol", { class: "ladder" });
  const element = h(
    "div",
    { class: "layout learn" },
    h(
      "div",
      { class: "work" },
      h("div", { class: "bar" }, h("h1", {}, t("page-screen-learn")), title, task),
      board.element,
      h("div", { class: "bar learn-answer" }, verdict, taps, again, next),
    ),
    h(
      "div",
      { class: "side" },
      h(
        "section",
        { class: "panel", "aria-label": t("page-learn-course") },
        h("h2", {}, t("page-learn-course")),
        bar,
        count,
        h("ol", { class: "steps course" }, choices.map((choice) => h("li", {}, choice))),
      ),
      h(
        "section",
        { class: "panel", "aria-label": t("page-learn-ladder") },
        h("h2", {}, t("page-learn-ladder")),
        h("p", { class: "help" }, tn("page-learn-ladder-help", ANSWERS_NEEDED)),
        ladder,
      ),
    ),
  ); // prettier-ignore

  // the course

  const isLast = () => now + 1 >= STEPS.length;

  /** Begin a step. @param {number} place */
  function go(place) {
    now = Math.max(0, Math.min(STEPS.length - 1, place));
    const step = /** @type {import("../tutorial.js").Step} */ (STEPS[now]);
    attempt = new Attempt(step);
    clearNotes(board.state);
    board.state.overlay = "none";
    point(null);
    showBoard();
    fill(verdict);
    fill(title, t("page-learn-step", { number: now + 1, all: STEPS.length, title: t(step.texts[0]) }));
    fill(task, t(step.texts[1]), step.mines !== null && ` ${tn("page-mines-left", step.mines)}.`);
    set(next, { class: null });
    fill(next, t("page-next"), " ", key("N"));
    next.disabled = isLast();
    showProgress();
    page.say(`${title.textContent} ${task.textContent}`);
  }

  /** @param {"open" | "flag"} kind @param {Cell} cell */
  function press(kind, cell) {
    const result = attempt.press(kind, cell);
    if (result === "nothing") return;
    if (result === "done") return finish();
    setMarks(board.state, []);
    if (result === "right") {
      fill(verdict, h("span", { class: "good" }, tn("page-learn-right", attempt.left.length)));
    } else {
      const { step } = attempt;
      setMarks(board.state, [["because", step.because], ["fault", [cell]]]); // prettier-ignore
      drawArrows(point, step.because, [["near", attempt.left]]);
      const wrong = t(MISTAKES[result] ?? "page-learn-wrong-uncertain");
      fill(verdict, h("span", { class: "warn" }, wrong), " ", t(step.texts[2]));
    }
    showBoard();
  }

  function finish() {
    const { step } = attempt;
    if (!settings.learnt.includes(step.id)) change({ learnt: [...settings.learnt, step.id] });
    const { open, flag, because } = step;
    setMarks(board.state, [["because", because], ["safe", open], ["mine", flag]]); // prettier-ignore
    drawArrows(point, because, [["safe", open], ["mine", flag]]); // prettier-ignore
    const lead = isLast() ? t("page-learn-finished") : t("page-learn-good");
    if (isLast()) fill(next, t("page-learn-practise"), " ", key("N"));
    next.disabled = false;
    fill(verdict, h("span", { class: "good" }, lead), " ", t(step.texts[3]));
    set(next, { class: "primary" });
    showBoard();
    showProgress();
  }

  function showBoard() {
    const { rows } = attempt;
    board.setCells({ rows: rows.length, columns: rows[0]?.length ?? 1, topology: "grid", cells: rows });
  }

  function showProgress() {
    const done = STEPS.filter(({ id }) => settings.learnt.includes(id)).length;
    set(bar, { value: done });
    fill(count, t("page-learn-done-count", { count: done, all: STEPS.length }));
    choices.forEach((choice, place) => {
      const step = /** @type {import("../tutorial.js").Step} */ (STEPS[place]);
      const isDone = settings.learnt.includes(step.id);
      set(choice, { "aria-current": place === now ? "step" : null, class: isDone && "done" });
      fill(choice, `${place + 1}. ${t(step.texts[0])}`, isDone && h("span", { class: "push good" }, "✓", h("span", { class: "unseen" }, t("page-learn-step-done")))); // prettier-ignore
    });
  }

  // the ladder

  async function showLadder() {
    try {
      const { techniques } = await api.standing();
      const isDone = (/** @type {Wire.TechniqueRatingJson} */ { right }) => right >= ANSWERS_NEEDED;
      const following = techniques.find((technique) => !isDone(technique));
      const rungs = techniques.map((technique, place) => {
        const { name, label, right } = technique;
        const state = isDone(technique)
          ? h("span", { class: "good" }, "✓ ", t("page-learn-step-done"))
          : h("span", { class: "quiet" }, t("page-count-of", { count: right, all: ANSWERS_NEEDED }));
        const link = h("a", { href: `#/practise?technique=${encodeURIComponent(name)}`, class: technique === following ? "button primary" : "button" }, t("page-learn-practise")); // prettier-ignore
        set(link, { "aria-label": t("page-learn-practise-technique", { technique: label }) });
        return h("li", { class: "row" }, h("span", { class: "rung" }, `${place + 1}. ${label}`), state, link);
      });
      fill(ladder, rungs);
    } catch (error) {
      fill(ladder, h("li", { class: "bad" }, errorText(error)));
    }
  }

  go(0);
  return {
    element,
    show(named) {
      const wanted = STEPS.findIndex(({ id }) => id === named.get("step"));
      const open = STEPS.findIndex(({ id }) => !settings.learnt.includes(id));
      if (wanted >= 0) go(wanted);
      else if (attempt.isDone || settings.learnt.includes(attempt.step.id)) go(Math.max(0, open));
      void showLadder();
      board.focus();
      board.state.cursorShown = false;
    },
    key(event) {
      if (event.key.toLowerCase() === "n") next.click();
      else if (event.key.startsWith("Arrow")) board.focus();
      else return false;
      return true;
    },
  };
}
