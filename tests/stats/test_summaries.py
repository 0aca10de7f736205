"""The summary of the measures of many layouts."""

from mineproof.stats.file_measures import Entry
from mineproof.stats.summaries import StatsBuilder


def test_each_measure_is_summarized_over_the_entries_that_have_it() -> None:
    builder = StatsBuilder()
    for value in (1.0, 2.0, 3.0, 4.0, None):
        builder.take(Entry(None, 1, 1, 0, "grid", None, {"bbbv": value, "zini": None}))
    builder.unread = 2
    stats = builder.stats()
    assert (stats.layouts, stats.games, stats.unread) == (5, 0, 2)
    assert stats.as_json()["numbers"] == {
        "bbbv": {
            "count": 4, "mean": 2.5, "min": 1.0, "max": 4.0,
            "quantiles": {"0.05": 1.15, "0.25": 1.75, "0.5": 2.5, "0.75": 3.25, "0.95": 3.8499999999999996},
        }
    }  # fmt: skip
