/**
 * All games and ratings as one file, on a page that keeps them in this browser: a section of the settings panel.
 */
import { download, h } from "../dom.js";
import { errorText } from "../format.js";
import { t } from "../messages.js";
import { restoreData, saveData } from "../transport.js";
import { button } from "./parts.js";

const FILE = "mineproof-data.zip";

/** @returns {HTMLElement} */
export function dataSection() {
  const state = h("p", { class: "quiet", role: "status" });
  const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".zip", hidden: true }));
  const attempt = (/** @type {() => Promise<void>} */ work) =>
    work().catch((error) => {
      state.textContent = errorText(error);
    });
  const save = async () => download(await saveData(), FILE);
  const restore = async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    await restoreData(chosen);
    location.reload(); // the games of the page are others now
  };
  file.addEventListener("change", () => void attempt(restore));
  return h(
    "section",
    { "aria-label": t("page-data") },
    h("h3", {}, t("page-data")),
    h("p", { class: "quiet" }, t("page-data-help")),
    h(
      "div",
      { class: "row" },
      button(t("page-data-save"), () => void attempt(save)),
      button(t("page-data-restore"), () => file.click()),
      file,
    ),
    state,
  );
}
