/**
 * Generate: a new board of a chosen size and difficulty, its numbers, the proof that it needs no guess, and downloads.
 * The form and the seed make the address, so it can be shared and reloaded.
 *
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import { clearNotes, setMarks } from "../board/state.js";
import { download, field, fill, h, segmented, set } from "../dom.js";
import { CertificatePlayer, seenBefore } from "../panels/certificate.js";
import { listBox } from "../panels/listbox.js";
import { button, chips, facts, techniqueOptions } from "../panels/parts.js";
import { zoomButtons } from "../panels/zoom.js";
import { at, errorText, exactPercent, firstClicks, levels, sentence, topologies } from "../format.js";
import { number as formatted, t, tn } from "../messages.js";

/** Rows, columns and mines of the sizes that have names. @type {Record<string, number[]>} */
const SIZES = { beginner: [9, 9, 10], intermediate: [16, 16, 40], expert: [16, 30, 99] };
const SEARCH_SECONDS = 30; // time limit

/** The options of a board, for the server. @param {URLSearchParams} form @returns {Wire.GenerateRequest} */
export function layoutOptions(form) {
  const { needs, hardest, start, seed, least, most, ...rest } = Object.fromEntries(form);
  const number = (text = "") => (text === "" ? null : Number(text));
  const [rows, columns, mines] = sizeOf(form);
  return /** @type {Wire.GenerateRequest} */ ({
    ...{ rows, columns, mines, topology: rest.topology, first_click: rest.first_click },
    ...(rest.no_guess && { no_guess: true, certificate: true }),
    ...(rest.no_guess && needs && { needs }),
    ...(rest.no_guess && hardest && { hardest }),
    ...((least || most) && { bbbv: [number(least), number(most)] }),
    ...(start && { start: start.split(",").map(Number) }),
    ...(seed && { seed: Number(seed) }),
  });
}

/** Rows, columns and mines. @param {URLSearchParams} form */
const sizeOf = (form) =>
  SIZES[form.get("level") ?? ""] ?? ["rows", "columns", "mines"].map((name) => Number(form.get(name)));

