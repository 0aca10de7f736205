/**
 * Python in a worker: loads the engine, which lies beside this file, answers the questions of the page, and stores the
 * games in IndexedDB before an answer is sent. `app/local/engine.js` of the page starts it.
 *
 * @typedef {import("../src/mineproof/web/static/app/local/engine.js").Question} Question
 */
import { readArchive } from "./archive.js";
import { dropSnapshot, load, startPython, writeFiles } from "./python.js";

const DATA = "/mineproof-data"; // in the file system of Python, and the name of the database in IndexedDB
const LOCK = "mineproof-data"; // one tab at a time changes the games
const READ = "/api/v1/read"; // a screenshot
const BACKGROUND_MILLISECONDS = 300; // after an answer, until what was done behind it is stored

/** @type {any} the interface of the runtime, which has no types here */
let python = null;
/** @type {any} */
let server = null;
let keepsGames = false;
/** @type {Promise<void>} */
let storing = Promise.resolve();
/** @type {Promise<void>} */
let ready = Promise.resolve();
let timer = 0;
/** @type {Promise<void> | null} what only screenshots need */
let pictures = null;
/** @type {Map<number, any>} events that cancel requests */
const left = new Map();

/** @param {Record<string, unknown>} message */
const tell = (message) => /** @type {any} */ (self).postMessage(message);

/** Load the engine, and answer. */
async function start() {
  if (keepsGames) await lock();
  tell({ step: 1 });
  const { page, isRestored, keep, ...started } = await startPython(keepsGames, (step) => tell({ step }));
  python = started.python;
  if (keepsGames) {
    python.FS.mkdirTree(DATA);
    python.FS.mount(python.FS.filesystems.IDBFS, {}, DATA);
    await sync(true);
  }
  server = await page.start(DATA, keepsGames);
  if (keepsGames) await store();
  tell({ isReady: true, isRestored });
  void keep().catch(() => {}); // there is no room: the next start imports everything again
}

/** Wait until no other tab has the games. */
async function lock() {
  if (!navigator.locks) return;
  const take = (/** @type {LockOptions} */ options) =>
    new Promise((resolve) => {
      void navigator.locks.request(LOCK, options, (held) => {
        resolve(held !== null);
        return held ? new Promise(() => {}) : undefined; // held until this worker ends
      });
    });
  if (await take({ ifAvailable: true })) return;
  tell({ waits: true });
  await take({});
}

/** Copy the files from IndexedDB, or to it. @param {boolean} isLoading @returns {Promise<void>} */
const sync = (isLoading) =>
  new Promise((resolve, reject) => {
    python.FS.syncfs(isLoading, (/** @type {unknown} */ error) => (error ? reject(error) : resolve()));
  });

/** Store what has changed, after what is being stored. */
function store() {
  storing = storing.then(
    () => sync(false),
    () => sync(false),
  );
  return storing;
}

/** Load what reads screenshots, when the first one comes. */
async function loadPictures() {
  writeFiles(python.FS, await readArchive(await load("pictures.tar.gz")));
  python.runPython("import importlib; importlib.invalidate_caches()");
}

/** A picture in a format that Python decodes here. The browser decodes JPEG and WebP. @param {Uint8Array} bytes */
async function readablePicture(bytes) {
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  if (!text.startsWith("\xff\xd8\xff") && !/^RIFF....WEBP/s.test(text)) return bytes;
  try {
    const bitmap = await createImageBitmap(new Blob([/** @type {BlobPart} */ (bytes)]), {
      colorSpaceConversion: "none",
    });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    const png = await canvas.convertToBlob();
    return new Uint8Array(await png.arrayBuffer());
  } catch {
    return bytes; // damaged, and Python says so
  }
}

/** @param {number} id @param {Question} question */
async function answer(id, question) {
  await ready;
  const listen = (/** @type {Uint8Array} */ bytes) => tell({ id, ...begun(), bytes });
  let isBegun = false;
  /** An event comes before its answer has ended: the head goes with the first. */
  function begun() {
    if (isBegun) return {};
    isBegun = true;
    return { status: 200, headers: { "content-type": "text/event-stream" } };
  }
  const event = server.new_event();
  left.set(id, event);
  const { method, path, query, headers } = question;
  let { body } = question;
  if (path === READ) {
    try {
      await (pictures ??= loadPictures());
    } catch {
      pictures = null; // no network: the next request tries again
      return tell({ id, isLost: true });
    }
    body = await readablePicture(body);
  }
  const [status, names, bytes] = await server.ask(method, path, query, body, headers, listen, event);
  left.delete(id);
  event.destroy();
  if (keepsGames) {
    await store();
    clearTimeout(timer);
    timer = setTimeout(store, BACKGROUND_MILLISECONDS); // a finished game enters the history after its answer
  }
  return tell({ id, ...(isBegun ? {} : { status, headers: names }), bytes, isOver: true });
}

/** Store a game that has begun on the page. @param {{id: string, options: object, seed: number | null, moves: unknown[], since: number}} game */
async function takeOver({ id, options, seed, moves, since }) {
  const milliseconds = since ? Date.now() - since : 0;
  const request = JSON.stringify(seed === null ? options : { ...options, seed });
  try {
    await server.take_over(id, request, JSON.stringify(moves), milliseconds);
    await store();
  } catch {
    // a game of another version: the page finds no game with this id, and begins another
  }
  tell({ hasGame: true });
}

/** Send all data as a file, or replace it. @param {Uint8Array | null} data @param {MessagePort} port */
async function exchangeData(data, port) {
  await ready;
  try {
    const bytes = data ? server.restore(data) : server.save();
    await store();
    port.postMessage({ bytes });
  } catch (error) {
    port.postMessage({ error: String(error) });
  }
}

/** @param {unknown} error */
async function end(error) {
  await dropSnapshot().catch(() => {}); // the next start does without it, in case it is to blame
  tell({ fatal: String(error) });
}

self.onmessage = ({ data }) => {
  if (data.start) {
    keepsGames = data.keepsGames;
    ready = start();
  } else if (data.game) ready = ready.then(() => takeOver(data.game));
  else if (data.port) void exchangeData(data.data, data.port);
  else if (data.left) left.get(data.id)?.set();
  else answer(data.id, data.question).catch(end);
  ready.catch(end);
};
