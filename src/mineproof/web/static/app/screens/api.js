/**
 * The HTTP API to read: made from the OpenAPI document of the server, so it is always true.
 */
import { openapi, openapiPage } from "../api.js";
import { fill, h, withCode } from "../dom.js";
import { table } from "../panels/parts.js";
import { errorText } from "../format.js";
import { t } from "../messages.js";

/** @returns {import("../main.js").Screen} */
export function create() {
  const list = h("div", { class: "api" }, h("p", { class: "quiet" }, t("page-loading")));
  const top = h(
    "section",
    { class: "panel" },
    h("h1", {}, t("page-api-title")),
    h("p", {}, t("page-api-help")),
    h("pre", { tabindex: "0" }, example()),
    h("p", {}, h("a", { href: openapiPage() }, t("page-api-openapi"))),
  );
  const show = async () => {
    if (list.querySelector("details")) return;
    try {
      fill(list, routes(await openapi()));
    } catch (error) {
      fill(list, h("p", { class: "bad" }, errorText(error)));
    }
  };
  return { element: h("div", { class: "page" }, top, list), show };
}

const example = () =>
  `curl -s ${location.origin}/api/v1/analyze \\\n  -H 'Content-Type: application/json' -d '{"board": "1#/##", "mines": 1}'`;

/** @param {any} document_ */
function routes({ paths, components }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => {
      const body = route.requestBody?.content["application/json"]?.schema.$ref?.split("/").pop();
      const rows = [
        ...(route.parameters ?? []).map((/** @type {any} */ one) => [one.name, kind(one.schema), withCode(meaning(one.schema))]),
        ...Object.entries(components.schemas[body]?.properties ?? {}).map(([name, schema]) => [name, kind(schema), withCode(meaning(schema))]),
      ];
      return h(
        "details",
        { class: "panel" },
        h("summary", {}, h("code", {}, `${method.toUpperCase()} ${path}`), " ", h("span", { class: "quiet" }, withCode(route.summary))),
        rows.length ? h("div", { class: "scroll" }, table([t("page-column-key"), t("page-column-type"), t("page-column-meaning")], rows)) : h("p", { class: "quiet" }, t("page-api-no-parameters")),
        h("p", { class: "quiet" }, answers(route.responses, components)),
      );
    }),
  ); // prettier-ignore
}

/** The type of a value in few words. @param {any} schema @returns {string} */
function kind(schema) {
  if (schema.enum) return schema.enum.join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return [...new Set(several.map(kind))].filter((one) => one !== "null").join(" | ");
  if (schema.type === "array") return "list";
  return schema.contentEncoding ?? schema.type ?? "any";
}

/** What a value means, and its default. @param {any} schema @returns {string} */
function meaning(schema) {
  const description =
    schema.description ?? schema.anyOf?.map((/** @type {any} */ one) => one.description).find(Boolean) ?? "";
  const { default: value } = schema;
  if (value === undefined || value === null || value === "") return description;
  return `${description} ${t("page-api-default", { value })}`.trim();
}

/** @param {Record<string, {content?: Record<string, unknown>}>} responses @param {any} components of the document */
function answers(responses, components) {
  const [good, ...bad] = Object.entries(responses);
  const content = good?.[1].content ?? {};
  const kinds = JSON.stringify(content).match(/\w+(?="})/g) ?? [];
  const names = [...new Set(kinds.map((one) => components.schemas[one]?.properties?.schema?.enum?.[0]))].filter(Boolean).join(", ");
  const types = Object.keys(content).filter((one) => one !== "application/json").join(", ");
  const returned = [good?.[0], names, types && `(${types})`].filter(Boolean).join(" ");
  return t("page-api-returns", { returned, errors: bad.map(([status]) => status).join(", ") });
} // prettier-ignore
