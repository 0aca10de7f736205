"""The table of strategies: each row of the kernel has a description, and every list of strategies is made from it."""

from __future__ import annotations

import pytest

from mineproof.decision.custom import strategies_json
from mineproof.decision.strategy_table import TIMED_STRATEGIES, describe_strategy, strategies
from mineproof.wording.catalogue import languages, load_catalogue, use_language
from support.engines import KERNEL

NAMES = [strategy.name for strategy in KERNEL.strategies]


@pytest.mark.parametrize("language", languages())
def test_every_strategy_of_the_kernel_has_a_description(language: str) -> None:
    keys = load_catalogue(language).texts.keys()
    described = {key.removeprefix("strategy-") for key in keys if key.startswith("strategy-")} - {"from-package"}
    assert described == set(NAMES)
    with use_language(language):
        descriptions = [describe_strategy(name) for name in NAMES]
    assert len(set(descriptions)) == len(NAMES)
    assert all(text.endswith(".") for text in descriptions)


def test_the_document_of_all_strategies_has_the_descriptions() -> None:
    rows = strategies_json(KERNEL)["strategies"][: len(NAMES)]
    assert [(row["name"], row["text"]) for row in rows] == [(name, describe_strategy(name)) for name in NAMES]
    with use_language("de"):
        assert strategies_json(KERNEL)["strategies"][0]["text"] == describe_strategy(NAMES[0]) != rows[0]["text"]


def test_strategies_that_take_time_look_ahead() -> None:
    table = {strategy.name: strategy for strategy in strategies(KERNEL)}
    assert all(table[name].decides and table[name].looks_ahead for name in TIMED_STRATEGIES)
