/**
 * How a player gets on: rating and streaks, results by technique and by day, best runs, and failed puzzles to retry.
 *
 */
import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { errorText } from "../format.js";
import { number, t, tn } from "../messages.js";
import { button, facts, table } from "../panels/parts.js";
import { dayName, timeText } from "./daily.js";

/**
 * The rating and how much the last answer changed it.
 * @param {Element} panel @param {Wire.StandingJson} standing @param {number | null} [by]
 */
export function showStanding(panel, standing, by = null) {
  const change =
    by !== null && h("span", { class: by < 0 ? "bad" : "good" }, by < 0 ? "−" : "+", Math.abs(Math.round(by)));
  const provisional = standing["provisional"] && h("span", { class: "quiet", title: t("page-rating-provisional-help") }, t("page-rating-provisional")); // prettier-ignore
  const right = { count: number(standing["right"]), all: number(standing["answers"]) };
  const rows = facts([
    [t("page-fact-right"), t("page-count-of", right)],
    [t("page-fact-streak"), standing["streak"]],
    [t("page-fact-best-streak"), standing["best_streak"]],
    [t("page-fact-daily-streak"), standing["daily_streak"]],
  ]);
  fill(
    panel,
    h("h2", {}, t("page-rating", { rating: Math.round(standing["rating"]) }), " ", provisional, " ", change),
    rows,
  );
}

/** The panel that is loaded when it is opened. */
export class Progress {
  #content = h("div", { class: "stack" });
  /** @type {HTMLDetailsElement} */
  element = h(
    "details",
    { class: "panel progress", ontoggle: () => void this.load() },
    h("summary", {}, h("h2", {}, t("page-progress"))),
    this.#content,
  );

  /** @param {import("../main.js").Page} page @param {(failed: Wire.FailedPuzzleJson[]) => void} retry */
  constructor(page, retry) {
    this.page = page;
    this.retry = retry;
  }

  /** Load it again, if it is open. */
  async load() {
    if (!this.element.open) return;
    try {
      this.#draw(await api.dashboard());
    } catch (error) {
      this.page.notify(errorText(error), "error");
    }
  }

  /** @param {Wire.DashboardJson} dashboard */
  #draw({ techniques, days, failed, best, standing }) {
    if (!standing.answers && !best.streak && !best.storm) {
      fill(this.#content, h("p", { class: "quiet" }, t("page-progress-empty")));
      return;
    }
    const rows = techniques.map((row) => [
      row.label,
      row.answered ? t("page-count-of", { count: number(row.right), all: number(row.answered) }) : "–",
      row.median_ms === null ? "–" : timeText(row.median_ms),
      row.rating === null ? "–" : h("span", { class: row.provisional ? "quiet" : "" }, String(Math.round(row.rating))),
    ]);
    const heads = [
      t("page-technique"),
      `>${t("page-fact-right")}`,
      `>${t("page-progress-time")}`,
      `>${t("page-progress-rating")}`,
    ];
    const again =
      failed.length > 0 &&
      button(tn("page-retry-failed", failed.length), () => this.retry(failed), { class: "primary" });
    fill(
      this.#content,
      facts([
        [t("page-progress-best-streak"), best.streak],
        [t("page-progress-best-storm"), best.storm],
      ]),
      again,
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page-progress-techniques") },
        table(heads, rows),
      ),
      h("h3", {}, tn("page-progress-days", days.length)),
      this.#bars(days),
    );
  }

  /** Answers by day. @param {Wire.DayResultsJson[]} days */
  #bars(days) {
    const most = Math.max(1, ...days.map(({ answered }) => answered));
    return h(
      "ol",
      { class: "days" },
      days.map(({ date, answered, right }) => {
        const label = `${dayName(date)}: ${t("page-count-of", { count: number(right), all: number(answered) })}`;
        const [bar, part] = [h("span", { class: "bar-all" }), h("span", { class: "bar-right" })];
        bar.style.height = `${(100 * answered) / most}%`;
        part.style.height = answered ? `${(100 * right) / answered}%` : "0";
        bar.append(part);
        return h("li", { title: label }, bar, h("span", { class: "unseen" }, label));
      }),
    );
  }
}
