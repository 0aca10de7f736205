// A game as the page knows it, with a server that only pretends: moves go out one after the other, in their order.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { ApiError } from "../../src/mineproof/web/static/app/api.js";
import { Session } from "../../src/mineproof/web/static/app/session.js";

const { fetch } = globalThis;

/** Requests that wait for their answer. @type {{path: string, body: any, answer: (status: number, body: object) => void}[]} */
let asked = [];
/** What the session told. @type {string[]} */
let told = [];

beforeEach(() => {
  [asked, told] = [[], []];
  globalThis.fetch = (path, options) =>
    new Promise((resolve) => {
      const body = JSON.parse(String(options?.body ?? "null"));
      const answer = (/** @type {number} */ status, /** @type {object} */ document) =>
        resolve(new Response(JSON.stringify({ schema: "mineproof/view/1", ...document }), { status }));
      asked.push({ path: String(path), body, answer });
    });
});

afterEach(() => {
  globalThis.fetch = fetch;
});

/** What a server might answer. @param {object} document @returns {any} */
const view_ = (document) => document;

/** Let promises settle. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** A session with a running game. @param {string} id */
async function playing(id) {
  const session = new Session(
    (view) => told.push(`${view["id"]} ${view["status"]}`),
    (error) => told.push(error instanceof ApiError ? error.code : String(error)),
  );
  await session.take(async () => view_({ schema: "mineproof/view/1", id, status: "running", seconds: 5 }));
  told = [];
  return session;
}

test("a move waits for the answer to the one before it", async () => {
  const session = await playing("a");
  session.move("open", [0, 0]);
  session.move("flag", [0, 1]);
  await settle();
  assert.deepEqual(
    asked.map(({ path, body }) => [path, body]),
    [["/api/v1/games/a/moves", { kind: "open", cell: [0, 0] }]],
  );
  asked[0]?.answer(200, { id: "a", status: "running" });
  await settle();
  assert.deepEqual(asked[1]?.body, { kind: "flag", cell: [0, 1] });
  asked[1]?.answer(200, { id: "a", status: "running" });
  await settle();
  assert.deepEqual([session.turn, told], [3, ["a running", "a running"]]);
});

test("moves made before a game was over are not sent, but undo is", async () => {
  const session = await playing("a");
  session.move("open", [0, 0]);
  session.move("open", [0, 1]);
  session.move("undo");
  await settle();
  asked[0]?.answer(200, { id: "a", status: "lost" });
  await settle();
  assert(session.isOver);
  assert.deepEqual(asked[1]?.body, { kind: "undo" });
});

test("moves of another game are not sent", async () => {
  const session = await playing("a");
  session.take(async () => view_({ schema: "mineproof/view/1", id: "b", status: "running" }));
  session.move("open", [0, 0]);
  await settle();
  assert.deepEqual([session.id, asked], ["b", []]);
});

test("a refused move is reported, and the next one is sent", async () => {
  const session = await playing("a");
  session.move("chord", [0, 0]);
  session.move("open", [0, 1]);
  await settle();
  asked[0]?.answer(409, { schema: "mineproof/error/1", code: "illegal-move", message: "no" });
  await settle();
  assert.deepEqual([told, session.turn], [["illegal-move"], 1]);
  assert.deepEqual(asked[1]?.body, { kind: "open", cell: [0, 1] });
});

/** A session with a running game of 2 x 3 cells and one move. @param {string} [cells] */
async function onBoard(cells = "###/###") {
  const session = await playing("a");
  const view = { rows: 2, columns: 3, topology: "grid", mines_left: 2, moves: 1, cells: cells.split("/") };
  await session.take(async () => view_({ schema: "mineproof/view/1", id: "a", status: "running", ...view }));
  told = [];
  return session;
}

/** The answer to a move. @param {number} moves @param {string} cells */
const answered = (moves, cells) => ({
  id: "a", status: "running", rows: 2, columns: 3, topology: "grid", mines_left: 2, moves, cells: cells.split("/"),
}); // prettier-ignore

test("moves are shown before the server answers, in their order", async () => {
  const session = await onBoard();
  session.move("flag", [0, 2]);
  session.move("open", [1, 0]);
  session.move("open", [1, 1]);
  const { cells, opening, minesLeft } = session.shown();
  assert.deepEqual([cells.join(""), [...opening], minesLeft], ["##F###", [3, 4], 1]);
  await settle();
  assert.deepEqual(asked[0]?.body, { kind: "flag", cell: [0, 2], moves: 1 });
  asked[0]?.answer(200, answered(2, "##F/###"));
  await settle();
  assert.deepEqual([...session.shown().opening], [3, 4], "the others stay pressed");
  asked[1]?.answer(200, answered(3, "##F/1##"));
  await settle();
  assert.deepEqual(asked[2]?.body, { kind: "open", cell: [1, 1], moves: 3 });
  assert.deepEqual([...session.shown().opening], [4]);
  asked[2]?.answer(200, answered(4, "##F/12#"));
  await settle();
  assert.deepEqual([session.shown().cells.join(""), session.pending], ["##F12#", []]);
});

