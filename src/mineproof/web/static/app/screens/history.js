/**
 * History: the finished games of this machine, win rates, best times and streaks by level, and how times change. Players
 * choose the names, so they are shown as text, in limited room.
 *
 * @typedef {import("../dom.js").Child} Child
 */

/**
 * @template T a row
 * @typedef {[head: string, cell: (row: T) => Child | Child[]][]} Columns
 */
import * as api from "../api.js";
import { download, field, fill, h, segmented } from "../dom.js";
import { chart, dateTicks, range, spread } from "../panels/chart.js";
import { base64 } from "../panels/exchange.js";
import { listBox } from "../panels/listbox.js";
import { button, fileButton, segments, table } from "../panels/parts.js";
import { accuracyText, clock, errorText, exactPercent } from "../format.js";
import { locale, number, rounded, t, tn } from "../messages.js";

const PAGE_SIZE = 25; // games
const MAX_DOTS = 500; // of a chart
const MAX_PROFILE_GAMES = 50;
const DAY = 86_400_000; // milliseconds

/** @type {Record<string, string>} */
const LEVEL_KEYS = {
  beginner: "page-level-beginner",
  intermediate: "page-level-intermediate",
  expert: "page-level-expert",
};

/** @type {Record<string, string>} */
const SHAPE_KEYS = {
  torus: "page-shape-torus",
  hex: "page-shape-hex",
  cylinder: "page-shape-cylinder",
  moebius: "page-shape-moebius",
  triangles: "page-shape-triangles",
  knight: "page-shape-knight",
  orthogonal: "page-shape-orthogonal",
  cross: "page-shape-cross",
  radius2: "page-shape-radius2",
  octagons: "page-shape-octagons",
  cube: "page-shape-cube",
  sphere: "page-shape-sphere",
};

/** @type {Record<string, string>} */
const FAIRNESS_KEYS = {
  forced: "page-fairness-forced",
  kind: "page-fairness-kind",
  strict: "page-fairness-strict",
  safest: "page-fairness-safest",
  local: "page-fairness-local",
};

/** @param {Record<string, string>} keys @param {string} name */
const nameOf = (keys, name) => t(keys[name] ?? name);

/** A level by its name, or a size such as "8x8x5" as the page writes it. @param {string} level */
function levelName(level) {
  const [, columns = "", rows = "", mines] = /^(\d+)x(\d+)x(\d+)$/.exec(level) ?? [];
  return mines ? tn("page-size", Number(mines), { columns, rows }) : nameOf(LEVEL_KEYS, level);
}

/** A level, with its rules if they are special. @param {Pick<Wire.KeptGameJson, "level" | "topology" | "fairness" | "no_guess">} game or a level of the summary */
export const kindOf = ({ level, topology, fairness, no_guess }) =>
  [
    levelName(level),
    topology !== "grid" && nameOf(SHAPE_KEYS, topology),
    fairness !== "none" && nameOf(FAIRNESS_KEYS, fairness),
    no_guess && t("page-no-guess"),
  ]
    .filter(Boolean)
    .join(", ");

/** Whether the player used help, and why a game does not count. @param {Wire.KeptGameJson} game */
export const notesOf = ({ with_help, given, again, revived, imported }) =>
  [
    imported && t("page-note-imported"),
    with_help === null ? t("page-note-help-unknown") : with_help && t("page-note-help"),
    given && t("page-note-given"),
    again && t("page-note-again"),
    revived && t("page-note-revived"),
  ]
    .filter(Boolean)
    .join(", ");

const resultOf = (/** @type {boolean} */ won) => (won ? t("page-filter-won") : t("page-filter-lost"));
const time = (/** @type {number | null} */ seconds) => (seconds === null ? "–" : clock(seconds));
const decimals = (/** @type {number | null} */ value) => (value === null ? "–" : number(value, 2));
const date = (/** @type {string | null} */ moment) =>
  moment ? new Date(moment).toLocaleDateString(locale(), { dateStyle: "medium" }) : t("page-unknown");
const link = (/** @type {number} */ id, /** @type {string} */ text) => h("a", { href: `#/review?number=${id}` }, text);
/** A link that opens in a new tab. @param {string} href @param {string} text @param {Record<string, string>} [more] */
const newTab = (href, text, more) => h("a", { href, target: "_blank", rel: "noopener", ...more }, text);
const named = (/** @type {string | null} */ player) => h("bdi", { class: "named", title: player }, player);
const best = (/** @type {Wire.KeptGameJson | null} */ game) =>
  game ? [link(game.id, time(game.seconds)), " ", named(game.player)] : "–";

