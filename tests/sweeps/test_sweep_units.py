"""How games fall into units and files: each game once, in order, whatever the numbers are."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.engine.records import new_calibration
from mineproof.simulation.intervals import wilson
from mineproof.simulation.results import Tally
from mineproof.simulation.series import Series
from mineproof.sweeps.plan import Configuration, Plan
from mineproof.sweeps.scheduler import ConfigurationRun
from mineproof.sweeps.units import GameColumn, make_record, read_record, record_length

pytestmark = pytest.mark.property

SERIES = Series(rows=5, columns=5, mines=4, first_click="safe", start=(0, 0), strategy="fast", seed=0)
GAMES = st.integers(1, 5000)
UNITS = st.integers(1, 40).map(lambda chunks: 64 * chunks)


@given(GAMES, UNITS)
def test_every_game_is_in_one_unit(games: int, unit: int) -> None:
    each = Configuration(SERIES, True, games, unit, ())
    results = [number for index in range(each.units) for number in each.numbers(index)]
    assert results == list(range(games))
    assert all(len(each.numbers(index)) == unit for index in range(each.units - 1))
    assert each.units_of_a_file >= 1


@given(GAMES, UNITS, st.floats(0.5, 20) | st.none(), st.data())
def test_the_order_in_which_units_come_changes_nothing(
    games: int, unit: int, until: float | None, data: st.DataObject
) -> None:
    """Sums are those of all units up to the first at which there is enough; no unit is handed out twice."""
    configuration = Configuration(SERIES, True, games, unit, ())
    plan = Plan("", {}, games, until, (configuration,))
    lengths = [len(configuration.numbers(index)) for index in range(configuration.units)]
    wins = [data.draw(st.integers(0, length)) for length in lengths]
    configuration_run, flying, handed_out = ConfigurationRun(0, configuration, plan), list[int](), list[int]()
    while not configuration_run.is_finished:
        if (index := configuration_run.next_unit()) is not None and (not flying or data.draw(st.booleans())):
            configuration_run.mark_submitted()
            flying.append(index)
            handed_out.append(index)
        else:
            back = flying.pop(data.draw(st.integers(0, len(flying) - 1)))
            if back < configuration_run.end:
                configuration_run.waiting[back] = Tally(wins=wins[back])
            configuration_run.take(None)
    assert handed_out == list(range(len(handed_out)))
    expected, played = 0, 0
    for length, more in zip(lengths, wins, strict=True):
        expected, played = expected + more, played + length
        low, high = wilson(expected, played)
        if until is not None and 50 * (high - low) <= until:
            break
    assert (configuration_run.games, configuration_run.tally.wins) == (played, expected)
    assert sum(value.sums.games for value in configuration_run.files.values()) == played


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.integers(0, 2**40), st.booleans(), st.data())
def test_records_are_read_back_and_no_changed_byte_is_taken(
    won: list[bool], first: int, kept: bool, data: st.DataObject
) -> None:
    columns = (GameColumn("moves", "<i2"), GameColumn("survived_odds", "<f8")) if kept else ()
    numbers = range(first, first + len(won))
    arrays = [np.arange(len(won)).astype(kind) for _, kind in columns]
    tally = Tally(sum(won), 5, 4, 3, 2, -1, 0)
    record = make_record(numbers, tally, bytes(won), arrays, new_calibration() if kept else None)
    result = read_record(record, numbers, columns)
    assert (result.tally, result.won.tolist()) == (tally, won)
    assert [result.columns[name].tolist() for name, _ in columns] == [array.tolist() for array in arrays]
    assert len(record) == record_length(len(won), columns)
    changed = bytearray(record)
    changed[data.draw(st.integers(0, len(record) - 1))] ^= data.draw(st.integers(1, 255))
    later = range(first + 1, numbers.stop + 1)
    for other, which in ((bytes(changed), numbers), (record[:-1], numbers), (record, later)):
        with pytest.raises(ValueError, match=r"expected .*, got "):
            read_record(other, which, columns)


def test_a_plan_has_the_same_digest_wherever_it_is_made() -> None:
    plan = Plan("0.1.0", {"engine": "kernel"}, 10, None, (Configuration(SERIES, True, 10, 64, ()),))
    assert plan.digest.hex() == "74a0046e3b94dceeacb16a1f72a563e9"
    assert replace(plan, games=11).digest != plan.digest
