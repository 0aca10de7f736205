/**
 * The settings panel: one dialog for all screens, built from the list in `settings.js`. A change applies at once. The
 * document gets a "settingchange" event with the name of the setting.
 */
import { fill, h, iconButton, newId, toggle } from "../dom.js";
import { language, t } from "../messages.js";
import { SETTINGS_PANEL, change, settings } from "../settings.js";
import { isLocal } from "../transport.js";
import { dataSection } from "./data.js";
import { keysHelp } from "./options.js";
import { segments } from "./parts.js";

/** Store a setting and tell the page. @param {string} name @param {unknown} value */
function store(name, value) {
  change({ [name]: value });
  document.dispatchEvent(new CustomEvent("settingchange", { detail: name }));
}

/** @param {import("../settings.js").Entry} entry */
function control({ name, label, help, choices, values }) {
  const text = t(label);
  if (choices) {
    const options = choices.map(([value, key]) => /** @type {[string, string]} */ ([value, t(key)]));
    return segments(text, options, String(settings[name]), (value) => store(name, value));
  }
  const isOn = values ? settings[name] === values[1] : Boolean(settings[name]);
  return toggle(text, isOn, (on) => store(name, values ? values[Number(on)] : on), help && t(help));
}

/** @param {[code: string, name: string][]} languages @param {() => void} reload after another language was chosen */
export function settingsPanel(languages, reload) {
  const title = newId();
  const dialog = h("dialog", { class: "settings", "aria-labelledby": title });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside the panel
  });
  const chooseLanguage = (/** @type {string} */ code) => {
    change({ language: code });
    reload();
  };
  return {
    element: dialog,
    open() {
      const sections = SETTINGS_PANEL.map(([key, entries]) =>
        h("section", { "aria-label": t(key) }, h("h3", {}, t(key)), entries.map(control)),
      );
      fill(
        dialog,
        h(
          "div",
          { class: "sheet" },
          h(
            "h2",
            { id: title },
            t("page-settings"),
            iconButton("close", t("page-close"), () => dialog.close(), { class: "plain push" }),
          ),
          sections,
          h(
            "section",
            { "aria-label": t("page-settings-more") },
            h("h3", {}, t("page-settings-more")),
            segments(t("page-language"), languages, language(), chooseLanguage),
            keysHelp(),
            !isLocal && h("p", {}, h("a", { href: "#/api", onclick: () => dialog.close() }, t("page-settings-api"))),
          ),
          isLocal && dataSection(),
        ),
      );
      dialog.showModal();
    },
  };
}
