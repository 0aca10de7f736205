/** Buttons that zoom a board, for those without a wheel or two fingers. */
import { h } from "../dom.js";
import { button } from "./parts.js";

/** @param {import("../board/board.js").Board} board */
export function zoomButtons(board) {
  const zoom = (/** @type {number} */ by) => () => {
    const [width, height] = board.view.room;
    board.view.zoom(board.state.size * by, width / 2, height / 2);
    board.input.moved();
  };
  return h(
    "span",
    { class: "push row zoom" },
    button("−", zoom(0.8), { class: "plain", "aria-label": "Smaller" }),
    button("Fit", () => board.fit(true), { class: "plain" }),
    button("+", zoom(1.25), { class: "plain", "aria-label": "Larger" }),
  );
}
