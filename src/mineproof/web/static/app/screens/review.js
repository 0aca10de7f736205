/**
 * A game of the history, looked back upon: `#/review?number=12`.
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import { positionText } from "../board/state.js";
import { h } from "../dom.js";
import { Review } from "../panels/review.js";
import { failure } from "../words.js";

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  const board = new Board("Board of a finished game", {});
  const review = new Review(board);
  const title = h("h1", {});
  const element = h(
    "div",
    { class: "layout" },
    h("div", { class: "work" }, h("div", { class: "bar" }, title, h("a", { class: "push", href: "#/history" }, "Back to the history")), board.element),
    h("aside", { class: "side", "aria-label": "Review" }, review.element),
  ); // prettier-ignore
  return {
    element,
    show(parameters) {
      const number = Math.floor(Number(parameters.get("number")));
      title.textContent = `Game ${number}`;
      void review.open({
        review: (stop) => api.historyReview(number, stop),
        timeline: (stop) => api.historyTimeline(number, stop),
        lesson: (stop) => api.historyLesson(number, stop),
        page: api.historyLessonPage(number),
        from: (move) => {
          api.historyFrom(number, move).then(
            (view) => page.go("play", { game: view["id"] }),
            (error) => page.notify(failure(error), "error"),
          );
        },
        analyse: (mines) => page.go("analyse", { board: positionText(board.state), mines: String(mines), topology: board.state.topology }),
      }); // prettier-ignore
    },
    hide: () => review.close(),
  };
}
