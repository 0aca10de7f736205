/**
 * The time line of a lesson: replays the moves of a game and shows the board after each. It knows no rules: the changes
 * of each move are in the page. Without the script the page shows the end of the game and everything else.
 *
 * @typedef {[text: string, cell: number, changes: (number | string)[]]} Step
 * @typedef {{before: string, next: string, slider: string}} Texts with fields in braces
 * @typedef {{kind: string, first: string, steps: Step[], texts: Texts}} Moves
 */

/** @param {HTMLElement} root the lesson of one game */
function replay(root) {
  /** @template {Element} T @param {string} selector @returns {T} */
  const part = (selector) => /** @type {T} */ (root.querySelector(selector));
  /** @type {Moves} */
  const { kind, first, steps, texts } = JSON.parse(part(".moves").textContent ?? "");
  const cells = [...root.querySelectorAll(".board use")];
  const here = part(".here");
  /** @type {HTMLInputElement} */
  const slider = part("input");
  const caption = part(".said");
  /** @type {HTMLElement} */
  const cursor = part(".cursor");
  const times = (part(".strip").getAttribute("data-times") ?? "").split(" ");
  const guesses = [...root.querySelectorAll(".strip a")].map((mark) => Number(mark.getAttribute("data-move")));
  let visibleSigns = [""];
  let move = 0;

  /** Show the board after a number of moves. @param {number} target */
  function show(target) {
    move = Math.max(0, Math.min(steps.length, target));
    const signs = [...first];
    for (const [, , changes] of steps.slice(0, move)) {
      for (let place = 0; place < changes.length; place += 2)
        signs[Number(changes[place])] = String(changes[place + 1]);
    }
    for (const [place, sign] of signs.entries()) {
      if (visibleSigns[place] !== sign) cells[place]?.setAttribute("href", `#${kind}-${sign}`);
    }
    visibleSigns = signs;
    const [text, last] = steps[move - 1] ?? [texts.before, -1];
    const next = guesses.includes(move) ? (steps[move]?.[1] ?? -1) : -1; // where the player is about to guess
    const cell = cells[next < 0 ? last : next];
    here.setAttribute("cx", cell?.getAttribute("x") ?? "-99");
    here.setAttribute("cy", cell?.getAttribute("y") ?? "-99");
    here.classList.toggle("next", next >= 0);
    const nextGuess = texts.next.replace("{number}", String(guesses.indexOf(move) + 1));
    caption.textContent = next < 0 ? text : `${text} ${nextGuess}`;
    slider.value = String(move);
    const position = texts.slider.replace("{moves}", String(steps.length)).replace("{move}", String(move));
    slider.setAttribute("aria-valuetext", position);
    cursor.style.left = `${move ? (times[move - 1] ?? 0) : 0}%`;
  }

  const jumps = new Map([
    ["start", () => 0],
    ["back", () => move - 1],
    ["on", () => move + 1],
    ["end", () => steps.length],
    ["guess-before", () => guesses.filter((guess) => guess < move).at(-1) ?? move],
    ["guess-after", () => guesses.find((guess) => guess > move) ?? move],
  ]);
  root.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target).closest("[data-move], [data-jump]");
    if (!target) return;
    const jump = jumps.get(target.getAttribute("data-jump") ?? "");
    show(jump ? jump() : Number(target.getAttribute("data-move")));
    if (target.closest(".strip")) event.preventDefault(); // do not scroll to the card
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const control of root.querySelectorAll(".controls")) control.removeAttribute("hidden");
  show(steps.length);
}

for (const root of document.querySelectorAll(".lesson")) replay(/** @type {HTMLElement} */ (root));
