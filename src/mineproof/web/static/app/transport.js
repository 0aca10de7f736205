/**
 * How requests reach the API: over HTTP, or inside this browser. A page whose `html` element names an engine
 * (`data-engine`, the folder of Python and the kernel) has no server, and `local/engine.js` answers.
 */

const folder = globalThis.document?.documentElement.dataset["engine"]; // unit tests have no document
const engine = folder === undefined ? null : import("./local/engine.js");

/** Whether this page has no server. */
export const isLocal = engine !== null;

/** @param {string} path below /api/v1/, with its query @param {RequestInit} options @returns {Promise<Response>} */
export async function request(path, options) {
  if (!engine) return fetch(`/api/v1/${path}`, options);
  return (await engine).request(path, options);
}

/** All games and ratings as one file, on a page without a server. @returns {Promise<Blob>} */
export const saveData = async () => (await engine)?.saveData() ?? new Blob();

/** Replace all games and ratings by those of a file. @param {Blob} file */
export const restoreData = async (file) => (await engine)?.restoreData(file);

/** The address of an answer that opens as a page of its own; a page without a server makes it when it is opened. */
export const pageAddress = (/** @type {string} */ path) => (isLocal ? `#open/${path}` : `/api/v1/${path}`);
