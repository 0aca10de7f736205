/**
 * The time line of a lesson: walks along the moves of a game, and shows the board after each. It knows no rule: what a
 * move changed stands in the page. Without it the page shows the end, and everything else.
 *
 * @typedef {[words: string, cell: number, changes: (number | string)[]]} Step
 * @typedef {{kind: string, first: string, steps: Step[]}} Moves
 */

/** @param {HTMLElement} root the lesson of one game */
function replay(root) {
  /** @template {Element} T @param {string} name @returns {T} */
  const part = (name) => /** @type {T} */ (root.querySelector(name));
  /** @type {Moves} */
  const { kind, first, steps } = JSON.parse(part(".moves").textContent ?? "");
  const cells = [...root.querySelectorAll(".board use")];
  const here = part(".here");
  /** @type {HTMLInputElement} */
  const slider = part("input");
  const said = part(".said");
  /** @type {HTMLElement} */
  const cursor = part(".cursor");
  const times = (part(".strip").getAttribute("data-times") ?? "").split(" ");
  const guesses = [...root.querySelectorAll(".strip a")].map((mark) => Number(mark.getAttribute("data-move")));
  let shown = [""];
  let move = 0;

  /** Show the board after so many moves. @param {number} wanted */
  function show(wanted) {
    move = Math.max(0, Math.min(steps.length, wanted));
    const signs = [...first];
    for (const [, , changes] of steps.slice(0, move)) {
      for (let place = 0; place < changes.length; place += 2)
        signs[Number(changes[place])] = String(changes[place + 1]);
    }
    for (const [place, sign] of signs.entries()) {
      if (shown[place] !== sign) cells[place]?.setAttribute("href", `#${kind}-${sign}`);
    }
    shown = signs;
    const [words, last] = steps[move - 1] ?? ["Before the first move.", -1];
    const next = guesses.includes(move) ? (steps[move]?.[1] ?? -1) : -1; // where the player is about to guess
    const cell = cells[next < 0 ? last : next];
    here.setAttribute("cx", cell?.getAttribute("x") ?? "-99");
    here.setAttribute("cy", cell?.getAttribute("y") ?? "-99");
    here.classList.toggle("next", next >= 0);
    said.textContent = next < 0 ? words : `${words} Next comes guess ${guesses.indexOf(move) + 1}.`;
    slider.value = String(move);
    slider.setAttribute("aria-valuetext", `move ${move} of ${steps.length}`);
    cursor.style.left = `${move ? (times[move - 1] ?? 0) : 0}%`;
  }

  const jumps = new Map([
    ["start", () => 0],
    ["back", () => move - 1],
    ["on", () => move + 1],
    ["end", () => steps.length],
    ["guess-before", () => guesses.filter((each) => each < move).at(-1) ?? move],
    ["guess-after", () => guesses.find((each) => each > move) ?? move],
  ]);
  root.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target).closest("[data-move], [data-jump]");
    if (!target) return;
    const jump = jumps.get(target.getAttribute("data-jump") ?? "");
    show(jump ? jump() : Number(target.getAttribute("data-move")));
    if (target.closest(".strip")) event.preventDefault(); // the board stays where it is
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const control of root.querySelectorAll(".controls")) control.removeAttribute("hidden");
  show(steps.length);
}

for (const root of document.querySelectorAll(".lesson")) replay(/** @type {HTMLElement} */ (root));
