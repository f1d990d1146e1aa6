"""What the pages say, in every language: gettext's catalogues (LANGUAGE.po), by the English text."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO

from babel.messages.pofile import read_po

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "de": "Deutsch"}


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Text by English text; empty for English itself. What is not translated is not in it."""
    if language == ENGLISH:
        return {}
    read = read_po(BytesIO(files(__name__).joinpath(f"{language}.po").read_bytes()), locale=language)
    return {str(message.id): str(message.string) for message in read if message.id and message.string and not message.fuzzy}
