// The texts of the page as the server sends them, read from the catalogues. Importing this module chooses English.
import { readFileSync } from "node:fs";
import { useMessages } from "../../src/mineproof/web/static/app/messages.js";

const WORDING = new URL("../../src/mineproof/wording/", import.meta.url);

/** The messages of a gettext file whose keys begin with "page-". @param {string} code @returns {Record<string, string | string[]>} */
export function pageMessages(code) {
  const text = readFileSync(new URL(`${code}.po`, WORDING), "utf-8");
  const entries = text.split(/\n{2,}/).map((block) => {
    const key = /^msgid (".*")$/m.exec(block)?.[1];
    const forms = [...block.matchAll(/^msgstr(?:\[\d\])? (".*")$/gm)].map((match) => JSON.parse(match[1] ?? '""'));
    return [key ? JSON.parse(key) : "", forms.length === 1 ? forms[0] : forms];
  });
  return Object.fromEntries(entries.filter(([key]) => key.startsWith("page-")));
}

/** Let the page speak a language. @param {string} code */
export const useCatalogue = (code) => useMessages({ language: code, messages: pageMessages(code) });

useCatalogue("en");
