/**
 * The keys of Play, for the settings panel and the help.
 */
import { h } from "../dom.js";
import { t } from "../messages.js";

/** @type {[key: string, action: string][]} */
export const PLAY_KEYS = [
  ["page-key-arrows", "page-key-move"],
  ["page-key-enter", "page-key-open"],
  ["F", "page-key-flag"],
  ["C", "page-key-chord"],
  ["H", "page-key-hint"],
  ["B", "page-key-best"],
  ["O", "page-key-odds"],
  ["A", "page-key-autoplay"],
  ["U", "page-key-undo"],
  ["P", "page-key-pause"],
  ["N", "page-key-new"],
  ["1 2 3", "page-key-levels"],
  ["G", "page-key-again"],
];

export const keysHelp = () =>
  h(
    "details",
    {},
    h("summary", {}, t("page-keys")),
    h(
      "div",
      { class: "keys" },
      PLAY_KEYS.map(([name, action]) => h("span", {}, h("kbd", {}, t(name)), " ", t(action))),
    ),
    h("p", { class: "help" }, t("page-keys-help")),
  );
