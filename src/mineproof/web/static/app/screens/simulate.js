/**
 * Simulate: a strategy plays many games, or two play the same ones; the win rate is drawn meanwhile. The result lives as
 * long as the page: leaving the screen stops nothing. A stopped run continues from its last answer, which is sent back
 * to the server, so that it ends as if it had never stopped.
 *
 */
import { isAbort, simulate, strategies } from "../api.js";
import { download, field, fill, h, set } from "../dom.js";
import { chart, range } from "../panels/chart.js";
import { button, chips, table } from "../panels/parts.js";
import { errorText, firstClicks, levels, topologies } from "../format.js";
import { number as formatted, rounded, t, tn } from "../messages.js";

/** Offered before the server has listed its strategies. */
const BUILTIN = ["fast", "strong", "best", "deep", "minesolver", "go", "minedetector", "fair"];
const USUAL_GAMES = [1000, 10_000, 100_000];

/** Keys of a result, and decimals. @returns {[key: string, label: string, decimals: number][]} */
const measures = () => [
  ["games", t("page-measure-games"), 0],
  ["wins", t("page-measure-wins"), 0],
  ["moves_per_win", t("page-measure-moves"), 1],
  ["guesses_per_win", t("page-measure-guesses"), 2],
  ["forced_guesses_per_win", t("page-measure-forced"), 2],
  ["needless_guesses_per_win", t("page-measure-needless"), 2],
  ["guesses_per_game", t("page-measure-guesses-per-game"), 2],
  ["survived_odds", t("page-measure-survived"), 3],
  ["fallbacks", t("page-measure-fallbacks"), 0],
  ["cpu_seconds", t("page-measure-cpu"), 1],
];

const MAX_POINTS = 400; // of a line
const MAX_GAMES = 1_000_000;

/** @typedef {Wire.SimulationJson & {simulations?: undefined} | Wire.ComparisonJson} Result */

/** The one or two simulations of a result. @param {Result} result @returns {Wire.SimulationJson[]} */
const parts = (result) => ("difference" in result ? (result.simulations ?? []) : [result]);
const percent = (/** @type {number} */ rate) => formatted(rate * 100, 2);

/** Games, rate, and the ends of its interval. @param {Result} result @returns {number[]} */
const point = (result) => [
  result.games,
  ("difference" in result ? result.difference : result.win_rate) ?? 0,
  ...result.interval,
];

/** The command that computes the same. @param {Wire.SimulateRequest} request */
export function commandLine({ level, rows, columns, mines, ...options }) {
  const flags = Object.entries(options).map(([name, value]) => `--${name.replace("_", "-")} ${value}`);
  return ["mineproof simulate", level ?? `${columns}x${rows}x${mines}`, ...flags].join(" ");
}

/** A line for each strategy; of two, each has its difference to the other. @param {Result} result */
export function csv(result) {
  const rows = parts(result).map(({ interval: [low, high], start, ...rest }, place) => {
    const values = Object.entries(rest).filter(([name]) => !["schema", "tally", "won"].includes(name));
    const row = [...values, ["start", String(start).replace(",", " ")], ["low", low], ["high", high]];
    if (!result.simulations) return row;
    const [sign, ends] = place ? [-1, [...result.interval].reverse()] : [1, result.interval];
    const differences = [result.difference ?? 0, ...ends].map((value) => sign * value);
    const names = ["difference", "difference_low", "difference_high"];
    const rival = result.strategies[1 - place];
    return [...row, ["against", rival], ...names.map((name, column) => [name, differences[column]])];
  });
  const lines = [rows[0]?.map(([name]) => name), ...rows.map((row) => row.map(([, value]) => value))];
  return lines.map((line) => `${line?.join(",")}\r\n`).join("");
}

/** @param {number} seconds */
export function timeLeft(seconds) {
  return seconds < 100
    ? t("page-seconds", { number: formatted(Math.ceil(seconds)) })
    : t("page-minutes", { number: formatted(Math.ceil(seconds / 60)) });
}

