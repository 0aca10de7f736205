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

/** Let promises go on. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** A session with a running game. @param {string} id */
async function playing(id) {
  const session = new Session(
    (view) => told.push(`${view["id"]} ${view["status"]}`),
    (error) => told.push(error instanceof ApiError ? error.code : String(error)),
  );
  await session.take(async () => ({ schema: "mineproof/view/1", id, status: "running", seconds: 5 }));
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
  session.take(async () => ({ schema: "mineproof/view/1", id: "b", status: "running" }));
  session.move("open", [0, 0]);
  await settle();
  assert.deepEqual([session.id, asked], ["b", []]);
});

test("a move that is refused is told, and the next one is sent", async () => {
  const session = await playing("a");
  session.move("chord", [0, 0]);
  session.move("open", [0, 1]);
  await settle();
  asked[0]?.answer(409, { schema: "mineproof/error/1", code: "illegal-move", message: "no" });
  await settle();
  assert.deepEqual([told, session.turn], [["illegal-move"], 1]);
  assert.deepEqual(asked[1]?.body, { kind: "open", cell: [0, 1] });
});

test("a server that does not answer is told as such", async () => {
  const session = await playing("a");
  globalThis.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  await session.move("open", [0, 0]);
  assert.deepEqual(told, ["offline"]);
});

test("the clock runs on with a running game and stands with any other", async () => {
  const session = await playing("a");
  await settle();
  assert(session.seconds > 5);
  for (const view of [{ status: "running", paused: true }, { status: "won" }, { status: "new" }]) {
    await session.take(async () => ({ schema: "mineproof/view/1", id: "a", seconds: 5, ...view }));
    await settle();
    assert.equal(session.seconds, 5);
  }
});

test("what is no game is refused, and the game stays", async () => {
  const session = await playing("a");
  await session.take(async () => ({ schema: "mineproof/standing/1", id: "b" }));
  assert.deepEqual([session.id, told], ["a", ["Error: That is not a game."]]);
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
