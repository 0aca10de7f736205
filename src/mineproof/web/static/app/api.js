/**
 * The only module that sends requests. All that the page knows of the game comes through here, so another engine, such
 * as a kernel in WebAssembly, could answer in its place. A function that takes a `signal` can be stopped by its
 * AbortController, and the server then stops working on it.
 *
 * The types `Wire…` are those of the server's JSON: docs/reference/json.md explains their keys.
 *
 * @typedef {[number, number]} Cell
 * @typedef {Partial<Wire.ErrorJson>} Refusal an error of the server; empty if something else answered
 * @typedef {Wire.LiveViewJson & {outcome?: Wire.OutcomeJson}} View of a game; with the effect of a move after one
 * @typedef {{signal?: AbortSignal | undefined, labels?: "ruler" | "chips"}} Stop
 */
import { language, t } from "./messages.js";
import { pageAddress, request } from "./transport.js";

/** An error of the server, or no response from it (code "offline"). */
export class ApiError extends Error {
  /** @param {number} status @param {Refusal} document */
  constructor(status, document) {
    super(document["message"] ?? t("page-error-unknown"));
    this.status = status;
    /** @type {string} */
    this.code = document["code"] ?? "unknown";
    /** Cells that it is about: of a contradiction, the numbers that cannot be true together. @type {Cell[]} */
    this.cells = /** @type {Cell[]} */ (document["cells"] ?? []);
    this.document = document;
  }
}

/** Whether a request was stopped on purpose, which is not an error. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** The server answers in the page's language and names cells as the ruler does, or by chips. @param {Stop} stop */
const readerHeaders = ({ labels = "ruler" }) => ({ "Accept-Language": language(), "Mineproof-Cell-Labels": labels });

/** Texts name their cells by tokens, which `panels/proof.js` turns into chips. @param {Stop} [stop] @returns {Stop} */
const chips = (stop) => ({ signal: stop?.signal, labels: "chips" }); // not a copy: an AbortController has a getter

/** The server looks at the bytes of a file, whatever its type. @param {object | undefined} body @param {Stop} stop */
function encodeBody(body, stop) {
  if (body === undefined) return { headers: readerHeaders(stop) };
  const [type, content] =
    body instanceof Blob ? ["application/octet-stream", body] : ["application/json", JSON.stringify(body)];
  return { headers: { ...readerHeaders(stop), "Content-Type": type }, body: content };
}

/**
 * @param {string} method @param {string} path @param {object | undefined} body a Blob is sent as it is @param {Stop} [stop]
 * @returns {Promise<Response>}
 */
