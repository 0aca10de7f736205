/**
 * The service worker of the static site: keeps every file of one version, so that the page works offline and the second
 * visit loads nothing. Another version is loaded beside it, and takes its place when no tab shows the old one: files of
 * two versions never meet. `make site` writes the version and the files of the page into it.
 */

/** @type {string} */
const VERSION = "{version}";
/** @type {string[]} below this file, "" being the first page */
const FILES = ["{files}"];
const worker = /** @type {any} */ (self);
const PREFIX = `mineproof of ${new URL(worker.registration.scope).pathname} `; // a host may have the site twice

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches.open(PREFIX + VERSION).then((cache) =>
      // Files with a hash in their name never change; the others are requested again.
      cache.addAll(
        FILES.map((file) => new Request(file || "./", { cache: file.includes("/") ? "default" : "reload" })),
      ),
    ),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches
      .open(PREFIX + VERSION)
      .then((cache) => cache.match(event.request, { ignoreSearch: true, ignoreVary: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});
