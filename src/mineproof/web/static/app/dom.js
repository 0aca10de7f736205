/**
 * Elements without templates: `h("button", {class: "primary", onclick: go}, "Go")`. Text is always text, never HTML.
 *
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [properties] "on…" are listeners; true sets an attribute without a value; false, null
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

/** The same for SVG. @param {string} tag @param {Record<string, unknown>} [properties] @param {...(Child | Child[])} children */
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

/** @param {Element} element @param {Record<string, unknown>} properties */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children */
function nodes(children) {
  const present = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  return /** @type {(Node | string | number)[]} */ (present).map((child) =>
    child instanceof Node ? child : String(child),
  );
}

let lastId = 0;
/** An id that no other element has. */
export const newId = () => `e${++lastId}`;

/**
 * A labelled field with an explanation below it.
 * @param {string} label @param {HTMLElement} control @param {Child} [help]
 */
export function field(label, control, help) {
  const id = (control.id ||= newId());
  const explanation = help ? h("p", { class: "help", id: `${id}-help` }, help) : null;
  if (explanation) control.setAttribute("aria-describedby", explanation.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, explanation);
}

/**
 * A row of buttons of which one is pressed.
 * @param {string} label @param {[value: string, label: string][]} options @param {string} value
 * @param {(value: string) => void} onchange
 */
export function segmented(label, options, value, onchange) {
  const buttons = options.map(([name, text]) => {
    const press = () => {
      choose(name);
      onchange(name);
    };
    return h("button", { type: "button", "data-value": name, onclick: press }, text);
  });
  const choose = (/** @type {string} */ chosen) => {
    for (const button of buttons) set(button, { "aria-pressed": String(button.dataset["value"] === chosen) });
  };
  choose(value);
  const element = h("div", { class: "segmented", role: "group", "aria-label": label }, buttons);
  return Object.assign(element, { choose });
}

/**
 * A switch with its label at the left and an explanation below.
 * @param {string} label @param {boolean} value @param {(value: boolean) => void} onchange @param {Child} [help]
 */
export function toggle(label, value, onchange, help) {
  const box = h("input", { type: "checkbox", role: "switch", checked: value, onchange: () => onchange(box.checked) });
  const element = h("label", { class: "switch" }, explained(box, label, help), box);
  return Object.assign(element, { choose: (/** @type {boolean} */ on) => (box.checked = on) });
}

/** The label of a control, and an explanation that is not part of its name. @param {Element} control @param {string} label @param {Child} help */
function explained(control, label, help) {
  const id = newId();
  set(control, { "aria-labelledby": id, "aria-describedby": help && `${id}-help` });
  return h("span", {}, h("span", { id }, label), help && h("small", { id: `${id}-help` }, help));
}

/**
 * A choice of one of several, as a list of radio buttons, each with an explanation or a drawing.
 * @param {string} label @param {[value: string, label: string, help?: Child, drawing?: Node][]} options
 * @param {string} value @param {(value: string) => void} onchange
 */
export function radios(label, options, value, onchange) {
  const name = newId();
  const inputs = options.map(([option]) =>
    h("input", { type: "radio", name, value: option, checked: option === value, onchange: () => onchange(option) }),
  );
  const lines = options.map(([, text, help, drawing], place) => {
    const input = /** @type {HTMLInputElement} */ (inputs[place]);
    return h("label", { class: "radio" }, input, drawing, explained(input, text, help));
  });
  const element = h("fieldset", { class: "radios" }, h("legend", {}, label), lines);
  const choose = (/** @type {string} */ chosen) => {
    for (const input of inputs) input.checked = input.value === chosen;
  };
  return Object.assign(element, { choose });
}

/** Drawings on a field of 24 × 24, as lines; a name with a dot at its end is filled. @type {Record<string, string>} */
const ICONS = {
  gear: "M10.1 5.2L10.4 2.7L13.6 2.7L13.9 5.2L15.5 5.8L17.4 4.3L19.7 6.6L18.2 8.5L18.8 10.1L21.3 10.4L21.3 13.6L18.8 13.9L18.2 15.5L19.7 17.4L17.4 19.7L15.5 18.2L13.9 18.8L13.6 21.3L10.4 21.3L10.1 18.8L8.5 18.2L6.6 19.7L4.3 17.4L5.8 15.5L5.2 13.9L2.7 13.6L2.7 10.4L5.2 10.1L5.8 8.5L4.3 6.6L6.6 4.3L8.5 5.8ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  pause: "M9 5.5v13M15 5.5v13",
  play: "M8 5.5v13l10.5-6.5Z",
  undo: "M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15.5 5 20 9.5 15.5 14M19.5 9.5H10a5.5 5.5 0 0 0 0 11h3",
  again: "M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 3v4.3h-4.3",
  hint: "M9 18h6M10 21h4M12 3a6.3 6.3 0 0 0-3.7 11.4c.6.5.9 1 .9 1.6h5.6c0-.6.3-1.1.9-1.6A6.3 6.3 0 0 0 12 3Z",
  best: "m12 3.5 2.6 5.5 6 .8-4.4 4.1 1.1 6-5.3-2.9-5.3 2.9 1.1-6L3.4 9.800l6-.8Z",
  odds: "M18.5 5.500l-13 13M7.5 5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM16.5 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
  open: "M8 13V5.500a1.7 1.7 0 0 1 3.4 0V11l5.4 1.200a2.2 2.2 0 0 1 1.7 2.500l-.7 4A3 3 0 0 1 14.9 21h-3a4 4 0 0 1-3.1-1.500L5.2 15.200a1.6 1.6 0 0 1 2.3-2.200Z",
  flag: "M6.5 21V3.500M6.5 4.5 18 8.500l-11.5 4",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  clock: "M12 4.500a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8.500v4.200l2.8 1.800M9.5 2h5",
  mine: "M12 3v18M3 12h18M5.6 5.600l12.8 12.800M18.4 5.6 5.6 18.400M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z",
  sliders:
    "M4 7.500h9M17 7.500h3M4 16.500h3M11 16.500h9M15 5.300a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.400ZM9 14.300a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.400Z",
};

/** A drawing beside a text, or on a button that has a label of its own. @param {string} name */
export const icon = (name) =>
  svg("svg", { class: `icon ${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

/**
 * A button with a drawing and no text.
 * @param {string} name of the drawing @param {string} label @param {() => void} press @param {Record<string, unknown>} [more]
 */
export const iconButton = (name, label, press, more = {}) =>
  h("button", { type: "button", "aria-label": label, title: label, onclick: press, ...more }, icon(name));

/** A text in which the parts between back-ticks are code. @param {string} text @returns {(Node | string)[]} */
export const withCode = (text) => text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));

/** Save something as a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
