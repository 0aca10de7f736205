/**
 * The page: the screens, which one is shown, and what all of them need. The address says which screen it is, and what
 * it shows: `#/analyse?board=…`. A screen is made when it is first shown.
 *
 * @typedef {object} Screen
 * @property {HTMLElement} element
 * @property {(parameters: URLSearchParams) => void} [show] it is on the page now
 * @property {() => void} [hide] another one is: stop what costs
 * @property {(event: KeyboardEvent) => boolean} [key] a key that nothing else used; true if it was used
 *
 * @typedef {object} Page what a screen may use of the page
 * @property {(screen: string, parameters?: Record<string, string>) => void} go
 * @property {(text: string) => void} say to screen readers only
 * @property {(text: string, kind?: "note" | "error", action?: Action) => void} notify everybody, for some seconds
 *
 * @typedef {{label: string, act: () => void, until: AbortSignal}} Action a button of a notice, and when it is removed
 */
import { messages } from "./api.js";
import { fill, h, icon, iconButton, set } from "./dom.js";
import { language, pickLanguage, t, useMessages } from "./messages.js";
import { takeDrops } from "./drop.js";
import { settingsPanel } from "./panels/settings.js";
import { settings } from "./settings.js";
import { isOutdated } from "./version.js";

/** The last two are not in the row of screens. @type {[name: string, title: string, load: () => Promise<{create: (page: Page) => Screen}>][]} */
const SCREENS = [
  ["play", "page-screen-play", () => import("./screens/play.js")],
  ["analyse", "page-screen-analyse", () => import("./screens/analyse.js")],
  ["practise", "page-screen-practise", () => import("./screens/practise.js")],
  ["learn", "page-screen-learn", () => import("./screens/learn.js")],
  ["variants", "page-screen-variants", () => import("./screens/variants.js")],
  ["generate", "page-screen-generate", () => import("./screens/generate.js")],
  ["simulate", "page-screen-simulate", () => import("./screens/simulate.js")],
  ["history", "page-screen-history", () => import("./screens/history.js")],
  ["review", "page-screen-review", () => import("./screens/review.js")],
  ["api", "page-screen-api", () => import("./screens/api.js")],
];

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const place = part("screen");
const spoken = part("spoken");
const notices = part("notices");
/** @type {Map<string, Promise<Screen>>} */
const screens = new Map();
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
  notify(text, kind = "note", action) {
    const act = () => {
      notice.remove();
      action?.act();
    };
    const undo = action && h("button", { type: "button", onclick: act }, action.label);
    const notice = h("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, text, undo);
    notices.replaceChildren(notice);
    notices.hidePopover();
    notices.showPopover(); // above a dialog, too
    setTimeout(() => notice.remove(), kind === "error" || action ? 8000 : 5000);
    action?.until.addEventListener("abort", () => notice.remove());
  },
};

/** The screen that the address names, and its parameters. */
function route() {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const entry = SCREENS.find(([name]) => name === path) ?? /** @type {typeof SCREENS[0]} */ (SCREENS[0]);
  return { entry, query };
}

async function follow() {
  const { entry, query } = route();
  const [name, title, load] = entry;
  const mine = ++turn;
  for (const link of document.querySelectorAll("nav a")) {
    const current = link.getAttribute("href") === `#/${name}`;
    set(link, { "aria-current": current ? "page" : null });
    if (current) link.scrollIntoView({ block: "nearest", inline: "center" });
  }
  document.title = `${t(title)} · mineproof`;
  document.body.dataset["screen"] = name;
  part("nav").hidePopover();
  part("where").textContent = t(title);
  set(part("menu"), { "aria-label": `${t("page-screens")}: ${t(title)}` });
  let loading = screens.get(name);
  if (!loading) screens.set(name, (loading = load().then((module) => module.create(page))));
  const screen = await loading.catch(async () => {
    if (await isOutdated()) location.reload(); // the server has a newer page, whose screens have other addresses
    return unloaded(name, t(title));
  });
  if (mine !== turn) return; // another screen was chosen meanwhile
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
 * @param {string} name @param {string} title
 * @returns {Screen}
 */
function unloaded(name, title) {
  screens.delete(name);
  const reload = h("button", { type: "button", class: "primary", onclick: () => location.reload() }, t("page-retry"));
  const text = t("page-error-screen", { screen: title });
  return {
    element: h("div", { class: "page" }, h("h1", {}, title), h("p", { role: "alert" }, text), h("div", {}, reload)),
  };
}

/** Let the page and its boards look as the settings say. */
function applyLook() {
  const { dataset } = document.documentElement;
  if (settings.theme === "auto") delete dataset["theme"];
  else dataset["theme"] = settings.theme;
  dataset["skin"] = settings.skin;
  dataset["hand"] = settings.leftHanded ? "left" : "right";
  document.dispatchEvent(new Event("themechange"));
}

/** Codes and names of the languages that there are texts in. @returns {[code: string, name: string][]} */
const languages = () =>
  (document.documentElement.dataset["languages"] ?? "en:English")
    .split(",")
    .map((entry) => /** @type {[string, string]} */ (entry.split(":")));

/** Load the texts in the language of the settings, or of the browser. */
async function loadTexts() {
  const codes = languages().map(([code]) => code);
  useMessages(await messages(pickLanguage([settings.language, ...navigator.languages], codes)));
  document.documentElement.lang = language();
}

/** The buttons at the right of the header, and the panel that they open. */
function tools() {
  const panel = settingsPanel(languages(), () => location.reload()); // every screen is built again
  document.body.append(panel.element);
  document.addEventListener("settingchange", (event) => {
    if (/** @type {CustomEvent} */ (event).detail === "ruler") document.dispatchEvent(new Event("rulerchange"));
    else applyLook();
  });
  return [iconButton("gear", t("page-settings"), () => panel.open(), { class: "plain" })];
}

async function start() {
  applyLook();
  route()
    .entry[2]()
    .catch(() => {}); // load it while the texts arrive; `follow` reports what fails
  try {
    await loadTexts();
  } catch {
    part("no-texts").hidden = false;
    return;
  }
  const nav = part("nav");
  set(nav, { "aria-label": t("page-screens") });
  fill(
    nav,
    SCREENS.slice(0, -2).map(([name, title]) => h("a", { href: `#/${name}` }, t(title))),
  );
  fill(part("tools"), ...tools());
  part("menu").prepend(icon("menu"));
  addEventListener("hashchange", follow);
  const skip = /** @type {HTMLElement} */ (document.querySelector(".skip"));
  skip.textContent = t("page-skip");
  skip.addEventListener("click", (event) => {
    event.preventDefault(); // the address belongs to the screens
    place.focus();
  });
  addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const busy = target?.closest("input:not([type=checkbox], [type=range]), textarea, [role=combobox], dialog");
    const moves = event.key.startsWith("Arrow") && target?.closest("input");
    if (busy || moves || event.repeat || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (event.key === "?") void import("./panels/help.js").then((help) => help.openHelp(route().entry[0]));
    else if (shown?.key?.(event)) event.preventDefault();
  });
  takeDrops(page);
  void follow();
}

void start();