/** @param {Result} result */
const verdict = (result) =>
  parts(result)
    .map(({ strategy, wins, games, win_rate, interval: [low, high] }) => {
      const fields = { strategy, wins: formatted(wins) };
      if (!games) return tn("page-simulate-wins", games, fields);
      return tn("page-simulate-rate", games, {
        ...fields,
        rate: percent(win_rate ?? 0),
        low: percent(low),
        high: percent(high),
      });
    })
    .join("\n");

/** Which of two is better. @param {Wire.ComparisonJson} result */
export function compared({ strategies: [one, two], difference, interval: [low, high], ...games }) {
  const names = { one, two };
  const better =
    low > 0
      ? t("page-compare-better", { strategy: one })
      : high < 0
        ? t("page-compare-better", { strategy: two })
        : t("page-compare-undecided");
  const rate = t("page-compare-rate", {
    ...names,
    difference: percent(difference ?? 0),
    low: percent(low),
    high: percent(high),
  });
  const [both, first, second, neither] = [games.both, games.only_first, games.only_second, games.neither].map((count) =>
    formatted(count),
  );
  const counts = t("page-compare-counts", { ...names, both: both ?? "", first: first ?? "", second: second ?? "", neither: neither ?? "" }); // prettier-ignore
  return `${rate} ${better} ${counts}`;
}

/**
 * Draw rates over games; a difference always with its zero.
 * @param {ReturnType<typeof chart>} into @param {string} title @param {string} description
 * @param {import("../panels/chart.js").Line[]} lines @param {number} all games @param {"percent" | "points"} unit
 */
