/**
 * Mouse, touch and keys to what is meant: open, flag, chord, paint, look closer, look elsewhere. No rules here: the
 * handlers know what a primary press on a cell does.
 *
 * Mouse: left is primary, right secondary, middle or both buttons chord; dragging pans where the board is larger than
 * the screen. Touch: a tap is primary, a long press secondary, one finger pans, two zoom. In paint mode one finger or
 * the left button paints, two fingers or the middle button pan. The wheel pans, and zooms with Ctrl or if the settings
 * say so. Keys act on the cursor.
 *
 * @typedef {import("./state.js").Cell} Cell
 * @typedef {"mouse" | "touch" | "key"} How
 *
 * @typedef {object} Handlers
 * @property {(cell: Cell, how: How) => void} [primary]
 * @property {(cell: Cell, how: How) => void} [secondary]
 * @property {(cell: Cell, how: "middle" | "both" | "double" | "key") => boolean} [chord] whether it meant anything there;
 *   if not, the second press of a double click is a primary one
 * @property {(cell: Cell, first: boolean) => void} [paint] given: the board is painted on
 * @property {() => void} [painted] a stroke has ended
 * @property {(cell: Cell | null) => void} [hover]
 * @property {(cell: Cell, chord: boolean) => Cell[]} [preview] what would open if the button were let go
 */
import { settings } from "../settings.js";
import { vibrate } from "../sounds.js";
import * as State from "./state.js";

const SLIP = 8; // CSS pixels that a press may move and still be a press
const LONG = 380; // milliseconds of a long press
const DOUBLE = 320; // milliseconds between the two presses of a double click
const PAGE = 5; // cells that Page Up and Page Down move

/** @typedef {{x: number, y: number, fromX: number, fromY: number, touch: boolean}} Finger */

export class Input {
  /** @type {Map<number, Finger>} */
  #fingers = new Map();
  /** @type {"" | "press" | "chord" | "pan" | "pinch" | "paint" | "done"} */
  #gesture = "";
  #timer = 0;
  #both = false;
  #last = { place: -1, time: 0 };
  #from = /** @type {[number, number]} */ ([0, 0]); // where a stroke of paint has come to

  /**
   * @param {import("./view.js").View} view @param {import("./grid.js").Mirror} mirror @param {Handlers} handlers
   * @param {() => void} changed the state was changed
   */
  constructor(view, mirror, handlers, changed) {
    this.view = view;
    this.mirror = mirror;
    this.handlers = handlers;
    this.changed = changed;
    const { canvas } = view;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#cancel(event));
    canvas.addEventListener("pointerleave", () => this.#hover(null));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    mirror.element.addEventListener("keydown", (event) => this.#key(event));
    mirror.element.addEventListener("click", (event) => this.#spoken(event));
  }

  get #state() {
    return this.view.state;
  }

  /** @param {PointerEvent | WheelEvent} event @returns {[number, number]} */
  #place(event) {
    const box = this.view.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // pointers

  /** @param {PointerEvent} event */
  #down(event) {
    event.preventDefault();
    const [x, y] = this.#place(event);
    const touch = event.pointerType !== "mouse";
    this.#fingers.set(event.pointerId, { x, y, fromX: x, fromY: y, touch });
    this.view.canvas.setPointerCapture(event.pointerId);
    const cell = this.view.cellAt(x, y);
    this.#point(cell);
    this.#from = [x, y];
    if (touch) this.#touched(cell);
    else if (event.button === 1) this.#gesture = "chord";
    else if (event.button === 0 && this.handlers.paint) this.#paint(cell, true);
    else if (event.button === 0) this.#gesture = "press";
    else if (event.button === 2 && cell) this.handlers.secondary?.(cell, "mouse");
    this.#preview(cell);
  }