async function send(method, path, body, stop = {}) {
  /** @type {Response} */
  let response;
  try {
    response = await request(path, {
      method,
      signal: stop.signal ?? null,
      cache: "no-store",
      ...encodeBody(body, stop),
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw offline("page-error-no-response");
  }
  if (response.ok) return response;
  /** @type {Refusal} */
  const refusal = await response.json().catch(() => ({}));
  if (refusal["code"] === "no-player") refusal["message"] = t("page-error-no-cookie"); // the server's message is for programs
  throw new ApiError(response.status, refusal);
}

/** The error for a missing response. @param {string} key */
export const offline = (key) => new ApiError(0, { code: "offline", message: t(key) });

/** @param {Response} response @returns {Promise<any>} of the type that each function below names */
async function read(response) {
  try {
    return await response.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw offline("page-error-cut-off");
  }
}

/** @param {string} path @param {Stop} [stop] @returns {Promise<any>} */
const get = async (path, stop) => read(await send("GET", path, undefined, stop));

/** @param {string} path @param {object} body @param {Stop} [stop] @returns {Promise<any>} */
const post = async (path, body, stop) => read(await send("POST", path, body, stop));

/** A query; what is undefined, null or empty is left out. @param {object} values */
function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return pairs.length ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : "";
}

/**
 * The texts of the page in a language. They are files beside the modules, so that a static host can serve them too.
 * @param {string} code @returns {Promise<import("./messages.js").Messages>}
 */
export async function messages(code) {
  const response = await fetch(new URL(`../messages/${code}.json`, import.meta.url));
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return response.json();
}

/** The HTML of the page as the server has it now. */
export async function firstPage() {
  const response = await fetch(location.pathname, { cache: "no-store" });
  return response.ok ? response.text() : "";
}

// questions about a position: `board` in any format, `mines`, and the options of the command

/** @param {Wire.AnalyzeRequest} question @param {Stop} [stop] @returns {Promise<Wire.AnalysisJson>} */
export const analyze = (question, stop) => post("analyze", question, stop);
/** @param {Wire.SolveRequest} question @param {Stop} [stop] @returns {Promise<Wire.SolutionJson>} */
export const solve = (question, stop) => post("solve", question, chips(stop));
/** @param {Wire.HintRequest} question @param {Stop} [stop] @returns {Promise<Wire.HintJson>} */
export const hint = (question, stop) => post("hint", question, chips(stop));
/** @param {Wire.BestRequest} question @param {Stop} [stop] @returns {Promise<Wire.BestMoveJson>} */
export const best = (question, stop) => post("best", question, chips(stop));
/** @param {Wire.ConvertRequest} question @param {Stop} [stop] @returns {Promise<Wire.ConvertedBoardJson | Wire.ConvertedLayoutJson>} */
export const convert = (question, stop) => post("convert", question, stop);
/** The same as a file: text or bytes. @param {Wire.ConvertRequest} question @param {Stop} [stop] */
export const convertToFile = async (question, stop) => (await send("POST", "convert", question, stop)).blob();
/** The board on a screenshot. @param {Blob} file @param {string} confirm "row,column,mark;…" @param {string} size "side,change;…" @param {Stop} [stop] @returns {Promise<Wire.ReadingJson>} */
export const readImage = (file, confirm, size, stop) => post(`read${query({ confirm, size })}`, file, stop);
/** @param {Wire.GenerateRequest} question @param {Stop} [stop] @returns {Promise<Wire.GeneratedJson>} */
export const generate = (question, stop) => post("generate", question, chips(stop));

// games, whose mines the server keeps

/** @param {Wire.NewGameRequest} options @returns {Promise<Wire.LiveViewJson>} */
export const beginGame = (options) => post("games", options);
/** @param {string} id @param {Stop} [stop] @returns {Promise<Wire.LiveViewJson>} */
export const game = (id, stop) => get(`games/${encodeURIComponent(id)}`, stop);
/** @param {string} id @param {Wire.MoveRequest} details @returns {Promise<Wire.MovedJson>} */
export const move = (id, details) => post(`games/${encodeURIComponent(id)}/moves`, details);
/** @param {string} id @returns {Promise<Wire.LiveViewJson>} */
export const pause = (id) => post(`games/${encodeURIComponent(id)}/pause`, {});
/** @param {string} id @returns {Promise<Wire.LiveViewJson>} */
export const resume = (id) => post(`games/${encodeURIComponent(id)}/resume`, {});
/** @param {string} id @returns {Promise<Wire.LiveViewJson>} */
export const again = (id) => post(`games/${encodeURIComponent(id)}/again`, {});
/** A new game from a moment of one that is over. @param {string} id @param {number} moves @returns {Promise<Wire.LiveViewJson>} */
export const gameFrom = (id, moves) => post(`games/${encodeURIComponent(id)}/from`, { move: moves });
/** @param {string} id @param {number} level @param {Stop} [stop] @returns {Promise<Wire.HintJson>} */
export const gameHint = (id, level, stop) =>
  get(`games/${encodeURIComponent(id)}/hint${query({ level })}`, chips(stop));
/** @param {string} id @param {Stop} [stop] @returns {Promise<Wire.GameOddsJson>} */
export const gameOdds = (id, stop) => get(`games/${encodeURIComponent(id)}/odds`, stop);
/** @param {string} id @param {Stop} [stop] @returns {Promise<Wire.BestMoveJson>} */
export const gameBest = (id, stop) => get(`games/${encodeURIComponent(id)}/best`, chips(stop));
/** @param {string} id @param {Stop} [stop] @returns {Promise<Wire.ReviewJson>} */
export const gameReview = (id, stop) => get(`games/${encodeURIComponent(id)}/review`, stop);
/** Help, personal record and streak of a game that is over. @param {string} id @param {Stop} [stop] @returns {Promise<Wire.ResultJson>} */
export const gameResult = (id, stop) => get(`games/${encodeURIComponent(id)}/result`, stop);
/** @param {string} id @param {Stop} [stop] @returns {Promise<Wire.LessonJson>} */
export const gameLesson = (id, stop) => get(`games/${encodeURIComponent(id)}/lesson`, stop);
/** The address of the lesson as a page. @param {string} id */
export const gameLessonPage = (id) =>
  pageAddress(`games/${encodeURIComponent(id)}/lesson?to=html&language=${language()}`);
/** @param {string} id @param {Stop} [stop] @returns {Promise<Wire.TimelineJson>} */
export const gameTimeline = (id, stop) => get(`games/${encodeURIComponent(id)}/timeline`, stop);

// games of variants

/** The gallery, with words in the page's language. @returns {Promise<Wire.VariantsJson>} */
export const variants = () => get("variants");
/** @param {Wire.NewVariantGameRequest} options @returns {Promise<Wire.LiveVariantJson>} */
export const beginVariant = (options) => post("variant-games", options);
/** @param {string} id @returns {Promise<Wire.LiveVariantJson>} */
export const variantGame = (id) => get(`variant-games/${encodeURIComponent(id)}`);
/** @param {string} id @param {Wire.VariantMoveRequest} details @returns {Promise<Wire.MovedVariantJson>} */
export const variantMove = (id, details) => post(`variant-games/${encodeURIComponent(id)}/moves`, details);
/** @param {string} id @returns {Promise<Wire.VariantAnalysisJson>} */
export const variantOdds = (id) => get(`variant-games/${encodeURIComponent(id)}/odds`);
/** @param {string} id @param {number} level @param {Stop} [stop] @returns {Promise<Wire.VariantHintJson>} */
export const variantHint = (id, level, stop) =>
  get(`variant-games/${encodeURIComponent(id)}/hint${query({ level })}`, chips(stop));
/** @param {string} id @param {Stop} [stop] @returns {Promise<Wire.VariantBestJson>} */
export const variantBest = (id, stop) => get(`variant-games/${encodeURIComponent(id)}/best`, chips(stop));
/** @param {string} id @returns {Promise<Wire.LiveVariantJson>} */
export const variantAgain = (id) => post(`variant-games/${encodeURIComponent(id)}/again`, {});

// practice

/** @param {Wire.PuzzleRequest} options @param {Stop} [stop] @returns {Promise<Wire.PuzzleJson>} */
export const puzzle = (options, stop) => post("puzzle", options, chips(stop));
/** @param {Wire.PuzzleAnswerRequest} attempt @returns {Promise<Wire.CountedAnswerJson>} */
export const answer = (attempt) => post("answer", attempt, chips());
/** @param {Stop} [stop] @returns {Promise<Wire.TrainingJson>} */
export const standing = (stop) => get("standing", stop);
/** Results by technique and by day, and failed puzzles. @returns {Promise<Wire.DashboardJson>} */
export const dashboard = () => get("dashboard");
/** Results in the daily puzzles. @param {string} month such as 2026-11 @returns {Promise<Wire.DailyJson>} */
export const daily = (month) => get(`daily${query({ month })}`);
/** Start a streak or a storm. @param {Wire.RunRequest} options @returns {Promise<Wire.CountedRunJson>} */
export const startRun = (options) => post("runs", options);

// the history of this machine

/** @param {Wire.HistoryQuery} filters @param {Stop} [stop] @returns {Promise<Wire.HistoryJson>} */
export const history = (filters, stop) => get(`history${query(filters)}`, stop);
/** @param {Stop} [stop] @param {Wire.HistoryFilter} [filters] @returns {Promise<Wire.SummaryJson>} */
export const historySummary = (stop, filters = {}) => get(`history/summary${query(filters)}`, stop);
/** @param {number} number @param {Stop} [stop] @returns {Promise<Wire.KeptReviewJson>} */
export const historyReview = (number, stop) => get(`history/${number}/review`, stop);
/** @param {number} number @param {Stop} [stop] @returns {Promise<Wire.LessonJson>} */
export const historyLesson = (number, stop) => get(`history/${number}/lesson`, stop);
/** The address of the lesson as a page. @param {number} number */
export const historyLessonPage = (number) => pageAddress(`history/${number}/lesson?to=html&language=${language()}`);
/** The address of what games have in common, as a page. @param {Wire.ProfileQuery} filters */
export const historyProfilePage = (filters) =>
  pageAddress(`history/profile${query({ ...filters, to: "html", language: language() })}`);
/** @param {number} number @param {Stop} [stop] @returns {Promise<Wire.KeptTimelineJson>} */
export const historyTimeline = (number, stop) => get(`history/${number}/timeline`, stop);
/** @param {number} number @param {number} moves @returns {Promise<Wire.LiveViewJson>} */
export const historyFrom = (number, moves) => post(`history/${number}/from`, { move: moves });
/** @param {string} data in base64 @param {string} file its name @returns {Promise<Wire.ImportedJson>} */
export const historyImport = (data, file) => post("history", { data, file });
/** @param {number} number @param {string | null} name @returns {Promise<Wire.HistoryJson>} */
export const historyName = (number, name) => post(`history/${number}/name`, { name });
/** @param {number} number @returns {Promise<Wire.ForgottenJson>} */
export const historyForget = async (number) => read(await send("DELETE", `history/${number}`, undefined));
/** @param {"csv" | "jsonl"} to */
export const historyExport = async (to) => (await send("GET", `history/export${query({ to })}`, undefined)).blob();

/** The address of the OpenAPI document. */
export const openapiPage = () => pageAddress("openapi.json");

/** The routes of the server, as an OpenAPI document. */
export const openapi = () => get("openapi.json");

/** The strategies that can be simulated. @returns {Promise<Wire.StrategiesJson>} */
export const strategies = () => get("strategies");

// long work

/**
 * Events of the server: calls `progress` with each and returns the document of the last one. The server stops when the
 * signal of the request does.
 * @param {Response} response @param {(document: any) => void} progress
 * @returns {Promise<any>} the types of both are those of the function that calls this
 */
async function follow(response, progress) {
  if (!response.body) throw offline("page-error-cut-off");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (isAbort(error)) throw error;
      return { done: true, value: "" }; // the connection broke
    });
    if (done) throw offline("page-error-stopped");
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
 * Play many games. To continue after a stop, repeat the request with `resume`, the simulations of the last result.
 * @param {Wire.SimulateRequest} options @param {(result: Wire.SimulationJson | Wire.ComparisonJson) => void} progress @param {Stop} [stop]
 * @returns {Promise<Wire.SimulationJson | Wire.ComparisonJson>}
 */
export const simulate = async (options, progress, stop) =>
  follow(await send("POST", "simulate", options, stop), progress);

/**
 * Think longer about a guess. `progress` gets the estimates of the rivals, the best so far first.
 * @param {Wire.ThinkRequest} question with `seconds` @param {(thought: Wire.ThoughtJson) => void} progress @param {Stop} [stop]
 * @returns {Promise<Wire.BestMoveJson>}
 */
export const think = async (question, progress, stop) =>
  follow(await send("POST", "best/events", question, chips(stop)), progress);

/**
 * The same in a game.
 * @param {string} id @param {number} seconds @param {(thought: Wire.ThoughtJson) => void} progress @param {Stop} [stop]
 * @returns {Promise<Wire.BestMoveJson>}
 */
export const gameThink = async (id, seconds, progress, stop) =>
  follow(
    await send("GET", `games/${encodeURIComponent(id)}/best/events${query({ seconds })}`, undefined, chips(stop)),
    progress,
  );
