/**
 * Analyse: edit a position and see at once what follows. Every edit sends a new request and stops the one before;
 * nothing is computed here.
 *
 * @typedef {import("../api.js").Cell} Cell
 * @typedef {import("../editor.js").Position} Position
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import * as State from "../board/state.js";
import { fill, h, segmented } from "../dom.js";
import * as Editor from "../editor.js";
import { Latest } from "../latest.js";
import { SLOW } from "../panels/answer.js";
import { faults, odds, selected, totalQuestion, verdict } from "../panels/cell.js";
import { decisions } from "../panels/decisions.js";
import { deductions, hint } from "../panels/deductions.js";
import { FIRST_EXAMPLE, exchange, intake, isPicture, read, readPicture } from "../panels/exchange.js";
import { LOOK, Palette } from "../panels/palette.js";
import { button, waiting } from "../panels/parts.js";
import { pointer } from "../panels/proof.js";
import { ScreenshotPanel } from "../panels/screenshot.js";
import { shape } from "../panels/shape.js";
import * as Screenshot from "../screenshot.js";
import { at, capitalized, errorText, sentence } from "../format.js";
import { t, tn } from "../messages.js";

const REQUEST_DELAY = 15; // milliseconds after an edit, so that a stroke sends one request
const ADDRESS_DELAY = 100; // milliseconds after an edit

/** How to choose a cell on this device. */
const pickCell = () => (matchMedia("(pointer: coarse)").matches ? t("page-analyse-tap") : t("page-analyse-point"));

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export const create = (page) => new Analyse(page);

class Analyse {
  #edits = new Editor.Edits(Editor.fromLayout({ rows: 1, columns: 1, topology: "grid", mines: [] }));
  /** @type {"trust" | "ignore"} */
  #flags = "trust";
  #selected = -1;
  /** The cell that the line under the board describes. @type {Cell | null} */
  #described = null;
  /** A layout that was read; its mines stay here. @type {Wire.LayoutJson | null} */
  #layout = null;
  /** The analysis of the position, or why there is none. @type {{analysis: Wire.AnalysisJson | null, exact: Wire.AnalysisJson | null, trouble: unknown}} */
  #known = { analysis: null, exact: null, trouble: null };
  /** The address; empty as long as there is no position. */
  #address = "";
  #shown = false;
  /** During a stroke the labels for screen readers wait, because they cost a look at every cell. */
  #painting = false;
  /** The analysis is of an earlier position. */
  #asking = false;
  #live = new Latest();
  #exactly = new Latest();
  #reading = new Latest();
  #counting = new Latest();
  /** What the selected cell can show, if it is known. @type {{number: number, chance: number | null}[] | null} */
  #numbers = null;
  #timers = { ask: 0, settle: 0 };
  /** @type {import("../board/input.js").Handlers} */
  #handlers = {
    primary: (cell) => this.#select(cell),
    secondary: (cell, how) => (how === "touch" ? this.#select(cell) : this.#flag(cell)),
    hover: (cell) => this.#describe(cell),
  };

