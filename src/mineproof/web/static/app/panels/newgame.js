/**
 * The choice of a game: levels as tabs, the rules beside them, and a panel for other sizes and shapes.
 */
import { fill, h, icon, newId, radios, svg, toggle } from "../dom.js";
import { fairnesses, firstClicks, topologies } from "../format.js";
import { number as formatted, t, tn } from "../messages.js";
import { change, settings } from "../settings.js";
import { button } from "./parts.js";

const MAX_CELLS = 10_000; // of a board

/** @typedef {{rows: number, columns: number, mines: number}} Size */

/** @type {[level: string, key: string, size: Size][]} */
const LEVELS = [
  ["beginner", "page-level-beginner", { rows: 9, columns: 9, mines: 10 }],
  ["intermediate", "page-level-intermediate", { rows: 16, columns: 16, mines: 40 }],
  ["expert", "page-level-expert", { rows: 16, columns: 30, mines: 99 }],
];

/** Expert for a touch screen that is held upright, with 16 columns: no row is off the screen. It counts as a size of its own. */
const UPRIGHT = { rows: 30, columns: 16, mines: 99 };
const isUpright = () => matchMedia("(pointer: coarse) and (orientation: portrait)").matches;

/** @param {Size} one @param {Size} other */
const isSame = (one, other) => one.rows === other.rows && one.columns === other.columns && one.mines === other.mines;

/** The options of a new game, for the server. */
export function gameOptions() {
  const { level, rows, columns, mines, first_click, fairness, chord_rule, no_guess } = settings;
  const isCustom = level === "custom";
  const size = isCustom ? { rows, columns, mines } : level === "expert" && isUpright() ? UPRIGHT : { level };
  return { ...size, topology: isCustom ? settings.topology : "grid", first_click, fairness, chord_rule, no_guess };
}

/** The level of a game: the name of a tab. @param {import("../api.js").Document} view */
export function levelOf({ rows, columns, total_mines: mines, topology }) {
  const size = { rows, columns, mines };
  if (topology !== "grid") return "custom";
  return isSame(size, UPRIGHT) ? "expert" : (LEVELS.find(([, , known]) => isSame(size, known))?.[0] ?? "custom");
}

/** The size of a game in few words. @param {import("../api.js").Document} view */
export function sizeName({ rows, columns, total_mines: mines, topology }) {
  const shape = topologies().find(([value]) => value === topology)?.[1] ?? "";
  const name = tn("page-size", mines, { columns, rows });
  return topology === "grid" ? name : `${name} · ${shape}`;
}

/** @typedef {Pick<import("../settings.js").Settings, "no_guess" | "fairness" | "first_click">} Rules */

/** The controls of the rules. @param {Rules} rules @param {(changes: Partial<Rules>) => void} changed */
const ruleControls = (rules, changed) => [
  toggle(t("page-no-guess"), rules.no_guess, (on) => changed({ no_guess: on }), t("page-no-guess-help")),
  radios(t("page-fairness"), fairnesses(), rules.fairness, (value) => changed({ fairness: value })),
  radios(t("page-first-click"), firstClicks(), rules.first_click, (value) => changed({ first_click: value })),
];

/**
 * Levels as tabs, and the rules beside them. Each press starts a game.
 * @param {() => void} begin
 */
export function levelBar(begin) {
  const custom = customPanel(begin);
  const start = (/** @type {Partial<import("../settings.js").Settings>} */ changes) => {
    change(changes);
    begin();
  };
  const tabs = LEVELS.map(([level, key], place) =>
    h("button", { type: "button", "data-level": level, "aria-keyshortcuts": place + 1, onclick: () => start({ level }) }, t(key)),
  ); // prettier-ignore
  tabs.push(h("button", { type: "button", "data-level": "custom", "aria-haspopup": "dialog", onclick: () => custom.open() }, t("page-level-custom"))); // prettier-ignore

  const noGuess = toggle(t("page-no-guess"), settings.no_guess, (on) => start({ no_guess: on }));
  noGuess.title = t("page-no-guess-help");
  const rules = h("div", { class: "rules", id: newId(), popover: "auto", "aria-label": t("page-rules") });
  const fairness = h("span", { class: "chosen" });
  const open = h(
    "button",
    { type: "button", class: "rules-button", popovertarget: rules.id, "aria-label": t("page-rules") },
    icon("sliders"),
    fairness,
  );
  rules.addEventListener("beforetoggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
    fill(rules, ruleControls(settings, start));
    const box = open.getBoundingClientRect();
    rules.style.top = `${box.bottom + 6}px`;
    rules.style.right = `${Math.max(8, document.documentElement.clientWidth - box.right)}px`;
  });

  const show = (/** @type {string} */ level) => {
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset["level"] === level));
    noGuess.choose(settings.no_guess);
    const name = fairnesses().find(([value]) => value === settings.fairness)?.[1] ?? "";
    fairness.textContent = settings.fairness === "none" ? t("page-fairness") : name;
    open.setAttribute("aria-label", `${t("page-fairness")}: ${name}`); // contains the visible text
    open.classList.toggle("on", settings.fairness !== "none" || settings.no_guess);
  };
  show(settings.level);
  const element = h(
    "div",
    { class: "setup" },
    h("div", { class: "levels", role: "group", "aria-label": t("page-level") }, tabs),
    noGuess,
    open,
    rules,
    custom.element,
  );
  return {
    element,
    /** Show the level of a game. @param {import("../api.js").Document} view */
    show: (view) => show(levelOf(view)),
    /** Start a level by its number. @param {number} place */
    start: (place) => start({ level: LEVELS[place]?.[0] ?? "beginner" }),
  };
}

