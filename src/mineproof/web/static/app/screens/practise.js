/**
 * Practise: a position, a task, the player's cell, and the proof. The server finds puzzles, judges answers and rates;
 * here is what is shown when. The address names the puzzle, so it can be shared and reloaded.
 *
 * @typedef {import("../api.js").Document} Document
 */
import * as api from "../api.js";
import { Board } from "../board/board.js";
import { COVERED, forget, index, setMarks } from "../board/state.js";
import { field, fill, h, segmented, select, set } from "../dom.js";
import { button, facts, fillTechniques, key } from "../panels/parts.js";
import { pointer, proofText } from "../panels/proof.js";
import { change, settings } from "../settings.js";
import { LEVELS, failure } from "../words.js";

const SECONDS = 60; // that a search may take
const SEEN = 100; // puzzles whose solution was shown are remembered
const TRIES = 2; // wrong answers after which the solution is shown

/**
 * What the server is asked for by an address; null if it names no puzzle. That of another day is asked for by its seed.
 * @param {URLSearchParams} named @param {string} today
 * @returns {Document | null}
 */
export function wantedBy(named, today) {
  const { daily, technique, level = "expert", seed = "" } = Object.fromEntries(named);
  if (daily === today) return { daily: true };
  if (/^\d+$/.test(seed)) return { ...(technique && { technique }), level, seed: Number(seed) };
  return daily === undefined ? null : { daily: true };
}

/**
 * The technique that an address asks for, where it names no puzzle: links of lessons do.
 * @param {URLSearchParams} named
 */
export const techniqueBy = (named) => (named.has("seed") || named.has("daily") ? null : named.get("technique"));

