/**
 * History: the finished games of this machine, win rates, best times and streaks by level, and how times change. Names
 * are what players wrote: they are shown as text, in as much room as there is.
 *
 * @typedef {import("../api.js").Document} Document
 * @typedef {import("../dom.js").Child} Child
 * @typedef {[head: string, cell: (row: Document) => Child | Child[]][]} Columns
 */
import * as api from "../api.js";
import { download, field, fill, h, select } from "../dom.js";
import { chart, dateTicks, range, spread } from "../panels/chart.js";
import { base64 } from "../panels/exchange.js";
import { button, table } from "../panels/parts.js";
import { clock, exactPercent, failure, plural } from "../words.js";

const STEP = 25; // games more at a time
const MOST_DOTS = 500;
const MOST_TAUGHT = 50; // games of a profile that the server makes
const DAY = 86_400_000; // milliseconds

/** A level, and its rules where they are not the plain ones. @param {Document} game or a level of the summary */
export const kindOf = ({ level, topology, fairness, no_guess }) =>
  [level, topology !== "grid" && topology, fairness !== "none" && fairness, no_guess && "no guess"]
    .filter(Boolean)
    .join(", ");

/** What help it had, and why it does not count. @param {Document} game */
export const notesOf = ({ with_help, given, again, revived }) =>
  [with_help === null ? "help?" : with_help && "help", given && "given", again && "again", revived && "revived"]
    .filter(Boolean)
    .join(", ");

const resultOf = (/** @type {boolean} */ won) => (won ? "won" : "lost");
const time = (/** @type {number | null} */ seconds) => (seconds === null ? "–" : clock(seconds));
const decimals = (/** @type {number | null} */ value) => value?.toFixed(2) ?? "–";
const date = (/** @type {string | null} */ moment) =>
  moment ? new Date(moment).toLocaleDateString("en-GB", { dateStyle: "medium" }) : "not known";
const link = (/** @type {number} */ id, /** @type {string} */ words) =>
  h("a", { href: `#/review?number=${id}` }, words);
/** Something that opens beside the app. @param {string} href @param {string} words @param {Record<string, string>} [more] */
const apart = (href, words, more) => h("a", { href, target: "_blank", rel: "noopener", ...more }, words);
const named = (/** @type {string | null} */ player) => h("bdi", { class: "named", title: player }, player);
const best = (/** @type {Document | null} */ game) =>
  game ? [link(game.id, time(game.seconds)), " ", named(game.player)] : "–";

/** @type {Columns} */
const LEVELS = [
  ["Level", kindOf],
  ["Games", ({ games }) => games],
  ["Win rate", ({ win_rate, interval }) => [spread(win_rate, interval), exactPercent(win_rate)]],
  ["95 % interval", ({ interval: [low, high] }) => `${exactPercent(low)} to ${exactPercent(high)}`],
  ["Best time", ({ best_without_help }) => best(best_without_help)],
  ["With help", ({ best_with_help }) => best(best_with_help)],
  ["Wins in a row", ({ current_streak, longest_streak }) => `${current_streak}, at most ${longest_streak}`],
  ["3BV/s", ({ bbbv_per_second }) => decimals(bbbv_per_second)],
];

