"""A book as APA (7th edition), MLA (9th edition) and BibTeX cite it, from the little that is known: title, authors as people
write them, and perhaps year, publisher and page. What is unknown is left out, or "n.d." where APA wants that.

Titles keep their capitals: which words are names, a program does not know. A name with a comma is taken as "family, given"; one
without ends with the family name, from the first small particle on ("van Beethoven"). A name with a word such as "University"
is an organization's."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

SUFFIXES = re.compile(r"(jr|sr|ii|iii|iv|esq|phd|md)\.?", re.IGNORECASE)
HONORIFICS = re.compile(r"(dr|prof|professor|sir|dame|rev)\.?", re.IGNORECASE)
ORGANIZATION = re.compile(
    r"\b(academy|agency|association|bank|board|bureau|center|centre|club|college|commission|committee|company|congress|corp|"
    r"council|court|department|foundation|government|group|inc|institute|institut|library|limited|ltd|gmbh|ministry|museum|"
    r"nations|office|organi[sz]ation|parliament|press|school|schule|society|studio|team|trust|union|universit\w+|verein|verlag)\b",
    re.IGNORECASE,
)
BETWEEN_NAMES = re.compile(r"\s*;\s*|\s+&\s+|\s+and\s+|\s+und\s+")
IN_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
MAX_APA = 20  # authors; of more, the first 19 and the last (APA 7, 9.8)
SHORT_WORDS = frozenset({"a", "an", "the", "on", "of", "in", "der", "die", "das", "ein", "eine"})


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name; an organization or a single name has only `family`. suffix: "Jr."."""

    family: str
    given: str = ""
    suffix: str = ""
    organization: bool = False


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A cited book. pages: "36", "35–36"; None: the whole book."""

    title: str
    authors: Sequence[str] = ()
    year: str | None = None
    publisher: str | None = None
    pages: str | None = None


@dataclass(frozen=True, slots=True)
class Styled:
    """A reference and its short form in the text, as HTML."""

    reference: Markup
    in_text: Markup


def names_of(authors: Sequence[str]) -> list[Name]:
    """The names in the order given; an entry may hold several ("Karl Marx and Friedrich Engels")."""
    names = []
    for entry in authors:
        whole = " ".join(re.sub(r"\([^)]*\)", " ", entry).split()).strip(" ,;")
        parts = [whole] if ORGANIZATION.search(whole) else BETWEEN_NAMES.split(whole)
        names += [name_of(part) for part in parts if part]
    return names


def name_of(text: str) -> Name:
    """One name, as a person or a file writes it."""
    if ORGANIZATION.search(text):
        return Name(text, organization=True)
    first, *rest = (part.strip() for part in text.split(","))
    suffix = next((part for part in rest if SUFFIXES.fullmatch(part)), "")
    given = [part for part in rest if part and part != suffix]
    if given:
        return Name(first, " ".join(given), suffix)
    words = first.split()
    while len(words) > 1 and HONORIFICS.fullmatch(words[0]):
        words.pop(0)
    if len(words) > 1 and not suffix and SUFFIXES.fullmatch(words[-1]):
        suffix = words.pop()
    at = next((n for n, word in enumerate(words[:-1]) if n and word[:1].islower()), len(words) - 1)
    return Name(" ".join(words[at:]), " ".join(words[:at]), suffix)


def initials(given: str) -> str:
    """The initials of given names: "Jean-Paul" → "J.-P.", "J.R.R." → "J. R. R."."""
    words = re.sub(r"\.(?=\w)", ". ", given).split()
    return " ".join("-".join(f"{part[0].upper()}." for part in word.split("-") if part) for word in words)


def apa(work: CitedWork) -> Styled:
    """The reference and "(Mill, 1859, p. 36)"."""
    names, title, year = names_of(work.authors), _italic(work.title), work.year or "n.d."
    dated = escape(f"({year}).")
    publisher = f" {_ended(work.publisher)}" if work.publisher and work.publisher not in {name.family for name in names} else ""
    by = _apa_authors(names)
    head = Markup("{} {} {}").format(_ended(by), dated, _ended(title)) if by else Markup("{} {}").format(_ended(title), dated)
    who = escape(_short(names, " & ")) if names else title
    place = f", {'pp.' if re.search('[–-]', work.pages) else 'p.'} {work.pages}" if work.pages else ""
    return Styled(head + escape(publisher), Markup("({}, {}{})").format(who, year, place))


def mla(work: CitedWork) -> Styled:
    """The reference and "(Mill 36)"."""
    names, title = names_of(work.authors), _italic(work.title)
    by = _mla_authors(names)
    imprint = ", ".join(filter(None, (work.publisher, work.year)))
    parts = [
        each
        for each in (escape(_ended(by)) if by else None, _ended(title), escape(_ended(imprint)) if imprint else None)
        if each
    ]
    who = escape(_short(names, " and ")) if names else title
    return Styled(Markup(" ").join(parts), Markup("({}{})").format(who, f" {work.pages}" if work.pages else ""))


def bibtex(work: CitedWork) -> str:
    """An entry of kind book. Organizations are in braces, so that BibTeX takes no name apart."""
    names = names_of(work.authors)
    fields = {
        "author": " and ".join(map(_bibtex_name, names)),
        "title": f"{{{_tex(work.title)}}}",
        "year": _tex(work.year or ""),
        "publisher": _tex(work.publisher or ""),
        "pages": _tex(work.pages or "").replace("–", "--"),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return "@book{" + ",\n".join([_key(work, names), *lines]) + "\n}"


def _apa_authors(names: Sequence[Name]) -> str:
    """For example "Mill, J. S., & Taylor, H."."""
    each = [", ".join(filter(None, (name.family, initials(name.given), name.suffix))) for name in names]
    if len(each) > MAX_APA:
        return f"{', '.join(each[: MAX_APA - 1])}, … {each[-1]}"
    return each[0] if len(each) == 1 else f"{', '.join(each[:-1])}, & {each[-1]}" if each else ""


def _mla_authors(names: Sequence[Name]) -> str:
    """For example "Mill, John Stuart, and Harriet Taylor"; of three or more, the first and "et al."."""
    if not names:
        return ""
    first = ", ".join(filter(None, (names[0].family, names[0].given, names[0].suffix)))
    if len(names) > 2:
        return f"{first}, et al."
    if len(names) == 1:
        return first
    second = " ".join(filter(None, (names[1].given, names[1].family)))
    return f"{first}, and {', '.join(filter(None, (second, names[1].suffix)))}"


def _short(names: Sequence[Name], between: str) -> str:
    families = [name.family for name in names]
    return between.join(families) if len(families) < 3 else f"{families[0]} et al."


def _bibtex_name(name: Name) -> str:
    if name.organization:
        return f"{{{_tex(name.family)}}}"
    return ", ".join(map(_tex, filter(None, (name.family, name.suffix, name.given))))


def _key(work: CitedWork, names: Sequence[Name]) -> str:
    """The entry's name: "mill1859liberty"; ASCII letters and digits."""
    words = [_plain(word) for word in work.title.split()]
    telling = next((word for word in words if word and word not in SHORT_WORDS), "book")
    return f"{_plain(names[0].family) if names else ''}{_plain(work.year or '') or 'nd'}{telling}"


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text).casefold())


def _tex(text: str) -> str:
    return "".join(IN_TEX.get(letter, letter) for letter in text)


def _italic(title: str) -> Markup:
    return Markup("<i>{}</i>").format(title)


def _ended(text: str) -> str:
    """The text with a full stop, if it does not end with a mark of its own; of mark-up, its words count."""
    words = text.striptags() if isinstance(text, Markup) else text
    stop = "" if words.endswith((".", "?", "!")) else "."
    return text + stop
