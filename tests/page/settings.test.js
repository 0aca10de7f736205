// Settings that are kept by a browser: damaged ones are left out, and tabs do not write over each other's.
import assert from "node:assert/strict";
import { test } from "node:test";

const store = new Map();
Object.defineProperty(globalThis, "localStorage", {
  value: {
    getItem: (/** @type {string} */ key) => store.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => store.set(key, value),
  },
});

/** The module as another tab has it. @param {string} tab @returns {Promise<typeof import("../../src/mineproof/web/static/app/settings.js")>} */
const opened = (tab) => import(`../../src/mineproof/web/static/app/settings.js?${tab}`);

test("what cannot be a setting is left out", async () => {
  const damaged = {
    topology: "foo",
    rows: 16.5,
    columns: -1,
    mines: "9",
    theme: null,
    game: 7,
    thinking: 7,
    unknown: 1,
    level: "expert",
  };
  store.set("mineproof", JSON.stringify(damaged));
  const { settings, DEFAULTS } = await opened("damaged");
  assert.deepEqual(settings, { ...DEFAULTS, level: "expert" });
});

test("what is no JSON, or no object, is as if nothing was kept", async () => {
  for (const text of ["{", "null", "3", "[1]"]) {
    store.set("mineproof", text);
    const { settings, DEFAULTS } = await opened(text);
    assert.deepEqual(settings, DEFAULTS);
  }
});

test("a tab writes what it changes, and keeps what another has changed", async () => {
  store.clear();
  const [one, other] = [await opened("one"), await opened("other")];
  one.change({ theme: "dark" });
  other.change({ overlay: "odds" });
  assert.deepEqual(JSON.parse(store.get("mineproof")), { theme: "dark", overlay: "odds" });
});
