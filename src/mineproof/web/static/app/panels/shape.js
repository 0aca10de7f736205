/**
 * Size, topology and total of the position, and what its flags mean.
 *
 * @typedef {import("../editor.js").Position} Position
 */
import { MAX_CELLS, cleared, reshaped, resized } from "../editor.js";
import { fits } from "../board/shape.js";
import { h } from "../dom.js";
import { topologies } from "../format.js";
import { number as formatted, t } from "../messages.js";
import { listBox } from "./listbox.js";
import { button, segments } from "./parts.js";

/**
 * @param {import("../main.js").Page} page
 * @param {{now: () => Position, edit: (position: Position, typing?: boolean) => void, trust: (flags: string) => void}} editor
 */
export function shape(page, { now, edit, trust }) {
  const number = (/** @type {string} */ event, /** @type {() => void} */ act) => h("input", { type: "number", min: 0, [`on${event}`]: act }); // prettier-ignore
  const resize = () => {
    const [high, wide] = [Math.floor(rows.valueAsNumber), Math.floor(columns.valueAsNumber)];
    const { topology: form } = now();
    if (!fits({ rows: high, columns: wide, topology: form })) {
      page.notify(t(form === "cube" ? "page-size-cube" : "page-size-sphere"), "error");
    } else if (high >= 1 && wide >= 1 && high * wide <= MAX_CELLS) edit(resized(now(), high, wide));
    else page.notify(t("page-size-limit", { rows: rows.value || 0, columns: columns.value || 0, most: formatted(MAX_CELLS) }), "error"); // prettier-ignore
    update();
  };
  const [rows, columns] = [number("change", resize), number("change", resize)];
  const mines = number("input", () => {
    const count = mines.valueAsNumber;
    const wrong = mines.value !== "" && !(Number.isInteger(count) && count >= 0);
    mines.setCustomValidity(wrong ? t("page-mines-invalid") : "");
    if (!mines.reportValidity()) return;
    edit({ ...now(), mines: mines.value === "" ? null : count }, true);
  });
  mines.placeholder = "?";
  const kinds = topologies().map(([name, label]) => /** @type {[string, string]} */ ([name, label]));
  const reshape = (/** @type {string} */ value) => edit(reshaped(now(), /** @type {any} */ (value)));
  const topology = listBox(t("page-board-shape"), kinds, "grid", reshape);
  const flags = segments(t("page-flags"), [["trust", t("page-flags-trust")], ["ignore", t("page-flags-ignore")]], "trust", trust); // prettier-ignore
  const update = () => {
    const { mines: count, ...shown } = now();
    [rows.value, columns.value] = [String(shown.rows), String(shown.columns)];
    topology.show(shown.topology);
    if (document.activeElement !== mines || count !== null) mines.value = String(count ?? "");
  };
  /** @type {[string, HTMLElement][]} */
  const fields = [
    [t("page-rows"), rows],
    [t("page-columns"), columns],
    [t("page-mines-total"), mines],
  ];
  const labels = fields.map(([text, control]) => h("label", { class: "field" }, h("span", {}, text), control));
  const help = t("page-position-help");
  const clear = button(t("page-cover-all"), () => edit(cleared(now())));
  const parts = [
    h("h2", {}, t("page-position")),
    h("div", { class: "row" }, labels),
    topology,
    flags,
    h("p", { class: "help" }, help),
    clear,
  ];
  return { element: h("section", { class: "panel" }, parts), update };
}
