"""Messages for people, as the package bookreader makes them; the sentences of this program stand in en.po and de.po.

Texts of the pages are looked up by their English text instead: see texts."""

from bookreader.messages import (
    ENGLISH,
    Message,
    Value,
    add_catalogues,
    catalogue,
    filled,
    from_json,
    from_stored,
    in_words,
    message,
    plain,
    stored,
    to_json,
)

__all__ = [
    "ENGLISH", "Message", "Value", "catalogue", "filled", "from_json", "from_stored", "in_words", "message", "plain", "stored",
    "to_json",
]  # fmt: skip

add_catalogues(__name__)
