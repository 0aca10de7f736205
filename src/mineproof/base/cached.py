"""Properties that are computed once per object, without a lock.

Until Python 3.12 `functools.cached_property` has one lock for all objects of a class. One long computation then stops
every other thread that reads the same property of any object, and a child that is forked meanwhile waits forever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 - used like `property`
    """A property whose value is stored in the ``__dict__`` of the object, also of a frozen dataclass.

    Threads that read it at the same time may each compute it. They all get the value that was stored first.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any]) -> T: ...

    def __get__(self, instance: object | None, owner: type[Any]) -> Self | T:
        if instance is None:
            return self
        value: T = instance.__dict__.setdefault(self._name, self._compute(instance))
        return value
