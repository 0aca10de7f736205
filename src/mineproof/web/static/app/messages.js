/**
 * The texts of the page by key, in the reader's language. They come from the message catalogues of the package, which
 * the server sends as one JSON file per language: see `mineproof/web/pages.py`. Keys are always written out in full, so
 * that they can be searched for and a test can compare them with the catalogues.
 *
 * @typedef {{language: string, messages: Record<string, string | string[]>}} Messages a list holds plural forms
 * @typedef {Record<string, string | number>} Fields
 */

/** In the order in which gettext lists the plural forms of a language. @type {Intl.LDMLPluralRule[]} */
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** @type {Messages} */
let current = { language: "en", messages: {} };
let pluralRules = new Intl.PluralRules("en");
/** @type {Map<string, Intl.NumberFormat>} */
const formatters = new Map();

/** Choose the texts that `t` and `tn` return. @param {Messages} messages */
export function useMessages(messages) {
  current = messages;
  pluralRules = new Intl.PluralRules(messages.language);
  formatters.clear();
}

/** The code of the reader's language. */
export const language = () => current.language;

/** The reader's own variant of the language, such as "en-GB", for dates. */
export const locale = () => navigator.languages.find((code) => code.split("-")[0] === language()) ?? language();

/** The text of a key. @param {string} key @param {Fields} [fields] */
export function t(key, fields = {}) {
  const text = current.messages[key] ?? key;
  return fillIn(typeof text === "string" ? text : (text.at(-1) ?? key), fields);
}

/** The text of a key for a count, which is also the field `{count}`. @param {string} key @param {number} count @param {Fields} [fields] */
export function tn(key, count, fields = {}) {
  const forms = [current.messages[key] ?? key].flat();
  const { pluralCategories } = pluralRules.resolvedOptions();
  const known = CATEGORIES.filter((category) => pluralCategories.includes(category));
  const form = Math.min(known.indexOf(pluralRules.select(count)), forms.length - 1);
  return fillIn(forms[form] ?? key, { count: number(count), ...fields });
}

/** @param {string} text @param {Fields} fields */
const fillIn = (text, fields) => text.replace(/\{(\w+)\}/g, (field, name) => String(fields[name] ?? field));

/** A number as the language writes it, with a fixed number of decimals. @param {number} value @param {number} [digits] */
export const number = (value, digits = 0) => rounded(value, digits, digits);

/** A number with a limited number of decimals. @param {number} value @param {number} most @param {number} [least] */
export function rounded(value, most, least = 0) {
  const name = `${least}-${most}`;
  let formatter = formatters.get(name);
  if (!formatter) {
    const options = { minimumFractionDigits: least, maximumFractionDigits: most };
    formatters.set(name, (formatter = new Intl.NumberFormat(current.language, options)));
  }
  return formatter.format(value);
}

/**
 * The first language that the reader prefers and the page has, else English.
 * @param {readonly string[]} preferred such as "de-AT" @param {string[]} available
 */
export const pickLanguage = (preferred, available) =>
  preferred.map((code) => code.toLowerCase().split("-")[0] ?? "").find((code) => available.includes(code)) ?? "en";