/** @param {string} label @param {Columns} columns @param {Document[]} rows */
function listed(label, columns, rows) {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const inside = table(
    columns.map(([head]) => head),
    cells,
  );
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, inside);
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  let limit = STEP;
  /** @type {Document[]} */
  let levels = [];
  let charted = ""; // the kind of games that is drawn
  let [asking, listing] = [new AbortController(), new AbortController()];

  /** Do it, and tell what goes wrong. @param {() => Promise<unknown>} work */
  const attempt = (work) => work().catch((error) => api.isAbort(error) || page.notify(failure(error), "error"));
  const choice = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string[]} */ ...options) => {
    const pairs = options.map((option) => /** @type {[string, string]} */ (option.split(":")));
    return field(
      label,
      Object.assign(
        select(pairs, values()[name] ?? "", () => list(STEP)),
        { name },
      ),
    );
  };
  const [levelChoice, kindChoice, bests, games] = [h("div"), h("div", { class: "row" }), h("div"), h("div")];
  const filters = h("form", { class: "row" });
  const values = () => /** @type {Document} */ (Object.fromEntries(new FormData(filters)));
  fill(
    filters,
    levelChoice,
    choice("won", "Result", ":all", "true:won", "false:lost"),
    choice("help", "Help", ":all", "false:without help", "true:with help"),
    choice(
      "order",
      "Order",
      ":latest first",
      "time:fastest first",
      "speed:most 3BV/s first",
      "3bv:most 3BV first",
      "clicks:fewest clicks first",
      "guesses:most guesses first",
      "luck:luckiest first",
    ),
  );
  const charts = h("div", { class: "history-charts" });
  const [times, speeds] = [chart(), chart()];
  const profile = apart("", "Profile of these games", { class: "button" });
  const more = button("More games", () => list(limit + STEP));
  const save = (/** @type {"csv" | "jsonl"} */ to) =>
    attempt(async () => download(await api.historyExport(to), `games.${to}`));
  /** Keep the games of files; what cannot be read is told, and the others are kept. @param {Iterable<File>} files */
  async function take(files) {
    let [added, known] = [0, 0];
    const faults = [];
    for (const file of files) {
      try {
        const found = await api.historyImport(await base64(file), file.name);
        [added, known] = [added + found["added"], known + found["known"]];
      } catch (error) {
        faults.push(`${file.name}: ${failure(error)}`);
      }
    }
    const words = [`${plural(added, "game")} added, ${known} known already.`, ...faults].join(" ");
    page.notify(words, faults.length ? "error" : undefined);
    if (added) await load();
  }
  const chooser = () => {
    /** @type {HTMLInputElement} */
    const input = h("input", {
      type: "file",
      multiple: true,
      onchange: () => void take([...(input.files ?? [])]).finally(() => (input.value = "")),
    });
    const words =
      "Saved games and replays: AVF, EVF, MVF, RMV, RAWVF, JSON lines. Dropping files on this screen does it too.";
    return field("Add games from files", input, words);
  };
  const panel = (/** @type {string} */ title, /** @type {Child[]} */ ...children) =>
    h("section", { class: "panel" }, h("h2", {}, title), children);
  const full = [
    panel(
      "Levels",
      bests,
      h(
        "p",
        { class: "help" },
        "Games on a given board, on the same board again, and games that went on after their end do not count here.",
      ),
    ),
    panel("Charts", kindChoice, charts),
    panel(
      "Games",
      filters,
      h(
        "div",
        { class: "row" },
        button("Export CSV", () => save("csv")),
        button("Export JSON lines", () => save("jsonl")),
        profile,
      ),
      h(
        "p",
        { class: "help" },
        "Exports are all games: CSV for a spreadsheet, JSON lines with every move for mineproof history import. The profile tells what to learn from the games below, of the first 50.",
      ),
      games,
      h("div", { class: "row" }, more),
    ),
    panel("Other programs", chooser()),
  ];
  const [heading, place] = [h("h1", {}, "History"), h("div", { class: "page history" })];
  const only = (/** @type {Child[]} */ ...children) =>
    fill(place, heading, h("div", { class: "panel empty" }, children));

  async function load() {
    asking.abort();
    const stop = (asking = new AbortController());
    try {
      const [summary, some] = await Promise.all([api.historySummary(stop), api.history({ limit: 1 }, stop)]);
      if (!some.games.length) {
        const words =
          "No game is finished yet. Every game that you win or lose is kept here, on this machine, with its time, guesses and luck.";
        return only(
          h("p", {}, words),
          h("p", {}, h("a", { class: "button", href: "#/play" }, "Play a game")),
          chooser(),
        );
      }
      levels = summary.levels;
      fill(levelChoice, choice("level", "Level", ":all", ...new Set(levels.map(({ level }) => `${level}:${level}`))));
      fill(bests, levels.length ? listed("Levels", LEVELS, levels) : h("p", { class: "quiet" }, "No game counts yet."));
      if (!place.contains(games)) fill(place, heading, full);
      await Promise.all([list(limit), draw()]);
    } catch (error) {
      if (!api.isAbort(error)) only(h("p", { class: "bad" }, failure(error)), button("Try again", load));
    }
  }

  // the list

  /** @type {Columns} */
  const columns = [
    ["Game", ({ id }) => link(id, `Game ${id}`)],
    ["Date", ({ played }) => date(played)],
    ["Level", kindOf],
    ["Result", ({ won }) => h("span", { class: won ? "good" : "bad" }, resultOf(won))],
    ["Time", ({ seconds }) => time(seconds)],
    ["3BV", ({ bbbv }) => bbbv],
    ["3BV/s", ({ bbbv_per_second }) => decimals(bbbv_per_second)],
    ["Clicks", ({ clicks }) => clicks],
    ["Guesses", ({ guesses }) => guesses ?? "–"],
    ["Luck", ({ luck }) => (luck === null ? "–" : exactPercent(luck))],
    ["Notes", notesOf],
    ["Name", ({ player }) => named(player)],
    ["Learn", ({ id }) => apart(api.historyLessonPage(id), "Lesson", { "aria-label": `Lesson of game ${id}` })],
    [
      "Change",
      (game) => [
        button("Name", () => rename(game), { class: "plain", "aria-label": `Name game ${game.id}` }),
        button("Forget", () => forget(game), { class: "plain", "aria-label": `Forget game ${game.id}` }),
      ],
    ],
  ];

  const list = (/** @type {number} */ most) =>
    attempt(async () => {
      listing.abort();
      listing = new AbortController();
      limit = most;
      const found = await api.history({ ...values(), limit: limit + 1 }, listing);
      more.hidden = found.games.length <= limit;
      profile.href = api.historyProfilePage({ ...values(), limit: Math.min(limit, MOST_TAUGHT) });
      profile.hidden = !found.games.length;
      if (found.games.length) fill(games, listed("Games", columns, found.games.slice(0, limit)));
      else fill(games, h("p", { class: "empty" }, "No game is like that. Choose other filters."));
    });

  /** @param {string} title @param {HTMLElement} inside @param {string} yes @param {() => Promise<unknown>} work */
  function ask(title, inside, yes, work) {
    const done = (/** @type {Event} */ event) => {
      event.preventDefault();
      void attempt(async () => {
        await work();
        dialog.close();
        await load();
        /** @type {HTMLElement | null} */ (games.firstElementChild)?.focus();
      });
    };
    const buttons = [
      h("button", { type: "submit", class: "primary" }, yes),
      button("Cancel", () => void dialog.close()),
    ];
    const dialog = h(
      "dialog",
      { "aria-label": title, onclose: () => dialog.remove() },
      h("form", { onsubmit: done }, h("h2", {}, title), inside, h("div", { class: "row" }, buttons)),
    );
    place.append(dialog);
    dialog.showModal();
  }

  /** @param {Document} game */
  function rename({ id, player }) {
    const input = h("input", { maxlength: 40, value: player, autocomplete: "off" });
    const told = field("Who played", input, "Up to 40 characters. Empty takes the name off.");
    ask(`Name game ${id}`, told, "Save", () => api.historyName(id, input.value.trim() || null));
  }

  /** @param {Document} game */
  function forget(game) {
    const what = `${kindOf(game)}, ${resultOf(game.won)}, ${date(game.played)}, time ${time(game.seconds)}.`;
    const told = h("p", { class: "words" }, `${what} It is deleted with all its moves, which cannot be taken back.`);
    ask(`Forget game ${game.id}?`, told, "Forget", () => api.historyForget(game.id));
  }

  // the charts

  const draw = () =>
    attempt(async () => {
      const kinds = levels.map(kindOf);
      const [most] = [...levels].sort((one, other) => other.wins - one.wins);
      if (!kinds.includes(charted)) charted = most ? kindOf(most) : "";
      const pick = select(
        kinds.map((kind) => [kind, kind]),
        charted,
        (kind) => ((charted = kind), draw()),
      );
      fill(kindChoice, kinds.length > 0 && field("Level and rules", pick));
      const wanted = { level: levels[kinds.indexOf(charted)]?.level, won: true, limit: MOST_DOTS };
      /** @type {Document[]} */
      const kept = (await api.history(wanted, asking)).games;
      if (wanted.level !== levels[kinds.indexOf(charted)]?.level) return; // another was chosen meanwhile
      const wins = kept.filter((game) => kindOf(game) === charted && game.counts && game.played && game.ms).reverse();
      if (!wins.length)
        return fill(charts, h("p", { class: "quiet" }, "Times are drawn once a game is won that counts."));
      fill(charts, times.element, speeds.element);
      plot(times, wins, "Times of wins", "seconds", ({ seconds }) => seconds);
      plot(speeds, wins, "Speed of wins", "3BV a second", ({ bbbv_per_second }) => bbbv_per_second);
    });

  /**
   * @param {ReturnType<typeof chart>} into @param {Document[]} wins by date @param {string} title @param {string} label
   * @param {(game: Document) => number} value
   */
  function plot(into, wins, title, label, value) {
    const when = wins.map(({ played }) => Date.parse(played));
    const [all, span] = [wins.map(value), range([(when[0] ?? 0) - DAY / 2, (when.at(-1) ?? 0) + DAY / 2])];
    const words = [Math.min(...all), Math.max(...all), all.at(-1) ?? 0].map((each) => each.toFixed(2));
    /** @type {Intl.DateTimeFormatOptions} */
    const style =
      span[1] - span[0] < 2 * DAY
        ? { timeStyle: "short" }
        : span[1] - span[0] < 300 * DAY
          ? { day: "numeric", month: "short" }
          : { month: "short", year: "numeric" };
    const lines = [false, true].map((helped) => ({
      name: helped ? "with help" : "without help",
      points: wins.flatMap((game, each) => (!!game.with_help === helped ? [[when[each] ?? 0, value(game)]] : [])),
      dots: true,
    }));
    into.draw({
      title,
      told: `${title}: ${plural(wins.length, "win")} at ${charted}, ${words[0]} to ${words[1]} ${label}, the latest ${words[2]}.`,
      x: {
        label: "date",
        range: span,
        ticks: dateTicks,
        write: (moment) => new Date(moment).toLocaleString("en-GB", style),
      },
      y: { label, range: range(all, 0), write: (each) => each.toLocaleString("en") },
      lines: lines.filter(({ points }, each) => !each || points.length),
    });
  }

  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    void take([...(event.dataTransfer?.files ?? [])]);
  });
  fill(place, heading);
  return {
    element: place,
    show: () => void load(),
    hide: () => asking.abort(),
  };
}
