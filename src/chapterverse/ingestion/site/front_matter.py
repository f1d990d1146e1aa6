"""What a page says of itself before its text: YAML between two lines of dashes."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

FRONT = re.compile(r"\A---[ \t]*\n(.*?)(?:\n|\A|(?<=\n))(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


class LenientLoader(yaml.SafeLoader):
    """Safe YAML in which a tag of somebody's own (mkdocs.yml has such) gives nothing instead of an error."""


LenientLoader.add_multi_constructor("", lambda _loader, _suffix, _node: None)


def parted(text: str) -> tuple[Mapping[str, Any], str]:
    """Front matter and the rest of the text; empty where there is none. Raises ValueError for what is no YAML of that kind."""
    match = FRONT.match(text)
    return (mapping_of(match[1]), text[match.end() :]) if match else ({}, text)


def mapping_of(text: str) -> Mapping[str, Any]:
    """YAML or JSON with names and values. Raises ValueError."""
    try:
        found = yaml.load(text, LenientLoader)  # noqa: S506  # it is a SafeLoader
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("no YAML") from error
    if found is not None and not isinstance(found, dict):
        raise ValueError("not names and values")
    return {str(name): value for name, value in (found or {}).items()}


def text_in(facts: Mapping[str, Any], name: str) -> str | None:
    """A fact as one line of text; None where it is not given, or is no single value."""
    value = facts.get(name)
    line = " ".join(str(value).split()) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    return line or None


def number_in(facts: Mapping[str, Any], name: str) -> float | None:
    """A fact as a number; None where it is not given, or is none."""
    value = facts.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
