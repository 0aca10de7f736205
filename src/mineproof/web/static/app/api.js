/**
 * The only module that asks the server. All that the page knows of the game comes through here, so another engine, such
 * as a kernel in WebAssembly, could answer in its place. A function that takes a `signal` can be stopped by its
 * AbortController, and the server then stops working on it.
 *
 * @typedef {[number, number]} Cell
 * @typedef {Record<string, any>} Document a JSON answer; docs/reference/json.md tells the keys of each schema
 * @typedef {{signal?: AbortSignal | undefined}} Stop
 */

const BASE = "/api/v1/";

/** What the server refused, or that it did not answer (code "offline"). */
export class ApiError extends Error {
  /** @param {number} status @param {Document} document a mineproof/error/1 */
  constructor(status, document) {
    super(document["message"] ?? "The server gave no reason.");
    this.status = status;
    /** @type {string} */
    this.code = document["code"] ?? "unknown";
    /** Cells that it is about: of a contradiction, the numbers that cannot be true together. @type {Cell[]} */
    this.cells = document["cells"] ?? [];
    this.document = document;
  }
}

/** Whether somebody stopped a request on purpose: nothing to tell anybody. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** The server looks at the bytes of a file, whatever its type. @param {object} body */
const content = (body) =>
  body instanceof Blob
    ? { headers: { "Content-Type": "application/octet-stream" }, body }
    : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };

/**
 * @param {string} method @param {string} path @param {object | undefined} body a Blob is sent as it is @param {Stop} [stop]
 * @returns {Promise<Response>}
 */
async function send(method, path, body, { signal } = {}) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(BASE + path, {
      method,
      signal: signal ?? null,
      cache: "no-store",
      ...(body === undefined ? {} : content(body)),
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, {
      code: "offline",
      message: "The server does not answer. Is mineproof serve still running?",
    });
  }
  if (response.ok) return response;
  throw new ApiError(response.status, await response.json().catch(() => ({})));
}

/** @param {Response} response @returns {Promise<Document>} */
async function read(response) {
  try {
    return await response.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, { code: "offline", message: "The answer of the server broke off." });
  }
}

/** @param {string} path @param {Stop} [stop] @returns {Promise<Document>} */
const get = async (path, stop) => read(await send("GET", path, undefined, stop));

/** @param {string} path @param {object} body @param {Stop} [stop] @returns {Promise<Document>} */
const post = async (path, body, stop) => read(await send("POST", path, body, stop));

/** A query; what is undefined, null or empty is left out. @param {Document} values */
function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}

// questions about a position: `board` in any format, `mines`, and the options of the command

/** @param {Document} question @param {Stop} [stop] */
export const analyze = (question, stop) => post("analyze", question, stop);
/** @param {Document} question @param {Stop} [stop] */
export const solve = (question, stop) => post("solve", question, stop);
/** @param {Document} question @param {Stop} [stop] */
export const hint = (question, stop) => post("hint", question, stop);
/** @param {Document} question @param {Stop} [stop] */
export const best = (question, stop) => post("best", question, stop);
/** @param {Document} question @param {Stop} [stop] */
export const convert = (question, stop) => post("convert", question, stop);
/** The same as a file: text or bytes. @param {Document} question @param {Stop} [stop] */
export const convertToFile = async (question, stop) => (await send("POST", "convert", question, stop)).blob();
/** The board on a screenshot. @param {Blob} file @param {string} confirm "row,column,mark;…" @param {Stop} [stop] */
export const readImage = (file, confirm, stop) => post(`read${query({ confirm })}`, file, stop);
/** @param {Document} question @param {Stop} [stop] */
export const generate = (question, stop) => post("generate", question, stop);

// games, whose mines the server keeps

/** @param {Document} wanted */
export const beginGame = (wanted) => post("games", wanted);
/** @param {string} id @param {Stop} [stop] */
export const game = (id, stop) => get(`games/${encodeURIComponent(id)}`, stop);
/** @param {string} id @param {{kind: string, cell?: Cell}} made */
export const move = (id, made) => post(`games/${encodeURIComponent(id)}/moves`, made);
/** @param {string} id */
export const pause = (id) => post(`games/${encodeURIComponent(id)}/pause`, {});
/** @param {string} id */
export const resume = (id) => post(`games/${encodeURIComponent(id)}/resume`, {});
/** @param {string} id */
export const again = (id) => post(`games/${encodeURIComponent(id)}/again`, {});
/** A new game from a moment of one that is over. @param {string} id @param {number} moves */
export const gameFrom = (id, moves) => post(`games/${encodeURIComponent(id)}/from`, { move: moves });
/** @param {string} id @param {number} level @param {Stop} [stop] */
export const gameHint = (id, level, stop) => get(`games/${encodeURIComponent(id)}/hint${query({ level })}`, stop);
/** @param {string} id @param {Stop} [stop] */
export const gameOdds = (id, stop) => get(`games/${encodeURIComponent(id)}/odds`, stop);
/** @param {string} id @param {Stop} [stop] */
export const gameBest = (id, stop) => get(`games/${encodeURIComponent(id)}/best`, stop);
/** @param {string} id @param {Stop} [stop] */
export const gameReview = (id, stop) => get(`games/${encodeURIComponent(id)}/review`, stop);
/** @param {string} id @param {Stop} [stop] */
export const gameLesson = (id, stop) => get(`games/${encodeURIComponent(id)}/lesson`, stop);
/** The address of the lesson as a page. @param {string} id */
export const gameLessonPage = (id) => `${BASE}games/${encodeURIComponent(id)}/lesson?to=html`;
/** @param {string} id @param {Stop} [stop] */
export const gameTimeline = (id, stop) => get(`games/${encodeURIComponent(id)}/timeline`, stop);