  /** @param {Cell | null} cell */
  #touched(cell) {
    clearTimeout(this.#timer);
    if (this.#fingers.size > 1) {
      if (this.#gesture === "paint") this.handlers.painted?.();
      this.#gesture = "pinch";
      return;
    }
    if (this.handlers.paint) {
      // a second finger may follow, which means to zoom: painting begins with the first move, or with the end
      this.#gesture = "press";
      return;
    }
    this.#gesture = "press";
    this.#timer = window.setTimeout(() => {
      if (this.#gesture !== "press" || !cell) return;
      this.#gesture = "done";
      this.#preview(null);
      vibrate("press");
      this.handlers.secondary?.(cell, "touch");
    }, LONG);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const [x, y] = this.#place(event);
    const cell = this.view.cellAt(x, y);
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) {
      this.#hover(cell);
      return;
    }
    if (!finger.touch && event.buttons === 3 && this.#gesture !== "pan" && !this.handlers.paint) {
      this.#both = true; // whichever came first
      this.#gesture = "press";
    }
    const [dx, dy] = [x - finger.x, y - finger.y];
    if (this.#gesture === "pinch") this.#pinch(finger, x, y);
    [finger.x, finger.y] = [x, y];
    const far = Math.hypot(x - finger.fromX, y - finger.fromY) > SLIP;
    if (this.#gesture === "press" && far && finger.touch && this.handlers.paint) {
      this.#paint(this.view.cellAt(finger.fromX, finger.fromY), true);
      this.#from = [finger.fromX, finger.fromY];
    }
    const drags = this.#gesture === "chord" || (this.#gesture === "press" && !this.handlers.paint);
    if (drags && far && this.view.overflows) {
      this.#gesture = "pan";
      clearTimeout(this.#timer);
      this.#pan(x - finger.fromX, y - finger.fromY);
    } else if (this.#gesture === "press" && far && finger.touch) {
      this.#gesture = "done"; // a finger that slid off a board that cannot be panned meant nothing
      clearTimeout(this.#timer);
    } else if (this.#gesture === "pan") this.#pan(dx, dy);
    else if (this.#gesture === "paint") this.#stroke(x, y);
    this.#preview(this.#gesture === "press" || this.#gesture === "chord" ? cell : null);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const [x, y] = this.#place(event);
    const cell = this.view.cellAt(x, y);
    const finger = this.#fingers.get(event.pointerId);
    const gesture = this.#gesture;
    clearTimeout(this.#timer);
    if (event.type === "pointerup" && event.buttons !== 0 && event.pointerType === "mouse") return; // the other button
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size === 0) this.#gesture = "";
    this.#preview(null);
    if (gesture === "paint") this.handlers.painted?.();
    if (!cell || !finger) {
      this.#both = false;
      return;
    }
    if (gesture === "chord") this.handlers.chord?.(cell, "middle");
    if (gesture === "press" && this.handlers.paint) {
      this.#paint(cell, true);
      this.#gesture = "";
      this.handlers.painted?.();
    } else if (gesture === "press" && this.#both) this.handlers.chord?.(cell, "both");
    else if (gesture === "press") this.#pressed(cell, finger.touch ? "touch" : "mouse");
    this.#both = false;
  }

  /** @param {Cell} cell @param {How} how */
  #pressed(cell, how) {
    const place = State.index(this.#state, cell);
    const now = performance.now();
    const twice = place === this.#last.place && now - this.#last.time < DOUBLE;
    this.#last = { place: twice ? -1 : place, time: now };
    if (!twice || !this.handlers.chord?.(cell, "double")) this.handlers.primary?.(cell, how);
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    clearTimeout(this.#timer);
    this.#fingers.delete(event.pointerId);
    if (this.#gesture === "paint") this.handlers.painted?.();
    this.#gesture = "";
    this.#preview(null);
  }

  /** @param {number} dx @param {number} dy */
  #pan(dx, dy) {
    this.view.pan(dx, dy);
    this.moved();
  }

  /** The player panned or zoomed. */
  moved() {}

  /** @param {Finger} finger that has moved to a place @param {number} x @param {number} y */
  #pinch(finger, x, y) {
    const other = [...this.#fingers.values()].find((one) => one !== finger);
    if (!other) return;
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(x - other.x, y - other.y);
    this.#pan((x - finger.x) / 2, (y - finger.y) / 2);
    if (before > 1) this.view.zoom((this.#state.size * after) / before, (x + other.x) / 2, (y + other.y) / 2);
    this.moved();
  }

  /** @param {Cell | null} cell @param {boolean} first */
  #paint(cell, first) {
    this.#gesture = "paint";
    if (cell) this.handlers.paint?.(cell, first);
  }

  /** Paint every cell on the way to a place: a quick hand skips some. @param {number} x @param {number} y */
  #stroke(x, y) {
    const [fromX, fromY] = this.#from;
    const steps = Math.ceil(Math.hypot(x - fromX, y - fromY) / (this.#state.size * 0.4)) || 1;
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      this.#paint(this.view.cellAt(fromX + (x - fromX) * part, fromY + (y - fromY) * part), false);
    }
    this.#from = [x, y];
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!settings.wheelZoom && !event.ctrlKey) {
      if (!this.view.overflows) return; // the page may scroll
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 16 : 1;
      this.#pan(-event.deltaX * unit, -event.deltaY * unit);
      return;
    }
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    this.view.zoom(this.#state.size * Math.exp(-lines * (event.ctrlKey ? 0.01 : 0.002)), ...this.#place(event));
    this.moved();
  }

  /** The cursor follows what is pressed, without being shown: keys continue from there. @param {Cell | null} cell */
  #point(cell) {
    const state = this.#state;
    if (cell) state.cursor = State.index(state, cell);
    state.cursorShown = false;
    this.mirror.follow();
    this.mirror.focus();
    state.cursorShown = false;
    this.changed();
  }

  /** @param {Cell | null} cell */
  #hover(cell) {
    const place = cell ? State.index(this.#state, cell) : -1;
    if (place === this.#state.hover) return;
    this.view.request([this.#state.hover, place]);
    this.#state.hover = place;
    this.handlers.hover?.(cell);
  }

  /** @param {Cell | null} cell */
  #preview(cell) {
    const cells = (cell && this.handlers.preview?.(cell, this.#gesture === "chord" || this.#both)) || [];
    const state = this.#state;
    if (!cells.length && !state.pressed.size) return;
    const before = state.pressed;
    state.pressed = new Set([...cells.map((one) => State.index(state, one)), ...state.opening]);
    this.view.request([...before, ...state.pressed]);
  }

  // keys

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const state = this.#state;
    const cell = State.cellOf(state, state.cursor);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowUp: () => State.moveCursor(state, -1, 0),
      ArrowDown: () => State.moveCursor(state, 1, 0),
      ArrowLeft: () => State.moveCursor(state, 0, -1),
      ArrowRight: () => State.moveCursor(state, 0, 1),
      PageUp: () => State.moveCursor(state, -Math.min(PAGE, cell[0]), 0),
      PageDown: () => State.moveCursor(state, Math.min(PAGE, state.rows - 1 - cell[0]), 0),
      Home: () => State.moveCursor(state, 0, -cell[1]),
      End: () => State.moveCursor(state, 0, state.columns - 1 - cell[1]),
      Enter: () => this.#acted(cell, "primary"),
      " ": () => this.#acted(cell, "primary"),
      f: () => this.#acted(cell, "secondary"),
      c: () => this.handlers.chord?.(cell, "key"),
      "+": () => this.view.zoom(state.size * 1.25, this.view.room[0] / 2, this.view.room[1] / 2),
      "-": () => this.view.zoom(state.size / 1.25, this.view.room[0] / 2, this.view.room[1] / 2),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    state.cursorShown = true;
    act();
    this.mirror.follow();
    this.view.reveal(state.cursor);
    this.handlers.hover?.(State.cellOf(state, state.cursor));
    this.changed();
  }

  /** @param {Cell} cell @param {"primary" | "secondary"} what */
  #acted(cell, what) {
    if (what === "primary" && this.handlers.paint) {
      this.handlers.paint(cell, true);
      this.handlers.painted?.();
    } else this.handlers[what]?.(cell, "key");
  }

  /** A screen reader clicks the cell itself. @param {MouseEvent} event */
  #spoken(event) {
    const cells = [...this.mirror.element.querySelectorAll("[role=gridcell]")];
    const place = cells.indexOf(/** @type {Element} */ (event.target));
    if (place >= 0) this.#acted(State.cellOf(this.#state, place), "primary");
  }
}
