/**
 * The end of a game: won or lost, the time in large digits, record, streak, luck and help, and what to do next. Record,
 * streak and luck come from the server a moment after the end. On a small screen the panel is a sheet above the thumb
 * bar, until it is closed: then it is docked among the other panels.
 *
 */
import { fill, h } from "../dom.js";
import { clock, exactPercent, wholePercent } from "../format.js";
import { t, tn } from "../messages.js";
import { button, key } from "./parts.js";

export class Result {
  verdict = h("p", { class: "verdict" });
  #badges = h("ul", { class: "badges" });
  /** @type {Partial<Wire.LiveViewJson>} */
  #view = {};
  /** @type {Partial<Wire.ResultJson>} */
  #result = {};
  /** @type {Partial<Wire.ReviewJson>} */
  #review = {};

  /** @param {{review: () => void, begin: () => void, again: () => void}} actions */
  constructor(actions) {
    this.element = h(
      "section",
      { class: "panel result", "aria-label": t("page-result"), hidden: true },
      button("×", () => this.element.classList.add("docked"), { class: "close", "aria-label": t("page-result-close") }),
      this.verdict,
      this.#badges,
      h(
        "div",
        { class: "row" },
        button([t("page-result-again"), " ", key("N")], actions.begin, { class: "primary" }),
        button([t("page-same-board"), " ", key("G")], actions.again),
        button(t("page-screen-review"), actions.review),
      ),
    );
  }

  close() {
    this.element.hidden = true;
  }

  /** Show how a game ended. @param {Wire.LiveViewJson} view of a finished game */
  open(view) {
    [this.#view, this.#result, this.#review] = [view, {}, {}];
    const isWon = view["status"] === "won";
    this.verdict.className = `verdict ${isWon ? "good" : "bad"}`;
    fill(this.verdict, ...withLargeTime(verdictText(view), clock(view["seconds"])));
    this.element.classList.toggle("won", isWon);
    this.element.classList.remove("docked");
    const thumb = document.querySelector(".thumb")?.getBoundingClientRect().height ?? 0;
    this.element.style.setProperty("--thumb-height", `${thumb}px`); // the sheet lies above it
    this.element.hidden = false;
    this.#show();
  }

  /** Add record and streak. @param {Wire.ResultJson} result */
  setResult(result) {
    this.#result = result;
    this.#show();
  }

  /** Add luck and accuracy. @param {Wire.ReviewJson} review */
  setReview(review) {
    this.#review = review;
    this.#show();
  }

  #show() {
    const badges = facts(this.#view, this.#result, this.#review);
    fill(
      this.#badges,
      badges.map(([text, kind]) => h("li", { class: kind }, text)),
    );
    this.#badges.hidden = !badges.length;
  }
}

/** The result in one sentence. @param {Partial<Wire.LiveViewJson>} view of a finished game */
export function verdictText(view) {
  if (view["status"] !== "won") return t("page-lost");
  const time = clock(view["seconds"] ?? 0);
  return view["with_help"] ? t("page-won-with-help", { time }) : t("page-won", { time });
}

/** The time of a sentence as a large number. @param {string} text @param {string} time */
function withLargeTime(text, time) {
  const [before = "", after = ""] = text.split(time);
  return text.includes(time) ? [before, h("strong", { class: "time" }, time), after] : [text];
}

/**
 * What is worth a line: a record, a streak, luck, accuracy and help, the best news first.
 * @param {Partial<Wire.LiveViewJson>} view @param {Partial<Wire.ResultJson>} result @param {Partial<Wire.ReviewJson>} review @returns {[string, string][]} texts and kinds
 */
export function facts(view, result, review) {
  const isWon = view["status"] === "won";
  const best = result["best_before"];
  /** @type {[string, string][]} */
  const all = [];
  if (result["is_best"] && best === null) all.push([t("page-result-first-win"), "record"]);
  else if (result["is_best"])
    all.push([
      t("page-result-new-best", { difference: `−${clock((best ?? 0) - (result["seconds"] ?? 0))}` }),
      "record",
    ]);
  else if (isWon && best && !view["with_help"]) all.push([t("page-result-best-time", { time: clock(best) }), ""]);
  const { streak = 0 } = result;
  const { luck = 1 } = review;
  if (isWon && result["counts"] && !view["with_help"] && streak > 1)
    all.push([tn("page-result-streak", streak), "streak"]);
  if (isWon && luck < 1) all.push([t("page-result-luck", { chance: exactPercent(luck) }), ""]);
  if (typeof review["accuracy"] === "number")
    all.push([t("page-result-accuracy", { share: wholePercent(review["accuracy"]) }), ""]);
  if (view["with_help"]) all.push([view["help_text"] ?? "", "help"]);
  return all;
}