/**
 * The panel for other games. Nothing is changed before one is started.
 * @param {() => void} begin
 */
function customPanel(begin) {
  const title = newId();
  const form = h("form", { method: "dialog" });
  const dialog = h("dialog", { class: "custom", "aria-labelledby": title }, form);
  const wrong = h("p", { class: "bad wrong", role: "alert" });
  /** @type {import("../settings.js").Settings} */
  let draft = { ...settings };

  /** @param {string} label @param {"rows" | "columns" | "mines"} name */
  const number = (label, name) => {
    const input = h("input", { type: "number", min: 1, max: MAX_CELLS, step: 1, value: draft[name], inputmode: "numeric", required: true }); // prettier-ignore
    input.addEventListener("input", () => {
      draft[name] = Number(input.value);
      wrong.textContent = "";
    });
    return h("label", { class: "field" }, h("span", {}, label), input);
  };

  form.addEventListener("submit", (event) => {
    wrong.textContent = sizeError(draft);
    if (wrong.textContent) {
      event.preventDefault();
      return;
    }
    const { rows, columns, mines, topology, first_click, fairness, no_guess } = draft;
    change({ level: "custom", rows, columns, mines, topology, first_click, fairness, no_guess });
    begin();
  });

  return {
    element: dialog,
    open() {
      draft = { ...settings };
      wrong.textContent = "";
      const shapes = topologies().map(
        ([value, text, help]) =>
          /** @type {[string, string, string, Node]} */ ([value, text, help, shapeDrawing(value)]),
      );
      const shape = radios(t("page-board-shape"), shapes, draft.topology, (value) => (draft.topology = value));
      shape.classList.add("cards");
      fill(
        form,
        h("h2", { id: title }, t("page-custom-title")),
        h("div", { class: "sizes" }, number(t("page-columns"), "columns"), number(t("page-rows"), "rows"), number(t("page-mines"), "mines")),
        wrong,
        shape,
        h(
          "details",
          {},
          h("summary", {}, t("page-rules")),
          h("div", { class: "stack" }, ruleControls(draft, (changes) => Object.assign(draft, changes))),
        ),
        h(
          "div",
          { class: "row actions" },
          h("button", { type: "submit", class: "primary" }, t("page-start")),
          button(t("page-cancel"), () => dialog.close()),
        ),
      ); // prettier-ignore
      dialog.showModal();
    },
  };
}

/** A small drawing of a shape of boards: a cell and its neighbours. @param {string} shape */
function shapeDrawing(shape) {
  const isHex = shape.startsWith("hex");
  /** @type {Node[]} */
  const cells = [];
  for (const row of [0, 1, 2])
    for (const column of [0, 1, 2]) {
      if (isHex && row !== 1 && column === 2) continue;
      const [x, y] = isHex ? [column * 16 + (row === 1 ? 8 : 16), row * 14 + 10] : [column * 16 + 16, row * 16 + 8];
      const isMiddle = row === 1 && column === 1;
      const points = isHex
        ? [0, 1, 2, 3, 4, 5].map((k) => `${x + 8.6 * Math.sin((k * Math.PI) / 3)},${y - 8.6 * Math.cos((k * Math.PI) / 3)}`)
        : [[-7, -7], [7, -7], [7, 7], [-7, 7]].map(([dx = 0, dy = 0]) => `${x + dx},${y + dy}`); // prettier-ignore
      cells.push(svg("polygon", { points: points.join(" "), class: isMiddle ? "middle" : null }));
    }
  const joins =
    shape === "torus" &&
    svg("path", { d: "M2 18l-2 6 2 6M62 18l2 6-2 6M6 24H0M58 24h6M26 1l6-1 6 1M26 47l6 1 6-1M32 0v0", class: "joins" });
  return svg("svg", { viewBox: "-2 -2 68 52", "aria-hidden": "true", class: "drawing" }, cells, joins);
}

/** Why a size is not possible, or nothing. @param {import("../settings.js").Settings} draft */
function sizeError({ rows, columns, mines }) {
  const cells = rows * columns;
  if (cells > MAX_CELLS)
    return t("page-size-too-large", { columns, rows, cells: formatted(cells), most: formatted(MAX_CELLS) });
  if (mines >= cells) return t("page-size-too-many-mines", { mines: formatted(mines), most: formatted(cells - 1) });
  return "";
}
