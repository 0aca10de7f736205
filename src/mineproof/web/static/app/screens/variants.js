/**
 * Variants: a gallery with a sentence and a small board for each, and games of them. Shapes are in the gallery too; their
 * games are those of Play.
 *
 */
import * as api from "../api.js";
import { SUGGESTED } from "../board/shape.js";
import { VariantBoard } from "../board/variant.js";
import { fill, h, segmented, set } from "../dom.js";
import { errorText, topologies, wholePercent } from "../format.js";
import { number, t, tn } from "../messages.js";
import { shapeDrawing } from "../panels/newgame.js";
import { button, key, quiet } from "../panels/parts.js";
import { VariantHelp } from "../panels/varianthelp.js";
import { change } from "../settings.js";

/** Rules that treat the dark cells of a chessboard in another way. */
const CHEQUERED = ["multiple", "negation"];
/** Rules on where mines may be. */
const MINE_RULES = ["quad", "no-three", "balance", "dual", "no-touching", "connected", "outside", "snake"];

/** Sizes of games on other shapes: with more neighbours, fewer mines. @type {Record<string, {rows: number, columns: number, mines: number}>} */
const SIZES = {
  other: { rows: 9, columns: 9, mines: 10 },
  triangles: { rows: 9, columns: 14, mines: 12 },
  radius2: { rows: 10, columns: 10, mines: 9 },
  orthogonal: { rows: 9, columns: 9, mines: 12 },
};

/** @param {string} rules */
const isChequered = (rules) => rules.split(",").some((name) => CHEQUERED.includes(name));

/** @param {Wire.VariantJson} entry of the gallery */
function groupOf({ rules }) {
  const kinds = new Set(rules.split(",").map((/** @type {string} */ name) => MINE_RULES.includes(name)));
  return kinds.size > 1 ? "page-variants-both" : kinds.has(true) ? "page-variants-mines" : "page-variants-clues";
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  return new Variants(page);
}

class Variants {
  /** @param {import("../main.js").Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Wire.LiveVariantJson | null} */
    this.game = null;
    /** @type {Wire.VariantAnalysisJson | null} */
    this.odds = null;
    this.showsOdds = false;
    this.isBusy = false;
    this.isShown = false;
    /** @type {"open" | "flag"} */
    this.tap = "open";
    this.board = new VariantBoard(
      t("page-variants-board"),
      {
        open: (cell) => void this.#move("open", cell),
        flag: (cell) => void this.#move("flag", cell),
        chord: (cell) => void this.#move("chord", cell),
      },
      () => this.tap,
    );
    this.help = new VariantHelp(this.board, {
      game: () => this.game,
      play: (kind, cell) => this.#move(kind, cell),
    });
    this.groups = h("div", { class: "variant-groups" });
    this.gallery = h("div", { class: "page" }, h("h1", {}, t("page-screen-variants")), quiet(t("page-variants-lead")), this.groups); // prettier-ignore
    this.title = h("h1", {});
    this.sentence = h("p", {});
    this.left = h("span", { class: "counter" });
    this.line = h("p", { class: "variant-line", role: "status" });
    this.oddsButton = button([t("page-variants-odds"), " ", key("O")], () => void this.#toggleOdds(), { "aria-pressed": "false" }); // prettier-ignore
    this.table = this.#table();
    this.element = h("div", { class: "variants" }, this.gallery, this.table);
    this.table.hidden = true;
    void this.#fillGallery();
  }

