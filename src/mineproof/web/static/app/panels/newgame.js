/**
 * The choice of a game: size, shape of the board, first click, fairness, no guess; each explained where it is chosen.
 */
import { field, fill, h, select } from "../dom.js";
import { change, settings } from "../settings.js";
import { FAIRNESSES, FIRST_CLICKS, LEVELS, TOPOLOGIES } from "../words.js";

const SIDES = /** @type {const} */ (["columns", "rows", "mines"]);
const MOST = { columns: 200, rows: 200, mines: 9999 };
const NO_GUESS =
  "A board that can be won by reasoning from your first click on. It is made when you click, which may take a second or two on expert.";

/** What is asked of the server for a game. */
export function wanted() {
  const { level, rows, columns, mines, topology, first_click, fairness, chord_rule, no_guess } = settings;
  const size = level === "custom" ? { rows, columns, mines } : { level };
  return { ...size, topology, first_click, fairness, chord_rule, no_guess };
}

/** The chosen game in few words. */
export function summary() {
  const { level, rows, columns, mines, topology, fairness, no_guess } = settings;
  const name = LEVELS.find(([value]) => value === level)?.[1].split(" ")[0] ?? "";
  const parts = [level === "custom" ? `${columns}×${rows}, ${mines} mines` : name];
  if (topology !== "grid") parts.push(TOPOLOGIES.find(([value]) => value === topology)?.[1].toLowerCase() ?? "");
  if (no_guess) parts.push("no guess");
  if (fairness !== "none") parts.push(FAIRNESSES.find(([value]) => value === fairness)?.[1].toLowerCase() ?? "");
  return parts.join(" · ");
}

/**
 * A select whose explanation follows the choice.
 * @param {string} label @param {[string, string, string][]} options @param {"topology" | "first_click" | "fairness"} name
 */
function explained(label, options, name) {
  const help = h("span", {});
  const tell = () => (help.textContent = options.find(([value]) => value === settings[name])?.[2] ?? "");
  const control = select(options.map(([value, words]) => [value, words]), settings[name], (value) => {
    change({ [name]: value });
    tell();
  }); // prettier-ignore
  tell();
  return field(label, control, help);
}

/**
 * @param {string} words @param {string} help @param {keyof import("../settings.js").Settings} name
 * @param {() => void} [changed]
 */
export function tick(words, help, name, changed) {
  const box = h("input", {
    type: "checkbox",
    checked: Boolean(settings[name]),
    onchange: () => {
      change({ [name]: box.checked });
      changed?.();
    },
  });
  return h("label", { class: "tick" }, box, h("span", {}, words, help && h("small", {}, help)));
}

/**
 * The dialog. It changes the settings as they are chosen; `begin` is called when a game is asked for.
 * @param {() => void} begin
 */
export function newGameDialog(begin) {
  const sizes = h("div", { class: "row" });
  const wrong = h("p", { class: "bad", role: "alert", hidden: true });
  const form = h("form", { method: "dialog" });
  const dialog = h("dialog", { "aria-labelledby": "new-game" }, form);

  const showSizes = () => {
    sizes.hidden = settings.level !== "custom";
    const inputs = SIDES.map((name) => {
      const input = h("input", {
        type: "number",
        min: 1,
        max: MOST[name],
        value: settings[name],
        inputmode: "numeric",
      });
      input.addEventListener("input", () => change({ [name]: Math.max(1, Math.round(Number(input.value) || 1)) }));
      return field(name === "columns" ? "Columns" : name === "rows" ? "Rows" : "Mines", input);
    });
    fill(sizes, inputs);
  };

  form.addEventListener("submit", (event) => {
    const { rows, columns, mines, level } = settings;
    const fault =
      level !== "custom" ? "" :
      rows * columns > 10_000 ? `${columns}×${rows} is ${rows * columns} cells; the most is 10,000.` :
      mines >= rows * columns ? `${mines} mines on ${rows * columns} cells leave nothing to open; the most is ${rows * columns - 1}.` : ""; // prettier-ignore
    wrong.hidden = !fault;
    wrong.textContent = fault;
    if (fault) event.preventDefault();
    else begin();
  });

  return {
    element: dialog,
    open() {
      fill(
        form,
        h("h2", { id: "new-game" }, "New game"),
        field("Level", select(LEVELS, settings.level, (value) => {
          change({ level: value });
          showSizes();
        })), // prettier-ignore
        sizes,
        wrong,
        tick("No guess needed", NO_GUESS, "no_guess"),
        explained("First click", FIRST_CLICKS, "first_click"),
        explained("Fairness", FAIRNESSES, "fairness"),
        explained("Board", TOPOLOGIES, "topology"),
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: "primary" }, "Start"),
          h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
        ),
      );
      showSizes();
      dialog.showModal();
    },
  };
}
