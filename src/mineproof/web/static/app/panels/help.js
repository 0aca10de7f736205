/**
 * Help: a dialog with the keys of a screen and a way to the course. The key ? opens it, Escape closes it.
 *
 * @typedef {[key: string, action: string][]} Keys names of keys and the keys of their texts
 */
import { h } from "../dom.js";
import { t } from "../messages.js";
import { PLAY_KEYS } from "./options.js";
import { button } from "./parts.js";

/** @type {Keys} */
const EVERYWHERE = [
  ["?", "page-key-help"],
  ["Esc", "page-key-close"],
];

/** @type {Keys} */
const BOARD = [
  ["page-key-arrows", "page-key-move"],
  ["page-key-enter", "page-key-open"],
  ["F", "page-key-flag"],
  ["C", "page-key-chord"],
];

/** @type {Record<string, Keys>} */
const SCREENS = {
  play: [...PLAY_KEYS, [", .", "page-key-sentence"]],
  analyse: [
    ["page-key-arrows", "page-key-move"],
    ["0 – 8", "page-key-number"],
    ["F", "page-key-flag"],
    ["H", "page-key-hint"],
    ["D", "page-key-deductions"],
    ["B", "page-key-best"],
    ["O", "page-key-odds"],
    ["U", "page-key-undo"],
  ],
  practise: [...BOARD, ["N", "page-key-next-puzzle"], ["S", "page-key-solution"]],
  learn: [...BOARD, ["N", "page-key-next-lesson"]],
};

/** Open it for a screen. @param {string} screen */
export function openHelp(screen) {
  if (document.querySelector("dialog[open]")) return;
  const rows = [...(SCREENS[screen] ?? []), ...EVERYWHERE].map(([name, action]) =>
    h("div", {}, h("dt", {}, h("kbd", {}, name.startsWith("page-") ? t(name) : name)), h("dd", {}, t(action))),
  );
  const heading = h("h2", { id: "help-title" }, t("page-help-keys"));
  const close = button(t("page-close"), () => dialog.close(), { class: "primary", autofocus: true });
  const course = h("a", { href: "#/learn", onclick: () => dialog.close() }, t("page-help-course"));
  const dialog = h(
    "dialog",
    { class: "help-dialog", "aria-labelledby": "help-title", onclose: () => dialog.remove() },
    h("div", { class: "stack" }, heading, h("dl", { class: "key-list" }, rows), h("p", {}, course), h("div", { class: "row" }, close)), // prettier-ignore
  );
  document.body.append(dialog);
  dialog.showModal();
}
