/**
 * Elements without templates: `h("button", {class: "primary", onclick: go}, "Go")`. Text is always text, never HTML.
 *
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties] "on…" are listeners; true sets an attribute without a value; false, null
 *   and undefined leave it out
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...nodes(children));
  return element;
}

/** The same for SVG. @param {string} tag @param {Record<string, any>} [properties] @param {...(Child | Child[])} children */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, properties);
  element.append(...nodes(children));
  return element;
}

/** @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/** @param {Element} element @param {Record<string, any>} properties */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children */
function nodes(children) {
  const kept = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  return /** @type {(Node | string | number)[]} */ (kept).map((child) =>
    child instanceof Node ? child : String(child),
  );
}

let counted = 0;
/** An id that no other element has. */
export const newId = () => `e${++counted}`;

/**
 * A labelled field with an explanation below it.
 * @param {string} label @param {HTMLElement} control @param {Child} [help]
 */
export function field(label, control, help) {
  const id = (control.id ||= newId());
  const told = help ? h("p", { class: "help", id: `${id}-help` }, help) : null;
  if (told) control.setAttribute("aria-describedby", told.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, told);
}

/**
 * A choice of one of several; `onchange` gets the value.
 * @param {[value: string, words: string][]} options @param {string} value @param {(value: string) => void} onchange
 */
export function select(options, value, onchange) {
  const element = h(
    "select",
    { onchange: () => onchange(element.value) },
    options.map(([name, words]) => h("option", { value: name, selected: name === value }, words)),
  );
  element.value = value;
  return element;
}

/**
 * A row of buttons of which one is pressed.
 * @param {string} label @param {[value: string, words: string][]} options @param {string} value
 * @param {(value: string) => void} onchange
 */
export function segmented(label, options, value, onchange) {
  const buttons = options.map(([name, words]) => {
    const press = () => {
      choose(name);
      onchange(name);
    };
    return h("button", { type: "button", "data-value": name, onclick: press }, words);
  });
  const choose = (/** @type {string} */ chosen) => {
    for (const button of buttons) set(button, { "aria-pressed": String(button.dataset["value"] === chosen) });
  };
  choose(value);
  const element = h("div", { class: "segmented", role: "group", "aria-label": label }, buttons);
  return Object.assign(element, { choose });
}

/** Save something as a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
