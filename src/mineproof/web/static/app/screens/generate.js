/**
 * Generate: a new board of a wished size and difficulty, its numbers, the proof that it needs no guess, and what can be
 * done with it. The wishes are a form, and with the seed they are the address: it can be shared and reloaded.
 *
 * @typedef {import("../api.js").Document} Document
 * @typedef {import("../board/state.js").Cell} Cell
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import { forget, setMarks } from "../board/state.js";
import { download, field, fill, h, segmented, select, set } from "../dom.js";
import { CertificatePlayer, seenBefore } from "../panels/certificate.js";
import { button, facts, fillTechniques } from "../panels/pieces.js";
import { FIRST_CLICKS, LEVELS, TOPOLOGIES, at, exactPercent, failure, plural } from "../words.js";

/** Rows, columns and mines of the sizes that have names. @type {Record<string, number[]>} */
const SIZES = { beginner: [9, 9, 10], intermediate: [16, 16, 40], expert: [16, 30, 99] };
const SECONDS = 30;

/** Format, words and ending of the files. */
const FILES = /** @type {const} */ ([
  ["mbf", "Board file (mbf)", "mbf"],
  ["json", "JSON", "json"],
  ["layout", "Text", "txt"],
  ["tatham", "Tatham ID", "tatham.txt"],
]);

/** @type {Record<string, string>} */
const VIEWS = {
  start: "Tap the cell of the first click.",
  layout: "Mines and numbers; the ring is the first click.",
  proof: "Ring: numbers that prove it. Tick: safe. Cross: mine.",
};

/** Rows, columns and mines that are asked for. @param {URLSearchParams} asked */
export const sizeOf = (asked) =>
  SIZES[asked.get("level") ?? ""] ?? ["rows", "columns", "mines"].map((name) => Number(asked.get(name)));

/** What the server is asked for. @param {URLSearchParams} asked @returns {Document} */
export function wishes(asked) {
  const [rows, columns, mines] = sizeOf(asked);
  const { topology, first_click, needs, hardest, start, seed, least, most } = Object.fromEntries(asked);
  const number = (/** @type {string | undefined} */ text) => (text ? Number(text) : null);
  return {
    ...{ rows, columns, mines, topology, first_click },
    ...(asked.has("no_guess") && { no_guess: true, certificate: true }),
    ...(asked.has("no_guess") && needs && { needs }),
    ...(asked.has("no_guess") && hardest && { hardest }),
    ...((least || most) && { bbbv: [number(least), number(most)] }),
    ...(start && { start: start.split(",").map(Number) }),
    ...(seed && { seed: Number(seed) }),
  };
}