  #table() {
    const taps = segmented(t("page-tap"), [["open", t("page-tap-open")], ["flag", t("page-tap-flag")]], "open", (value) => (this.tap = value === "flag" ? "flag" : "open")); // prettier-ignore
    taps.classList.add("variant-tap");
    return h(
      "div",
      { class: "page variant-game" },
      h("div", { class: "row" }, button(`← ${t("page-variants-back")}`, () => this.page.go("variants"), { class: "plain" }), this.title, this.left), // prettier-ignore
      this.sentence,
      this.board.element,
      this.line,
      this.help.element,
      h(
        "div",
        { class: "row" },
        taps,
        this.oddsButton,
        button([t("page-undo"), " ", key("U")], () => void this.#move("undo")),
        button(t("page-same-board"), () => void this.#again()),
        button([t("page-new-game"), " ", key("N")], () => void this.#begin(this.game?.["rules"] ?? "", this.game ?? undefined)), // prettier-ignore
      ),
      h("p", { class: "quiet variant-keys" }, t("page-variants-keys")),
    );
  }

  // the gallery

  async #fillGallery() {
    fill(this.groups, quiet(t("page-working")));
    /** @type {Wire.VariantJson[]} */
    let entries;
    try {
      entries = (await api.variants())["variants"];
    } catch (error) {
      fill(this.groups, h("p", { role: "alert" }, errorText(error)), button(t("page-retry"), () => void this.#fillGallery())); // prettier-ignore
      return;
    }
    const groups = ["page-variants-clues", "page-variants-mines", "page-variants-both"].map((name) => {
      const cards = entries.filter((entry) => groupOf(entry) === name).map((entry) => this.#card(entry));
      return h("section", {}, h("h2", {}, t(name)), h("div", { class: "variant-cards" }, cards));
    });
    const shapes = topologies().filter(([name]) => name !== "grid");
    const cards = shapes.map(([name, label, help]) => {
      const begin = () => void this.#playShape(/** @type {import("../board/shape.js").Topology} */ (name));
      return cardOf(label, help, shapeDrawing(/** @type {any} */ (name)), begin, { "data-shape": name });
    });
    fill(this.groups, groups, h("section", {}, h("h2", {}, t("page-variants-shapes")), h("div", { class: "variant-cards" }, cards))); // prettier-ignore
  }

  /** @param {Wire.VariantJson} entry */
  #card(entry) {
    const begin = () => void this.#begin(entry["rules"]);
    return cardOf(entry["title"], entry["sentence"], example(entry), begin, { "data-rules": entry["rules"] });
  }

  /** A game on another shape is one of Play. @param {import("../board/shape.js").Topology} topology */
  async #playShape(topology) {
    const size = SIZES[topology] ?? SUGGESTED[topology] ?? SIZES["other"];
    change({ level: "custom", topology, ...size });
    try {
      const game = await api.beginGame({ ...size, topology });
      this.page.go("play", { game: game["id"] });
    } catch (error) {
      this.page.notify(errorText(error), "error");
    }
  }

  // a game

  /** @param {string} rules @param {Wire.LiveVariantJson} [size] */
  async #begin(rules, size) {
    const options = size ? { rows: size["rows"], columns: size["columns"], mines: size["total_mines"] } : {};
    await this.#load(() => api.beginVariant({ rules, ...options }));
  }

  async #again() {
    const id = this.game?.["id"];
    if (id) await this.#load(() => api.variantAgain(id));
  }

