/**
 * The page: the screens, which one is shown, and what all of them need. The address says which screen it is, and what
 * it shows: `#/analyse?board=…`. A screen is made when it is first asked for.
 *
 * @typedef {object} Screen
 * @property {HTMLElement} element
 * @property {(parameters: URLSearchParams) => void} [show] it is on the page now
 * @property {() => void} [hide] another one is: stop what costs
 * @property {(event: KeyboardEvent) => boolean} [key] a key that nothing else wanted; true if it was used
 *
 * @typedef {object} Page what a screen may ask of the page
 * @property {(screen: string, parameters?: Record<string, string>) => void} go
 * @property {(text: string) => void} say tell it to screen readers, and nobody else
 * @property {(text: string, kind?: "note" | "error") => void} notify tell it to everybody, for some seconds
 */
import { fill, h, select, set } from "./dom.js";
import { change, settings } from "./settings.js";

/** The last two are not in the row of screens. @type {[name: string, words: string, load: () => Promise<{create: (page: Page) => Screen}>][]} */
const SCREENS = [
  ["play", "Play", () => import("./screens/play.js")],
  ["analyse", "Analyse", () => import("./screens/analyse.js")],
  ["practise", "Practise", () => import("./screens/practise.js")],
  ["generate", "Generate", () => import("./screens/generate.js")],
  ["simulate", "Simulate", () => import("./screens/simulate.js")],
  ["history", "History", () => import("./screens/history.js")],
  ["review", "Review", () => import("./screens/review.js")],
  ["api", "API", () => import("./screens/api.js")],
];

const place = /** @type {HTMLElement} */ (document.getElementById("screen"));
const spoken = /** @type {HTMLElement} */ (document.getElementById("spoken"));
const notices = /** @type {HTMLElement} */ (document.getElementById("notices"));
/** @type {Map<string, Promise<Screen>>} */
const made = new Map();
/** @type {Screen | null} */
let shown = null;
let turn = 0;

/** @type {Page} */
const page = {
  go(screen, parameters = {}) {
    const query = new URLSearchParams(parameters).toString();
    location.hash = `#/${screen}${query ? `?${query}` : ""}`;
  },
  say(text) {
    spoken.textContent = text;
  },
  notify(text, kind = "note") {
    const notice = h("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, text);
    notices.replaceChildren(notice);
    notices.hidePopover();
    notices.showPopover(); // above a dialog, too
    setTimeout(() => notice.remove(), kind === "error" ? 8000 : 4000);
  },
};

async function follow() {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name, words, load] =
    SCREENS.find(([known]) => known === path) ?? /** @type {typeof SCREENS[0]} */ (SCREENS[0]);
  const mine = ++turn;
  for (const link of document.querySelectorAll("nav a")) {
    const current = link.getAttribute("href") === `#/${name}`;
    set(link, { "aria-current": current ? "page" : null });
    if (current) link.scrollIntoView({ block: "nearest", inline: "center" });
  }
  document.title = `${words} · mineproof`;
  let making = made.get(name);
  if (!making) made.set(name, (making = load().then((module) => module.create(page))));
  const screen = await making.catch(() => unloaded(name, words));
  if (mine !== turn) return; // somebody has gone on meanwhile
  if (shown !== screen) {
    shown?.hide?.();
    fill(place, screen.element);
    place.dataset["screen"] = name;
    shown = screen;
  }
  screen.show?.(new URLSearchParams(query));
}

/**
 * In the place of a screen whose modules did not arrive. A browser may remember that, so the page is loaded again.
 * @param {string} name @param {string} words
 * @returns {Screen}
 */
function unloaded(name, words) {
  made.delete(name);
  const again = h("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Try again");
  const told = `${words} could not be loaded. Is mineproof serve still running?`;
  return {
    element: h("div", { class: "page" }, h("h1", {}, words), h("p", { role: "alert" }, told), h("div", {}, again)),
  };
}

function theme() {
  if (settings.theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = settings.theme;
  document.dispatchEvent(new Event("themechange"));
}

function start() {
  const nav = /** @type {HTMLElement} */ (document.getElementById("nav"));
  fill(
    nav,
    SCREENS.slice(0, -2).map(([name, words]) => h("a", { href: `#/${name}` }, words)),
  );
  const choose = select(
    [
      ["auto", "Auto"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
    settings.theme,
    (value) => {
      change({ theme: /** @type {"auto"} */ (value) });
      theme();
    },
  );
  set(choose, { "aria-label": "Colours" });
  fill(/** @type {HTMLElement} */ (document.getElementById("tools")), h("a", { href: "#/api" }, "API"), choose);
  theme();
  addEventListener("hashchange", follow);
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault(); // the address belongs to the screens
    place.focus();
  });
  addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const busy = target?.closest("input:not([type=checkbox], [type=range]), textarea, select, dialog");
    const moves = event.key.startsWith("Arrow") && target?.closest("input");
    if (busy || moves || event.repeat || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (shown?.key?.(event)) event.preventDefault();
  });
  void follow();
}

start();