test("flags, question marks, chords and undos are shown at once", async () => {
  const session = await onBoard("1F#/##?");
  session.move("chord", [0, 0]);
  assert.deepEqual([...session.shown().opening], [3, 4]);
  session.move("undo");
  assert.equal(session.shown().opening.size, 0);
  session.move("flag", [0, 1]);
  session.move("question", [0, 1]);
  session.move("flag", [1, 2]);
  assert.equal(session.shown().cells.join(""), "1?###F");
});

test("what a flood has opened is not opened again", async () => {
  const session = await onBoard();
  const first = session.move("open", [0, 0]);
  const second = session.move("open", [0, 1]);
  await settle();
  asked[0]?.answer(200, answered(2, "01#/01#"));
  assert.deepEqual([await first, await second], [true, false]);
  assert.deepEqual([asked.length, told], [1, ["a running"]]);
});

test("the view is corrected where the server disagrees", async () => {
  const session = await onBoard();
  session.move("flag", [0, 0]);
  await settle();
  asked[0]?.answer(503, { code: "history", message: "the disk is full" });
  await settle();
  assert.deepEqual([session.shown().cells.join(""), told], ["######", ["history"]]);
});

test("moves wait without a connection and are sent once it is back, none twice", async () => {
  const session = await onBoard();
  const online = globalThis.fetch;
  let attempts = 0;
  globalThis.fetch = () => {
    attempts++;
    return Promise.reject(new TypeError("Failed to fetch"));
  };
  const moves = [session.move("flag", [0, 0]), session.move("open", [1, 1])];
  await settle();
  assert.deepEqual([session.isOffline, attempts, told], [true, 1, []]);
  assert.deepEqual([session.shown().cells.join(""), [...session.shown().opening]], ["F#####", [4]]);
  globalThis.fetch = online;
  session.retry();
  await settle();
  assert.deepEqual(asked[0]?.body, { kind: "flag", cell: [0, 0], moves: 1, retry: true });
  asked[0]?.answer(200, answered(2, "F##/###"));
  await settle();
  assert.deepEqual(asked[1]?.body, { kind: "open", cell: [1, 1], moves: 2 });
  asked[1]?.answer(200, answered(3, "F##/#1#"));
  assert.deepEqual(await Promise.all(moves), [true, true]);
  assert.equal(session.isOffline, false);
});

test("without a connection another game cannot be loaded, and the moves stay", async () => {
  const session = await onBoard();
  const online = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  session.move("flag", [0, 0]);
  await settle();
  let loads = 0;
  await session.take(async () => {
    loads++;
    return view_({});
  });
  assert.deepEqual([told, loads, session.pending.length], [["offline"], 0, 1]);
  globalThis.fetch = online;
  session.retry();
  await settle();
  asked[0]?.answer(200, answered(2, "F##/###"));
  await settle();
  assert.equal(session.pending.length, 0);
});

test("after a move in another tab the move is checked again and sent with the new number", async () => {
  const session = await onBoard();
  const flagged = session.move("flag", [0, 0]);
  await settle();
  asked[0]?.answer(409, { code: "illegal-move", message: "The game has changed" });
  await settle();
  assert.equal(asked[1]?.path, "/api/v1/games/a");
  asked[1]?.answer(200, answered(2, "##F/###"));
  await settle();
  assert.deepEqual(asked[2]?.body, { kind: "flag", cell: [0, 0], moves: 2 });
  asked[2]?.answer(200, answered(3, "F#F/###"));
  assert.equal(await flagged, true);
});

test("a flag that another tab has set is not removed", async () => {
  const session = await onBoard();
  const flagged = session.move("flag", [0, 0]);
  await settle();
  asked[0]?.answer(409, { code: "illegal-move", message: "The game has changed" });
  await settle();
  asked[1]?.answer(200, answered(2, "F##/###"));
  assert.equal(await flagged, false);
  assert.deepEqual([asked.length, session.shown().cells.join("")], [2, "F#####"]);
});

test("an undo after the end takes over the new game", async () => {
  const session = await onBoard();
  await session.take(async () => view_({ schema: "mineproof/view/1", ...answered(2, "###/###"), status: "lost" }));
  const undone = session.move("undo");
  await settle();
  assert.deepEqual(asked[0]?.body, { kind: "undo" });
  asked[0]?.answer(200, { ...answered(3, "###/###"), id: "b", continues: "a" });
  assert.deepEqual([await undone, session.id, session.isOver], [true, "b", false]);
});

test("the clock runs on with a running game and stands with any other", async () => {
  const session = await playing("a");
  await settle();
  assert(session.seconds > 5);
  for (const view of [{ status: "running", paused: true }, { status: "won" }, { status: "new" }]) {
    await session.take(async () => view_({ schema: "mineproof/view/1", id: "a", seconds: 5, ...view }));
    await settle();
    assert.equal(session.seconds, 5);
  }
});

test("what is no game is refused, and the game stays", async () => {
  const session = await playing("a");
  await session.take(async () => view_({ schema: "mineproof/standing/1", id: "b" }));
  assert.deepEqual([session.id, told], ["a", ["Error: page-error-no-game"]]);
});

test("a move says whether it was made", async () => {
  const session = await playing("a");
  const made = session.move("open", [0, 0]);
  await settle();
  asked[0]?.answer(409, { code: "illegal-move", message: "no" });
  assert.equal(await made, false);
  const next = session.move("open", [0, 1]);
  await settle();
  asked[1]?.answer(200, { id: "a", status: "running", seconds: 6 });
  assert.equal(await next, true);
});
