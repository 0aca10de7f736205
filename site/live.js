/**
 * Live examples in the docs: a board that the reader edits, and its odds. The docs of the static site have the engine
 * beside them, which is loaded when the reader first asks for odds. Elsewhere the examples stay plain text.
 */

const DELAY_MILLISECONDS = 200; // after the last key
const PERCENT = 100;
const SITE = new URL("../../", import.meta.url); // this file is docs/_static/live.js

/** The folder of the engine, as the first page of the site names it. @returns {Promise<string | null>} */
async function engineFolder() {
  const response = await fetch(SITE).catch(() => null);
  const page = response?.ok ? await response.text() : "";
  const folder = /data-engine="([^"]+)"/.exec(page)?.[1];
  return folder ? new URL(folder, SITE).href : null;
}

/** @type {Worker | null} */
let worker = null;
let last = 0;
/** @type {Map<number, (answer: {status: number, document: Wire.AnalysisJson | Wire.ErrorJson}) => void>} */
const waiting = new Map();
/** @type {Promise<void> | null} */
let ready = null;

/** @param {string} folder @returns {Promise<void>} */
function start(folder) {
  worker = new Worker(`${folder}worker.js`, { type: "module" });
  worker.postMessage({ start: true, keepsGames: false });
  return new Promise((resolve, reject) => {
    const running = /** @type {Worker} */ (worker);
    running.onerror = () => reject(new Error("The engine did not start."));
    running.onmessage = ({ data }) => {
      if (data.isReady) resolve();
      else if (data.fatal) reject(new Error(data.fatal));
      else if (data.isOver) {
        const document_ = JSON.parse(new TextDecoder().decode(data.bytes));
        waiting.get(data.id)?.({ status: data.status, document: document_ });
        waiting.delete(data.id);
      }
    };
  });
}

/** @param {string} folder @param {string} board @param {string} mines */
async function analyze(folder, board, mines) {
  await (ready ??= start(folder));
  const request = { board, ...(mines === "" ? {} : { mines: Number(mines) }) };
  const body = new TextEncoder().encode(JSON.stringify(request));
  const headers = { "content-type": "application/json" };
  const question = { method: "POST", path: "/api/v1/analyze", query: "", headers, body };
  const id = ++last;
  worker?.postMessage({ id, question });
  return new Promise(
    (/** @type {(answer: {status: number, document: Wire.AnalysisJson | Wire.ErrorJson}) => void} */ resolve) => {
      waiting.set(id, resolve);
    },
  );
}

/** @template {keyof HTMLElementTagNameMap} N @param {N} name @param {Record<string, unknown>} properties @param {Node[]} children @returns {HTMLElementTagNameMap[N]} */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The board as a table: numbers as they are, and how likely a mine is. @param {string} board @param {Wire.AnalysisJson} analysis */
function table(board, analysis) {
  const shown = board.split(/[/\n]/).map((row) => row.trim());
  const rows = analysis["mine_probability"].map((/** @type {(number | null)[]} */ chances, /** @type {number} */ row) =>
    element(
      "tr",
      {},
      ...chances.map((chance, column) => {
        const symbol = shown[row]?.[column] ?? "";
        if (chance === null) return element("td", { textContent: symbol === "0" ? "" : symbol });
        const kind = chance === 0 ? "safe" : chance === 1 ? "mine" : "covered";
        return element("td", { className: kind, textContent: `${Math.round(chance * PERCENT)} %` });
      }),
    ),
  );
  return element("table", {}, element("tbody", {}, ...rows));
}

/** Turn an example into a form. @param {HTMLElement} example @param {string} folder */
function enliven(example, folder) {
  const text = example.querySelector("pre")?.textContent?.trim() ?? "";
  const board = element("textarea", { value: text, rows: text.split("\n").length, spellcheck: false });
  const mines = element("input", { type: "number", min: "0", value: example.dataset["mines"] ?? "" });
  const button = element("button", { type: "button", textContent: "Show the odds" });
  const status = element("p", { className: "live-status" });
  status.setAttribute("role", "status");
  const result = element("div", { className: "live-result" });
  let asked = 0;
  let timer = 0;

  async function show() {
    const own = ++asked;
    button.hidden = true;
    if (!ready) status.textContent = "Loading the engine …";
    try {
      const { document: answer } = await analyze(folder, board.value, mines.value);
      if (own !== asked) return;
      if (answer["schema"] === "mineproof/error/1") {
        result.replaceChildren();
        status.textContent = answer["message"];
        return;
      }
      result.replaceChildren(table(board.value, answer));
      status.textContent = `Layouts that fit: ${answer["layouts"]}`;
    } catch (error) {
      ready = null;
      button.hidden = false;
      status.textContent = String(error);
    }
  }
  const edited = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), DELAY_MILLISECONDS);
  };
  button.addEventListener("click", () => void show());
  board.addEventListener("input", edited);
  mines.addEventListener("input", edited);
  example.replaceChildren(
    element("label", {}, element("span", { textContent: "Board" }), board),
    element("label", {}, element("span", { textContent: "Mines" }), mines),
    button,
    status,
    result,
  );
}

const examples = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".live")]);
if (examples.length > 0) {
  const folder = await engineFolder();
  if (folder) for (const example of examples) enliven(example, folder);
}
