/**
 * A choice of one of many: a button with the choice, which opens a list. It is what ARIA calls a select-only combobox:
 * the button keeps the focus, the arrows move through the list, letters go to what begins with them.
 */
import { fill, h, newId, set } from "../dom.js";

const TYPING_MILLISECONDS = 700; // letters that come faster belong together
const EDGE = 8; // pixels between the list and the edge of the window
const ENOUGH = 260; // pixels of height for a list

/** @typedef {[value: string, label: string]} Option */

/**
 * @param {string} label @param {Option[]} options @param {string} value @param {(value: string) => void} onchange after
 *   a choice by the player
 * @param {{name?: string, help?: string}} [more] the name makes it a part of its form
 */
export function listBox(label, options, value, onchange, { name, help } = {}) {
  const [caption, explanation] = [newId(), newId()];
  const shown = h("span", {});
  const list = h("div", { class: "list", id: newId(), role: "listbox", popover: "auto", "aria-labelledby": caption });
  const button = h(
    "button",
    {
      type: "button",
      role: "combobox",
      popovertarget: list.id,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-controls": list.id,
      "aria-labelledby": caption,
      "aria-describedby": help && explanation,
    },
    shown,
  );
  const input = h("input", { type: "hidden", name });
  /** @type {HTMLElement[]} */
  let items = [];
  let active = 0; // place in the list
  let [typed, typedAt] = ["", -TYPING_MILLISECONDS];

  const isOpen = () => list.matches(":popover-open");
  const chosen = () => Math.max(0, options.findIndex(([option]) => option === input.value)); // prettier-ignore

  /** Show what is chosen: the first option if the value is none of them. @param {string} wanted */
  const show = (wanted) => {
    input.value = wanted;
    const [option = "", text = ""] = options[chosen()] ?? [];
    input.value = option;
    fill(shown, text);
    items.forEach((item, place) => set(item, { "aria-selected": String(place === chosen()) }));
  };

  /** @param {Option[]} many */
  const offer = (many) => {
    options = many;
    items = many.map(([option, text]) =>
      h("div", { role: "option", id: newId(), "data-value": option, onclick: () => choose(option) }, text),
    );
    fill(list, items);
    show(input.value);
  };

  /** @param {number} place */
  const point = (place) => {
    active = Math.max(0, Math.min(items.length - 1, place));
    items.forEach((item, each) => item.classList.toggle("active", each === active));
    items[active]?.scrollIntoView({ block: "nearest" });
    set(button, { "aria-activedescendant": items[active]?.id });
  };

  /** @param {string} option */
  const choose = (option) => {
    if (isOpen()) list.hidePopover();
    button.focus();
    if (option === input.value) return;
    show(option);
    onchange(option);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const isTyping = () => performance.now() - typedAt < TYPING_MILLISECONDS;

  /** The place of the next option that begins with the letters; its number does not count. @param {string} letter */
  const find = (letter) => {
    typed = isTyping() ? typed + letter : letter;
    typedAt = performance.now();
    const begins = options.map(([, text]) =>
      text
        .replace(/^\d+ · /, "")
        .toLowerCase()
        .startsWith(typed),
    );
    const from = typed.length > 1 ? active : active + 1;
    const next = begins.indexOf(true, from);
    return next < 0 ? begins.indexOf(true) : next;
  };

  /** Where a key leads to, or nothing. @param {string} key @returns {number | undefined} */
  const target = (key) => {
    const step = isOpen() ? 1 : 0; // the first arrow opens the list
    if (key === "ArrowDown") return active + step;
    if (key === "ArrowUp") return active - step;
    if (key === "Home") return 0;
    if (key === "End") return items.length - 1;
    return key.length === 1 && (key !== " " || isTyping()) ? find(key.toLowerCase()) : undefined;
  };

  button.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isOpen()) active = chosen();
    const next = target(event.key);
    if (next !== undefined) {
      event.preventDefault();
      if (!isOpen()) list.showPopover();
      if (next >= 0) point(next); // -1: nothing begins with the letters
    } else if (isOpen() && ["Enter", " ", "Tab"].includes(event.key)) {
      if (event.key !== "Tab") event.preventDefault();
      choose(options[active]?.[0] ?? "");
    }
  });

  /** Below the button, or above it if there is more room. */
  const place = () => {
    const box = button.getBoundingClientRect();
    const [above, below] = [box.top - EDGE, innerHeight - box.bottom - EDGE];
    const isBelow = below >= Math.min(above, ENOUGH);
    const { style } = list;
    style.inset = isBelow ? `${box.bottom + 2}px auto auto` : `auto auto ${innerHeight - box.top + 2}px`;
    style.left = `${box.left}px`;
    style.minWidth = `${box.width}px`;
    style.maxWidth = `${document.documentElement.clientWidth - box.left - EDGE}px`;
    style.maxHeight = `${isBelow ? below : above}px`;
  };
  const follow = () => {
    const { top, bottom } = button.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) list.hidePopover();
    else place();
  };
  list.addEventListener("beforetoggle", (event) => {
    const opens = /** @type {ToggleEvent} */ (event).newState === "open";
    set(button, { "aria-expanded": String(opens), "aria-activedescendant": null });
    const listen = opens ? "addEventListener" : "removeEventListener";
    window[listen]("scroll", follow, true);
    window[listen]("resize", follow);
    if (!opens) return;
    place();
    point(chosen());
  });
  list.addEventListener("toggle", () => isOpen() && point(active)); // now it can be scrolled to

  input.value = value;
  offer(options);
  const element = h(
    "div",
    { class: "field listbox" },
    h("label", { id: caption, onclick: () => button.focus() }, label),
    button,
    help && h("p", { class: "help", id: explanation }, help),
    input,
    list,
  );
  return Object.assign(element, {
    value: () => input.value,
    /** Choose without telling. */
    show,
    offer,
    /** @param {boolean} on */
    disable: (on) => (button.disabled = input.disabled = on),
  });
}