  /** @param {import("../main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.board = new Board(t("page-position"), this.#handlers);
    this.board.state.overlay = "odds";
    /** @type {import("../panels/answer.js").Desk} */
    this.desk = {
      light: (lights) => this.#light(lights),
      point: pointer(this.board),
      assume: (cell, symbol) => this.#walk(Editor.assumed(this.#edits.now, this.#place(cell), symbol)),
    };
    this.palette = new Palette(() => this.#choose(), (way) => this.#step(way)); // prettier-ignore
    this.shape = shape(page, {
      now: () => this.#edits.now,
      edit: (position, typing) => this.#edit(position, typing),
      trust: (flags) => {
        this.#flags = flags === "ignore" ? "ignore" : "trust";
        this.#changed();
      },
    });
    this.panels = /** @type {const} */ ([
      hint(this.desk),
      deductions(this.desk),
      decisions(this.desk, () => this.#showCell(), (text) => page.say(text)), // prettier-ignore
    ]);
    this.screenshot = new ScreenshotPanel({
      confirm: (cell, mark) => void this.#confirm(cell, mark),
      resize: (doubt, belongs) => void this.#resize(doubt, belongs),
      light: (cells) => this.#light(cells.length ? [["near", cells]] : []),
      close: () => {
        this.#edit(Editor.alone(this.#edits.now));
        this.board.focus();
      },
    });
    this.intake = intake(page, (source) => void this.#take(source));
    this.board.element.append(this.screenshot.reading);
    this.exchange = exchange(page, this.board, (source) => void this.#take(source), {
      text: () => Editor.toText(this.#edits.now),
      link: () => {
        this.#settle();
        return location.href;
      },
      layout: () => this.#link(this.#layout ? Editor.toLayoutLink(this.#layout) : ""),
    });
    this.overlays = segmented(t("page-overlay"), [["none", t("page-overlay-none")], ["certain", t("page-overlay-certain")], ["odds", t("page-overlay-odds")]], "odds", (value) => this.#overlay(value)); // prettier-ignore
    this.verdict = h("section", { class: "panel", role: "status" });
    this.total = h("section", { class: "panel total", hidden: true });
    this.cell = h("section", { class: "panel", "aria-label": t("page-column-cell") });
    this.under = h("div", { class: "under" });
    this.trail = h("div", { class: "bar trail", role: "group", "aria-label": t("page-assumptions"), hidden: true });
    const tools = h("div", { class: "bar" }, this.palette.element, this.overlays);
    const help = `${pickCell()} ${t("page-analyse-help")}`;
    const keys = t("page-analyse-keys");
    const panels = this.panels.map((panel) => panel.element);
    this.element = h(
      "div",
      { class: "layout analyse" },
      h("div", { class: "work" }, this.intake.element, tools, this.trail, this.board.element, this.under),
      h("div", { class: "side" }, h("h1", {}, t("page-screen-analyse")), h("p", { class: "help" }, help, " ", h("span", { class: "wide" }, keys)), this.total, this.verdict, this.screenshot.element, this.cell, panels, this.shape.element, this.exchange.element), // prettier-ignore
    );
    const drag = (/** @type {boolean} */ over) => this.element.classList.toggle("dragging", over);
    this.element.addEventListener("dragover", (event) => {
      event.preventDefault();
      drag(true);
    });
    this.element.addEventListener("dragleave", (event) => {
      if (!this.element.contains(/** @type {Node | null} */ (event.relatedTarget))) drag(false);
    });
    this.element.addEventListener("drop", (event) => {
      drag(false);
      this.#receive(event, event.dataTransfer);
    });
    document.addEventListener("paste", (event) => this.#receive(event, event.clipboardData));
    document.addEventListener("keydown", (event) => this.#command(event));
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    this.#shown = true;
    const text = parameters.get("layout") ?? parameters.get("board");
    const [mines, topology] = [parameters.get("mines"), parameters.get("topology")];
    if (text !== null && parameters.toString() !== this.#address) {
      void this.#take(
        text,
        {
          ...(mines && { mines: Number(mines) }),
          ...(topology && { topology: /** @type {Editor.Topology} */ (topology) }),
        },
        true,
      );
    } else if (this.#address) this.#changed();
    else void this.#take(FIRST_EXAMPLE, {}, true);
  }

  hide() {
    this.#shown = false;
    for (const request of [this.#live, this.#exactly, this.#reading, this.#counting, ...this.panels]) request.stop();
    this.screenshot.update(this.#edits.now);
  }

  /** @param {KeyboardEvent} event */
  key({ key, target }) {
    const { state, mirror } = this.board;
    const symbol = { Backspace: "#", Delete: "#", f: "F" }[key] ?? key;
    const panel = this.panels["hdb".indexOf(key)];
    if (Editor.SYMBOLS.includes(symbol)) {
      const onBoard = target instanceof Node && mirror.element.contains(target);
      if (onBoard) this.#put(State.cellOf(state, state.cursor), symbol);
      else this.palette.choose(symbol);
    } else if (panel) panel.element.open = !panel.element.open;
    else if (key === "u") this.#step("undo");
    else if (key === "o")
      this.#overlay({ none: "certain", certain: "odds", odds: "none", risk: "none" }[state.overlay]);
    else return false;
    return true;
  }

  /** Whether an event is for this screen, and not for a field. @param {Event} event */
  #isMine({ target }) {
    return this.#shown && !(target instanceof Element && target.closest("input, textarea"));
  }

  /** @param {KeyboardEvent} event */
  #command(event) {
    const key = event.key.toLowerCase();
    if (!this.#isMine(event) || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    this.#step(key === "y" || event.shiftKey ? "redo" : "undo");
  }

  // edits

  /** @param {Cell} cell */
  #place(cell) {
    return State.index(this.board.state, cell);
  }

  /** Let the board be painted on, or looked at. */
  #choose() {
    const { tool, filling } = this.palette ?? { tool: LOOK, filling: false };
    this.board.element.classList.toggle("painting", tool !== LOOK);
    delete this.#handlers.paint;
    if (tool === LOOK) return;
    this.#handlers.painted = () => {
      this.#edits.end();
      this.#painting = false;
      this.board.update();
    };
    this.#handlers.paint = (cell, first) => {
      const { now } = this.#edits;
      if (first) this.#edits.end();
      this.#painting = true;
      const places = filling ? Editor.area(now, this.#place(cell)) : [this.#place(cell)];
      this.#edit(Editor.painted(now, places, tool), true);
      this.#describe(cell);
    };
  }

  /** @param {Cell} cell @param {string} symbol */
  #put(cell, symbol) {
    this.#edit(Editor.painted(this.#edits.now, [this.#place(cell)], symbol));
  }

  /** @param {Cell} cell */
  #flag(cell) {
    this.#put(cell, this.#edits.now.cells[this.#place(cell)] === "F" ? "#" : "F");
  }

  /** @param {Position} position @param {boolean} [stroke] it belongs to the edit before */
  #edit(position, stroke = false) {
    if (!this.#edits.change(position, stroke)) return;
    this.intake.shrink();
    this.#changed();
  }

  /** Make or withdraw an assumption: the pressed button is gone, so the focus moves to the next one. @param {Position} position */
  #walk(position) {
    this.#edit(position);
    const [crumb] = position.trail.length ? this.trail.getElementsByTagName("button") : [];
    if (crumb) crumb.focus({ preventScroll: true });
    else this.board.focus();
    this.verdict.scrollIntoView({ block: "nearest" });
  }

  /** @param {"undo" | "redo"} way */
  #step(way) {
    if (this.#edits[way]()) this.#changed();
    else this.page.say(way === "undo" ? t("page-nothing-to-undo") : t("page-nothing-to-redo"));
  }

  /** Something was pasted or dropped. @param {Event} event @param {DataTransfer | null} transfer */
  #receive(event, transfer) {
    const source = transfer?.files[0] ?? transfer?.getData("text/plain"); // blanks may be cells
    const isText = typeof source === "string";
    if (!source || !this.#shown || (isText && (!source.trim() || !this.#isMine(event)))) return;
    event.preventDefault();
    void this.#take(source);
  }

  /** @param {string | File} source @param {Partial<Wire.ConvertRequest>} [more] @param {boolean} [afresh] there is nothing to undo */
  async #take(source, more = {}, afresh = false) {
    const own = typeof source === "string" && /#\/analyse\?(\S+)/.exec(source)?.[1];
    if (own) return this.show(new URLSearchParams(own));
    if (isPicture(source)) return this.#readScreenshot(source);
    try {
      const content = await this.#reading.ask(() => read(source, more));
      if (!content) return;
      this.#layout = "cells" in content ? null : content;
      this.exchange.showLayout(this.#layout && this.#layout["mines"].length);
      const position = "cells" in content ? Editor.fromBoard(content) : Editor.fromLayout(content);
      if (source !== FIRST_EXAMPLE) this.intake.shrink();
      if (afresh) this.#edits = new Editor.Edits(position);
      else this.#edits.change(position);
      this.#selected = -1;
      this.#changed();
      if (afresh) return;
      const { format, notes } = content["read_as"];
      const assumed = notes.map((/** @type {string} */ note) => sentence(capitalized(note)));
      const fields = { columns: position.columns, rows: position.rows, format };
      this.page.notify([t("page-read-board", fields), ...assumed].join(" "));
    } catch (error) {
      this.page.notify(errorText(error), "error");
      if (typeof source === "string") this.exchange.box.value = source;
      if (!this.#address && source !== FIRST_EXAMPLE) void this.#take(FIRST_EXAMPLE, {}, true);
    }
  }

  /** Read a screenshot. @param {File} file */
  async #readScreenshot(file) {
    this.screenshot.wait(file, () => {
      this.#reading.stop();
      this.screenshot.update(this.#edits.now);
    });
    try {
      const reading = await this.#reading.ask((stop) => readPicture(file, "", "", stop));
      if (!reading) return;
      this.#layout = null;
      this.exchange.showLayout(null);
      this.#selected = -1;
      this.#edit(Screenshot.fromReading(reading, file));
      const questions = reading["doubts"].length + (reading["size_doubts"] ?? []).length;
      const fields = { columns: reading["columns"], rows: reading["rows"] };
      const unclear = questions ? tn("page-screenshot-questions", questions) : t("page-unclear-none");
      this.page.notify(`${t("page-screenshot-read", fields)} ${unclear}`);
    } catch (error) {
      this.screenshot.update(this.#edits.now);
      this.page.notify(errorText(error), "error");
    }
  }

  /** The player confirmed an unclear cell. @param {Cell} cell @param {string} mark */
  async #confirm(cell, mark) {
    const { screenshot } = this.#edits.now;
    if (!screenshot) return;
    const confirmed = Screenshot.confirming(screenshot, cell, mark);
    this.screenshot.busy(true);
    try {
      await this.#readAgain(screenshot, confirmed, screenshot.size, Screenshot.reread);
      this.screenshot.focus();
    } catch (error) {
      this.page.notify(errorText(error), "error");
    } finally {
      this.screenshot.busy(false);
    }
  }

  /** The player said whether a row or column at the border belongs to the board. @param {Screenshot.SizeDoubt} doubt @param {boolean} belongs */
  async #resize(doubt, belongs) {
    const { screenshot } = this.#edits.now;
    if (!screenshot) return;
    const size = Screenshot.resizing(screenshot, doubt, belongs);
    this.screenshot.busy(true);
    try {
      const resized = (/** @type {Position} */ now, /** @type {Wire.ReadingJson} */ reading) => Screenshot.resized(now, reading, size); // prettier-ignore
      await this.#readAgain(screenshot, Screenshot.movedMarks(screenshot, size), size, resized);
      this.screenshot.focus();
    } catch (error) {
      this.page.notify(errorText(error), "error");
    } finally {
      this.screenshot.busy(false);
    }
  }

  /** @param {Screenshot.Screenshot} screenshot @param {Record<string, string>} confirmed @param {Record<string, number>} size @param {typeof Screenshot.reread} apply */
  async #readAgain(screenshot, confirmed, size, apply) {
    const answers = [Screenshot.confirmText(confirmed), Screenshot.sizeText(size)];
    const [marks = "", sides = ""] = answers;
    const reading = await this.#reading.ask((stop) => readPicture(screenshot.file, marks, sides, stop));
    const { now } = this.#edits;
    if (reading && now.screenshot?.file === screenshot.file) this.#edit(apply(now, reading, confirmed));
  }

