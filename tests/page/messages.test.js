// The texts of the page: every key is there in every language, none is unused, and fields and plurals are filled in.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { number, pickLanguage, rounded, t, tn, useMessages } from "../../src/mineproof/web/static/app/messages.js";
import { pageMessages, useCatalogue } from "./catalogue.js";

const APP = new URL("../../src/mineproof/web/static/app/", import.meta.url);
const LANGUAGES = ["en", "de"];

/** The keys that the modules of the page name. */
function usedKeys() {
  const names = readdirSync(APP, { recursive: true }).filter((name) => name.endsWith(".js"));
  const texts = names.map((name) => readFileSync(new URL(name, APP), "utf-8"));
  return new Set(texts.flatMap((text) => [...text.matchAll(/"(page-[a-z0-9-]+)"/g)].map((match) => match[1])));
}

test("every key is in every catalogue, and no message is unused", () => {
  const used = [...usedKeys()].sort();
  assert(used.length > 300);
  for (const code of LANGUAGES) assert.deepEqual(Object.keys(pageMessages(code)).sort(), used, code);
});

test("keys are written out, so that they can be searched for", () => {
  const names = readdirSync(APP, { recursive: true }).filter((name) => name.endsWith(".js"));
  for (const name of names) assert(!/`page-/.test(readFileSync(new URL(name, APP), "utf-8")), name);
});

test("translations have the fields and the plural forms of the English text", () => {
  const fields = (/** @type {string | string[]} */ text) =>
    [text].flat().map((form) => [...new Set(form.match(/\{\w+\}/g) ?? [])].sort());
  const english = pageMessages("en");
  for (const code of LANGUAGES)
    for (const [key, text] of Object.entries(pageMessages(code))) {
      assert.deepEqual(fields(text).at(-1), fields(english[key] ?? "").at(-1), `${code}: ${key}`);
      assert.equal(Array.isArray(text), Array.isArray(english[key]), `${code}: ${key}`);
    }
});

test("fields and counts are filled in", () => {
  useCatalogue("en");
  assert.equal(t("page-game", { number: 12 }), "Game 12");
  assert.equal(t("page-game"), "Game {number}", "a missing field is seen");
  assert.deepEqual([1, 2].map((count) => tn("page-mines-left", count)), ["1 mine left", "2 mines left"]); // prettier-ignore
  assert.equal(tn("page-simulate-stopped", 1234567, { played: "1" }), "Stopped at 1 of 1,234,567 games.");
  useCatalogue("de");
  assert.deepEqual([0, 1].map((count) => tn("page-mines-left", count)), ["0 Minen übrig", "1 Mine übrig"]); // prettier-ignore
  assert.deepEqual([number(1234.5, 1), rounded(0.5, 3)], ["1.234,5", "0,5"]);
  useCatalogue("en");
});

test("a language with three plural forms", () => {
  useMessages({ language: "pl", messages: { "page-x": ["{count} mina", "{count} miny", "{count} min"] } });
  assert.deepEqual([1, 2, 5, 22].map((count) => tn("page-x", count)), ["1 mina", "2 miny", "5 min", "22 miny"]); // prettier-ignore
  useCatalogue("en");
});

test("the first language that the reader prefers and the page has", () => {
  assert.equal(pickLanguage(["", "fr-FR", "de-AT", "en"], LANGUAGES), "de");
  assert.equal(pickLanguage(["en", "de-DE"], LANGUAGES), "en", "the setting comes first");
  assert.equal(pickLanguage(["fr", "xx"], LANGUAGES), "en");
  assert.equal(pickLanguage([], LANGUAGES), "en");
});
