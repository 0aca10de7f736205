/**
 * Generate: a new board of a wished size and difficulty, its numbers, the proof that it needs no guess, and what can be
 * done with it. The wishes are a form, and with the seed they are the address: it can be shared and reloaded.
 *
 * @typedef {import("../api.js").Document} Document
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import { forget, setMarks } from "../board/state.js";
import { download, field, fill, h, segmented, select, set } from "../dom.js";
import { CertificatePlayer, seenBefore } from "../panels/certificate.js";
import { button, facts, fillTechniques } from "../panels/parts.js";
import { zoomButtons } from "../panels/zoom.js";
import { FIRST_CLICKS, LEVELS, TOPOLOGIES, at, exactPercent, failure, plural } from "../words.js";

/** Rows, columns and mines of the sizes that have names. @type {Record<string, number[]>} */
const SIZES = { beginner: [9, 9, 10], intermediate: [16, 16, 40], expert: [16, 30, 99] };
const SECONDS = 30; // that a search may take

/** What the server is asked for. @param {URLSearchParams} asked @returns {Document} */
export function wishes(asked) {
  const { needs, hardest, start, seed, least, most, ...wanted } = Object.fromEntries(asked);
  const number = (text = "") => (text === "" ? null : Number(text));
  const [rows, columns, mines] = sizeOf(asked);
  return {
    ...{ rows, columns, mines, topology: wanted.topology, first_click: wanted.first_click },
    ...(wanted.no_guess && { no_guess: true, certificate: true }),
    ...(wanted.no_guess && needs && { needs }),
    ...(wanted.no_guess && hardest && { hardest }),
    ...((least || most) && { bbbv: [number(least), number(most)] }),
    ...(start && { start: start.split(",").map(Number) }),
    ...(seed && { seed: Number(seed) }),
  };
}

/** Rows, columns and mines. @param {URLSearchParams} asked */
const sizeOf = (asked) =>
  SIZES[asked.get("level") ?? ""] ?? ["rows", "columns", "mines"].map((name) => Number(asked.get(name)));

