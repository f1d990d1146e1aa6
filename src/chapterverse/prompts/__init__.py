"""Prompts: Markdown files, NAME-VERSION.md. A prompt that is changed is a new version, so that a log says what was asked."""

from functools import cache
from importlib.resources import files
from string import Template


@cache
def prompt(name: str) -> Template:
    """The file of that name; $words in it are for the caller to fill in."""
    return Template(files(__name__).joinpath(f"{name}.md").read_text("utf-8"))