/** @returns {Columns<Wire.LevelSummaryJson>} */
const levelColumns = () => [
  [t("page-level"), kindOf],
  [t("page-games"), ({ games }) => games],
  [
    t("page-column-win-rate"),
    ({ win_rate, interval }) => [spread(win_rate ?? 0, interval), exactPercent(win_rate ?? 0)],
  ],
  [
    t("page-column-interval"),
    ({ interval: [low, high] }) => t("page-range", { low: exactPercent(low), high: exactPercent(high) }),
  ],
  [t("page-column-best-time"), ({ best_without_help }) => best(best_without_help)],
  [t("page-filter-with-help"), ({ best_with_help }) => best(best_with_help)],
  [
    t("page-column-streak"),
    ({ current_streak, longest_streak }) => t("page-streak", { now: current_streak, best: longest_streak }),
  ],
  [t("page-fact-3bv-per-second"), ({ bbbv_per_second }) => decimals(bbbv_per_second)],
];

/** @template T @param {string} label @param {Columns<T>} columns @param {T[]} rows */
function scrollTable(label, columns, rows) {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const inside = table(
    columns.map(([head]) => head),
    cells,
  );
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, inside);
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  let limit = PAGE_SIZE;
  /** Whose games are shown. @type {"own" | "imported"} */
  let origin = "own";
  /** @type {Wire.LevelSummaryJson[]} */
  let levels = [];
  let charted = ""; // the kind of games that is drawn
  let [asking, listing] = [new AbortController(), new AbortController()];

  /** Do it, and show what goes wrong. @param {() => Promise<unknown>} work */
  const attempt = (work) => work().catch((error) => api.isAbort(error) || page.notify(errorText(error), "error"));
  /** What is chosen, for the server. @type {Record<string, string>} */
  let filter = {};
  const values = () => ({ ...filter, origin });
  const filterBy = (/** @type {string} */ name) => (/** @type {string} */ value) => {
    filter[name] = value;
    void list(PAGE_SIZE);
  };
  const anyValue = /** @type {[string, string]} */ (["", t("page-filter-all")]);
  const [levelChoice, kindChoice, bests, games] = [h("div"), h("div", { class: "row" }), h("div"), h("div")];
  const filters = h("div", { class: "row filters" });
  const origins = segmented(
    t("page-origin"),
    [
      ["own", t("page-origin-own")],
      ["imported", t("page-origin-imported")],
    ],
    origin,
    (value) => {
      origin = /** @type {"own"} */ (value);
      limit = PAGE_SIZE;
      resetFilters();
      void load();
    },
  );
  function resetFilters() {
    filter = {};
    /** @type {[string, string][]} */
    const results = [["true", t("page-filter-won")], ["false", t("page-filter-lost")]]; // prettier-ignore
    /** @type {[string, string][]} */
    const help = [["false", t("page-filter-without-help")], ["true", t("page-filter-with-help")]]; // prettier-ignore
    /** @type {[string, string][]} */
    const orders = [
      ["", t("page-order-latest")],
      ["time", t("page-order-time")],
      ["speed", t("page-order-speed")],
      ["3bv", t("page-order-3bv")],
      ["clicks", t("page-order-clicks")],
      ["guesses", t("page-order-guesses")],
      ["luck", t("page-order-luck")],
    ];
    fill(
      filters,
      levelChoice,
      segments(t("page-result"), [anyValue, ...results], "", filterBy("won")),
      segments(t("page-help"), [anyValue, ...help], "", filterBy("help")),
      listBox(t("page-order"), orders, "", filterBy("order")),
    );
  }
  resetFilters();
  const charts = h("div", { class: "history-charts" });
  const [times, speeds] = [chart(), chart()];
  const profile = newTab("", t("page-profile"), { class: "button" });
  const more = button(t("page-more-games"), () => list(limit + PAGE_SIZE));
  const save = (/** @type {"csv" | "jsonl"} */ to) =>
    attempt(async () => download(await api.historyExport(to), `games.${to}`));
  /** Import the games of files; report files that cannot be read and import the others. @param {Iterable<File>} files */
  async function importFiles(files) {
    let [added, duplicates] = [0, 0];
    const faults = [];
    for (const file of files) {
      try {
        const result = await api.historyImport(await base64(file), file.name);
        [added, duplicates] = [added + result["added"], duplicates + result["known"]];
      } catch (error) {
        faults.push(`${file.name}: ${errorText(error)}`);
      }
    }
    const counts = [tn("page-import-added", added), tn("page-import-known", duplicates)];
    page.notify([...counts, ...faults].join(" "), faults.length ? "error" : undefined);
    if (!added && !duplicates) return;
    origin = "imported";
    origins.choose(origin);
    await load();
  }
  const chooser = () => {
    const choose = fileButton(t("page-import"), (_, files) => void importFiles(files), { multiple: true });
    return h("div", {}, choose, h("p", { class: "help" }, t("page-import-help")));
  };
  const panel = (/** @type {string} */ title, /** @type {Child[]} */ ...children) =>
    h("section", { class: "panel" }, h("h2", {}, title), children);
  const full = [
    panel(t("page-levels"), bests, h("p", { class: "help" }, t("page-levels-help"))),
    panel(t("page-charts"), kindChoice, charts),
    panel(
      t("page-games"),
      filters,
      h(
        "div",
        { class: "row" },
        button(t("page-export", { format: "CSV" }), () => save("csv")),
        button(t("page-export", { format: "JSON lines" }), () => save("jsonl")),
        profile,
      ),
      h("p", { class: "help" }, t("page-export-help", { most: MAX_PROFILE_GAMES })),
      games,
      h("div", { class: "row" }, more),
    ),
    panel(t("page-other-programs"), chooser()),
  ];
  const originHelp = h("span", { class: "help" });
  const [heading, place] = [h("h1", {}, t("page-screen-history")), h("div", { class: "page history" })];
  const only = (/** @type {Child[]} */ ...children) =>
    fill(place, heading, h("div", { class: "panel empty" }, children));

  async function load() {
    asking.abort();
    const stop = (asking = new AbortController());
    try {
      const [summary, some] = await Promise.all([
        api.historySummary(stop, { origin }),
        api.history({ limit: 1 }, stop),
      ]);
      if (!some.games.length) {
        return only(
          h("p", {}, t("page-history-empty")),
          h("p", {}, h("a", { class: "button", href: "#/play" }, t("page-play-game"))),
          chooser(),
        );
      }
      levels = summary.levels;
      const names = new Map(levels.map(({ level }) => [level, levelName(level)]));
      const none = h("p", { class: "quiet" }, t("page-levels-none"));
      fill(levelChoice, listBox(t("page-level"), [anyValue, ...names], filter["level"] ?? "", filterBy("level")));
      fill(bests, levels.length ? scrollTable(t("page-levels"), levelColumns(), levels) : none);
      if (!place.contains(games)) fill(place, heading, h("div", { class: "row" }, origins, originHelp), full);
      originHelp.textContent = origin === "own" ? t("page-origin-own-help") : t("page-origin-imported-help");
      await Promise.all([list(limit), draw()]);
    } catch (error) {
      if (!api.isAbort(error)) only(h("p", { class: "bad" }, errorText(error)), button(t("page-retry"), load));
    }
  }

  // the list

  /** @type {Columns<Wire.KeptGameJson>} */
  const columns = [
    [t("page-column-game"), ({ id }) => link(id, t("page-game", { number: id }))],
    [t("page-column-date"), ({ played }) => date(played)],
    [t("page-level"), kindOf],
    [t("page-result"), ({ won }) => h("span", { class: won ? "good" : "bad" }, resultOf(won))],
    [t("page-fact-time"), ({ seconds }) => time(seconds)],
    [t("page-fact-3bv"), ({ bbbv }) => bbbv],
    [t("page-fact-3bv-per-second"), ({ bbbv_per_second }) => decimals(bbbv_per_second)],
    [t("page-fact-clicks"), ({ clicks }) => clicks],
    [t("page-fact-accuracy"), ({ accuracy }) => (accuracy === null ? "–" : accuracyText(accuracy))],
    [t("page-fact-guesses"), ({ guesses }) => guesses ?? "–"],
    [t("page-fact-luck"), ({ luck }) => (luck === null ? "–" : exactPercent(luck))],
    [t("page-column-notes"), notesOf],
    [t("page-column-name"), ({ player }) => named(player)],
    [
      t("page-lesson"),
      ({ id }) => {
        const label = t("page-lesson-of", { number: id });
        return h("a", { href: `#/review?number=${id}&part=lesson`, "aria-label": label }, t("page-lesson"));
      },
    ],
    [
      t("page-column-edit"),
      (game) => [
        button(t("page-rename"), () => rename(game), {
          class: "plain",
          "aria-label": t("page-rename-game", { number: game.id }),
        }),
        button(t("page-delete"), () => remove(game), {
          class: "plain",
          "aria-label": t("page-delete-game", { number: game.id }),
        }),
      ],
    ],
  ];

  const list = (/** @type {number} */ most) =>
    attempt(async () => {
      listing.abort();
      listing = new AbortController();
      limit = most;
      const { games: matches } = await api.history({ ...values(), limit: limit + 1 }, listing);
      more.hidden = matches.length <= limit;
      profile.href = api.historyProfilePage({ ...values(), limit: Math.min(limit, MAX_PROFILE_GAMES) });
      profile.hidden = !matches.length;
      if (matches.length) fill(games, scrollTable(t("page-games"), columns, matches.slice(0, limit)));
      else fill(games, h("p", { class: "empty" }, t("page-no-match")));
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
      button(t("page-cancel"), () => void dialog.close()),
    ];
    const dialog = h(
      "dialog",
      { "aria-label": title, onclose: () => dialog.remove() },
      h("form", { onsubmit: done }, h("h2", {}, title), inside, h("div", { class: "row" }, buttons)),
    );
    place.append(dialog);
    dialog.showModal();
  }

  /** @param {Wire.KeptGameJson} game */
  function rename({ id, player }) {
    const input = h("input", { maxlength: 40, value: player, autocomplete: "off" });
    const control = field(t("page-player"), input, t("page-player-help"));
    ask(t("page-rename-game", { number: id }), control, t("page-save"), () =>
      api.historyName(id, input.value.trim() || null),
    );
  }

  /** @param {Wire.KeptGameJson} game */
  function remove(game) {
    const what = [kindOf(game), resultOf(game.won), date(game.played), time(game.seconds)].join(", ");
    const warning = h("p", { class: "words" }, t("page-delete-warning", { game: what }));
    ask(t("page-delete-question", { number: game.id }), warning, t("page-delete"), () => api.historyForget(game.id));
  }

  // the charts

  const draw = () =>
    attempt(async () => {
      const kinds = levels.map(kindOf);
      const [most] = [...levels].sort((one, other) => other.wins - one.wins);
      if (!kinds.includes(charted)) charted = most ? kindOf(most) : "";
      const pick = listBox(
        t("page-level-and-rules"),
        kinds.map((kind) => [kind, kind]),
        charted,
        (kind) => ((charted = kind), void draw()),
      );
      fill(kindChoice, kinds.length > 0 && pick);
      const query = { level: levels[kinds.indexOf(charted)]?.level, won: true, limit: MAX_DOTS, origin };
      /** @type {Wire.KeptGameJson[]} */
      const matches = (await api.history(query, asking)).games;
      if (query.level !== levels[kinds.indexOf(charted)]?.level) return; // another was chosen meanwhile
      const wins = matches
        .filter((game) => kindOf(game) === charted && game.counts && game.played && game.ms)
        .reverse();
      if (!wins.length) return fill(charts, h("p", { class: "quiet" }, t("page-charts-none")));
      fill(charts, times.element, speeds.element);
      plot(times, wins, t("page-chart-times"), t("page-unit-seconds"), ({ seconds }) => seconds ?? 0);
      plot(
        speeds,
        wins,
        t("page-chart-speeds"),
        t("page-fact-3bv-per-second"),
        ({ bbbv_per_second }) => bbbv_per_second ?? 0,
      );
    });

  /**
   * @param {ReturnType<typeof chart>} into @param {Wire.KeptGameJson[]} wins by date @param {string} title @param {string} label
   * @param {(game: Wire.KeptGameJson) => number} value
   */
  function plot(into, wins, title, label, value) {
    const when = wins.map(({ played }) => Date.parse(played ?? ""));
    const [all, span] = [wins.map(value), range([(when[0] ?? 0) - DAY / 2, (when.at(-1) ?? 0) + DAY / 2])];
    const [least = "", most = "", latest = ""] = [Math.min(...all), Math.max(...all), all.at(-1) ?? 0].map((one) => number(one, 2)); // prettier-ignore
    /** @type {Intl.DateTimeFormatOptions} */
    const style =
      span[1] - span[0] < 2 * DAY
        ? { timeStyle: "short" }
        : span[1] - span[0] < 300 * DAY
          ? { day: "numeric", month: "short" }
          : { month: "short", year: "numeric" };
    const lines = [false, true].map((helped) => ({
      name: helped ? t("page-filter-with-help") : t("page-filter-without-help"),
      points: wins.flatMap((game, index) => (!!game.with_help === helped ? [[when[index] ?? 0, value(game)]] : [])),
      dots: true,
    }));
    into.draw({
      title,
      description: tn("page-chart-description", wins.length, {
        title,
        kind: charted,
        least,
        most,
        latest,
        unit: label,
      }),
      x: {
        label: t("page-column-date"),
        range: span,
        ticks: dateTicks,
        write: (moment) => new Date(moment).toLocaleString(locale(), style),
      },
      y: { label, range: range(all, 0), write: (tick) => rounded(tick, 3) },
      lines: lines.filter(({ points }, line) => !line || points.length),
    });
  }

  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    void importFiles([...(event.dataTransfer?.files ?? [])]);
  });
  fill(place, heading);
  return {
    element: place,
    show: () => void load(),
    hide: () => asking.abort(),
  };
}
