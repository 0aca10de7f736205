// Ticks, scales and ranges of the charts: round, within the requested range, and there for any numbers.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dateTicks, range, scale, ticks } from "../../src/mineproof/web/static/app/panels/chart.js";

describe("ticks", () => {
  test("are round and within the range", () => {
    assert.deepEqual(ticks(0, 10_000, 5), [0, 2000, 4000, 6000, 8000, 10_000]);
    assert.deepEqual(ticks(0.331, 0.462, 5), [0.34, 0.36, 0.38, 0.4, 0.42, 0.44, 0.46]);
    assert.deepEqual(ticks(-0.03, 0.01, 4), [-0.03, -0.02, -0.01, 0, 0.01]);
  });

  test("are written without the dust of binary fractions", () => {
    for (const tick of ticks(0, 1, 10)) assert.ok(String(tick).length <= 3, String(tick));
  });

  test("are few for any range", () => {
    for (let power = -6; power < 9; power += 1) {
      for (let factor = 1; factor < 10; factor += 0.37) {
        const found = ticks(0, factor * 10 ** power, 5);
        assert.ok(found.length >= 3 && found.length <= 8, `${factor}e${power}: ${found.join(" ")}`);
      }
    }
  });
});

describe("ticks of dates", () => {
  const moment = (/** @type {number} */ day, /** @type {number} */ hour) => new Date(2026, 9, day, hour).getTime();

  test("are hours of a day", () => {
    assert.deepEqual(dateTicks(moment(5, 7), moment(5, 23), 3), [moment(5, 12), moment(5, 18)]);
  });

  test("are days, midnight, also where a clock is put back", () => {
    const found = dateTicks(moment(20, 5), moment(30, 5), 5);
    assert.deepEqual(
      found,
      [22, 24, 26, 28, 30].map((day) => moment(day, 0)),
    );
  });

  test("are few for many years", () => {
    const found = dateTicks(new Date(1990, 0, 1).getTime(), new Date(2026, 0, 1).getTime(), 4);
    assert.ok(found.length >= 3 && found.length <= 6, String(found.length));
  });
});

test("a range has room around its values, but not beyond what is possible", () => {
  assert.deepEqual(range([0.25, 0.75]), [0.22, 0.78]);
  assert.deepEqual(range([0, 1], 0, 1), [0, 1]);
  for (const values of [[0], [7], [-3, -3]]) {
    const [low, high] = range(values);
    assert.ok(low < high, `${values.join()}: ${low} ${high}`);
  }
});

test("a scale takes the ends of one range to the ends of another", () => {
  const down = scale([10, 20], 200, 0);
  assert.deepEqual([10, 15, 20].map(down), [200, 100, 0]);
});
