"""Properties that are computed once and wait for nobody."""

import functools
from typing import Any, Self, TypeVar, overload

T = TypeVar("T")


class lazy(functools.cached_property[T]):  # noqa: N801  # read as the decorator that it is
    """As functools.cached_property, for what belongs to one request. That one, up to Python 3.11, has a lock for all instances
    of a class: while one request computes the property, those of other schools wait, also if it pauses to let them go first.
    Threads that share an instance may compute it twice."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | T:
        if instance is None:
            return self
        assert self.attrname is not None  # noqa: S101  # set when the class is made
        value: T = self.func(instance)
        instance.__dict__[self.attrname] = value
        return value
