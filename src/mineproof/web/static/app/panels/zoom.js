/** Buttons that zoom a board, for those without a wheel or two fingers. */
import { h } from "../dom.js";
import { t } from "../messages.js";
import { button } from "./parts.js";

/** @param {import("../board/board.js").Board} board @param {() => void} [fit] shows the whole board */
export function zoomButtons(board, fit = () => board.fit(true)) {
  const zoom = (/** @type {number} */ by) => () => {
    const [width, height] = board.view.room;
    board.view.zoom(board.state.size * by, width / 2, height / 2);
    board.input.moved();
  };
  return h(
    "span",
    { class: "push row zoom" },
    button("−", zoom(0.8), { class: "plain", "aria-label": t("page-zoom-out") }),
    button(t("page-zoom-fit"), fit, { class: "plain" }),
    button("+", zoom(1.25), { class: "plain", "aria-label": t("page-zoom-in") }),
  );
}
