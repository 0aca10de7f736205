/**
 * One small chart: lines with an interval band, or dots, over axes with round ticks, as wide as its place. A sentence
 * describes it, too. The part above `chart` needs no page.
 *
 * @typedef {{name: string, points: number[][], dots?: boolean}} Line a point is [x, y], or [x, y, low, high]
 *
 * @typedef {object} Axis
 * @property {string} label
 * @property {[number, number]} range
 * @property {(value: number) => string} write
 * @property {(low: number, high: number, count: number) => number[]} [ticks] round numbers if left out
 *
 * @typedef {{title: string, description: string, x: Axis, y: Axis, lines: Line[]}} Drawing one line, or two
 */
import { fill, h, svg } from "../dom.js";

export const HEIGHT = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 24, 24, 38]; // around the points

/** Round values from low to high, about `count` of them. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((times) => times * power >= rough * 0.75) ?? 10);
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

/** Round moments, in milliseconds: hours, or days. @param {number} low @param {number} high @param {number} count */
export function dateTicks(low, high, count) {
  const rough = ((high - low) / 3_600_000 / count) * 0.75;
  const hours =
    [1, 3, 6, 12, 24, 48, 168, 336, 720, 2184, 4368].find((step) => step >= rough) ?? 8760 * Math.ceil(rough / 8760);
  const [day, moments] = [new Date(low), /** @type {number[]} */ ([])];
  for (let hour = 0; ; hour += hours) {
    const moment = new Date(
      day.getFullYear(),
      day.getMonth(),
      day.getDate() + Math.floor(hour / 24),
      hour % 24,
    ).getTime();
    if (moment > high) return moments;
    if (moment >= low) moments.push(moment);
  }
}

/**
 * From the least to the most of some values, with room around them, within what is possible; never empty.
 * @param {number[]} values @param {number} [least] @param {number} [most] @returns {[number, number]}
 */
export function range(values, least = -Infinity, most = Infinity) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.06 || Math.abs(high) * 0.05 || 0.5;
  return [Math.max(least, low - room), Math.min(most, high + room)];
}

/** Where a value is drawn. @param {[number, number]} values @param {number} from @param {number} to */
export function scale([low, high], from, to) {
  return (/** @type {number} */ value) => Number((from + ((value - low) / (high - low)) * (to - from)).toFixed(1));
}

/**
 * A line through points; with steps it keeps its height until the next point.
 * @param {number[][]} points of [x, y] @param {boolean} [steps]
 */
export const stepPath = (points, steps = true) =>
  points
    .map(([x = 0, y = 0], place) => {
      const [left, top] = [x, y].map((value) => Number(value.toFixed(2)));
      return place === 0 ? `M${left} ${top}` : steps ? `H${left}V${top}` : `L${left} ${top}`;
    })
    .join("");

/** A rate and its interval on a line from 0 to 1, for a cell of a table. @param {number} rate @param {number[]} interval */
export function spread(rate, [low = 0, high = 1]) {
  const at = scale([0, 1], 3, 97);
  const drawn = [
    svg("path", { class: "axis", d: "M3 7H97" }),
    svg("path", { class: "band", d: `M${at(low)} 2H${at(high)}V12H${at(low)}Z` }),
    svg("circle", { class: "dot", cx: at(rate), cy: 7, r: 3 }),
  ];
  return svg("svg", { class: "chart spread", viewBox: "0 0 100 14", "aria-hidden": "true" }, drawn);
}

/** A chart without anything in it, and how to draw it. */
export function chart() {
  const [caption, place] = [h("figcaption", { class: "strong" }), h("div")];
  /** @type {Drawing | null} */
  let shown = null;
  const paint = () => shown && place.clientWidth && fill(place, picture(shown, place.clientWidth));
  new ResizeObserver(paint).observe(place);
  /** @param {Drawing} drawing */
  function draw(drawing) {
    shown = drawing;
    const [one, two] = drawing.lines;
    fill(
      caption,
      drawing.title,
      one && two && h("span", { class: "legend" }, swatch(one, ""), one.name, swatch(two, " second"), two.name),
    );
    paint();
  }
  return { element: h("figure", { class: "charted" }, caption, place), draw };
}

/** @param {Drawing} drawing @param {number} width */
function picture({ description, x, y, lines }, width) {
  const [right, bottom] = [width - RIGHT, HEIGHT - BOTTOM];
  const [across, down] = [scale(x.range, LEFT, right), scale(y.range, bottom, TOP)];
  const text = (
    /** @type {number} */ left,
    /** @type {number} */ top,
    /** @type {string} */ anchor,
    /** @type {string} */ label,
  ) => svg("text", { x: left, y: top, "text-anchor": anchor }, label);
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": description },
    (y.ticks ?? ticks)(...y.range, 5).flatMap((value) => [
      svg("path", { class: value ? "axis" : "axis zero", d: `M${LEFT} ${down(value)}H${right}` }),
      text(LEFT - 6, down(value) + 4, "end", y.write(value)),
    ]),
    (x.ticks ?? ticks)(...x.range, Math.max(2, width / 130)).map((value) =>
      text(across(value), bottom + 17, "middle", x.write(value)),
    ),
    text(0, 12, "start", y.label),
    text(right, HEIGHT - 6, "end", x.label),
    lines.flatMap((line, place) => marks(line, across, down, place ? " second" : "")),
  );
}

/** @param {Line} line @param {(x: number) => number} across @param {(y: number) => number} down @param {string} second */
function marks({ points, dots }, across, down, second) {
  const path = (/** @type {number[][]} */ list) =>
    `M${list.map(([a = 0, b = 0]) => `${across(a)} ${down(b)}`).join("L")}`;
  const [low, high] = [points.map(([a = 0, , b = 0]) => [a, b]), points.map(([a = 0, , , b = 0]) => [a, b])];
  if (!dots && points.length > 1) {
    const band = svg("path", { class: `band${second}`, d: `${path([...low, ...high.reverse()])}Z` });
    return [band, svg("path", { class: `line${second}`, d: path(points) })];
  }
  const bar = !dots && points.length && svg("path", { class: `line${second}`, d: path([...low, ...high]) });
  return [
    bar,
    ...points.map(([a = 0, b = 0]) => svg("circle", { class: `dot${second}`, cx: across(a), cy: down(b), r: 3.5 })),
  ];
}

/** @param {Line} line @param {string} second */
function swatch({ dots }, second) {
  const mark = dots
    ? svg("circle", { class: `dot${second}`, cx: 12, cy: 6, r: 3.5 })
    : svg("path", { class: `line${second}`, d: "M2 6H22" });
  return svg("svg", { class: "chart swatch", viewBox: "0 0 24 12", "aria-hidden": "true" }, mark);
}
