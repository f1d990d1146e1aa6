"""Whether a text holds what a reader has selected on the page, however it is set there (S4, "Selected-Text Boost")."""

import re
import unicodedata

LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
WORD = re.compile(r"[^\W_]+")
FEW = 4  # words: a selection of fewer must stand there as whole words, a longer one may begin and end within one


def holds(text: str, selected: str) -> bool:
    """Blanks, line ends, punctuation, capitals, Markdown and tags do not count; a selection without a word is nowhere."""
    wanted = words_of(selected)
    if not wanted:
        return False
    within, looked_for = " ".join(words_of(text)), " ".join(wanted)
    return looked_for in within if len(wanted) >= FEW else f" {looked_for} " in f" {within} "


def words_of(text: str) -> list[str]:
    """What is read of a text, without its markup."""
    plain = TAG.sub(" ", LINK.sub(r"\1", unicodedata.normalize("NFKC", text)))
    return WORD.findall(plain.casefold())
