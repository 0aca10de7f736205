/**
 * The API without a server: Python and the kernel answer inside this browser, in workers. One worker keeps the games, so
 * that a move is answered at once. Another, made when it is first needed, thinks, simulates and generates; stopping its
 * work ends it. Both load the files of the folder that the page names in `data-engine`.
 *
 * @typedef {{method: string, path: string, query: string, headers: Record<string, string>, body: Uint8Array}} Question
 *
 * @typedef {object} Listener of the answer to one question
 * @property {(status: number, headers: Record<string, string>) => void} head
 * @property {(bytes: Uint8Array) => void} chunk
 * @property {() => void} end
 * @property {(error: Error) => void} fail
 *
 * @typedef {object} Message what the worker says: its state, or a part of the answer to the question `id`
 * @property {number} [id]
 * @property {boolean} [fatal] @property {boolean} [failed] @property {boolean} [waits] @property {number} [step]
 * @property {boolean} [isReady] @property {boolean} [isRestored] @property {boolean} [hasGame] @property {boolean} [isLost] @property {boolean} [isOver]
 * @property {number} [status] @property {Record<string, string>} [headers] @property {Uint8Array} [bytes]
 */
import { t } from "../messages.js";
import { Opening } from "./opening.js";

/** @type {Set<string>} questions that may take long, and that need no game */
const LONG = new Set(["best", "best/events", "simulate", "generate", "check", "read"]);
const API = "/api/v1/";
const OPEN = "#open/"; // links to answers that open as pages
const LAST_STEP = 3;
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 60_000]; // milliseconds before the next start, after one that failed
const OPENING = "mineproof-opening"; // a game that the engine has not taken over yet, in the storage of the browser
const FOLDER = new URL(document.documentElement.dataset["engine"] ?? "", document.baseURI).href;

/** One worker, and the questions that it has not answered. */
class Engine {
  /** @type {Worker} */
  #worker;
  /** @type {Map<number, {question: Question, listener: Listener, isBegun: boolean}>} */
  #waiting = new Map();
  #last = 0;
  #pause = 0;
  isReady = false;

  /** @param {boolean} keepsGames @param {(message: Message) => void} told of the worker's state */
  constructor(keepsGames, told = () => {}) {
    this.keepsGames = keepsGames;
    this.told = told;
    this.#worker = this.#start();
  }