  /** @param {() => Promise<Wire.LiveVariantJson>} begin */
  async #load(begin) {
    try {
      const game = await begin();
      this.#take(game);
      this.page.go("variants", { game: game["id"] });
    } catch (error) {
      this.page.notify(errorText(error), "error");
    }
  }

  /** @param {"open" | "flag" | "chord" | "undo"} kind @param {[number, number]} [cell] */
  async #move(kind, cell) {
    const game = this.game;
    if (!game || this.isBusy) return;
    this.isBusy = true;
    try {
      this.#take(await api.variantMove(game["id"], { kind, moves: game["moves"], ...(cell ? { cell } : {}) }));
    } catch (error) {
      this.page.notify(errorText(error), "error");
    } finally {
      this.isBusy = false;
    }
  }

  async #toggleOdds() {
    this.showsOdds = !this.showsOdds;
    set(this.oddsButton, { "aria-pressed": String(this.showsOdds) });
    if (this.game) this.#take(this.game);
  }

  /** Show a game. @param {Wire.LiveVariantJson} game */
  #take(game) {
    this.game = game;
    this.odds = null;
    this.gallery.hidden = true;
    this.table.hidden = false;
    fill(this.title, game["title"]);
    fill(this.sentence, game["sentence"]);
    fill(this.left, number(game["mines_left"]));
    set(this.left, { "aria-label": tn("page-mines-left", game["mines_left"]) });
    this.#draw();
    this.help.reset();
    const { status } = /** @type {any} */ (game);
    fill(this.line, status === "won" ? t("page-variants-won") : status === "lost" ? t("page-variants-lost") : "");
    if (this.showsOdds && (status === "new" || status === "running")) void this.#count(game);
  }

  #draw() {
    if (this.game) this.board.show(this.game, this.odds, isChequered(this.game["rules"]));
  }

  /** @param {Wire.LiveVariantJson} game */
  async #count(game) {
    try {
      const odds = await api.variantOdds(game["id"]);
      if (this.game !== game) return; // a move was made meanwhile
      this.odds = odds;
      this.#draw();
      const { common } = this.board;
      const rest = common === null ? "" : ` ${t("page-variants-common", { chance: wholePercent(common) })}`;
      fill(this.line, t("page-variants-layouts", { count: grouped(odds["layouts"]) }) + rest);
    } catch (error) {
      if (this.game !== game) return;
      const isLarge = error instanceof api.ApiError && error.code === "budget";
      fill(this.line, isLarge ? t("page-variants-no-odds") : errorText(error));
    }
  }

  // the screen

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    const id = parameters.get("game");
    this.gallery.hidden = Boolean(id);
    this.table.hidden = !id;
    if (id && this.game?.["id"] !== id) void this.#open(id);
  }

  /** @param {string} id */
  async #open(id) {
    try {
      this.#take(await api.variantGame(id));
    } catch (error) {
      this.page.notify(errorText(error), "error");
      this.page.go("variants");
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.game || this.table.hidden) return false;
    const pressed = event.key.toLowerCase();
    if (pressed === "o") void this.#toggleOdds();
    else if (pressed === "h") void this.help.hint();
    else if (pressed === "b") void this.help.best();
    else if (pressed === "a") void this.help.autoplay();
    else if (pressed === "u") void this.#move("undo");
    else if (pressed === "n") void this.#begin(this.game["rules"], this.game);
    else return false;
    return true;
  }
}

/** A whole number of any length. @param {string} digits */
const grouped = (digits) => (digits.length > 15 ? `${digits[0]}.${digits.slice(1, 3)} × 10^${digits.length - 1}` : number(Number(digits))); // prettier-ignore

/**
 * @param {string} title @param {string} text @param {Element} picture @param {() => void} begin
 * @param {Record<string, string>} data
 */
function cardOf(title, text, picture, begin, data) {
  return h(
    "button",
    { type: "button", class: "variant-card", onclick: begin, ...data },
    picture,
    h("span", {}, h("strong", {}, title), h("span", {}, text)),
  );
}

/** A small board that shows the rule. @param {Wire.VariantJson} entry */
function example(entry) {
  const { centre, around, rules } = /** @type {any} */ (entry);
  const near = new Set((around ?? []).map(String));
  const cells = entry["example"].flatMap((/** @type {string[]} */ row, /** @type {number} */ r) =>
    row.map((label, c) => {
      const place = String([r, c]);
      const mine = label.endsWith("*");
      const kinds = [mine ? "mine" : "open", near.has(place) && "near", String(centre) === place && "middle", isChequered(rules) && (r + c) % 2 && "dark"]; // prettier-ignore
      const long = label.length > 2 ? "" : null;
      const text = mine ? (label.length > 1 ? `${label.slice(0, -1)}` : "") : label === "." ? "" : label;
      return h("i", { class: kinds.filter(Boolean).join(" "), "data-long": long }, text);
    }),
  );
  return h("span", { class: "variant-example", "aria-hidden": "true" }, cells);
}
