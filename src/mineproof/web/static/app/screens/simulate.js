/**
 * Simulate: a strategy plays many games, or two play the same ones; the win rate is drawn meanwhile. What is found lives
 * as long as the page: leaving the screen stops nothing. A run that was stopped goes on from its last answer, which the
 * server takes back, so that it ends as if it had never stopped.
 *
 * @typedef {import("../api.js").Document} Document
 */
import { isAbort, simulate, strategies } from "../api.js";
import { download, field, fill, h, select, set } from "../dom.js";
import { chart, range } from "../panels/chart.js";
import { button, table } from "../panels/parts.js";
import { failure, FIRST_CLICKS, LEVELS, plural, TOPOLOGIES } from "../words.js";

/** Win rates of docs/benchmarks.md on expert boards; times on one core. @type {[name: string, words: string, help: string][]} */
const STRATEGIES = [
  ["fast", "Takes the lowest odds where nothing is certain. Expert: 39.9 % won, 0.05 ms a game."],
  ["strong", "Looks one reveal ahead before it guesses. Expert: 41.2 % won, 0.6 ms a game."],
  ["best", "Also plays on from cells about as good. Expert: 41.2 % won, 10 ms a game."],
  ["deep", "As best, with many more games from each cell. Expert: 0.4 seconds a game on average."],
  ["minesolver", "Lowest odds, ties at random. Expert: 50.6 % won if the first click opens an area, 0.1 ms."],
  ["go", "The Go simulator: solutions without weights. Expert: 32.2 % won, 0.1 ms a game."],
  ["minedetector", "Guesses at random. Expert: 13.5 % won without promise from a random start, 0.1 ms."],
  ["fair", "The four rules of FairMinesweeper. Expert: 15.0 % won, 0.08 ms a game."],
].map(([name = "", help = ""]) => [name, name, help]);

/** Keys of an answer, and decimals. @type {[key: string, words: string, decimals: number][]} */
const MEASURES = [
  ["games", "Games", 0],
  ["wins", "Games won", 0],
  ["moves_per_win", "Moves per win, flags included", 1],
  ["guesses_per_win", "Guesses per win, first click included", 2],
  ["forced_guesses_per_win", "Forced guesses per win", 2],
  ["needless_guesses_per_win", "Needless guesses per win", 2],
  ["guesses_per_game", "Guesses per game", 2],
  ["survived_odds", "Odds of surviving the guesses of a win", 3],
  ["fallbacks", "Positions too wide to count", 0],
  ["cpu_seconds", "Seconds of processor time", 1],
];

const MOST_POINTS = 400;

/** The one or two simulations of an answer. @param {Document} found @returns {Document[]} */
const parts = (found) => found.simulations ?? [found];
const whole = (/** @type {number} */ value) => value.toLocaleString("en");
const percent = (/** @type {number} */ rate) => (rate * 100).toFixed(2);

/** Games, rate, and the ends of its interval. @param {Document} found @returns {number[]} */
const point = ({ games, difference, win_rate, interval }) => [games, difference ?? win_rate, ...interval];

/** The command that finds the same. @param {Document} wanted what is asked of the server */
export function commandLine({ level, rows, columns, mines, ...options }) {
  const given = Object.entries(options).map(([name, value]) => `--${name.replace("_", "-")} ${value}`);
  return ["mineproof simulate", level ?? `${columns}x${rows}x${mines}`, ...given].join(" ");
}

/** A line for each strategy; of two, each has its difference to the other. @param {Document} found */
export function csv(found) {
  const rows = parts(found).map(({ interval: [low, high], start, ...rest }, place) => {
    const kept = Object.entries(rest).filter(([name]) => !["schema", "tally", "won"].includes(name));
    const row = [...kept, ["start", String(start).replace(",", " ")], ["low", low], ["high", high]];
    if (!found.simulations) return row;
    const [sign, ends] = place ? [-1, [...found.interval].reverse()] : [1, found.interval];
    const differences = [found.difference, ...ends].map((each) => sign * each);
    const names = ["difference", "difference_low", "difference_high"];
    return [...row, ["against", found.strategies[1 - place]], ...names.map((name, each) => [name, differences[each]])];
  });
  const lines = [rows[0]?.map(([name]) => name), ...rows.map((row) => row.map(([, value]) => value))];
  return lines.map((line) => `${line?.join(",")}\r\n`).join("");
}

