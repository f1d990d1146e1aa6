"""Spans around the calls of a port."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Port = TypeVar("Port")


def traced(name: str, make: Callable[[], Port]) -> Port:
    """Made at its first use: a function that needs no index does not load one."""
    from chapterverse.observability import spans

    return spans.traced(name, make)
