/**
 * Size, topology and total of the position, and what its flags mean.
 *
 * @typedef {import("../editor.js").Position} Position
 */
import { MOST_CELLS, cleared, resized } from "../editor.js";
import { h, select } from "../dom.js";
import { TOPOLOGIES } from "../words.js";
import { button } from "./parts.js";

/**
 * @param {import("../main.js").Page} page
 * @param {{now: () => Position, edit: (position: Position, typing?: boolean) => void, trust: (flags: string) => void}} editor
 */
export function shape(page, { now, edit, trust }) {
  const number = (/** @type {string} */ event, /** @type {() => void} */ act) => h("input", { type: "number", min: 0, [`on${event}`]: act }); // prettier-ignore
  const resize = () => {
    const [high, wide] = [Math.floor(rows.valueAsNumber), Math.floor(columns.valueAsNumber)];
    if (high >= 1 && wide >= 1 && high * wide <= MOST_CELLS) edit(resized(now(), high, wide));
    else page.notify(`Found ${rows.value || 0} × ${columns.value || 0} cells, expected 1 to ${MOST_CELLS} in all.`, "error"); // prettier-ignore
    update();
  };
  const [rows, columns] = [number("change", resize), number("change", resize)];
  const mines = number("input", () => {
    const count = mines.valueAsNumber;
    const wrong = mines.value !== "" && !(Number.isInteger(count) && count >= 0);
    mines.setCustomValidity(wrong ? "A whole number from 0 on, or nothing." : "");
    if (!mines.reportValidity()) return;
    edit({ ...now(), mines: mines.value === "" ? null : count }, true);
  });
  mines.placeholder = "?";
  const kinds = TOPOLOGIES.map(([name, words]) => /** @type {[string, string]} */ ([name, words]));
  const topology = select(kinds, "grid", (value) => edit({ ...now(), topology: /** @type {any} */ (value) }));
  const flags = select([["trust", "Are mines"], ["ignore", "Are ignored"]], "trust", trust); // prettier-ignore
  const update = () => {
    const { mines: count, ...shown } = now();
    [rows.value, columns.value, topology.value] = [String(shown.rows), String(shown.columns), shown.topology];
    if (document.activeElement !== mines || count !== null) mines.value = String(count ?? "");
  };
  const fields = Object.entries({
    Rows: rows,
    Columns: columns,
    "Mines in all": mines,
    "Board shape": topology,
    Flags: flags,
  });
  const labels = fields.map(([words, control]) => h("label", { class: "field" }, h("span", {}, words), control));
  const help = "Leave the mines empty if nobody knows. A smaller size cuts off cells on the right and below.";
  const clear = button("Cover every cell", () => edit(cleared(now())));
  const parts = [h("h2", {}, "Position"), h("div", { class: "row" }, labels), h("p", { class: "help" }, help), clear];
  return { element: h("section", { class: "panel" }, parts), update };
}
