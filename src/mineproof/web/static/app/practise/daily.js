/**
 * The daily puzzle: a calendar of the month, and the result as a text or a picture that gives nothing away.
 *
 * @typedef {object} DailyResult
 * @property {string} date such as 2026-11-18
 * @property {boolean[]} tries whether each answer was right
 * @property {number | null} ms time of the first answer
 * @property {number} streak days in a row
 */
import * as api from "../api.js";
import { download, fill, h } from "../dom.js";
import { errorText } from "../format.js";
import { locale, number, t, tn } from "../messages.js";
import { button } from "../panels/parts.js";
import { otherMonth, weeksOf } from "./address.js";

const CARD = { width: 640, height: 336 }; // CSS pixels
/** What a day of the calendar is called. */
const RESULTS = {
  "": "page-daily-open",
  solved: "page-daily-solved",
  late: "page-daily-late",
  failed: "page-daily-failed",
};
const [RIGHT, WRONG] = ["🟩", "🟥"];

/** A day of UTC as the reader writes it. @param {string} date such as 2026-11-18 */
export const dayName = (date) => new Date(date).toLocaleDateString(locale(), { dateStyle: "medium", timeZone: "UTC" });

/** A time for a person: "14 s", "2 min 5 s". @param {number} ms */
export function timeText(ms) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return t("page-practise-seconds", { seconds: number(seconds) });
  return t("page-practise-minutes", { minutes: number(Math.floor(seconds / 60)), seconds: number(seconds % 60) });
}

/** The lines of the result to share. @param {DailyResult} result */
export function resultLines({ date, tries, ms, streak }) {
  const solved = tries.at(-1) === true;
  const time = ms !== null && tries.length === 1 ? timeText(ms) : "";
  const verdict = solved
    ? time
      ? t("page-daily-solved-in", { time })
      : tn("page-daily-solved-tries", tries.length)
    : t("page-daily-not-solved");
  const lines = [t("page-daily-card-title", { date: dayName(date) }), verdict];
  return streak > 1 ? [...lines, tn("page-daily-card-streak", streak)] : lines;
}

/** The result as a text, with a link to the puzzle. @param {DailyResult} result @param {string} link */
export function resultText(result, link) {
  const [title = "", ...lines] = resultLines(result);
  return [title, `${result.tries.map((right) => (right ? RIGHT : WRONG)).join("")} ${lines.join(" · ")}`, link].join(
    "\n",
  );
}

