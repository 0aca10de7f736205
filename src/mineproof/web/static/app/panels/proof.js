/**
 * The words of a proof, with the cells that they name made to be pointed at: "(3,5)" is a button that shows where it is.
 */
import { h } from "../dom.js";
import { tied } from "../words.js";

/**
 * @param {string} text @param {(cell: [number, number] | null) => void} point show a cell, or no longer
 * @returns {HTMLElement}
 */
export function proofText(text, point) {
  const parts = tied(text)
    .split(/(\(\d+,\d+\))/)
    .map((part) => {
      const found = /^\((\d+),(\d+)\)$/.exec(part);
      if (!found) return part;
      /** @type {[number, number]} */
      const cell = [Number(found[1]), Number(found[2])];
      const show = () => point(cell);
      const hide = () => point(null);
      return h(
        "button",
        {
          type: "button",
          class: "cellref",
          onmouseenter: show,
          onfocus: show,
          onclick: show,
          onmouseleave: hide,
          onblur: hide,
        },
        part,
      );
    });
  return h("p", { class: "words" }, parts);
}

/**
 * Show a cell on a board as if the mouse were over it.
 * @param {import("../board/board.js").Board} board
 * @returns {(cell: [number, number] | null) => void}
 */
export function pointer(board) {
  return (cell) => {
    const { state } = board;
    state.cursorShown = cell !== null;
    if (cell) {
      state.cursor = cell[0] * state.columns + cell[1];
      board.view.reveal(state.cursor);
    }
    board.mirror.follow();
    board.view.request();
  };
}
