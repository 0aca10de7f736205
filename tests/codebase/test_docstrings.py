"""Everything public says what it does: ``help(mp.Game.open)`` is the first thing a user tries."""

import inspect
from collections.abc import Iterator

import mineproof as mp


def documented() -> Iterator[tuple[str, object]]:
    """Every public function and class, and every method and property that our classes define."""
    for name in mp.__all__:
        thing = getattr(mp, name)
        if not inspect.isclass(thing):
            if callable(thing):
                yield name, thing
            continue
        yield name, thing
        for owner in thing.__mro__:
            if not owner.__module__.startswith("mineproof"):
                continue
            for member, value in vars(owner).items():
                if member.startswith("_"):
                    continue
                function = getattr(value, "__func__", value)  # of a class method, or a static one
                if inspect.isroutine(function) or hasattr(type(function), "__get__"):
                    if not isinstance(function, property) and not callable(getattr(function, "func", function)):
                        continue  # a slot, or another descriptor of a field
                    yield f"{name}.{member}", function


def test_everything_public_has_a_docstring() -> None:
    found = dict(documented())
    assert {"Game.open", "Board.rows", "Analysis.exact", "generate", "Sweep.is_complete"} <= found.keys()
    assert sorted(name for name, thing in found.items() if not inspect.getdoc(thing)) == []
