/**
 * The review of a game of the history: `#/review?number=12`, and its lesson: `#/review?number=12&part=lesson`. With
 * `play=1` its replay starts.
 */
import * as api from "../api.js";
import { positionText } from "../board/state.js";
import { WholeBoard } from "../board/whole.js";
import { h } from "../dom.js";
import { Review } from "../panels/review.js";
import { errorText } from "../format.js";
import { t } from "../messages.js";
import { kindOf } from "./history.js";

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  const board = new WholeBoard(t("page-review-board"), {});
  const review = new Review(board, { apart: true });
  const [title, about] = [h("h1", {}), h("span", { class: "quiet" })];
  const back = h("a", { class: "push button", href: "#/history" }, t("page-review-back"));
  const element = h(
    "div",
    { class: "layout replay" },
    h("div", { class: "work" }, h("div", { class: "bar" }, title, about, back), board.element, review.player.element),
    h("aside", { class: "side", "aria-label": t("page-screen-review") }, review.element),
  );
  return {
    element,
    show(parameters) {
      const number = Math.floor(Number(parameters.get("number")));
      const atLesson = parameters.get("part") === "lesson";
      title.textContent = t("page-game", { number });
      about.textContent = "";
      void review.open({
        review: (stop) => api.historyReview(number, stop),
        timeline: (stop) => api.historyTimeline(number, stop),
        lesson: (stop) => api.historyLesson(number, stop),
        page: api.historyLessonPage(number),
        from: (move) => {
          api.historyFrom(number, move).then(
            (view) => page.go("play", { game: view["id"] }),
            (error) => page.notify(errorText(error), "error"),
          );
        },
        analyse: (mines) => page.go("analyse", { board: positionText(board.state), mines: String(mines), topology: board.state.topology }),
        loaded: (reviewed) => {
          const { game } = /** @type {Wire.KeptReviewJson} */ (reviewed);
          about.textContent = [kindOf(game), game["player"], game["imported"] && t("page-note-imported")].filter(Boolean).join(", ");
          if (atLesson) review.showLesson();
          if (parameters.has("play")) review.player.play();
        },
      }); // prettier-ignore
    },
    hide: () => review.close(),
    key: (event) => review.key(event),
  };
}
