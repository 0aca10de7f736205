/**
 * The framed board of Play: a bar with the mines left, the face and the clock, and the board below. On large screens the
 * frame is as large as the board. On small ones the board gets all the room, and CSS moves the bar into the header.
 *
 * @typedef {"playing" | "pressed" | "won" | "lost"} Mood
 */
import { h, icon, iconButton, set, svg } from "../dom.js";
import { SMALL } from "../board/view.js";
import { t, tn } from "../messages.js";

const MIN_WIDTH = 300; // CSS pixels that the bar needs

export class Frame {
  /** @type {Mood} */
  #mood = "playing";
  #mines = h("span", {});
  #seconds = h("span", {}, "0");
  #minesLeft = h("span", { class: "counter", role: "img", title: t("page-mines-left-title") }, icon("mine"), this.#mines); // prettier-ignore
  #clock = h(
    "span",
    { class: "counter", title: t("page-clock"), role: "timer", "aria-label": t("page-clock"), "aria-live": "off" },
    icon("clock"),
    this.#seconds,
  );
  #pause;
  #face;
  #frame;

  /**
   * @param {import("../board/board.js").Board} board
   * @param {{begin: () => void, pause: () => void}} actions
   */
  constructor(board, { begin, pause }) {
    this.board = board;
    this.#face = h("button", { type: "button", class: "face", onclick: begin }, faceDrawing());
    set(this.#face, { "aria-label": t("page-new-game"), title: `${t("page-new-game")} (N)` });
    this.#pause = iconButton("pause", t("page-pause"), pause, { class: "pauser" });
    set(this.#minesLeft, { "aria-label": t("page-mines-left-title") });
    const time = h("span", { class: "time" }, this.#pause, this.#clock);
    this.#frame = h(
      "div",
      { class: "frame" },
      h("div", { class: "hud" }, this.#minesLeft, this.#face, time),
      board.element,
    );
    this.element = h("div", { class: "table waiting" }, this.#frame);
    this.#showMood();
    board.canvas.addEventListener("pointerdown", () => this.#press(true));
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"])
      board.canvas.addEventListener(kind, () => this.#press(false));
    const { moved } = board.input;
    board.input.moved = () => {
      moved();
      this.#resize();
    };
    new ResizeObserver(() => this.fit()).observe(this.element);
    document.addEventListener("rulerchange", () => this.fit());
  }

  /** Show the whole board, and make the frame as large as the board is then. @param {boolean} [whole] */
  fit(whole = false) {
    this.#frame.style.width = this.#frame.style.height = "100%";
    this.board.fit(whole);
    this.#resize();
  }

  /** Make the frame as large as the board, but not larger than its place. */
  #resize() {
    const { style } = this.#frame;
    const { view, state } = this.board;
    style.width = style.height = "100%";
    view.clamp();
    if (matchMedia(SMALL).matches) return;
    const [width, height] = view.room;
    // a board that is smaller than its room is in the middle of it, with half of the rest at each side
    const edges = 2 * view.frame + 2; // else the board would be fitted to a frame that is too small for its cells
    const [boardWidth, boardHeight] = [width + 2 * Math.min(0, state.left), height + 2 * Math.min(0, state.top)];
    const [across, down] = [this.#frame.offsetWidth - width, this.#frame.offsetHeight - height];
    style.width = `${Math.max(MIN_WIDTH, Math.ceil(boardWidth + across + edges))}px`;
    style.height = `${Math.ceil(boardHeight + down + edges)}px`;
    view.clamp();
  }

  /**
   * Show the state of a game.
   * @param {{left: number, mood: Mood, isPaused: boolean, canPause: boolean}} state
   */
  show({ left, mood, isPaused, canPause }) {
    this.element.classList.remove("waiting");
    this.setMinesLeft(left);
    this.#mood = mood;
    this.#showMood();
    const label = isPaused ? t("page-continue") : t("page-pause");
    set(this.#pause, { "aria-label": label, title: `${label} (P)` });
    this.#pause.replaceChildren(icon(isPaused ? "play" : "pause"));
    this.#pause.disabled = !canPause;
  }

  /** @param {number} left */
  setMinesLeft(left) {
    const text = String(left);
    if (this.#mines.textContent === text) return;
    this.#mines.textContent = text;
    set(this.#minesLeft, { "aria-label": tn("page-mines-left", left) });
  }

  /** @param {number} seconds */
  tick(seconds) {
    const text = String(Math.floor(seconds));
    if (this.#seconds.textContent !== text) this.#seconds.textContent = text;
  }

  /** The face holds its breath while a cell is pressed. @param {boolean} down */
  #press(down) {
    if (this.#mood === "won" || this.#mood === "lost") return;
    this.#mood = down ? "pressed" : "playing";
    this.#showMood();
  }

  #showMood() {
    this.#face.dataset["mood"] = this.#mood;
  }
}

/** All moods in one drawing; CSS shows one of them. */
function faceDrawing() {
  const eyes = () => svg("path", { class: "eyes", d: "M11.5 13.5v.01M20.5 13.5v.01" });
  const line = (/** @type {string} */ d) => svg("path", { d });
  const glasses = "M5 11.5h22l-1.2 3.6a4.2 4.2 0 0 1-7.7 0L17.5 13h-3l-.6 2.1a4.2 4.2 0 0 1-7.7 0Z";
  return svg(
    "svg",
    { viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("circle", { cx: 16, cy: 16, r: 13.5 }),
    svg("g", { class: "playing" }, eyes(), line("M10.5 19.5c1.4 2.6 3.2 3.8 5.5 3.8s4.1-1.2 5.5-3.8")),
    svg("g", { class: "pressed" }, eyes(), line("M16 18.2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z")),
    svg("g", { class: "won" }, svg("path", { class: "glasses", d: glasses }), line("M10 20c1.5 2.6 3.5 3.8 6 3.8s4.5-1.2 6-3.8")),
    svg("g", { class: "lost" }, line("M9.5 11.5l4 4M13.5 11.5l-4 4M18.5 11.5l4 4M22.5 11.5l-4 4M11 23c1.2-2 2.9-3 5-3s3.8 1 5 3")),
  ); // prettier-ignore
}
