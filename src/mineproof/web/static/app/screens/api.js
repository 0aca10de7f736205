/**
 * The HTTP API to read: made from the OpenAPI document of the server, so it says what the server does.
 */
import { openapi } from "../api.js";
import { fill, h } from "../dom.js";
import { table } from "../panels/parts.js";
import { failure } from "../words.js";

/** @returns {import("../main.js").Screen} */
export function create() {
  const list = h("div", { class: "api" }, h("p", { class: "quiet" }, "Loading …"));
  const top = h(
    "section",
    { class: "panel" },
    h("h1", {}, "The HTTP API"),
    h("p", {}, "What this page asks, any program may ask: questions are answered with the JSON of the commands."),
    h("pre", { tabindex: "0" }, example()),
    h("p", {}, h("a", { href: "/api/v1/openapi.json" }, "The same as an OpenAPI 3.1 document")),
  );
  const show = async () => {
    if (list.querySelector("details")) return;
    try {
      fill(list, routes(await openapi()));
    } catch (error) {
      fill(list, h("p", { class: "bad" }, failure(error)));
    }
  };
  return { element: h("div", { class: "page" }, top, list), show };
}

const example = () =>
  `curl -s ${location.origin}/api/v1/analyze \\\n  -H 'Content-Type: application/json' -d '{"board": "1#/##", "mines": 1}'`;

/** @param {import("../api.js").Document} document_ */
function routes({ paths, components }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => {
      const body = route.requestBody?.content["application/json"]?.schema.$ref?.split("/").pop();
      const rows = [
        ...(route.parameters ?? []).map((/** @type {any} */ one) => [one.name, kind(one.schema), told(one.schema)]),
        ...Object.entries(components.schemas[body]?.properties ?? {}).map(([name, schema]) => [name, kind(schema), told(schema)]),
      ];
      return h(
        "details",
        { class: "panel" },
        h("summary", {}, h("code", {}, `${method.toUpperCase()} ${path}`), " ", h("span", { class: "quiet" }, route.summary)),
        rows.length ? h("div", { class: "scroll" }, table(["Key", "Type", "Meaning"], rows)) : h("p", { class: "quiet" }, "It takes nothing but its path."),
        h("p", { class: "quiet" }, answers(route.responses)),
      );
    }),
  ); // prettier-ignore
}

/** The type of a value in few words. @param {any} schema @returns {string} */
function kind(schema) {
  if (schema.enum) return schema.enum.join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return [...new Set(several.map(kind))].filter((one) => one !== "null").join(" or ");
  if (schema.type === "array") return "list";
  return schema.contentEncoding ?? schema.type ?? "any";
}

/** What a value means, and what it is unless given. @param {any} schema @returns {string} */
function told(schema) {
  const said = schema.description ?? schema.anyOf?.map((/** @type {any} */ one) => one.description).find(Boolean) ?? "";
  const unless = schema.default;
  return unless === undefined || unless === null || unless === "" ? said : `${said} Unless given: ${unless}.`.trim();
}

/** @param {Record<string, any>} responses */
function answers(responses) {
  const [good, ...bad] = Object.entries(responses);
  const content = good?.[1].content ?? {};
  const schemas = JSON.stringify(content).match(/answer\.\w+/g) ?? [];
  const names = [...new Set(schemas)].map((name) => `mineproof/${name.slice(7)}/1`).join(", ");
  const types = Object.keys(content).filter((one) => one !== "application/json").join(", ");
  return `Answers ${good?.[0]}${names ? ` with ${names}` : ""}${types ? ` (${types})` : ""}; errors ${bad.map(([status]) => status).join(", ")}.`;
} // prettier-ignore
