import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass

import pytest

from mineproof.base.cached import cached_property
from mineproof.generation.requirements import LayoutRequirements
from support.patience import PATIENCE


@dataclass(frozen=True)
class Square:
    side: int
    meet: Callable[[], object] = int

    @cached_property
    def area(self) -> list[int]:
        """Side times side."""
        self.meet()
        return [self.side * self.side]


def run_together(*work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=one, daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)


def test_the_value_is_computed_once_per_object() -> None:
    calls: list[None] = []
    square, other = Square(3, lambda: calls.append(None)), Square(4)
    assert square.area == [9]
    assert square.area is square.area
    assert other.area == [16]
    assert len(calls) == 1


def test_the_object_stays_frozen_and_equal() -> None:
    square = Square(3)
    assert square.area == [9]
    assert square == Square(3)
    with pytest.raises(FrozenInstanceError):
        square.side = 4  # type: ignore[misc]


def test_the_class_shows_the_property_and_its_words() -> None:
    assert isinstance(Square.area, cached_property)
    assert Square.area.__doc__ == "Side times side."


def test_two_objects_are_computed_at_the_same_time() -> None:
    """Each waits inside the property until the other is inside, too: a lock of the class would stop both."""
    meeting = threading.Barrier(2, timeout=PATIENCE)
    squares = [Square(3, meeting.wait), Square(4, meeting.wait)]
    run_together(*(lambda square=square: square.area for square in squares))
    assert [square.area for square in squares] == [[9], [16]]
    assert not meeting.broken


def test_threads_that_race_get_the_same_object() -> None:
    meeting = threading.Barrier(2, timeout=PATIENCE)
    square = Square(3, meeting.wait)
    values: list[list[int]] = []
    run_together(*[lambda: values.append(square.area)] * 2)
    assert values[0] is values[1] is square.area


def test_wishes_of_two_threads_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both threads of ``generate(zini=1)`` are inside the same property of their own wishes at once."""
    names = [name for name, value in vars(LayoutRequirements).items() if isinstance(value, cached_property)]
    assert names
    meeting = threading.Barrier(2, timeout=PATIENCE)
    prop = vars(LayoutRequirements)[names[0]]
    monkeypatch.setattr(prop, "_compute", lambda _: meeting.wait())
    places: list[object] = []
    wishes = [object.__new__(LayoutRequirements) for _ in range(2)]
    run_together(*(lambda wish=wish: places.append(getattr(wish, names[0])) for wish in wishes))
    assert sorted(map(int, map(str, places))) == [0, 1]
