/**
 * Analyse: edit a position and see at once what can be known about it. Every edit asks the server anew and stops the
 * question before it; nothing is worked out here.
 *
 * @typedef {import("../api.js").Cell} Cell
 * @typedef {import("../api.js").Document} Document
 * @typedef {import("../editor.js").Position} Position
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import * as State from "../board/state.js";
import { fill, h, segmented } from "../dom.js";
import * as Editor from "../editor.js";
import { Latest } from "../latest.js";
import { SLOW } from "../panels/asked.js";
import { faults, odds, selected, verdict } from "../panels/cell.js";
import { decisions } from "../panels/decisions.js";
import { deductions, hint } from "../panels/deductions.js";
import { EXAMPLES, exchange, isPicture, read, readPicture } from "../panels/exchange.js";
import { LOOK, Palette } from "../panels/palette.js";
import { button, waiting } from "../panels/parts.js";
import { pointer } from "../panels/proof.js";
import { ScreenshotPanel } from "../panels/screenshot.js";
import { shape } from "../panels/shape.js";
import * as Screenshot from "../screenshot.js";
import { at, failure, plural } from "../words.js";

const PAUSE = 15; // milliseconds after an edit until it is asked about: a stroke does not ask for every cell
const SETTLED = 100; // milliseconds after an edit until the address follows
const EXAMPLE = EXAMPLES[0]?.[0] ?? "";

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export const create = (page) => new Analyse(page);

class Analyse {
  #edits = new Editor.Edits(Editor.fromLayout({ rows: 1, columns: 1, topology: "grid", mines: [] }));
  #flags = "trust";
  #selected = -1;
  /** The cell that the line under the board tells of. @type {Cell | null} */
  #told = null;
  /** A layout that was read; its mines stay here. @type {Document | null} */
  #layout = null;
  /** What the server said of the position, or why it did not. @type {{analysis: Document | null, exact: Document | null, trouble: any}} */
  #known = { analysis: null, exact: null, trouble: null };
  /** What stands in the address; empty as long as there is no position. */
  #address = "";
  #shown = false;
  /** A stroke is under way: what screen readers are told waits for its end, for it costs a look at every cell. */
  #painting = false;
  /** The analysis is of an earlier position. */
  #asking = false;
  #live = new Latest();
  #exactly = new Latest();
  #reading = new Latest();
  #timers = { ask: 0, settle: 0 };
  /** @type {import("../board/input.js").Handlers} */
  #handlers = {
    primary: (cell) => this.#select(cell),
    secondary: (cell, how) => (how === "touch" ? this.#select(cell) : this.#flag(cell)),
    hover: (cell) => this.#tell(cell),
  };

  /** @param {import("../main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.board = new Board("Position", this.#handlers);
    Object.assign(this.board.state, { overlay: "odds", ruled: true });
    /** @type {import("../panels/asked.js").Desk} */
    this.desk = {
      light: (lights) => this.#light(lights),
      point: pointer(this.board),
      suppose: (cell, symbol) => this.#walk(Editor.supposed(this.#edits.now, this.#place(cell), symbol)),
    };
    this.palette = new Palette(() => this.#choose(), (way) => this.#step(way)); // prettier-ignore
    this.shape = shape(page, {
      now: () => this.#edits.now,
      edit: (position, typing) => this.#edit(position, typing),
      trust: (flags) => {
        this.#flags = flags;
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
      light: (cells) => this.#light(cells.length ? [["near", cells]] : []),
      close: () => {
        this.#edit(Editor.alone(this.#edits.now));
        this.board.focus();
      },
    });
    this.exchange = exchange(page, this.board, (given) => void this.#take(given), {
      text: () => Editor.toText(this.#edits.now),
      link: () => {
        this.#settle();
        return location.href;
      },
      layout: () => this.#link(Editor.toLayoutLink(this.#layout ?? {})),
    });
    this.overlays = segmented("Shown on covered cells", [["none", "Plain"], ["certain", "Certain"], ["odds", "Odds"]], "odds", (value) => this.#overlay(value)); // prettier-ignore
    this.verdict = h("section", { class: "panel", role: "status" });
    this.cell = h("section", { class: "panel", "aria-label": "Cell" });
    this.under = h("div", { class: "under" });
    this.trail = h("div", { class: "bar trail", role: "group", "aria-label": "Suppositions", hidden: true });
    const tools = h("div", { class: "bar" }, this.palette.element, this.overlays);
    const help = "Tap a cell for its odds. To edit, choose a symbol and paint, or paste a board or a screenshot.";
    const keys = "Keys: arrows, 0 to 8, F, #, ~; U undo, O odds, H hint, D deductions, B best move.";
    const panels = this.panels.map((panel) => panel.element);
    this.element = h(
      "div",
      { class: "layout analyse" },
      h("div", { class: "work" }, tools, this.trail, this.board.element, this.under),
      h("div", { class: "side" }, h("h1", {}, "Analyse"), h("p", { class: "help" }, help, " ", h("span", { class: "wide" }, keys)), this.screenshot.element, this.verdict, this.cell, panels, this.shape.element, this.exchange.element), // prettier-ignore
    );
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => this.#given(event, event.dataTransfer));
    document.addEventListener("paste", (event) => this.#given(event, event.clipboardData));
    document.addEventListener("keydown", (event) => this.#command(event));
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    this.#shown = true;
    const text = parameters.get("layout") ?? parameters.get("board");
    const [mines, topology] = [parameters.get("mines"), parameters.get("topology")];
    if (text !== null && parameters.toString() !== this.#address) {
      void this.#take(text, { ...(mines && { mines: Number(mines) }), ...(topology && { topology }) }, true);
    } else if (this.#address) this.#changed();
    else void this.#take(EXAMPLE, {}, true);
  }

  hide() {
    this.#shown = false;
    for (const question of [this.#live, this.#exactly, this.#reading, ...this.panels]) question.stop();
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
  #wants({ target }) {
    return this.#shown && !(target instanceof Element && target.closest("input, textarea"));
  }

  /** @param {KeyboardEvent} event */
  #command(event) {
    const key = event.key.toLowerCase();
    if (!this.#wants(event) || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
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
      this.#tell(cell);
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
    if (this.#edits.change(position, stroke)) this.#changed();
  }

  /** Suppose, or go back: the button that was pressed is gone, so the focus goes where one goes on. @param {Position} position */
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
    else this.page.say(`Nothing to ${way}.`);
  }

  /** Something was pasted or dropped. @param {Event} event @param {DataTransfer | null} transfer */
  #given(event, transfer) {
    const given = transfer?.files[0] ?? transfer?.getData("text/plain"); // blanks may be cells
    if (
      !given ||
      (typeof given === "string" && !given.trim()) ||
      !this.#shown ||
      (typeof given === "string" && !this.#wants(event))
    )
      return;
    event.preventDefault();
    void this.#take(given);
  }

  /** @param {string | File} given @param {Document} [more] @param {boolean} [afresh] there is nothing to undo */
  async #take(given, more = {}, afresh = false) {
    const own = typeof given === "string" && /#\/analyse\?(\S+)/.exec(given)?.[1];
    if (own) return this.show(new URLSearchParams(own));
    if (isPicture(given)) return this.#see(given);
    try {
      const found = await this.#reading.ask(() => read(given, more));
      if (!found) return;
      this.#layout = found["cells"] ? null : found;
      this.exchange.told(this.#layout && this.#layout["mines"].length);
      const position = this.#layout ? Editor.fromLayout(found) : Editor.fromBoard(found);
      if (afresh) this.#edits = new Editor.Edits(position);
      else this.#edits.change(position);
      this.#selected = -1;
      this.#changed();
      const { holds, format } = found["read_as"];
      if (!afresh) this.page.notify(`Read a ${holds} of ${position.columns}×${position.rows} cells (${format}).`);
    } catch (error) {
      this.page.notify(failure(error), "error");
      if (typeof given === "string") this.exchange.box.value = given;
      if (!this.#address && given !== EXAMPLE) void this.#take(EXAMPLE, {}, true);
    }
  }

  /** Read a screenshot. @param {File} file */
  async #see(file) {
    this.screenshot.wait(() => {
      this.#reading.stop();
      this.screenshot.update(this.#edits.now);
    });
    try {
      const reading = await this.#reading.ask((stop) => readPicture(file, "", stop));
      if (!reading) return;
      this.#layout = null;
      this.exchange.told(null);
      this.#selected = -1;
      this.#edit(Screenshot.fromReading(reading, file));
      const asked = reading["doubts"].length;
      const doubt = asked ? `${plural(asked, "question")} about cells in doubt` : "no cell in doubt";
      this.page.notify(
        `Read a position of ${reading["columns"]}×${reading["rows"]} cells from the screenshot, ${doubt}.`,
      );
    } catch (error) {
      this.screenshot.update(this.#edits.now);
      this.page.notify(failure(error), "error");
    }
  }

  /** Somebody looked at a cell in doubt. @param {Cell} cell @param {string} mark */
  async #confirm(cell, mark) {
    const { screenshot } = this.#edits.now;
    if (!screenshot) return;
    const confirmed = Screenshot.confirming(screenshot, cell, mark);
    this.screenshot.busy(true);
    try {
      const told = Screenshot.confirmText(confirmed);
      const reading = await this.#reading.ask((stop) => readPicture(screenshot.file, told, stop));
      const { now } = this.#edits;
      if (!reading || now.screenshot?.file !== screenshot.file) return;
      this.#edit(Screenshot.reread(now, reading, confirmed));
      this.screenshot.focus();
    } catch (error) {
      this.page.notify(failure(error), "error");
    } finally {
      this.screenshot.busy(false);
    }
  }

  /** @param {string} query */
  #link(query) {
    return `${location.origin}${location.pathname}#/analyse?${query}`;
  }

  /** Let the address say what is seen. */
  #settle() {
    const query = Editor.toLink(this.#edits.now);
    this.#address = new URLSearchParams(query).toString();
    if (this.#shown) history.replaceState(null, "", this.#link(query));
  }

  // answers

  /** The position is another one, or its flags are read in another way. */
  #changed() {
    const { now, canUndo, canRedo } = this.#edits;
    const { state } = this.board;
    const [rows, columns, topology] = [state.rows, state.columns, state.topology];
    State.setCells(state, { ...now, cells: Editor.rowsOf(now) });
    state.doubtful = Screenshot.doubtful(now);
    if (now.rows !== rows || now.columns !== columns) [this.#selected, this.#told] = [-1, null];
    if (now.rows !== rows || now.columns !== columns || now.topology !== topology) this.board.fit();
    this.#asking = true;
    [this.palette.undo.disabled, this.palette.redo.disabled] = [!canUndo, !canRedo];
    this.#address ||= "?";
    this.#known.exact = null;
    this.#exactly.stop();
    this.#light([]);
    this.shape.update();
    this.screenshot.update(now);
    this.#showTrail();
    clearTimeout(this.#timers.ask);
    clearTimeout(this.#timers.settle);
    this.#timers.ask = window.setTimeout(() => void this.#ask(), PAUSE);
    this.#timers.settle = window.setTimeout(() => this.#settle(), SETTLED);
  }

  #question() {
    return { ...Editor.question(this.#edits.now), flags: this.#flags };
  }

  async #ask() {
    const asked = this.#question();
    const slow = setTimeout(() => this.#wait(), SLOW);
    const known = await this.#live
      .ask((stop) => api.analyze(asked, stop))
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
    this.#tell(this.#told);
    const [help, steps, best] = this.panels;
    help.about(asked); // it finds wrong flags also where nothing fits
    steps.about(known.analysis && asked);
    best.about(known.analysis && this.#edits.now.mines !== null ? asked : null);
  }

  /** A flag that is trusted has no odds. @param {any} analysis */
  #setOdds(analysis) {
    const { state } = this.board;
    State.setOdds(state, analysis);
    if (this.#flags !== "trust" || !state.odds) return;
    state.odds = state.odds.map((chance, place) => (state.cells[place] === "F" ? null : chance));
  }

  /** It takes a while: what is shown is no longer true. */
  #wait() {
    this.#known = { analysis: null, exact: null, trouble: null };
    State.setOdds(this.board.state, null);
    this.board.update();
    const give = () => {
      this.#live.stop();
      this.#known.trouble = new Error("Stopped. The next edit asks again.");
      this.#showVerdict();
    };
    fill(this.verdict, waiting(give));
    for (const panel of this.panels) panel.about(null);
  }

  /** Fractions are asked for once a position, when somebody looks at a cell. */
  async #exactOdds() {
    const { analysis, exact } = this.#known;
    if (this.#asking || this.#exactly.busy || exact || !analysis || this.#edits.now.mines === null) return;
    const asked = { ...this.#question(), exact: true };
    const answer = await this.#exactly.ask((stop) => api.analyze(asked, stop)).catch(() => null);
    if (!answer) return;
    this.#known.exact = answer;
    this.#showCell();
    this.#tell(this.#told);
  }

  // what is seen

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

  /** Light cells up, over what is supposed, at fault or selected. @param {import("../panels/asked.js").Lights} lights */
  #light(lights) {
    const { state } = this.board;
    const trail = this.#edits.now.trail.map(({ place }) => State.cellOf(state, place));
    const chosen = this.#cell && !lights.length ? [this.#cell] : [];
    State.setMarks(state, [["suppose", trail], ["near", chosen], ["fault", faults(this.#all)], ...lights]);
    if (this.#painting) this.board.view.request();
    else this.board.update();
  }

  #showVerdict() {
    fill(this.verdict, verdict(this.#all, this.desk.point));
  }

  #showCell() {
    fill(this.cell, selected(this.#all, this.#cell, this.desk.suppose, this.panels[2].answer));
  }

  /** The way of the suppositions, to go back. */
  #showTrail() {
    const { trail } = this.#edits.now;
    this.trail.hidden = !trail.length;
    const back = (/** @type {number} */ length) => () => this.#walk(Editor.wentBack(this.#edits.now, length));
    const steps = trail.map(({ place, symbol }, before) => {
      const words = `${at(State.cellOf(this.board.state, place))} shows ${symbol}`;
      const last = before + 1 === trail.length;
      return last ? h("span", { class: "strong" }, words) : button(words, back(before + 1));
    });
    fill(this.trail, h("span", { class: "quiet" }, "Supposed:"), button("Back to the position", back(0)), steps);
  }

  /** The line under the board. @param {Cell | null} cell */
  #tell(cell) {
    this.#told = cell;
    if (cell) void this.#exactOdds();
    const doubt = cell && this.board.state.doubtful.has(this.#place(cell)) ? ", in doubt" : "";
    fill(this.under, cell ? `${at(cell)}: ${odds(this.#all, cell)}${doubt}` : "Point at a cell to see its odds.");
  }

  /** @param {Cell} cell */
  #select(cell) {
    this.#selected = this.#place(cell);
    this.#light([]);
    this.#showCell();
    this.#tell(cell);
  }
}
