/**
 * The choice of a game: levels as tabs, the rules beside them, and a panel for other sizes and shapes.
 */
import { fill, h, icon, newId, radios, svg, toggle } from "../dom.js";
import { fairnesses, firstClicks, topologies } from "../format.js";
import { number as formatted, t, tn } from "../messages.js";
import {
  OUTLINES,
  SHAPES,
  SUGGESTED,
  around,
  centre,
  extent,
  fits,
  isFramed,
  isPlace,
  outlineOf,
} from "../board/shape.js";
import { change, settings } from "../settings.js";
import { button } from "./parts.js";

const MAX_CELLS = 10_000; // of a board

/** @typedef {{rows: number, columns: number, mines: number}} Size */
/** @typedef {import("../board/shape.js").Topology} Topology */

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
/** @returns {Wire.NewGameRequest} */
export function gameOptions() {
  const { level, rows, columns, mines, first_click, fairness, chord_rule, no_guess } = settings;
  const isCustom = level === "custom";
  const size = isCustom ? { rows, columns, mines } : level === "expert" && isUpright() ? UPRIGHT : { level };
  const rules = { topology: isCustom ? settings.topology : "grid", first_click, fairness, chord_rule, no_guess };
  return /** @type {Wire.NewGameRequest} */ ({ ...size, ...rules });
}

/** The level of a game: the name of a tab. @param {import("../api.js").View} view */
export function levelOf({ rows, columns, total_mines: mines, topology }) {
  const size = { rows, columns, mines };
  if (topology !== "grid") return "custom";
  return isSame(size, UPRIGHT) ? "expert" : (LEVELS.find(([, , known]) => isSame(size, known))?.[0] ?? "custom");
}

/** The size of a game in few words. @param {import("../api.js").View} view */
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
    /** Show the level of a game. @param {import("../api.js").View} view */
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
  const about = h("p", { class: "help about" }); // where there is no room for the sentence of each shape
  /** @type {import("../settings.js").Settings} */
  let draft = { ...settings };

  /** @type {Map<string, HTMLInputElement>} */
  const inputs = new Map();
  /** @param {string} label @param {"rows" | "columns" | "mines"} name */
  const number = (label, name) => {
    const input = h("input", { type: "number", min: 1, max: MAX_CELLS, step: 1, value: draft[name], inputmode: "numeric", required: true }); // prettier-ignore
    input.addEventListener("input", () => {
      draft[name] = Number(input.value);
      wrong.textContent = "";
    });
    inputs.set(name, input);
    return h("label", { class: "field" }, h("span", {}, label), input);
  };

  /** Take a shape, and a size that it can have. @param {string} value */
  const chooseShape = (value) => {
    const topology = /** @type {Topology} */ (value);
    draft.topology = topology;
    wrong.textContent = "";
    fill(about, topologies().find(([name]) => name === value)?.[2]);
    if (!fits({ ...draft, topology })) Object.assign(draft, SUGGESTED[topology]);
    for (const [name, input] of inputs) input.value = String(draft[/** @type {"rows"} */ (name)]);
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
          /** @type {[string, string, string, Node]} */ ([
            value,
            text,
            help,
            shapeDrawing(/** @type {Topology} */ (value)),
          ]),
      );
      const shape = radios(t("page-board-shape"), shapes, draft.topology, chooseShape);
      shape.classList.add("cards");
      shape.querySelector("legend")?.after(about);
      fill(about, topologies().find(([name]) => name === draft.topology)?.[2]);
      const isTouch = matchMedia("(pointer: coarse)").matches; // no keyboard of the screen before a number is tapped
      fill(
        form,
        h("h2", { id: title, tabindex: isTouch && "-1", autofocus: isTouch }, t("page-custom-title")),
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

/** Boards of the small drawings: each with the cell whose neighbours are shown. @type {Record<string, [rows: number, columns: number, middle: number]>} */
const DRAWN = { triangles: [3, 7, 10], cube: [3, 9, 13], sphere: [4, 5, 7], octagons: [3, 3, 4] };

/** A small drawing of a shape of boards: a cell and its neighbours. @param {Topology} topology */
export function shapeDrawing(topology) {
  const few = ["grid", "torus", "hex", "cylinder", "moebius"].includes(topology);
  const [rows, columns, middle] = DRAWN[topology] ?? (few ? [3, 3, 4] : [5, 5, 12]);
  const board = { rows, columns, topology };
  const places = Array.from({ length: rows * columns }, (_, place) => /** @type {[number, number]} */ ([Math.floor(place / columns), place % columns])); // prettier-ignore
  const near = new Set(around(Math.floor(middle / columns), middle % columns, board).map(([r, c]) => r * columns + c));
  const cells = places.flatMap(([row, column], place) => {
    if (!isPlace(row, column, board)) return [];
    const [x, y] = centre(row, column, board);
    const { corners, depth } = OUTLINES[outlineOf(row, column, board)];
    const points = corners.map(([dx, dy]) => `${x + dx * (1 - 0.12 / depth)},${y + dy * (1 - 0.12 / depth)}`);
    const kind = place === middle ? "middle" : near.has(place) ? null : "other";
    return [svg("polygon", { points: points.join(" "), class: kind })];
  });
  const [wide, tall] = extent(board);
  const { joinsRows, joinsColumns, flipsRows } = SHAPES[topology];
  const sides = `M-0.4 ${tall / 2 - 0.4}l-0.3 .4 .3 .4M${wide + 0.4} ${tall / 2 - 0.4}l${flipsRows ? "-0.3" : "0.3"} .4 ${flipsRows ? "" : "-"}.3 .4`;
  const ends = `M${wide / 2 - 0.4} -0.4l.4 -0.3 .4 .3M${wide / 2 - 0.4} ${tall + 0.4}l.4 .3 .4 -0.3`;
  const joins =
    isFramed(topology) && svg("path", { d: (joinsColumns ? sides : "") + (joinsRows ? ends : ""), class: "joins" });
  const viewBox = `-1 -1 ${wide + 2} ${tall + 2}`;
  return svg("svg", { viewBox, "aria-hidden": "true", class: "drawing" }, cells, joins);
}

/** Why a size is not possible, or nothing. @param {import("../settings.js").Settings} draft */
function sizeError(draft) {
  const { rows, columns, mines } = draft;
  const topology = /** @type {Topology} */ (draft.topology);
  const board = { rows, columns, topology };
  if (!fits(board)) return t(topology === "cube" ? "page-size-cube" : "page-size-sphere");
  const places = Array.from({ length: Math.min(rows * columns, MAX_CELLS + 1) }, (_, place) => place);
  const cells = places.filter((place) => isPlace(Math.floor(place / columns), place % columns, board)).length;
  if (cells > MAX_CELLS)
    return t("page-size-too-large", { columns, rows, cells: formatted(cells), most: formatted(MAX_CELLS) });
  if (mines >= cells) return t("page-size-too-many-mines", { mines: formatted(mines), most: formatted(cells - 1) });
  return "";
}