function plot(into, title, description, lines, all, unit) {
  const ends = lines.flatMap(({ points }) => points.flatMap(([, , low = 0, high = 0]) => [low, high]));
  const write = (/** @type {number} */ value) => rounded(value * 100, 4);
  const label = unit === "points" ? t("page-unit-points") : t("page-unit-percent");
  const y = { label, write, range: range(unit === "points" ? [0, ...ends] : ends, -1, 1) };
  const x = { label: t("page-games-played"), range: /** @type {[number, number]} */ ([0, all]), write: formatted };
  into.draw({ title, description, lines, x, y });
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  /** The last request. @type {Wire.SimulateRequest} */
  let request = {};
  /** The latest answer to it. @type {Result | null} */
  let result = null;
  /** What the server says about each strategy. @type {Map<string, string>} */
  const descriptions = new Map(BUILTIN.map((name) => [name, ""]));
  /** A point of each line for each of its answers, thinned out. @type {number[][][]} */
  let course = [];
  /** @type {AbortController | null} */
  let running = null;
  let [began, before] = [0, 0]; // when this part began, and with how many games
  let visible = true;

  // the request

  const number = (/** @type {string} */ name, /** @type {object} */ more) =>
    h("input", { type: "number", name, required: true, min: 1, max: 100, ...more });
  const helps = { strategy: h("span"), topology: h("span"), first_click: h("span") };
  const named = BUILTIN.map((name) => [name, name]);
  const strategyChips = chips(t("page-strategy"), "strategy", named, "strong", helps.strategy);
  const rivalChips = chips(
    t("page-compare-with"),
    "against",
    [["", t("page-compare-none")], ...named],
    "",
    t("page-compare-help"),
  );
  const gameCount = number("games", { value: 10_000, max: MAX_GAMES });
  const usual = USUAL_GAMES.map((count) =>
    button(formatted(count), () => (gameCount.value = String(count)), { class: "small" }),
  );
  const custom = h(
    "fieldset",
    { class: "row" },
    field(t("page-rows"), number("rows", { value: 16 })),
    field(t("page-columns"), number("columns", { value: 30 })),
    field(t("page-mines"), number("mines", { value: 99, min: 0, max: 9999 })),
  );
  const start = h("button", { type: "submit", class: "primary" }, t("page-start"));
  const form = h(
    "form",
    { class: "panel", onsubmit: begin, onchange: explain },
    h("h2", {}, t("page-simulate-setup"), h("span", { class: "push" }, start)),
    strategyChips,
    rivalChips,
    chips(t("page-level"), "level", levels(), "expert"),
    custom,
    chips(t("page-board-shape"), "topology", topologies(), "grid", helps.topology),
    chips(t("page-first-click"), "first_click", firstClicks(), "safe", helps.first_click),
    field(t("page-games"), gameCount, t("page-simulate-games-help", { most: formatted(MAX_GAMES) })),
    h("div", { class: "row" }, usual),
    field(
      t("page-seed"),
      number("seed", { min: 0, max: 2 ** 53 - 1, required: false, placeholder: t("page-seed-any") }),
      t("page-simulate-seed-help"),
    ),
  );
  const values = () => /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));

  /** Take the descriptions, and add the strategies of installed packages. @param {Wire.StrategiesJson} list */
  function addStrategies(list) {
    for (const { name, text } of list.strategies) {
      if (!descriptions.has(name)) for (const control of [strategyChips, rivalChips]) control.add([name, name]);
      descriptions.set(name, text);
    }
    explain();
  }
  strategies().then(addStrategies, () => {}); // without an answer there are still the built-in ones

  function explain() {
    const { strategy = "", topology = "", first_click = "", level } = values();
    const helpOf = (/** @type {string[][]} */ options, /** @type {string} */ value) =>
      options.find(([option]) => option === value)?.[2] ?? "";
    fill(helps.strategy, descriptions.get(strategy) ?? "");
    fill(helps.topology, helpOf(topologies(), topology));
    fill(helps.first_click, helpOf(firstClicks(), first_click));
    custom.disabled = custom.hidden = level !== "custom";
  }

  /** @returns {Wire.SimulateRequest} */
  function readForm() {
    const { level, rows, columns, mines, against, games, seed, ...rest } = values();
    return /** @type {Wire.SimulateRequest} */ ({
      ...(level === "custom" ? { rows: Number(rows), columns: Number(columns), mines: Number(mines) } : { level }),
      ...rest,
      ...(against && against !== rest["strategy"] && { against }),
      games: Number(games),
      seed: seed ? Number(seed) : Math.floor(Math.random() * 2 ** 32),
    });
  }

  // playing

  /** @param {Event} event */
  function begin(event) {
    event.preventDefault();
    running?.abort();
    [request, result, course] = [readForm(), null, []];
    void run();
  }

  async function run() {
    const mine = (running = new AbortController());
    const take = (/** @type {Result} */ answer) => {
      if (mine !== running) return;
      result = answer;
      if (answer.games) course.push([...parts(answer), answer].map((part) => point(/** @type {Result} */ (part))));
      if (course.length > MAX_POINTS) course = course.filter((_, place) => place % 2 === 0);
      show();
      if (course.length === 1) panel.scrollIntoView(); // on a phone it is below the form
    };
    [began, before] = [performance.now(), result?.games ?? 0];
    const resume = result && { resume: parts(result) };
    let problem = "";
    show();
    try {
      take(await simulate({ ...request, ...resume }, take, { signal: mine.signal }));
    } catch (error) {
      if (!isAbort(error)) problem = errorText(error);
    }
    if (mine !== running) return; // another one has begun
    running = null;
    show(problem);
    if (result) page.say(verdict(result));
    if (problem) page.notify(problem, "error");
    else if (result && !visible) page.notify(t("page-simulate-ended", { result: verdict(result) }));
  }

  // the result

  const [rates, difference] = [chart(), chart()];
  const empty = h("p", { class: "empty" }, t("page-simulate-empty"));
  const [summary, pace, comparison, command] = [
    h("p"),
    h("p", { class: "quiet" }),
    h("p"),
    h("code", { class: "whole" }),
  ];
  const bar = h("progress", { "aria-label": t("page-games-played") });
  const [stopping, resuming] = [button(t("page-stop"), () => running?.abort()), button(t("page-resume"), run)];
  const save = (/** @type {string} */ text, /** @type {string} */ name) => download(new Blob([text]), name);
  const averages = h("div", { class: "scroll", tabindex: 0 });
  const pair = h("div", { class: "charted" }, comparison, difference.element);
  const saving = h(
    "div",
    { class: "row" },
    button(t("page-download", { format: "JSON" }), () => save(`${JSON.stringify(result)}\n`, "simulation.json")),
    button(t("page-download", { format: "CSV" }), () => result && save(csv(result), "simulation.csv")),
  );
  const answers = [rates.element, pair, averages, saving];
  const same = h("div", {}, h("h3", {}, t("page-command-line")), command);
  const state = [summary, bar, h("div", { class: "row" }, pace, stopping, resuming)];
  const panel = h(
    "section",
    { class: "panel simulate", "aria-label": t("page-result") },
    h("h2", {}, t("page-result")),
    empty,
    state,
    answers,
    same,
  );

  /** @param {string} [problem] */
  function show(problem) {
    if (!visible) return;
    const isStarted = !!request.games;
    const [played, all] = [result?.games ?? 0, request.games ?? 1];
    empty.hidden = isStarted;
    for (const element of [...state, same]) element.hidden = !isStarted;
    for (const element of answers) element.hidden = !result;
    pair.hidden = !result?.simulations;
    stopping.hidden = !running;
    resuming.hidden = !!running || !result || played >= all;
    start.textContent = running ? t("page-restart") : t("page-start");
    set(summary, { class: `verdict words simulate-verdict${problem ? " bad" : ""}` });
    fill(summary, problem || (result ? verdict(result) : t("page-simulate-begin")));
    set(bar, { value: played, max: all });
    const speed = ((played - before) * 1000) / (performance.now() - began);
    const count = { played: formatted(played) };
    const rest = speed > 0 && { speed: formatted(Math.round(speed)), time: timeLeft((all - played) / speed) };
    const progress = [tn("page-simulate-progress", all, count), rest && t("page-simulate-speed", rest)].filter(Boolean);
    const stopped = played < all ? tn("page-simulate-stopped", all, count) : t("page-finished");
    fill(pace, running ? progress.join(" · ") : stopped);
    fill(command, commandLine(request));
    if (result?.games) picture(result, all);
  }

  /** @param {Result} latest @param {number} all */
  function picture(latest, all) {
    const points = (/** @type {number} */ line) => course.map((answer) => answer[line] ?? []);
    const lines = parts(latest).map(({ strategy }, place) => ({ name: strategy, points: points(place) }));
    plot(rates, t("page-simulate-chart"), verdict(latest), lines, all, "percent");
    const written = (/** @type {number | null | undefined} */ value, /** @type {number} */ most) =>
      value === null || value === undefined ? t("page-unknown") : rounded(value, most);
    const rows = measures().map(([key, label, most]) => [
      label,
      ...parts(latest).map((part) =>
        written(/** @type {number | null} */ (part[/** @type {keyof Wire.SimulationJson} */ (key)]), most),
      ),
    ]);
    fill(averages, table([t("page-column-average"), ...parts(latest).map(({ strategy }) => `>${strategy}`)], rows));
    if (!latest.simulations) return;
    fill(comparison, compared(latest));
    const line = { name: t("page-difference"), points: points(2) };
    plot(difference, t("page-compare-chart"), compared(latest), [line], all, "points");
  }

  explain();
  return {
    element: h(
      "div",
      { class: "page" },
      h("h1", {}, t("page-screen-simulate")),
      h("div", { class: "columns simulating" }, form, panel),
    ),
    show() {
      visible = true;
      show();
    },
    hide() {
      visible = false;
    },
  };
}