/** @param {number} seconds */
export function timeLeft(seconds) {
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** @param {Document} found */
const verdict = (found) =>
  parts(found)
    .map(({ strategy, wins, games, win_rate, interval: [low, high] }) => {
      const rate = games ? `: ${percent(win_rate)} %, 95 % interval ${percent(low)} to ${percent(high)} %` : "";
      return `${strategy} won ${whole(wins)} of ${plural(games, "game")}${rate}.`;
    })
    .join("\n");

/** Which of two is better. @param {Document} found */
export function compared({ strategies: [one, two], difference, interval: [low, high], ...games }) {
  const sure = low > 0 ? `${one} is better` : high < 0 ? `${two} is better` : "which one is better is not decided yet";
  const rate = `${one} less ${two}: ${percent(difference)} points, 95 % interval ${percent(low)} to ${percent(high)}: ${sure}.`;
  const [both, first, second, neither] = ["both", "only_first", "only_second", "neither"].map((key) =>
    whole(games[key]),
  );
  return `${rate} Both won ${both} games, only ${one} ${first}, only ${two} ${second}, neither ${neither}.`;
}

/**
 * Draw rates over games; a difference always with its zero.
 * @param {ReturnType<typeof chart>} into @param {string} title @param {string} told
 * @param {import("../panels/chart.js").Line[]} lines @param {number} all games @param {"per cent" | "points"} label
 */
function plot(into, title, told, lines, all, label) {
  const ends = lines.flatMap(({ points }) => points.flatMap(([, , low = 0, high = 0]) => [low, high]));
  const write = (/** @type {number} */ value) => String(Number((value * 100).toFixed(4)));
  const y = { label, write, range: range(label === "points" ? [0, ...ends] : ends, -1, 1) };
  into.draw({ title, told, lines, x: { label: "games played", range: [0, all], write: whole }, y });
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  /** What was asked of the server last. @type {Document} */
  let wanted = {};
  /** Its latest answer. @type {Document | null} */
  let found = null;
  /** A point of each line for each of its answers, thinned out. @type {number[][][]} */
  let course = [];
  /** @type {AbortController | null} */
  let running = null;
  let [began, before] = [0, 0]; // when this part began, and with how many games
  let visible = true;

  // what is asked for

  const number = (/** @type {string} */ name, /** @type {Document} */ more) =>
    h("input", { type: "number", name, required: true, min: 1, max: 100, ...more });
  const choice = (/** @type {string} */ name, /** @type {string[][]} */ options, /** @type {string} */ value) => {
    const pairs = options.map(([each = "", words = ""]) => /** @type {[string, string]} */ ([each, words]));
    return Object.assign(select(pairs, value, explain), { name });
  };
  const helps = [h("span"), h("span"), h("span")];
  const custom = h(
    "fieldset",
    { class: "row" },
    field("Rows", number("rows", { value: 16 })),
    field("Columns", number("columns", { value: 30 })),
    field("Mines", number("mines", { value: 99, min: 0, max: 9999 })),
  );
  const start = h("button", { type: "submit", class: "primary" }, "Start");
  const form = h(
    "form",
    { class: "panel", onsubmit: begin },
    h("h2", {}, "What is played"),
    field("Strategy", choice("strategy", STRATEGIES, "strong"), helps[0]),
    field(
      "Compare with",
      choice("against", [["", "nobody"], ...STRATEGIES], ""),
      "On the same layouts, so that luck counts for less.",
    ),
    field("Level", choice("level", LEVELS, "expert")),
    custom,
    field("Board shape", choice("topology", TOPOLOGIES, "grid"), helps[1]),
    field("First click", choice("first_click", FIRST_CLICKS, "safe"), helps[2]),
    field(
      "Games",
      number("games", { value: 10_000, max: 1_000_000 }),
      "Up to 1,000,000. Four times as many halve the interval.",
    ),
    field(
      "Seed",
      number("seed", { min: 0, max: 2 ** 53 - 1, required: false, placeholder: "any" }),
      "The same seed gives the same games.",
    ),
    start,
  );
  const values = () => /** @type {Document} */ (Object.fromEntries(new FormData(form)));

  /** Add what installed packages bring. @param {Document} told */
  function offer(told) {
    for (const { name, package: source } of told.strategies) {
      if (!source || STRATEGIES.some(([known]) => known === name)) continue;
      STRATEGIES.push([name, name, `From the package ${source}. Played in Python, so slower.`]);
      for (const each of form.querySelectorAll("[name=strategy], [name=against]"))
        each.append(h("option", { value: name }, name));
    }
  }
  strategies().then(offer, () => {}); // without an answer ours can still be chosen

  function explain() {
    const { strategy, topology, first_click, level } = values();
    const chosen = [...STRATEGIES, ...TOPOLOGIES, ...FIRST_CLICKS].filter(([name]) =>
      [strategy, topology, first_click].includes(name),
    );
    chosen.forEach(([, , help], place) => fill(/** @type {Element} */ (helps[place]), help));
    custom.disabled = custom.hidden = level !== "custom";
  }

  function asked() {
    const { level, rows, columns, mines, against, games, seed, ...rest } = values();
    return {
      ...(level === "custom" ? { rows: Number(rows), columns: Number(columns), mines: Number(mines) } : { level }),
      ...rest,
      ...(against && against !== rest["strategy"] && { against }),
      games: Number(games),
      seed: seed ? Number(seed) : Math.floor(Math.random() * 2 ** 32),
    };
  }

  // playing

  /** @param {Event} event */
  function begin(event) {
    event.preventDefault();
    running?.abort();
    [wanted, found, course] = [asked(), null, []];
    void run();
  }

  async function run() {
    const mine = (running = new AbortController());
    const take = (/** @type {Document} */ answer) => {
      if (mine !== running) return;
      found = answer;
      if (answer.games) course.push([...parts(answer), answer].map(point));
      if (course.length > MOST_POINTS) course = course.filter((_, place) => place % 2 === 0);
      show();
      if (course.length === 1) result.scrollIntoView(); // on a phone it is below the form
    };
    [began, before] = [performance.now(), found?.games ?? 0];
    const resume = found && { resume: parts(found) };
    let problem = "";
    show();
    try {
      take(await simulate({ ...wanted, ...resume }, take, { signal: mine.signal }));
    } catch (error) {
      if (!isAbort(error)) problem = failure(error);
    }
    if (mine !== running) return; // another one has begun
    running = null;
    show(problem);
    if (found) page.say(verdict(found));
    if (problem) page.notify(problem, "error");
    else if (found && !visible) page.notify(`The simulation has ended: ${verdict(found)}`);
  }

  // what is found

  const [rates, difference] = [chart(), chart()];
  const empty = h("p", { class: "empty" }, "How often does a strategy win? Choose one and start.");
  const [told, pace, sentence, command] = [h("p"), h("p", { class: "quiet" }), h("p"), h("code", { class: "whole" })];
  const bar = h("progress", { "aria-label": "Games played" });
  const [stopping, resuming] = [button("Stop", () => running?.abort()), button("Resume", run)];
  const save = (/** @type {string} */ text, /** @type {string} */ name) => download(new Blob([text]), name);
  const averages = h("div", { class: "scroll", tabindex: 0 });
  const pair = h("div", { class: "charted" }, sentence, difference.element);
  const saving = h(
    "div",
    { class: "row" },
    button("Download JSON", () => save(`${JSON.stringify(found)}\n`, "simulation.json")),
    button("Download CSV", () => save(csv(found ?? {}), "simulation.csv")),
  );
  const answers = [rates.element, pair, averages, saving];
  const same = h("div", {}, h("h3", {}, "The same on the command line"), command);
  const state = [told, bar, h("div", { class: "row" }, pace, stopping, resuming)];
  const result = h(
    "section",
    { class: "panel simulate", "aria-label": "Result" },
    h("h2", {}, "Result"),
    empty,
    state,
    answers,
    same,
  );

  /** @param {string} [problem] */
  function show(problem) {
    if (!visible) return;
    const asks = !!wanted.games;
    const [played, all] = [found?.games ?? 0, wanted.games ?? 1];
    empty.hidden = asks;
    for (const each of [...state, same]) each.hidden = !asks;
    for (const each of answers) each.hidden = !found;
    pair.hidden = !found?.simulations;
    stopping.hidden = !running;
    resuming.hidden = !!running || !found || played >= all;
    start.textContent = running ? "Start anew" : "Start";
    set(told, { class: `verdict words simulate-told${problem ? " bad" : ""}` });
    fill(told, problem || (found ? verdict(found) : "The first games are being played."));
    set(bar, { value: played, max: all });
    const speed = ((played - before) * 1000) / (performance.now() - began);
    const ahead = speed > 0 ? ` · ${whole(Math.round(speed))} a second · ${timeLeft((all - played) / speed)} left` : "";
    fill(
      pace,
      running
        ? `${whole(played)} of ${plural(all, "game")}${ahead}`
        : played < all
          ? `Stopped at ${whole(played)} of ${plural(all, "game")}.`
          : "Finished.",
    );
    fill(command, commandLine(wanted));
    if (found?.games) picture(found, all);
  }

  /** @param {Document} latest @param {number} all */
  function picture(latest, all) {
    const points = (/** @type {number} */ line) => course.map((each) => each[line] ?? []);
    const lines = parts(latest).map(({ strategy }, place) => ({ name: strategy, points: points(place) }));
    plot(rates, "Win rate with its 95 % interval", verdict(latest), lines, all, "per cent");
    const digits = (/** @type {number} */ maximumFractionDigits) => ({ maximumFractionDigits });
    const rows = MEASURES.map(([key, words, most]) => [
      words,
      ...parts(latest).map((part) => part[key]?.toLocaleString("en", digits(most)) ?? "not known"),
    ]);
    fill(averages, table(["Average", ...parts(latest).map(({ strategy }) => `>${strategy}`)], rows));
    if (!latest.simulations) return;
    fill(sentence, compared(latest));
    const line = { name: "difference", points: points(2) };
    plot(difference, "Difference on the same layouts", compared(latest), [line], all, "points");
  }

  explain();
  return {
    element: h("div", { class: "page" }, h("h1", {}, "Simulate"), h("div", { class: "columns" }, form, result)),
    show() {
      visible = true;
      show();
    },
    hide() {
      visible = false;
    },
  };
}