/** What can be loosened where nothing was found. @param {Document} wanted */
export function advice({ bbbv, needs, hardest, no_guess }) {
  const ways = [
    bbbv && "widen the range of 3BV",
    needs && "ask for an easier technique",
    hardest && "allow harder techniques",
    no_guess && "take fewer mines",
    no_guess && "allow guesses",
  ];
  return `To find one: ${ways.filter(Boolean).join(", or ") || "take another size"}.`;
}

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  /** @type {Document | null} */
  let made = null;
  let address = "";
  /** @type {AbortController | null} */
  let running = null;
  let view = "start";

  const board = new Board("The board", { primary: (cell) => view === "start" && choose(cell) });
  const player = new CertificatePlayer(board, page);

  // the wishes

  const help = (/** @type {string} */ text = "") => h("p", { class: "help" }, text);
  const number = (/** @type {string} */ label, /** @type {string} */ name, value = "", min = 0, max = 9999) =>
    field(label, h("input", { type: "number", name, value, min, max }));
  const choice = (/** @type {string} */ name, /** @type {string[][]} */ options, value = "") => {
    const control = select(options.map(([one = "", words = ""]) => [one, words]), value, () => {}); // prettier-ignore
    set(control, { name });
    return control;
  };
  const sides = [number("Rows", "rows", "16", 1, 100), number("Columns", "columns", "16", 1, 100)];
  const custom = h("div", { class: "row" }, sides, number("Mines", "mines", "40"));
  const [density, shape, rule, place] = [help(), help(), help(), help()];
  const start = h("input", { type: "hidden", name: "start" });
  const [needs, hardest] = [choice("needs", []), choice("hardest", [])];
  const known = api.standing().then(({ techniques }) => {
    for (const one of [needs, hardest]) fillTechniques(one, "Any technique", techniques.slice(0, -1)); // without the guess
  });
  const hard = h("fieldset", { class: "field" }, field("Needs at least", needs), field("Needs at most", hardest));
  const noGuess = h("input", { type: "checkbox", name: "no_guess", checked: true });
  const why = h("small", {}, "Certainty alone opens it from the first click. It comes with the proof.");
  const make = h("button", { class: "primary" }, "Generate");
  const told = h("p", { role: "status" });
  const form = h(
    "form",
    { class: "panel", onsubmit: submit, onchange: changed },
    h("h2", {}, "New board"),
    field("Size", choice("level", LEVELS, "intermediate")),
    custom,
    density,
    field("Shape", choice("topology", TOPOLOGIES, "grid")),
    shape,
    h("label", { class: "tick" }, noGuess, h("span", {}, "No guess", why)),
    hard,
    help("The hardest technique that it takes. Only for boards without a guess."),
    h("div", { class: "row" }, number("3BV from", "least"), number("to", "most")),
    help("3BV is how many left clicks a board takes at least. Empty: any."),
    field("First click", choice("first_click", FIRST_CLICKS, "open")),
    rule,
    place,
    start,
    number("Seed", "seed", "", 0, 2 ** 53),
    help("The same seed and wishes make the same board again. Empty: a new one."),
    h("div", { class: "row" }, make),
    told,
  );

  // what was made

  const views = segmented("What the board shows", [["start", "First click"], ["layout", "Mines"], ["proof", "Proof"]], view, look); // prettier-ignore
  const under = h("div", { class: "under" });
  const result = h("section", { class: "panel", hidden: true });
  const side = h("div", { class: "side" }, player.element, result, form);
  const bar = h("div", { class: "bar" }, h("h1", {}, "Generate"), views);
  const element = h("div", { class: "layout" }, h("div", { class: "work" }, bar, board.element, under), side);

  // @ts-expect-error there are no files in this form
  const asked = () => new URLSearchParams(new FormData(form));

  function changed() {
    const now = asked();
    const [rows = 0, columns = 0, mines = 0] = sizeOf(now);
    const third = (/** @type {string[][]} */ table, /** @type {string} */ name) =>
      table.find(([one]) => one === now.get(name))?.[2];
    custom.hidden = now.get("level") !== "custom";
    hard.disabled = !noGuess.checked;
    const cells = rows * columns;
    fill(density, `${plural(mines, "mine")} on ${plural(cells, "cell")}: ${exactPercent(mines / (cells || 1))}.`);
    fill(shape, third(TOPOLOGIES, "topology"));
    fill(rule, third(FIRST_CLICKS, "first_click"));
    look("start");
  }

  /** @param {Cell | null} cell */
  function choose(cell) {
    start.value = String(cell ?? "");
    look("start");
    page.say(cell ? `First click at row ${cell[0]}, column ${cell[1]}` : "No first click chosen");
  }

  /** Show the first click, the mines or the proof. @param {string} what */
  function look(what) {
    view = what;
    views.choose(what);
    for (const one of views.querySelectorAll("button")) {
      one.disabled = !{ start: true, layout: made, proof: made?.certificate }[one.dataset["value"] ?? ""];
    }
    player.stop();
    player.element.hidden = what !== "proof";
    const [rows = 1, columns = 1] = sizeOf(asked()).map((count) => Math.max(1, Math.min(100, count)));
    const [row = 0, column = 0] = start.value.split(",").map(Number);
    if (row >= rows || column >= columns) start.value = "";
    if (start.value)
      fill(
        place,
        `At (${start.value}). `,
        button("Clear", () => choose(null)),
      );
    else fill(place, "In the middle of a board without a guess, else anywhere. Tap the board to choose.");
    forget(board.state);
    if (what === "proof") player.to();
    else if (what === "layout" && made) {
      const mines = made.board.cells.map((/** @type {string} */ line) => line.replaceAll("F", "*"));
      board.setCells({ ...made.board, cells: mines });
      setMarks(board.state, [["suppose", made.layout.start && [made.layout.start]]]);
    } else {
      const topology = /** @type {"grid"} */ (asked().get("topology"));
      board.setCells({ rows, columns, topology, cells: Array(rows).fill("#".repeat(columns)) });
      setMarks(board.state, [["suppose", start.value ? [[row, column]] : []]]);
    }
    fill(under, VIEWS[what]);
    board.update();
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    if (running) running.abort();
    else void generate();
  }

  async function generate() {
    const mine = (running = new AbortController());
    const parameters = asked();
    const wanted = wishes(parameters);
    fill(make, "Cancel");
    set(told, { class: "quiet" });
    fill(told, "Looking for such a board. Rare ones take some seconds …");
    try {
      made = await api.generate({ ...wanted, measures: true, budget: SECONDS }, mine);
      parameters.set("seed", made.seed);
      address = parameters.toString();
      history.replaceState(null, "", `#/generate?${address}`);
      fill(told);
      tell(made);
    } catch (error) {
      const stopped = api.isAbort(error);
      set(told, { class: stopped ? "quiet" : "bad" });
      const loosen = error instanceof api.ApiError && error.code === "budget" && ` ${advice(wanted)}`;
      fill(told, stopped ? "Stopped." : failure(error), loosen);
    }
    if (running !== mine) return; // another one is looked for
    running = null;
    fill(make, "Generate");
  }

  /** @param {Document} found */
  function tell({ layout, measures, certificate, seed, board: opened }) {
    /** @type {Map<string, number>} */
    const used = new Map();
    for (const { technique } of certificate?.steps ?? []) used.set(technique, (used.get(technique) ?? 0) + 1);
    const steps = [...used].map(([technique, count]) => `${technique} ${count}×`).join(", ");
    const proved = `Needs no guess from ${at(layout.start ?? [0, 0])}. Steps: ${steps || "the first click opens all"}.`;
    const { bbbv, openings, islands, zini } = measures;
    const certified = new Blob([JSON.stringify(certificate)], { type: "application/json" });
    const files = FILES.map(([format, words, ending]) => button(words, () => tried(() => save(format, ending))));
    fill(
      result,
      h("h2", {}, `${layout.columns} × ${layout.rows}, seed ${seed}`),
      facts({ "3BV": bbbv, openings, islands, ZiNi: zini, mines: layout.mines.length }),
      h("p", {}, certificate ? proved : "It may need guesses."),
      h(
        "div",
        { class: "row" },
        button("Play it", () => page.go("play", { layout: JSON.stringify(layout) })),
        certificate && button("Show the proof", () => look("proof")),
        button("Copy link to Analyse", () => tried(copyLink)),
      ),
      h("h3", {}, "Download"),
      h("div", { class: "row" }, files, certificate && button("Certificate", () => download(certified, `${name()}.certificate.json`))), // prettier-ignore
    );
    result.hidden = false;
    if (certificate) player.load(certificate, opened.cells);
    look("layout");
    side.scrollTop = 0;
    scrollTo(0, 0);
    page.say(`Board made: 3BV ${bbbv}. ${certificate ? proved : ""}`);
  }

  const name = () => `${made?.seed}-${made?.number}`;

  /** @param {() => Promise<void>} act */
  const tried = (act) => act().catch((error) => page.notify(failure(error), "error"));

  /** @param {string} to @param {string} ending */
  async function save(to, ending) {
    download(await api.convertToFile({ board: JSON.stringify(made?.layout), to }), `${name()}.${ending}`);
  }

  /** What is seen after the first click; without one, nothing is open. */
  async function copyLink() {
    const seen = made?.board;
    const cells = seenBefore(made?.certificate ?? { opened: [], steps: [] }, seen.cells, 0);
    const text = await api.convertToFile({ board: JSON.stringify({ ...seen, cells }), to: "mineproof" });
    const query = new URLSearchParams({ board: (await text.text()).trim() });
    await navigator.clipboard.writeText(`${location.origin}/#/analyse?${query}`);
    page.notify("Link copied. It shows what the first click opens, and no mines.");
  }

  changed();
  return {
    element,
    async show(parameters) {
      await known.catch((error) => page.notify(failure(error), "error"));
      if (!parameters.has("seed") || parameters.toString() === address) return;
      for (const control of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name]"))) {
        if (control === noGuess) control.checked = parameters.has("no_guess");
        else if (parameters.has(control.name)) control.value = parameters.get(control.name) ?? "";
      }
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
