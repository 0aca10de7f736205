// The gates themselves: what eslint and tsc are there to refuse is refused, and what is right is not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ESLint } from "eslint";

const ROOT = new URL("../..", import.meta.url).pathname;
const APP = join(ROOT, "src/mineproof/web/static/app");
const eslint = new ESLint({ cwd: ROOT });

/**
 * The rules that a line of the page breaks.
 *
 * @param {string} code
 * @param {string} [file]
 */
async function broken(code, file = "panel.js") {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: join(APP, file) });
  assert(result);
  return result.messages.map(({ ruleId }) => ruleId);
}

describe("eslint refuses", () => {
  for (const [code, rule] of /** @type {const} */ ([
    ['export const asked = fetch("/");', "no-restricted-globals"],
    ['export const asked = window.fetch("/");', "no-restricted-properties"],
    ['export const asked = globalThis["fetch"]("/");', "no-restricted-properties"],
    ['export const events = new EventSource("/");', "no-restricted-globals"],
    ["export const asked = new XMLHttpRequest();", "no-restricted-globals"],
    ['export const socket = new WebSocket("/");', "no-restricted-globals"],
    ['navigator.sendBeacon("/");', "no-restricted-properties"],
    ['document.body.innerHTML = "x";', "no-restricted-syntax"],
    ['document.body["outerHTML"] = "x";', "no-restricted-syntax"],
    ['document.body.insertAdjacentHTML("beforeend", "x");', "no-restricted-syntax"],
    ['Object.assign(document.body, { innerHTML: "x" });', "no-restricted-syntax"],
    ['document.write("x");', "no-restricted-syntax"],
    ['document.body.setAttribute("style", "x");', "no-restricted-syntax"],
    ['document.body.setAttribute("onclick", "x");', "no-restricted-syntax"],
    ['eval("x");', "no-eval"],
    ['export const made = new Function("x");', "no-new-func"],
    ['setTimeout("x", 1);', "no-implied-eval"],
    ['console.log("x");', "no-console"],
    ["export const key = event.key;", "no-restricted-globals"],
    ['import x from "axe-core"; export default x;', "no-restricted-imports"],
    ["export let x = 1;", "prefer-const"],
    ["var x = 1; export { x };", "no-var"],
    ["export const same = (x) => x == 1;", "eqeqeq"],
    ["const unused = 1;", "no-unused-vars"],
    ["/* eslint-disable no-console */", null],
  ])) {
    test(code, async () => assert.deepEqual(await broken(code), [rule]));
  }
});

describe("eslint lets through", () => {
  test("asking in app/api.js", async () => {
    const code = 'export const asked = [fetch("/"), window.fetch("/"), new EventSource("/")];';
    assert.deepEqual(await broken(code, "api.js"), []);
    assert.equal((await broken(code, "other/api.js")).length, 3);
  });

  test("elements that are built", async () => {
    const code =
      'import { x } from "./x.js"; document.body.textContent = x; document.body.setAttribute("role", "grid");';
    assert.deepEqual(await broken(code), []);
  });
});

/**
 * What tsc says of a module, with the options of the project.
 *
 * @param {string} code
 */
function complaints(code) {
  const folder = mkdtempSync(join(tmpdir(), "mineproof-"));
  try {
    const shared = JSON.stringify(join(ROOT, "tsconfig.json"));
    writeFileSync(join(folder, "tsconfig.json"), `{"extends": ${shared}, "include": ["*.js"]}`);
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(join(folder, "other.js"), "export const other = 1;\n");
    writeFileSync(join(folder, "tried.js"), code);
    const done = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["--project", folder], { encoding: "utf-8" });
    return [...done.stdout.matchAll(/error (TS\d+)/g)].map((match) => match[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("tsc", () => {
  test("refuses what is wrong", () => {
    const wrong = [
      'import { other } from "./other";', // TS2835: the ending is missing
      "/** @param {number[]} xs @returns {number} */",
      "export const first = (xs) => xs[0];", // TS2322: may be undefined
      "/** @param {string} x */",
      "export const none = (x) => 1;", // TS6133: not used
      "export const any = (x) => x;", // TS7006: no type
      "export const found = document.querySelector('p').textContent;", // TS2531: may be null
      "export const node = process.env;", // TS2580 or TS2591: not in a browser
      "export { other };",
    ];
    const found = complaints(wrong.join("\n"));
    assert.deepEqual(found, ["TS2835", "TS2322", "TS6133", "TS7006", "TS2531", "TS2591"]);
  });

  test("lets through what is right", () => {
    const right = ['import { other } from "./other.js";', "/** @type {number} */", "export const same = other;"];
    assert.deepEqual(complaints(right.join("\n")), []);
  });
});
