/**
 * The choice of a game: size, shape of the board, first click, fairness, no guess; each explained where it is chosen.
 */
import { field, fill, h, select } from "../dom.js";
import { change, settings } from "../settings.js";
import { FAIRNESSES, FIRST_CLICKS, LEVELS, TOPOLOGIES } from "../words.js";
import { button } from "./parts.js";

const MOST = 10_000; // cells
const NO_GUESS =
  "A board that can be won by reasoning from your first click on. It is made when you click, which may take a second or two on expert.";

/** Sizes that have names: rows, columns, mines. @type {Record<string, [number, number, number]>} */
const NAMED = { Beginner: [9, 9, 10], Intermediate: [16, 16, 40], Expert: [16, 30, 99] };

/** What is asked of the server for a game. */
export function wanted() {
  const { level, rows, columns, mines, topology, first_click, fairness, chord_rule, no_guess } = settings;
  const size = level === "custom" ? { rows, columns, mines } : { level };
  return { ...size, topology, first_click, fairness, chord_rule, no_guess };
}

/** The size of a game in few words. @param {import("../api.js").Document} view */
export function summary({ rows, columns, total_mines: mines, topology }) {
  const size = String([rows, columns, mines]);
  const name = Object.keys(NAMED).find((one) => String(NAMED[one]) === size) ?? `${columns}×${rows}, ${mines} mines`;
  const shape = TOPOLOGIES.find(([value]) => value === topology)?.[1] ?? "";
  return topology === "grid" ? name : `${name} · ${shape.toLowerCase()}`;
}

/**
 * The dialog. Nothing is changed before a game is asked for, by `begin`.
 * @param {() => void} begin
 */
export function newGameDialog(begin) {
  const form = h("form", { method: "dialog" });
  const dialog = h("dialog", { "aria-labelledby": "new-game" }, form);
  const wrong = h("p", { class: "bad", role: "alert" });
  const sizes = h("div", { class: "row" });
  /** @type {import("../settings.js").Settings} */
  let draft = { ...settings };

  /** @param {string} label @param {[string, string, string][]} options @param {"topology" | "first_click" | "fairness"} name */
  const explained = (label, options, name) => {
    const help = h("span", {});
    const tell = () => (help.textContent = options.find(([value]) => value === draft[name])?.[2] ?? "");
    const control = select(options.map(([value, words]) => [value, words]), draft[name], (value) => {
      draft[name] = value;
      tell();
    }); // prettier-ignore
    tell();
    return field(label, control, help);
  };

  /** @param {string} label @param {"rows" | "columns" | "mines"} name */
  const number = (label, name) => {
    const input = h("input", { type: "number", min: 1, max: MOST, step: 1, value: draft[name], inputmode: "numeric", required: true }); // prettier-ignore
    input.addEventListener("input", () => (draft[name] = Number(input.value)));
    return field(label, input);
  };

  const chooseLevel = (/** @type {string} */ value) => {
    draft.level = value;
    sizes.hidden = value !== "custom";
    for (const input of sizes.querySelectorAll("input")) input.disabled = sizes.hidden; // what is hidden is not checked
  };

  form.addEventListener("submit", (event) => {
    wrong.textContent = fault(draft);
    if (wrong.textContent) {
      event.preventDefault();
      return;
    }
    const { level, rows, columns, mines, topology, first_click, fairness, no_guess } = draft;
    change({ level, rows, columns, mines, topology, first_click, fairness, no_guess });
    begin();
  });

  return {
    element: dialog,
    open() {
      draft = { ...settings };
      wrong.textContent = "";
      const guess = h("input", { type: "checkbox", checked: draft.no_guess });
      guess.addEventListener("change", () => (draft.no_guess = guess.checked));
      fill(sizes, number("Columns", "columns"), number("Rows", "rows"), number("Mines", "mines"));
      fill(
        form,
        h("h2", { id: "new-game" }, "New game"),
        field("Level", select(LEVELS, draft.level, chooseLevel)),
        sizes,
        wrong,
        h("label", { class: "tick" }, guess, h("span", {}, "No guess needed", h("small", {}, NO_GUESS))),
        explained("First click", FIRST_CLICKS, "first_click"),
        explained("Fairness", FAIRNESSES, "fairness"),
        explained("Board shape", TOPOLOGIES, "topology"),
        h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Start"), button("Cancel", () => dialog.close())),
      ); // prettier-ignore
      chooseLevel(draft.level);
      dialog.showModal();
    },
  };
}

/** Why there can be no such game, or nothing. @param {import("../settings.js").Settings} draft */
function fault({ level, rows, columns, mines }) {
  const cells = rows * columns;
  if (level !== "custom") return "";
  if (cells > MOST) return `${columns}×${rows} is ${cells} cells; the most is ${MOST}.`;
  if (mines >= cells) return `${mines} mines on ${cells} cells leave nothing to open; the most is ${cells - 1}.`;
  return "";
}