/** Advice after a search without result. @param {Wire.GenerateRequest} options */
export function advice({ bbbv, needs, hardest, no_guess }) {
  const ways = [
    bbbv && t("page-advice-3bv"),
    needs && t("page-advice-needs"),
    hardest && t("page-advice-hardest"),
    no_guess && t("page-advice-mines"),
  ].filter(Boolean);
  return ways.length ? ways.join(" ") : t("page-advice-size");
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  /** @type {Wire.GeneratedJson | null} */
  let generated = null;
  let address = "";
  /** @type {AbortController | null} */
  let running = null;
  let view = "start";
  let changedSince = true; // the form: the board on the screen is the one to come

  const board = new Board(t("page-board"), { primary: (cell) => view === "start" && choose(String(cell)) });
  const player = new CertificatePlayer(board, page);

  // the form

  const help = (text = "") => h("p", { class: "help" }, text);
  const number = (label = "", name = "", value = "", min = 0, max = 9999) =>
    field(label, h("input", { type: "number", name, value, min, max }));
  /** @param {string} label @param {{name: string, help?: string}} more */
  const techniques = (label, more) => listBox(label, [["", t("page-technique-any")]], "", () => {}, more);
  const sides = [number(t("page-rows"), "rows", "16", 1, 100), number(t("page-columns"), "columns", "16", 1, 100)];
  const custom = h("div", { class: "row" }, sides, number(t("page-mines"), "mines", "40"));
  const [density, shape, rule, place] = [h("span"), h("span"), h("span"), help()];
  const start = h("input", { type: "hidden", name: "start" });
  const needs = techniques(t("page-needs"), { name: "needs" });
  const hardest = techniques(t("page-hardest"), { name: "hardest", help: t("page-hardest-help") });
  /** The names that players know, by those of the library. @type {Map<string, string>} */
  const techniqueLabels = new Map();
  player.labels = techniqueLabels;
  async function loadTechniques() {
    if (techniqueLabels.size) return;
    const ladder = (await api.standing())["techniques"];
    const options = techniqueOptions(t("page-technique-any"), ladder.slice(0, -1)); // without the guess
    needs.offer(options);
    hardest.offer(options);
    for (const { name, label } of ladder) techniqueLabels.set(name, label);
  }
  const noGuess = h("input", { type: "checkbox", name: "no_guess", checked: true });
  const why = h("small", {}, t("page-generate-no-guess-help"));
  const make = h("button", { class: "primary" }, t("page-generate"));
  const status = h("p", { role: "status" });
  const form = h(
    "form",
    { class: "panel", onsubmit: submit, onchange: changed },
    h("h2", {}, t("page-new-board"), h("span", { class: "push" }, make)),
    status,
    chips(t("page-board-size"), "level", levels(), "intermediate", density),
    custom,
    chips(t("page-board-shape"), "topology", topologies(), "grid", shape),
    h("label", { class: "tick" }, noGuess, h("span", {}, t("page-no-guess"), why)),
    needs,
    hardest,
    h("div", { class: "row" }, number(t("page-3bv-from"), "least"), number(t("page-3bv-to"), "most")),
    help(t("page-3bv-help")),
    chips(t("page-first-click"), "first_click", firstClicks(), "open", rule),
    place,
    start,
    number(t("page-seed"), "seed", "", 0, 2 ** 53),
    help(t("page-generate-seed-help")),
  );

  // the result

  const views = segmented(t("page-board-view"), [["start", t("page-view-covered")], ["layout", t("page-reveal")], ["proof", t("page-proof")]], view, look); // prettier-ignore
  const result = h("section", { class: "panel", hidden: true });
  const ring = h("div", { class: "under" });
  const side = h("div", { class: "side" }, player.element, result, form);
  const bar = h("div", { class: "bar" }, h("h1", {}, t("page-screen-generate")), views, zoomButtons(board));
  const element = h("div", { class: "layout generate" }, h("div", { class: "work" }, bar, board.element, ring), side);

  // @ts-expect-error there are no files in this form
  const readForm = () => new URLSearchParams(new FormData(form));

  function changed() {
    changedSince = true;
    const now = readForm();
    const [rows = 0, columns = 0, mines = 0] = sizeOf(now);
    const cells = rows * columns;
    const helpOf = (options = [[""]], name = "") => options.find(([option]) => option === now.get(name))?.[2];
    custom.hidden = now.get("level") !== "custom";
    for (const list of [needs, hardest]) list.disable(!noGuess.checked);
    const share = exactPercent(mines / (cells || 1));
    fill(density, tn("page-density", mines, { cells: formatted(cells), share }));
    fill(shape, helpOf(topologies(), "topology"));
    fill(rule, helpOf(firstClicks(), "first_click"));
    look("start");
  }

  /** The chosen first click. @returns {[number, number]} */
  function parseStart() {
    const [row = 0, column = 0] = start.value.split(",").map(Number);
    return [row, column];
  }

  /** @param {string} cell row and column, or nothing */
  function choose(cell) {
    start.value = cell;
    changedSince = true;
    look("start");
    page.say(cell ? t("page-start-chosen", { cell: at(parseStart()) }) : t("page-start-none"));
  }

  /** Show the first click, the mines or the proof. */
  function look(what = view) {
    view = what;
    views.choose(what);
    for (const viewButton of views.querySelectorAll("button")) {
      viewButton.disabled = !{ start: true, layout: generated?.layout, proof: generated?.certificate }[
        viewButton.dataset["value"] ?? ""
      ];
    }
    player.stop();
    player.element.hidden = what !== "proof";
    const [rows = 1, columns = 1] = sizeOf(readForm()).map((count) => Math.max(1, Math.min(100, count)));
    const [row, column] = parseStart();
    if (row >= rows || column >= columns) start.value = "";
    const made = what === "start" && !changedSince ? generated?.layout.start : null;
    fill(
      ring,
      { start: made ? t("page-ring-made") : t("page-start-help"), layout: t("page-ring-revealed") }[what] ?? "",
    );
    fill(place, start.value ? `${t("page-start-chosen", { cell: at([row, column]) })} ` : t("page-start-help"));
    if (start.value) place.append(button(t("page-clear"), () => choose("")));
    clearNotes(board.state);
    if (what !== "start") side.scrollTop = document.documentElement.scrollTop = 0;
    if (what === "proof") player.to();
    else if (what === "layout" && generated?.board) {
      const cells = generated.board.cells.map((line) => line.replaceAll("F", "*"));
      const { rows: height, columns: width, topology: name } = generated.board;
      board.setCells({ rows: height, columns: width, topology: /** @type {"grid"} */ (name), cells });
      setMarks(board.state, [["start", generated.layout.start && [generated.layout.start]]]);
    } else {
      const topology = /** @type {"grid"} */ (readForm().get("topology"));
      board.setCells({ rows, columns, topology, cells: Array(rows).fill("#".repeat(columns)) });
      setMarks(board.state, [["start", made ? [made] : start.value ? [[row, column]] : []]]);
    }
    board.update();
  }

  const showAddress = () => history.replaceState(null, "", `#/generate?${address}`);

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    if (running) running.abort();
    else void generate();
  }

  async function generate() {
    const mine = (running = new AbortController());
    const now = readForm();
    const request = layoutOptions(now);
    fill(make, t("page-cancel"));
    set(status, { class: "quiet" });
    fill(status, t("page-generate-searching"));
    try {
      generated = await api.generate({ ...request, measures: true, budget: SEARCH_SECONDS }, mine);
      now.set("seed", String(generated.seed));
      address = String(now);
      showAddress();
      fill(status);
      showResult(generated);
    } catch (error) {
      set(status, { class: !api.isAbort(error) && "bad" });
      const hint = error instanceof api.ApiError && error.code === "budget" && ` ${advice(request)}`;
      if (running === mine) fill(status, api.isAbort(error) ? t("page-stopped") : sentence(errorText(error)), hint);
      status.scrollIntoView({ block: "nearest" });
    }
    if (running !== mine) return; // another search has begun
    running = null;
    fill(make, t("page-generate"));
  }

  /** @param {Wire.GeneratedJson} made with its board and measures */
  function showResult(made) {
    const { layout: mines, certificate, seed, number: nth, board: opened, measures } = made;
    const { bbbv = 0, openings = 0, islands = 0, zini = null } = measures ?? {};
    /** @type {Record<string, number>} */
    const used = {};
    for (const { technique } of certificate?.steps ?? []) used[technique] = (used[technique] ?? 0) + 1;
    const steps = Object.entries(used).map(([name, count]) => `${count}× ${techniqueLabels.get(name) ?? name}`).join(", "); // prettier-ignore
    const proved = certificate
      ? `${t("page-proved", { cell: at(mines.start ?? [0, 0]) })} ${steps ? t("page-proved-steps", { steps }) : t("page-proved-at-once")}`
      : t("page-not-proved");
    /** @param {string} label @param {string} ending @param {() => Blob | Promise<Blob>} content */
    const file = (label, ending, content) =>
      button(label, () => void attempt(async () => download(await content(), `${seed}-${nth}.${ending}`)));
    const text = JSON.stringify(mines);
    const written = (to = "") => () => api.convertToFile({ board: text, to }); // prettier-ignore
    const saved = (document = {}) => () => new Blob([JSON.stringify(document)]); // prettier-ignore
    fill(
      result,
      h("h2", {}, t("page-generated", { columns: mines.columns, rows: mines.rows, seed })),
      h(
        "div",
        { class: "row" },
        button(t("page-play-it"), () => page.go("play", { layout: text }), { class: "primary" }),
        button(t("page-reveal"), () => look("layout")),
        certificate && button(t("page-show-proof"), () => look("proof")),
        button(t("page-copy-analyse-link"), () => void attempt(copyLink)),
      ),
      facts([
        [t("page-fact-3bv"), bbbv],
        [t("page-fact-openings"), openings],
        [t("page-fact-islands"), islands],
        [t("page-fact-zini"), zini ?? ""],
        [t("page-mines"), mines.mines.length],
      ]),
      h("p", {}, proved),
      h("h3", {}, t("page-downloads")),
      h(
        "div",
        { class: "row" },
        file(t("page-file-mbf"), "mbf", written("mbf")),
        file("JSON", "json", saved(mines)),
        file(t("page-file-text"), "txt", written("layout")),
        file(t("page-file-tatham"), "tatham.txt", written("tatham")),
        certificate && file(t("page-file-certificate"), "certificate.json", saved(certificate)),
      ),
    );
    result.hidden = false;
    if (certificate) player.load(certificate, opened?.cells ?? [], made.step_texts);
    changedSince = false;
    look("start");
    side.scrollTop = document.documentElement.scrollTop = 0;
    page.say(`${t("page-generated-say", { bbbv })} ${proved}`);
  }

  /** @param {() => Promise<void>} act */
  const attempt = (act) => act().catch((error) => page.notify(errorText(error), "error"));

  /** Copy a link to the position after the first click; without one, nothing is open. */
  async function copyLink() {
    const { board: opened, certificate = { opened: [], steps: [] } } = generated ?? {};
    if (!opened) return;
    const seen = { ...opened, cells: seenBefore(certificate, opened.cells, 0) };
    const text = await (await api.convertToFile({ board: JSON.stringify(seen), to: "mineproof" })).text();
    await navigator.clipboard.writeText(
      `${location.origin}${location.pathname}#/analyse?${new URLSearchParams({ board: text.trim() })}`,
    );
    page.notify(t("page-copied-analyse-link"));
  }

  changed();
  return {
    element,
    async show(named) {
      await loadTechniques().catch((error) => page.notify(errorText(error), "error"));
      if (address && !named.size) showAddress();
      if (!named.has("seed") || String(named) === address) return;
      for (const control of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name]"))) {
        const value = named.get(control.name);
        if (control.type === "radio") control.checked = value === null ? control.checked : control.value === value;
        else control.value = value ?? control.value;
      }
      needs.show(named.get("needs") ?? "");
      hardest.show(named.get("hardest") ?? "");
      noGuess.checked = named.has("no_guess");
      changed();
      running?.abort();
      void generate();
    },
    hide() {
      running?.abort();
      player.stop();
    },
    key: (event) => view === "proof" && player.key(event.key.toLowerCase()),
  };
}