/** The result as a picture. @param {DailyResult} result @returns {Promise<Blob | null>} */
function resultPicture(result) {
  const canvas = h("canvas", { width: 2 * CARD.width, height: 2 * CARD.height });
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  const style = getComputedStyle(document.body);
  const colour = (name = "") => {
    const probe = h("span", { hidden: true });
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  context.scale(2, 2);
  context.fillStyle = colour("--panel");
  context.fillRect(0, 0, CARD.width, CARD.height);
  context.fillStyle = colour("--accent");
  context.fillRect(0, 0, CARD.width, 12);
  const [title = "", ...lines] = resultLines(result);
  context.fillStyle = colour("--ink");
  context.font = `700 30px ${style.fontFamily}`;
  context.fillText(title, 40, 84, CARD.width - 80);
  result.tries.forEach((right, place) => {
    context.fillStyle = colour(right ? "--good" : "--bad");
    context.fillRect(40 + 60 * place, 116, 48, 48);
  });
  context.fillStyle = colour("--ink");
  context.font = `400 26px ${style.fontFamily}`;
  lines.forEach((line, place) => context.fillText(line, 40, 216 + 40 * place, CARD.width - 80));
  context.fillStyle = colour("--quiet");
  context.font = `400 18px ${style.fontFamily}`;
  context.fillText("mineproof", 40, CARD.height - 28);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export class Daily {
  element = h("section", { class: "panel daily" });
  #calendar = h("div", {});
  #card = h("div", { class: "card", hidden: true });
  #month = "";
  /** The puzzle that is shown. */
  #shown = "";

  /** @param {import("../main.js").Page} page @param {(date: string) => void} open */
  constructor(page, open) {
    this.page = page;
    this.open = open;
    fill(this.element, h("h2", {}, t("page-daily")), this.#card, this.#calendar);
  }

  /** Show the calendar with a day of it. @param {string} date */
  async show(date) {
    this.#shown = date;
    await this.#load(date.slice(0, 7));
  }

  /** The card with a result; null for none. @param {DailyResult | null} result */
  showResult(result) {
    this.#card.hidden = !result;
    if (!result) return fill(this.#card);
    const link = `${location.origin}${location.pathname}#/practise?daily=${result.date}`;
    const squares = result.tries.map((right) => h("span", { class: right ? "square right" : "square" }));
    const [title, ...lines] = resultLines(result);
    fill(
      this.#card,
      h("p", { class: "strong" }, title),
      h("p", { class: "row", "aria-hidden": "true" }, squares),
      lines.map((line) => h("p", {}, line)),
      h(
        "div",
        { class: "row" },
        button(t("page-daily-copy"), async () => {
          try {
            await navigator.clipboard.writeText(resultText(result, link));
            this.page.notify(t("page-daily-copied"));
          } catch {
            this.page.notify(t("page-daily-copy-failed"), "error");
          }
        }),
        button(t("page-daily-picture"), async () => {
          const blob = await resultPicture(result);
          if (blob) download(blob, `mineproof-${result.date}.png`);
        }),
      ),
    );
  }

  /** @param {string} month */
  async #load(month) {
    this.#month = month;
    try {
      const results = await api.daily(month);
      if (month !== this.#month) return;
      this.#draw(results);
      const played = results["days"].find(({ date }) => date === this.#shown);
      if (played && this.#card.hidden) {
        const tries = played.right ? [true] : played.solved ? [false, true] : [false];
        this.showResult({ date: played.date, tries, ms: played.ms, streak: results["daily_streak"] });
      }
    } catch (error) {
      this.page.notify(errorText(error), "error");
    }
  }

  /** @param {Wire.DailyJson} results */
  #draw({ month, today, days }) {
    /** @type {Map<string, Wire.DailyResultJson>} */
    const byDate = new Map(days.map((day) => [day.date, day]));
    const name = new Date(`${month}-01`).toLocaleDateString(locale(), {
      month: "long",
      year: "numeric",
      timeZone: "UTC",
    });
    const weekday = (place = 0, style = "narrow") =>
      new Date(Date.UTC(2024, 0, 1 + place)).toLocaleDateString(locale(), { weekday: /** @type {"narrow"} */ (style), timeZone: "UTC" }); // prettier-ignore
    const heads = [0, 1, 2, 3, 4, 5, 6].map((place) =>
      h("th", { scope: "col", abbr: weekday(place, "long") }, weekday(place)),
    );
    const step = (label = "", sign = "", by = 0) =>
      button(sign, () => void this.#load(otherMonth(month, by)), { class: "small", "aria-label": label });
    const later = step(t("page-daily-next-month"), "›", 1);
    later.disabled = month >= today.slice(0, 7);
    const rows = weeksOf(month).map((week) =>
      h("tr", {}, ...week.map((date) => h("td", {}, date && this.#day(date, today, byDate.get(date))))),
    );
    fill(
      this.#calendar,
      h("div", { class: "row" }, step(t("page-daily-previous-month"), "‹", -1), h("h3", {}, name), later),
      h(
        "table",
        { class: "calendar", "aria-label": name },
        h("thead", {}, h("tr", {}, ...heads)),
        h("tbody", {}, rows),
      ),
    );
  }

  /** @param {string} date @param {string} today @param {Wire.DailyResultJson | undefined} result */
  #day(date, today, result) {
    const kind = !result ? "" : result.right ? (result.on_time ? "solved" : "late") : result.solved ? "late" : "failed";
    const label = [dayName(date), t(RESULTS[kind])].join(", ");
    const mark = { solved: "✓", late: "✓", failed: "✗", "": "" }[kind];
    return button([String(Number(date.slice(8))), h("small", {}, mark)], () => this.open(date), {
      class: kind,
      "aria-label": label,
      "aria-current": date === this.#shown ? "date" : null,
      disabled: date > today,
    });
  }
}
