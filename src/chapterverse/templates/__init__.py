"""Pages: HTML templates and their style sheets, loaded by name. What is filled in is shown as text, never as mark-up."""

import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

# No HTML may hold these (WHATWG HTML, 13.1.4), and half a surrogate pair no file in UTF-8.
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@cache
def template(name: str) -> Template:
    """The file of that name; all that it mentions must be filled in."""
    return _ENVIRONMENT.get_template(name)


def source(name: str) -> str:
    """The text of a file of this folder."""
    return files(__name__).joinpath(name).read_text("utf-8")


def _printable(value: Any) -> Any:
    """The value with U+FFFD for characters that are no text; mark-up is unchanged."""
    return _NOT_TEXT.sub("\ufffd", value) if isinstance(value, str) and not isinstance(value, Markup) else value


_ENVIRONMENT = Environment(
    loader=FunctionLoader(source),
    autoescape=True,
    finalize=_printable,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