  #start() {
    this.isReady = false;
    const worker = new Worker(`${FOLDER}worker.js`, { type: "module" });
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = () => this.#fail();
    worker.postMessage({ start: true, keepsGames: this.keepsGames });
    return worker;
  }

  /** @param {Question} question @param {Listener} listener @returns {number} */
  ask(question, listener) {
    this.#waiting.set(++this.#last, { question, listener, isBegun: false });
    if (this.isReady) this.#worker.postMessage({ id: this.#last, question });
    return this.#last;
  }

  /** Stop waiting for an answer. @param {number} id */
  leave(id) {
    if (!this.#waiting.delete(id)) return;
    if (this.keepsGames) this.#worker.postMessage({ id, left: true });
    else this.#restart();
  }

  /** A file with all data, or data to replace it by. @param {Uint8Array | null} data @returns {Promise<Uint8Array>} */
  exchangeData(data) {
    return new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => (event.data.error ? reject(new Error(event.data.error)) : resolve(event.data.bytes));
      this.#worker.postMessage({ data, port: port2 }, [port2]);
    });
  }

  /** End what the worker does, and ask another worker what has not been answered. */
  #restart() {
    this.#worker.terminate();
    this.#worker = this.#start();
    for (const [id, { listener, isBegun }] of [...this.#waiting]) if (isBegun) this.#drop(id, listener);
  }

  /** Ask all that has waited, after the game that has begun without the engine. */
  #begin() {
    this.isReady = true;
    this.#pause = 0;
    const game = this.keepsGames ? localStorage.getItem(OPENING) : null;
    if (game) this.#worker.postMessage({ game: JSON.parse(game) });
    for (const [id, { question }] of this.#waiting) this.#worker.postMessage({ id, question });
  }

  /** The worker has ended: each move that it answered is stored. Without its files every start fails: it waits longer each time. */
  #fail() {
    const failed = this.#worker;
    failed.terminate();
    for (const [id, { listener }] of [...this.#waiting]) this.#drop(id, listener);
    this.told({ failed: true });
    this.isReady = false;
    setTimeout(() => {
      if (this.#worker === failed) this.#worker = this.#start();
    }, this.#pause);
    this.#pause = Math.min(this.#pause * 2 || FIRST_PAUSE, LONGEST_PAUSE);
  }

  /** @param {number} id @param {Listener} listener */
  #drop(id, listener) {
    this.#waiting.delete(id);
    listener.fail(new TypeError("There is no answer.")); // as fetch does without a network
  }

  /** @param {Message} message */
  #hear(message) {
    if (message["fatal"]) return this.#fail();
    if (message["isReady"]) this.#begin();
    if (message["hasGame"]) return localStorage.removeItem(OPENING);
    const { id } = message;
    if (id === undefined) return this.told(message);
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    const { listener } = waiting;
    if (message["isLost"]) return this.#drop(id, listener);
    if (message["status"]) {
      waiting.isBegun = true;
      listener.head(message["status"], message["headers"] ?? {});
    }
    if (message["bytes"]?.length) listener.chunk(message["bytes"]);
    if (message["isOver"]) {
      this.#waiting.delete(id);
      listener.end();
    }
    return undefined;
  }
}

const games = new Engine(true, (message) => showState(message));
/** @type {Engine | null} */
let thinker = null;
const thinking = () => (thinker ??= new Engine(false));

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
export async function request(path, options) {
  const [name = "", query = ""] = path.split(/\?(.*)/s);
  const { body } = options;
  const bytes = body instanceof Blob ? await body.arrayBuffer() : new TextEncoder().encode(String(body ?? ""));
  /** @type {Question} */
  const question = {
    method: options.method ?? "GET",
    path: API + name,
    query,
    headers: Object.fromEntries(new Headers(options.headers)),
    body: new Uint8Array(bytes),
  };
  if (LONG.has(name) || isSearch(name, body)) return ask(thinking(), question, options.signal ?? null);
  const early = games.isReady ? null : await answerEarly(question);
  return early ?? ask(games, question, options.signal ?? null);
}

/** A puzzle of a seed may take a minute to find, and needs no history. @param {string} name @param {unknown} body */
const isSearch = (name, body) => name === "puzzle" && typeof body === "string" && "seed" in JSON.parse(body);

/** The first moves of a game that the engine does not have yet. */
const opening = fetch(`${FOLDER}opening.json`)
  .then((response) => response.json())
  .then((deals) => new Opening(deals, (game) => localStorage.setItem(OPENING, JSON.stringify(game))))
  .then((beginning) => Object.assign(beginning, { game: JSON.parse(localStorage.getItem(OPENING) ?? "null") }))
  .catch(() => null); // the engine answers everything

/** An answer without the engine, if it cannot differ from that of the engine. @param {Question} question @returns {Promise<Response | null>} */
async function answerEarly({ method, path, body }) {
  const beginning = await opening;
  if (!beginning || games.isReady) return null;
  const options = method === "POST" ? JSON.parse(new TextDecoder().decode(body)) : {};
  const game = `${API}games/${beginning.game?.id}`;
  let view = null;
  if (method === "POST" && path === `${API}games`) view = beginning.begin(options);
  else if (method === "GET" && path === game) view = beginning.view();
  else if (method === "POST" && path === `${game}/moves`) view = beginning.move(options);
  return view && Response.json(view, { status: view["moves"] ? 200 : 201 });
}

/** @param {Engine} first @param {Question} question @param {AbortSignal | null} signal @returns {Promise<Response>} */
function ask(first, question, signal) {
  return new Promise((resolve, reject) => {
    let [engine, id] = [first, 0];
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let stream;
    let isOver = false;
    const stop = () => {
      engine.leave(id);
      fail(new DOMException("The request was stopped.", "AbortError"));
    };
    /** @param {unknown} error */
    const fail = (error) => {
      if (isOver) return;
      isOver = true;
      signal?.removeEventListener("abort", stop);
      stream.error(error);
      reject(error);
    };
    const body = new ReadableStream({
      start: (controller) => void (stream = controller),
      cancel: () => {
        isOver = true;
        engine.leave(id);
      },
    });
    /** @type {Listener} */
    const listener = {
      head: (status, headers) => resolve(new Response(body, { status, headers })),
      chunk: (bytes) => {
        const elsewhere = handedOn(bytes);
        if (elsewhere) {
          engine = thinking();
          id = engine.ask({ ...question, ...elsewhere }, { ...listener, head: () => {} });
        } else if (!isOver) stream.enqueue(bytes);
      },
      end: () => {
        if (isOver || engine !== first) return; // the other engine answers
        isOver = true;
        signal?.removeEventListener("abort", stop);
        stream.close();
      },
      fail,
    };
    if (signal?.aborted) return fail(new DOMException("The request was stopped.", "AbortError"));
    signal?.addEventListener("abort", stop);
    id = engine.ask(question, listener);
    return undefined;
  });
}

/** The question that the worker of the games hands on to the other one, if it does. @param {Uint8Array} bytes */
function handedOn(bytes) {
  const text = new TextDecoder().decode(bytes);
  if (!text.startsWith("event: elsewhere\n")) return null;
  const { method, path, body } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
  const headers = { "content-type": "application/json" };
  return { method, path, query: "", body: new TextEncoder().encode(JSON.stringify(body)), headers };
}

/** All games and ratings as one file. */
export const saveData = async () => {
  const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (await games.exchangeData(null));
  return new Blob([bytes], { type: "application/zip" });
};

/** Replace all games and ratings by those of a file. @param {Blob} file */
export const restoreData = async (file) => void (await games.exchangeData(new Uint8Array(await file.arrayBuffer())));

// what the player sees of it

const state = document.createElement("p");
state.className = "engine-state";
state.setAttribute("role", "status");
state.hidden = true;
document.body.append(state);

/** Show how far the engine is, and hide that when it is ready. @param {Message} message */
function showState(message) {
  const { step, isReady, isRestored, waits, failed } = message;
  if (isReady) document.documentElement.dataset["engineStart"] = isRestored ? "snapshot" : "imports";
  document.documentElement.dataset["engineState"] = isReady ? "ready" : "loading";
  state.hidden = isReady === true;
  if (waits) state.textContent = t("page-engine-other-tab");
  else if (failed) state.textContent = t("page-engine-failed");
  else if (step) state.textContent = t("page-engine-loading", { step, last: LAST_STEP });
  if (isReady) keepFiles();
}

/** From now on the page works offline. Not before: the files that the engine needs come first. */
function keepFiles() {
  navigator.serviceWorker?.register(new URL("sw.js", document.baseURI)).catch(() => {}); // it works online all the same
}

// Answers that open as pages: a lesson, a profile.

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest(`a[href^="${OPEN}"]`) : null;
  if (!link) return;
  event.preventDefault();
  const path = (link.getAttribute("href") ?? "").slice(OPEN.length);
  const tab = window.open("", "_blank"); // now, because a browser allows it only while a click is handled
  void request(path, {})
    .then((response) => response.blob())
    .then((page) => {
      const address = URL.createObjectURL(page);
      if (tab) tab.location.href = address;
      else location.href = address;
    });
});