/** What can be loosened where nothing was found. @param {Document} wanted */
export function advice({ bbbv, needs, hardest, no_guess }) {
  const ways = [
    bbbv && "widen the range of 3BV",
    needs && "ask for an easier technique",
    hardest && "allow harder techniques",
    no_guess && "take fewer mines, or allow guesses",
  ];
  return ` To find one: ${ways.filter(Boolean).join(", or ") || "take another size"}.`;
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  /** @type {Document} */
  let made = {};
  let address = "";
  /** @type {AbortController | null} */
  let running = null;
  let view = "start";

  const board = new Board("The board", { primary: (cell) => view === "start" && choose(String(cell)) });
  const player = new CertificatePlayer(board, page);

  // the wishes

  const help = (text = "") => h("p", { class: "help" }, text);
  const number = (label = "", name = "", value = "", min = 0, max = 9999) =>
    field(label, h("input", { type: "number", name, value, min, max }));
  const choice = (name = "", options = [[""]], value = "") => {
    const control = select(options.map(([one = "", words = ""]) => [one, words]), value, () => {}); // prettier-ignore
    set(control, { name });
    return control;
  };
  const sides = [number("Rows", "rows", "16", 1, 100), number("Columns", "columns", "16", 1, 100)];
  const custom = h("div", { class: "row" }, sides, number("Mines", "mines", "40"));
  const [density, shape, rule, place] = [h("span"), h("span"), h("span"), help()];
  const start = h("input", { type: "hidden", name: "start" });
  const [needs, hardest] = [choice("needs"), choice("hardest")];
  async function learn() {
    if (needs.options.length > 1) return;
    const { techniques } = await api.standing();
    for (const one of [needs, hardest]) fillTechniques(one, "Any technique", techniques.slice(0, -1)); // without the guess
  }
  const noGuess = h("input", { type: "checkbox", name: "no_guess", checked: true });
  const why = h("small", {}, "Certainty alone opens it from the first click. It comes with the proof.");
  const make = h("button", { class: "primary" }, "Generate");
  const told = h("p", { role: "status" });
  const form = h(
    "form",
    { class: "panel", onsubmit: submit, onchange: changed },
    h("h2", {}, "New board", h("span", { class: "push" }, make)),
    told,
    field("Size", choice("level", LEVELS, "intermediate"), density),
    custom,
    field("Board shape", choice("topology", TOPOLOGIES, "grid"), shape),
    h("label", { class: "tick" }, noGuess, h("span", {}, "No guess", why)),
    field("Needs at least", needs),
    field("Needs at most", hardest, "The hardest technique that it takes. Only for boards without a guess."),
    h("div", { class: "row" }, number("3BV from", "least"), number("to", "most")),
    help("3BV is how many left clicks a board takes at least. Empty: any."),
    field("First click", choice("first_click", FIRST_CLICKS, "open"), rule),
    place,
    start,
    number("Seed", "seed", "", 0, 2 ** 53),
    help("The same seed and wishes make the same board again. Empty: a new one."),
  );

  // what was made

  const views = segmented("What the board shows", [["start", "First click"], ["layout", "Mines"], ["proof", "Proof"]], view, look); // prettier-ignore
  const result = h("section", { class: "panel", hidden: true });
  const side = h("div", { class: "side" }, player.element, result, form);
  const bar = h("div", { class: "bar" }, h("h1", {}, "Generate"), views, zoomButtons(board));
  const element = h("div", { class: "layout" }, h("div", { class: "work" }, bar, board.element), side);

  // @ts-expect-error there are no files in this form
  const asked = () => new URLSearchParams(new FormData(form));

  function changed() {
    const now = asked();
    const [rows = 0, columns = 0, mines = 0] = sizeOf(now);
    const cells = rows * columns;
    const third = (table = [[""]], name = "") => table.find(([one]) => one === now.get(name))?.[2];
    custom.hidden = now.get("level") !== "custom";
    needs.disabled = hardest.disabled = !noGuess.checked;
    fill(density, `${plural(mines, "mine")} on ${plural(cells, "cell")}: ${exactPercent(mines / (cells || 1))}.`);
    fill(shape, third(TOPOLOGIES, "topology"));
    fill(rule, third(FIRST_CLICKS, "first_click"));
    look("start");
  }

  /** @param {string} cell row and column, or nothing */
  function choose(cell) {
    start.value = cell;
    look("start");
    page.say(cell ? `First click at (${cell})` : "No first click chosen");
  }

  /** Show the first click, the mines or the proof. */
  function look(what = view) {
    view = what;
    views.choose(what);
    for (const one of views.querySelectorAll("button")) {
      one.disabled = !{ start: true, layout: made.layout, proof: made.certificate }[one.dataset["value"] ?? ""];
    }
    player.stop();
    player.element.hidden = what !== "proof";
    const [rows = 1, columns = 1] = sizeOf(asked()).map((count) => Math.max(1, Math.min(100, count)));
    const [row = 0, column = 0] = start.value.split(",").map(Number);
    if (row >= rows || column >= columns) start.value = "";
    fill(
      place,
      start.value ? `At (${start.value}). ` : "Tap the board to choose a cell. Else the middle, if without a guess.",
    );
    if (start.value) place.append(button("Clear", () => choose("")));
    forget(board.state);
    if (what !== "start") side.scrollTop = document.documentElement.scrollTop = 0;
    if (what === "proof") player.to();
    else if (what === "layout") {
      const cells = made.board.cells.map((line = "") => line.replaceAll("F", "*"));
      board.setCells({ ...made.board, cells });
      setMarks(board.state, [["start", made.layout.start && [made.layout.start]]]);
    } else {
      const topology = /** @type {"grid"} */ (asked().get("topology"));
      board.setCells({ rows, columns, topology, cells: Array(rows).fill("#".repeat(columns)) });
      setMarks(board.state, [["start", start.value ? [[row, column]] : []]]);
    }
    board.update();
  }

  const keep = () => history.replaceState(null, "", `#/generate?${address}`);

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    if (running) running.abort();
    else void generate();
  }

  async function generate() {
    const mine = (running = new AbortController());
    const now = asked();
    const wanted = wishes(now);
    fill(make, "Cancel");
    set(told, { class: "quiet" });
    fill(told, "Looking for such a board. Rare ones take some seconds …");
    try {
      made = await api.generate({ ...wanted, measures: true, budget: SECONDS }, mine);
      now.set("seed", made.seed);
      address = String(now);
      keep();
      fill(told);
      tell();
    } catch (error) {
      set(told, { class: !api.isAbort(error) && "bad" });
      const loosen = error instanceof api.ApiError && error.code === "budget" && advice(wanted);
      if (running === mine) fill(told, api.isAbort(error) ? "Stopped." : failure(error), loosen);
      told.scrollIntoView({ block: "nearest" });
    }
    if (running !== mine) return; // another one is looked for
    running = null;
    fill(make, "Generate");
  }

  function tell() {
    const { layout, certificate, seed, number: nth, board: opened } = made;
    const { bbbv, openings, islands, zini } = made.measures;
    /** @type {Record<string, number>} */
    const used = {};
    for (const { technique } of certificate?.steps ?? []) used[technique] = (used[technique] ?? 0) + 1;
    const steps = Object.entries(used).map((step) => `${step.join(" ")}×`);
    const proved = certificate
      ? `Needs no guess from ${at(layout.start)}. Steps: ${steps.join(", ") || "the first click opens all"}.`
      : "It may need guesses.";
    /** @param {string} words @param {string} ending @param {() => Blob | Promise<Blob>} content */
    const file = (words, ending, content) =>
      button(words, () => void tried(async () => download(await content(), `${seed}-${nth}.${ending}`)));
    const text = JSON.stringify(layout);
    const written = (to = "") => () => api.convertToFile({ board: text, to }); // prettier-ignore
    const kept = (document = {}) => () => new Blob([JSON.stringify(document)]); // prettier-ignore
    fill(
      result,
      h("h2", {}, `${layout.columns} × ${layout.rows}, seed ${seed}`),
      facts({ "3BV": bbbv, openings, islands, ZiNi: zini, mines: layout.mines.length }),
      h("p", {}, proved),
      h(
        "div",
        { class: "row" },
        button("Play it", () => page.go("play", { layout: text })),
        certificate && button("Show the proof", () => look("proof")),
        button("Copy link to Analyse", () => void tried(copyLink)),
      ),
      h("h3", {}, "Download"),
      h(
        "div",
        { class: "row" },
        file("Board file (mbf)", "mbf", written("mbf")),
        file("JSON", "json", kept(layout)),
        file("Text", "txt", written("layout")),
        file("Tatham ID", "tatham.txt", written("tatham")),
        certificate && file("Certificate", "certificate.json", kept(certificate)),
      ),
    );
    result.hidden = false;
    if (certificate) player.load(certificate, opened.cells);
    look("layout");
    page.say(`Board made: 3BV ${bbbv}. ${proved}`);
  }

  /** @param {() => Promise<void>} act */
  const tried = (act) => act().catch((error) => page.notify(failure(error), "error"));

  /** What is seen after the first click; without one, nothing is open. */
  async function copyLink() {
    const { board: opened, certificate = { opened: [], steps: [] } } = made;
    const seen = { ...opened, cells: seenBefore(certificate, opened.cells, 0) };
    const text = await (await api.convertToFile({ board: JSON.stringify(seen), to: "mineproof" })).text();
    await navigator.clipboard.writeText(`${location.origin}/#/analyse?${new URLSearchParams({ board: text.trim() })}`);
    page.notify("Link copied. It shows what the first click opens, and no mines.");
  }

  changed();
  return {
    element,
    async show(named) {
      await learn().catch((error) => page.notify(failure(error), "error"));
      if (address && !named.size) keep();
      if (!named.has("seed") || String(named) === address) return;
      for (const control of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name]"))) {
        control.value = named.get(control.name) ?? control.value;
      }
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
