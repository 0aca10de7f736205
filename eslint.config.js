// What eslint refuses in the page's JavaScript. Names and types are tsc's business; tests/page/gates.test.js tries both.
import js from "@eslint/js";

const PAGE = "src/mineproof/web/static/**/*.js";
const LESSON = "src/mineproof/lessons/*.js"; // is embedded in pages that send no requests
const API = "src/mineproof/web/static/app/{api,transport,local/engine}.js";
const SITE = "site/*.js"; // loads the engine of the static site, which has no server

// Only these modules talk to the server, so that something else can answer in its place.
const ASKING = ["fetch", "EventSource", "XMLHttpRequest", "WebSocket", "WebTransport"].map((name) => ({
  name,
  message: "Only app/api.js and its transports talk to a server.",
}));
const BEACON = { property: "sendBeacon", message: "Only app/api.js and its transports talk to a server." };

// Names that every window has: mostly a variable that was forgotten.
const WINDOW = ["blur", "close", "event", "external", "find", "focus", "length", "name", "open", "origin", "parent"]
  .concat(["print", "screen", "scroll", "status", "stop", "top"])
  .map((name) => ({ name, message: `Say window.${name} if it is meant.` }));

// Text never becomes elements: build them, and set textContent.
const MARKUP =
  "/^(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe|srcdoc)$/";
const SYNTAX = [
  { selector: `MemberExpression[property.name=${MARKUP}]`, message: "Build elements; set textContent." },
  { selector: `MemberExpression[property.value=${MARKUP}]`, message: "Build elements; set textContent." },
  { selector: `Property[key.name=${MARKUP}]`, message: "Build elements; set textContent." },
  {
    selector: "MemberExpression[object.name='document'][property.name=/^write(ln)?$/]",
    message: "Build elements; set textContent.",
  },
  {
    selector: "CallExpression[callee.property.name='setAttribute'][arguments.0.value=/^(style$|on)/]",
    message: "The Content-Security-Policy refuses it: use a class, element.style or addEventListener.",
  },
];

export default [
  { ignores: [".venv/", "build/", "dist/", "site/node_modules/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: { setInterval: "readonly", setTimeout: "readonly" } }, // no-implied-eval needs them
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // tsc knows better
      "no-unused-vars": "error",
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
    },
  },
  {
    files: [PAGE, LESSON, SITE],
    rules: {
      "no-alert": "error",
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "no-restricted-globals": ["error", ...WINDOW, ...ASKING],
      "no-restricted-properties": ["error", ...onWindow(ASKING), BEACON],
      "no-restricted-syntax": ["error", ...SYNTAX],
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^(?!\\.{1,2}/)", message: "A browser finds modules by ./ or ../ alone." }] },
      ],
    },
  },
  {
    files: [API, SITE],
    rules: { "no-restricted-globals": ["error", ...WINDOW], "no-restricted-properties": "off" },
  },
];

/** @param {{name: string, message: string}[]} names */
function onWindow(names) {
  return names.flatMap(({ name, message }) =>
    ["window", "globalThis", "self"].map((object) => ({ object, property: name, message })),
  );
}