// practice

/** @param {Document} wanted @param {Stop} [stop] */
export const puzzle = (wanted, stop) => post("puzzle", wanted, stop);
/** @param {Document} given */
export const answer = (given) => post("answer", given);
/** @param {Stop} [stop] */
export const standing = (stop) => get("standing", stop);

// the history of this machine

/** @param {Document} wanted @param {Stop} [stop] */
export const history = (wanted, stop) => get(`history${query(wanted)}`, stop);
/** @param {Stop} [stop] */
export const historySummary = (stop) => get("history/summary", stop);
/** @param {number} number @param {Stop} [stop] */
export const historyReview = (number, stop) => get(`history/${number}/review`, stop);
/** @param {number} number @param {Stop} [stop] */
export const historyLesson = (number, stop) => get(`history/${number}/lesson`, stop);
/** The address of the lesson as a page. @param {number} number */
export const historyLessonPage = (number) => `${BASE}history/${number}/lesson?to=html`;
/** The address of what games have in common, as a page. @param {Document} wanted */
export const historyProfilePage = (wanted) => `${BASE}history/profile${query({ ...wanted, to: "html" })}`;
/** @param {number} number @param {Stop} [stop] */
export const historyTimeline = (number, stop) => get(`history/${number}/timeline`, stop);
/** @param {number} number @param {number} moves */
export const historyFrom = (number, moves) => post(`history/${number}/from`, { move: moves });
/** @param {string} data in base64 @param {string} file its name */
export const historyImport = (data, file) => post("history", { data, file });
/** @param {number} number @param {string | null} name */
export const historyName = (number, name) => post(`history/${number}/name`, { name });
/** @param {number} number */
export const historyForget = async (number) => read(await send("DELETE", `history/${number}`, undefined));
/** @param {"csv" | "jsonl"} to */
export const historyExport = async (to) => (await send("GET", `history/export${query({ to })}`, undefined)).blob();

/** What the server answers, as an OpenAPI document. */
export const openapi = () => get("openapi.json");

/** Who can be simulated. */
export const strategies = () => get("strategies");

// long work

/**
 * Events of the server: `progress` is called with each, and what the last one has is returned. The server stops when the
 * signal of the request does.
 * @param {Response} response @param {(document: Document) => void} progress
 * @returns {Promise<Document>}
 */
async function follow(response, progress) {
  if (!response.body) throw new ApiError(0, { code: "offline", message: "The server sent nothing." });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (isAbort(error)) throw error;
      return { done: true, value: "" }; // the connection broke
    });
    if (done) throw new ApiError(0, { code: "offline", message: "The server ended before its work did." });
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1];
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "{}");
      if (name === "error") throw new ApiError(503, data);
      if (name === "done") return data;
      progress(data);
    }
  }
}

/**
 * Play many games. To go on after a stop, ask the same again with `resume`, a list of the simulations of the last result.
 * @param {Document} wanted @param {(result: Document) => void} progress @param {Stop} [stop]
 */
export const simulate = async (wanted, progress, stop) =>
  follow(await send("POST", "simulate", wanted, stop), progress);

/**
 * Think a guess over. `progress` gets what is known of the rivals, the best so far first.
 * @param {Document} question with `seconds` @param {(thought: Document) => void} progress @param {Stop} [stop]
 */
export const think = async (question, progress, stop) =>
  follow(await send("POST", "best/events", question, stop), progress);

/**
 * The same in a game.
 * @param {string} id @param {number} seconds @param {(thought: Document) => void} progress @param {Stop} [stop]
 */
export const gameThink = async (id, seconds, progress, stop) =>
  follow(
    await send("GET", `games/${encodeURIComponent(id)}/best/events${query({ seconds })}`, undefined, stop),
    progress,
  );