/** @param {import("../main.js").Page} page @returns {import("../main.js").Screen} */
export function create(page) {
  /** @type {Document} */
  let puzzle = {};
  let address = "";
  let wrong = 0;
  /** @type {"loading" | "asking" | "judging" | "done" | "nothing"} */
  let stage = "nothing";
  let control = new AbortController();
  /** The next puzzle, looked for while the player reads the proof. @type {Promise<Document> | null} */
  let ahead = null;

  const board = new Board("Puzzle", { primary: press, secondary: (cell) => puzzle.kind === "flag" && press(cell) });
  const technique = h("select", { onchange: () => choose({ technique: technique.value }) });
  const level = select(LEVELS.slice(0, 3), settings.practiceLevel, (value) => choose({ practiceLevel: value }));
  const task = h("p", { class: "task" });
  const verdict = h("p", { class: "verdict" });
  const stop = button("Cancel", () => control.abort());
  const show = button(["Show me", key("S")], giveUp);
  const next = button(["Next", key("N")], () => void load(null, ahead));
  const proof = h("section", { class: "panel" });
  const rating = h("section", { class: "panel" });
  const wishes = h(
    "section",
    { class: "panel" },
    field("Technique", technique, "The easiest certain cell needs it, and nothing easier helps: that is proved."),
    field("Board", level, "Positions of real games. Rare ones are looked for some seconds, at most a minute."),
    h("p", { class: "help" }, "Your first answer counts. Flags are mines that are known already."),
  );
  const daily = button("Today's puzzle", () => void load({ daily: true }));
  const work = h(
    "div",
    { class: "work" },
    h("div", { class: "bar" }, h("h1", {}, "Practise"), daily, task),
    board.element,
    h("div", { class: "bar" }, verdict, stop, show, next),
  );
  const element = h("div", { class: "layout" }, work, h("div", { class: "side" }, proof, rating, wishes));

  // which puzzle

  const keep = () => history.replaceState(null, "", `#/practise?${address}`);

  /** @param {Partial<import("../settings.js").Settings>} changes */
  function choose(changes) {
    change(changes);
    void load(null);
  }

  /** A search for another one of the chosen kind. */
  function search() {
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const named = settings.technique && { technique: settings.technique };
    return api.puzzle({ ...named, level: settings.practiceLevel, seed, budget: SECONDS }, control);
  }

  /** @param {Document | null} wanted null for another one @param {Promise<Document> | null} [coming] */
  async function load(wanted, coming) {
    if (!coming) {
      control.abort();
      control = new AbortController();
    }
    const mine = control;
    const inside = element.contains(document.activeElement);
    ahead = null;
    become("loading", "Looking for a position. Rare techniques take some seconds …");
    try {
      const found = await (coming ?? (wanted ? api.puzzle({ ...wanted, budget: SECONDS }, mine) : search()));
      if (mine !== control) return; // another one is looked for
      puzzle = found;
      wrong = 0;
      const { date, seed } = found;
      address = String(new URLSearchParams({ ...(date && { daily: date }), technique: found.technique, level: found.level, seed })); // prettier-ignore
      keep();
      forget(board.state);
      board.state.overlay = "none";
      board.setCells(found.board);
      const name = [...technique.options].find(({ value }) => value === found.technique)?.text ?? "";
      become("asking", found.task, date ? `Puzzle of ${date}: ${name}` : name);
      if (inside) board.focus();
    } catch (error) {
      if (mine !== control) return;
      address = "";
      become("nothing", api.isAbort(error) ? "Stopped." : `${failure(error)} Try another technique or board.`);
    }
  }

  // what is shown

  /** @param {typeof stage} now @param {string} words */
  function become(now, words, quiet = "") {
    stage = now;
    fill(task, h("strong", {}, words), " ", h("span", { class: "quiet" }, quiet));
    fill(verdict);
    proof.hidden = true;
    stop.hidden = now !== "loading";
    show.hidden = now !== "asking";
    set(next, { class: now === "nothing" && "primary" });
    board.element.style.visibility = now === "asking" ? "" : "hidden";
    page.say(`${words} ${quiet}`);
  }

  /** @param {Document[]} steps of a proof, to be lit up */
  function light(steps) {
    const all = (name = "") => steps.flatMap((step) => step[name]);
    setMarks(board.state, [["because", all("because")], ["mine", all("mines")], ["safe", all("safe")]]); // prettier-ignore
    board.update();
  }

  /**
   * Say what an answer was, and light up the steps that prove it; several can be looked at one by one.
   * @param {string} how "good", "bad", "warn" or "quiet" @param {string} words @param {string} text @param {Document[]} [steps]
   */
  function tell(how, words, text, steps = []) {
    const names = steps.map((_, place) => /** @type {[string, string]} */ ([String(place), `Step ${place + 1}`]));
    const one = (place = "") => light(steps.filter((_, number) => !place || number === Number(place)));
    fill(verdict, h("span", { class: how }, words));
    fill(proof, h("h2", {}, "Why"), proofText(text, pointer(board)));
    if (steps.length > 1) proof.append(segmented("Light up", [["", "All"], ...names], "", one));
    if (steps.length) light(steps);
    proof.hidden = false;
    page.say(`${words} ${text}`);
  }

  /** The puzzle is over. @param {string} how @param {string} words @param {Document} [answer] */
  function finish(how, words, answer) {
    const { deduction, best, solution } = puzzle;
    const { state } = board;
    stage = "done";
    show.hidden = true;
    set(next, { class: "primary" });
    tell(how, words, (answer ?? deduction ?? best).text, answer?.proof ?? (deduction ? [deduction] : []));
    if (best) {
      state.odds = state.cells.map(() => null);
      for (const { cell, mine_probability } of best.moves) state.odds[index(state, cell)] = mine_probability;
      state.overlay = "odds";
      setMarks(state, [["safest", [best.safest]], ["best", solution]]); // prettier-ignore
      board.update();
    }
    control = new AbortController();
    ahead = search();
    ahead.catch(() => (ahead = null)); // it is looked for again when it is wanted
  }

  const isSeen = () => settings.seen.includes(address);

  function giveUp() {
    if (stage !== "asking") return;
    if (!isSeen()) change({ seen: [...settings.seen, address].slice(-SEEN) });
    finish("quiet", "This is the solution.");
    board.focus();
  }

  /** @param {[number, number]} cell */
  async function press(cell) {
    if (stage !== "asking" || board.state.cells[index(board.state, cell)] !== COVERED) return;
    const asked = puzzle;
    stage = "judging";
    setMarks(board.state, [["last", [cell]]]);
    board.update();
    try {
      const { board: position, technique: needed, level: size, seed, date } = asked;
      const named = date ? { date } : { level: size, seed };
      const answer = await api.answer({ board: position, technique: needed, cell, counted: !isSeen(), ...named });
      stand(answer.standing, answer.change);
      if (asked !== puzzle || stage !== "judging") return;
      stage = "asking";
      const what = answer.text.replace(/\. .*/s, "."); // its proof may tell the solution
      if (answer.verdict === "right") finish("good", "Right!", answer);
      else if (answer.verdict === "harder") tell("warn", "True, but harder than needed. Look again.", what);
      else if (++wrong < TRIES) tell("bad", "Wrong. Look again.", what);
      else finish("bad", "Wrong. This is the solution.");
    } catch (error) {
      if (stage === "judging") stage = "asking";
      page.notify(failure(error), "error");
    }
  }

  /** How the player stands, and by how much the rating has changed. @param {Document} standing @param {number | null} [by] */
  function stand(standing, by = null) {
    const now = `Rating ${Math.round(standing.rating)} ± ${Math.round(2 * standing.deviation)} `;
    const change_ = by !== null && h("span", { class: by < 0 ? "bad" : "good" }, by < 0 ? "−" : "+", Math.abs(Math.round(by))); // prettier-ignore
    const named = {
      "right answers": `${standing.right} of ${standing.answers}`,
      "right in a row": standing.streak,
      "best row": standing.best_streak,
      "days in a row": standing.daily_streak,
    };
    fill(rating, h("h2", {}, now, change_), facts(named));
  }

  async function learn() {
    if (technique.options.length) return;
    const standing = await api.standing();
    stand(standing);
    fillTechniques(technique, "What fits my rating", standing.techniques);
    technique.value = settings.technique;
    if (technique.selectedIndex < 0) technique.value = "";
  }

  become("nothing", "");
  return {
    element,
    async show(named) {
      await learn().catch((error) => page.notify(failure(error), "error"));
      const today = new Date().toISOString().slice(0, 10); // the day of UTC
      const asked = techniqueBy(named);
      if (asked !== null && [...technique.options].some(({ value }) => value === asked)) {
        technique.value = asked;
        choose({ technique: asked });
      } else if (!address || (named.size && String(named) !== address)) void load(wantedBy(named, today));
      else keep();
    },
    hide() {
      if (stage === "loading" || stage === "done") control.abort();
    },
    key(event) {
      if (event.key.toLowerCase() === "n") next.click();
      else if (event.key.toLowerCase() === "s") giveUp();
      else if (event.key.startsWith("Arrow")) board.focus();
      else return false;
      return true;
    },
  };
}
