// The panels of Analyse: whether an answer lights up the board.
import "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

class Element {
  open = false;
  /** @type {Record<string, () => void>} */
  listeners = {};
  addEventListener(/** @type {string} */ name, /** @type {() => void} */ listener) {
    this.listeners[name] = listener;
  }
  append() {}
  removeAttribute() {}
  replaceChildren() {}
  setAttribute() {}
}
Object.assign(globalThis, { document: { createElement: () => new Element(), documentElement: { dataset: {} } }, Node: Element }); // prettier-ignore
const { AnswerPanel } = await import("../../src/mineproof/web/static/app/panels/answer.js");

/** A panel, and for each answer that it shows whether the player requested it. */
function observed() {
  /** @type {boolean[]} */
  const shown = [];
  const source = async () => ({});
  const render = (/** @type {object} */ _answer, /** @type {boolean} */ requested) => {
    shown.push(requested);
    return [];
  };
  const panel = new AnswerPanel("", false, source, render);
  const element = /** @type {Element} */ (/** @type {unknown} */ (panel.element));
  const toggle = (/** @type {boolean} */ open) => {
    element.open = open;
    element.listeners["toggle"]?.();
  };
  return { panel, shown, toggle };
}

const answers = () => new Promise((resolve) => setTimeout(resolve));

test("a panel opened before the odds are there lights up the board when they are", async () => {
  const { panel, shown, toggle } = observed();
  toggle(true);
  panel.about({});
  await answers();
  panel.about({}); // the player goes on to edit, and looks at the odds
  await answers();
  assert.deepEqual(shown, [true, false]);
});

test("a panel folded before the odds are there asks when it is opened again", async () => {
  const { panel, shown, toggle } = observed();
  toggle(true);
  toggle(false);
  panel.about({});
  await answers();
  assert.deepEqual(shown, []);
  toggle(true);
  await answers();
  assert.deepEqual(shown, [true]);
});
