"""A book as BibTeX cites it, from the little that is known: reference managers and text processors make every style of it."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

IN_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{each: f"\\{each}" for each in "{}&%$#_"},
    }
)


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A cited book. authors: as people write them. pages: "36", "35–36"; None: the whole book."""

    title: str
    authors: Sequence[str] = ()
    year: str | None = None
    publisher: str | None = None
    pages: str | None = None


def bibtex(work: CitedWork) -> str:
    """An entry of kind book; what is unknown is left out. Its name is "mill1859": ASCII letters and digits."""
    fields = {
        "author": " and ".join(work.authors),
        "title": work.title,
        "year": work.year or "",
        "publisher": work.publisher or "",
        "pages": (work.pages or "").replace("–", "--"),
    }
    lines = [f"  {name} = {{{value.translate(IN_TEX)}}}" for name, value in fields.items() if value]
    first = work.authors[0].partition(",")[0].split() if work.authors else work.title.split()
    name = unicodedata.normalize("NFKD", f"{first[-1] if first else ''}{work.year or ''}").casefold()
    return "@book{" + ",\n".join([re.sub(r"[^a-z0-9]", "", name) or "book", *lines]) + "\n}"