  /** @param {string} query */
  #link(query) {
    return `${location.origin}${location.pathname}#/analyse?${query}`;
  }

  /** Put the position into the address. */
  #settle() {
    const query = Editor.toLink(this.#edits.now);
    this.#address = new URLSearchParams(query).toString();
    if (this.#shown) history.replaceState(null, "", this.#link(query));
  }

  // answers

  /** The position has changed, or the meaning of its flags. */
  #changed() {
    const { now, canUndo, canRedo } = this.#edits;
    const { state } = this.board;
    const [rows, columns, topology] = [state.rows, state.columns, state.topology];
    State.setCells(state, { ...now, cells: Editor.rowsOf(now) });
    state.doubtful = Screenshot.doubtful(now);
    if (now.rows !== rows || now.columns !== columns) [this.#selected, this.#described] = [-1, null];
    if (now.rows !== rows || now.columns !== columns || now.topology !== topology) this.board.fit();
    this.palette.offer(now.topology);
    this.#asking = true;
    [this.palette.undo.disabled, this.palette.redo.disabled] = [!canUndo, !canRedo];
    this.#address ||= "?";
    this.#known.exact = null;
    this.#exactly.stop();
    this.#counting.stop();
    this.#numbers = null;
    this.#light([]);
    this.shape.update();
    this.screenshot.update(now);
    this.#showTrail();
    clearTimeout(this.#timers.ask);
    clearTimeout(this.#timers.settle);
    this.#timers.ask = window.setTimeout(() => void this.#ask(), REQUEST_DELAY);
    this.#timers.settle = window.setTimeout(() => this.#settle(), ADDRESS_DELAY);
  }

  #question() {
    return { ...Editor.question(this.#edits.now), flags: this.#flags };
  }

  async #ask() {
    const question = this.#question();
    const slow = setTimeout(() => this.#wait(), SLOW);
    const known = await this.#live
      .ask((stop) => api.analyze(question, stop))
      .then((analysis) => analysis && { analysis, exact: null, trouble: null })
      .catch((trouble) => ({ analysis: null, exact: null, trouble }));
    clearTimeout(slow);
    if (!known) return;
    this.#asking = false;
    this.#known = known;
    this.#setOdds(known.analysis);
    this.#light([]);
    this.#showVerdict();
    this.#showCell();
    void this.#loadNumbers();
    this.#describe(this.#described);
    const [help, steps, best] = this.panels;
    help.about(question); // it finds wrong flags even in a contradiction
    steps.about(known.analysis && question);
    best.about(known.analysis && this.#edits.now.mines !== null ? question : null);
  }

  /** A flag that is trusted has no odds. @param {any} analysis */
  #setOdds(analysis) {
    const { state } = this.board;
    State.setOdds(state, analysis);
    if (this.#flags !== "trust" || !state.odds) return;
    state.odds = state.odds.map((chance, place) => (state.cells[place] === "F" ? null : chance));
  }

  /** The answer takes long: remove the old one. */
  #wait() {
    this.#known = { analysis: null, exact: null, trouble: null };
    State.setOdds(this.board.state, null);
    this.board.update();
    const stop = () => {
      this.#live.stop();
      this.#known.trouble = new Error(t("page-analyse-stopped"));
      this.#showVerdict();
    };
    fill(this.verdict, waiting(stop));
    for (const panel of this.panels) panel.about(null);
  }

  /** Load the fractions once per position, when the player looks at a cell. */
  async #exactOdds() {
    const { analysis, exact } = this.#known;
    if (this.#asking || this.#exactly.busy || exact || !analysis || this.#edits.now.mines === null) return;
    const question = { ...this.#question(), exact: true };
    const answer = await this.#exactly.ask((stop) => api.analyze(question, stop)).catch(() => null);
    if (!answer) return;
    this.#known.exact = answer;
    this.#showCell();
    this.#describe(this.#described);
  }

  /** Load what the selected cell can show, once per position and cell. */
  async #loadNumbers() {
    const cell = this.#cell;
    const { analysis } = this.#known;
    const [state, place] = [this.board.state, this.#selected];
    if (this.#asking || !cell || !analysis || !State.isCovered(state.cells[place]) || state.mines.has(place)) return;
    const question = { ...this.#question(), cell };
    const answer = await this.#counting.ask((stop) => api.analyze(question, stop)).catch(() => null);
    if (!answer) return;
    this.#numbers = answer["numbers"] ?? null;
    this.#showCell();
  }

  // the display

  /** @param {string} overlay */
  #overlay(overlay) {
    this.board.state.overlay = /** @type {State.Overlay} */ (overlay);
    this.overlays.choose(overlay);
    this.board.update();
  }

  get #all() {
    return { ...this.#known, state: this.board.state };
  }

  get #cell() {
    return this.#selected < 0 ? null : State.cellOf(this.board.state, this.#selected);
  }

  /** Light cells up, over those that are assumed, at fault or selected. @param {import("../panels/answer.js").Lights} lights */
  #light(lights) {
    const { state } = this.board;
    const trail = this.#edits.now.trail.map(({ place }) => State.cellOf(state, place));
    const chosen = this.#cell && !lights.length ? [this.#cell] : [];
    State.setMarks(state, [["assume", trail], ["near", chosen], ["fault", faults(this.#all)], ...lights]);
    if (this.#painting) this.board.view.request();
    else this.board.update();
  }

  #showVerdict() {
    fill(this.verdict, verdict(this.#all, this.desk.point));
    const { now } = this.#edits;
    const asks = this.#known.analysis?.["total_mines"] === null && now.cells.some(State.isCovered);
    if (asks && !this.total.contains(document.activeElement)) fill(this.total, totalQuestion(Editor.likelyTotals(now), (mines) => this.#setTotal(mines))); // prettier-ignore
    this.total.hidden = !asks;
  }

  /** @param {number} mines */
  #setTotal(mines) {
    this.#edit({ ...this.#edits.now, mines });
    this.board.focus();
  }

  #showCell() {
    fill(this.cell, selected(this.#all, this.#cell, this.desk.assume, this.#numbers, this.#flags === "trust"));
  }

  /** The assumptions, each with a way back. */
  #showTrail() {
    const { trail } = this.#edits.now;
    this.trail.hidden = !trail.length;
    const back = (/** @type {number} */ length) => () => this.#walk(Editor.withdrawn(this.#edits.now, length));
    const steps = trail.map(({ place, symbol }, before) => {
      const cell = at(State.cellOf(this.board.state, place));
      const label = symbol === "F" ? t("page-cell-is-mine", { cell }) : t("page-cell-shows", { cell, number: symbol });
      const last = before + 1 === trail.length;
      return last ? h("span", { class: "strong" }, label) : button(label, back(before + 1));
    });
    fill(this.trail, h("span", { class: "quiet" }, t("page-assumed")), button(t("page-assume-none"), back(0)), steps);
  }

  /** The line under the board. @param {Cell | null} cell */
  #describe(cell) {
    this.#described = cell;
    if (cell) void this.#exactOdds();
    const unclear = cell && this.board.state.doubtful.has(this.#place(cell)) && t("page-cell-unclear");
    const state = cell && [odds(this.#all, cell), unclear].filter(Boolean).join(", ");
    fill(this.under, cell ? `${at(cell)}: ${state}` : pickCell());
  }

  /** @param {Cell} cell */
  #select(cell) {
    this.#selected = this.#place(cell);
    this.#numbers = null;
    this.#light([]);
    this.#showCell();
    void this.#loadNumbers();
    this.#describe(cell);
  }
}
