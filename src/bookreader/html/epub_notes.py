"""Notes of an e-book whose files do not call them notes: links such as "3" or "[3]" that lead to a block which begins with the
same sign or leads back. They get the roles of DPUB-ARIA 1.1, which epub_page reads."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bookreader.html.epub_page import BEGIN, CALL, HOLD, ID, TAG, types_of
from bookreader.html.files import attributes_of, inner, inside, label_of

NOTE_SIGN = re.compile(r"[\[({]?([1-9]\d{0,3}|[*†‡§¶‖#]{1,4}|[a-z]|[ivxlc]{1,6})[\])}]?")
BRACKETED = re.compile(r"[\[({].*[\])}]|[*†‡§¶‖]+")
AROUND_SIGN = " \t\n[({^"
LIST_OF_WORKS = re.compile(r"(?i)bibl|refer|cit[ae]|csl|literat")  # "[3]" names a work, and is printed as a part of the text
NEAR = 80  # characters before a call in which the place may be named that its note leads back to
BEGINNING = 400  # characters of a block that show how it begins
NOTES = frozenset(["footnote", "endnote", "rearnote"])
HOLDERS = frozenset(["p", "li", "dd", "dt", "div", "aside", "td", "blockquote"])  # elements that a note may be


class ElementPlace(NamedTuple):
    """An element of a page: where its tag and its text begin, and the tag."""

    page: str
    start: int
    text: int
    tag: str


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link. target: address; holder: the block it stands in; begins: whether as its first word; typed: the file says that it
    calls a note."""

    place: ElementPlace
    target: str
    shown: str
    holder: ElementPlace | None
    begins: bool
    raised: bool
    typed: bool


@dataclass
class Links:
    """All links of an e-book in order, and by address the block that a place is in."""

    found: list[NoteLink]
    holders: dict[str, ElementPlace]


def with_notes(texts: Mapping[str, str]) -> dict[str, str]:
    """The pages by name, with the roles of calls and notes where they have none."""
    links = Links([], {})
    for name, text in texts.items():
        gather(name, text, links)
    back: dict[ElementPlace, set[str]] = {}
    for link in links.found:
        if link.holder:
            back.setdefault(link.holder, set()).add(link.target)
    roles: dict[ElementPlace, str] = {}
    for link in links.found:
        note = links.holders.get(link.target)
        if note and note != link.holder and is_note(link, note, texts, back.get(note, set())):
            roles[note] = "doc-footnote"
            roles.setdefault(link.place, "" if link.typed else "doc-noteref")
    return {
        name: "".join(with_roles(text, [(each, role) for each, role in roles.items() if each.page == name and role]))
        for name, text in texts.items()
    }


def gather(name: str, text: str, links: Links) -> None:
    """Add the links and the named places of a page."""
    open_: list[tuple[str, ElementPlace]] = []
    for found in TAG.finditer(text):
        tag = (found["name"] or "").lower()
        if found["end"]:
            if any(tag == each for each, _ in open_):
                while open_.pop()[0] != tag:
                    pass
            continue
        if not tag:
            continue
        attributes, place = attributes_of(found["rest"]), ElementPlace(name, found.start(), found.end(), tag)
        if tag in BEGIN | HOLD and not found["empty"]:
            open_.append((tag, place))
        holder = next((each for each_tag, each in reversed(open_) if each_tag in BEGIN), None)
        for anchor in {attributes.get("id", ""), attributes.get("name", "") if tag == "a" else ""} - {""}:
            if holder:
                links.holders[f"{name}#{anchor}"] = holder
        if tag == "a" and "#" in attributes.get("href", ""):
            shown = inner(text, found)
            at = holder.text if holder else 0
            begins = found.start() - at < BEGINNING and not label_of(text[at : found.start()]).strip("[(")
            raised = "<sup" in shown or "<sup" in text[max(0, found.start() - 20) : found.start()]
            typed = CALL in types_of(attributes)
            links.found.append(
                NoteLink(place, inside(name, attributes["href"]), label_of(shown), holder, begins, raised, typed)
            )


def is_note(link: NoteLink, note: ElementPlace, texts: Mapping[str, str], targets: set[str]) -> bool:
    """Whether a link is the call of the note that it leads to. targets: of the links in the note."""
    if note.tag not in HOLDERS:
        return False
    text, own = texts[note.page], texts[link.place.page]
    tags = text[note.start : note.text], own[link.place.start : link.place.text]
    sign = NOTE_SIGN.fullmatch(link.shown)
    if link.typed or not sign or link.begins:
        return link.typed
    if any(LIST_OF_WORKS.search(tag) and "note" not in tag.lower() for tag in tags):
        return False
    first = label_of(text[note.text : note.text + BEGINNING]).lstrip(AROUND_SIGN)
    typed = NOTES & types_of(attributes_of(tags[0]))
    same = typed or note.tag == "li" or (first.startswith(sign[1]) and not first[len(sign[1]) :][:1].isalnum())
    names = ID.findall(own[max(0, link.place.start - NEAR) : link.place.text])
    leads_back = any(f"{link.place.page}#{each}" in targets for each in names)
    return leads_back or bool(same and (link.raised or BRACKETED.fullmatch(link.shown)))


def with_roles(text: str, roles: Sequence[tuple[ElementPlace, str]]) -> Iterator[str]:
    """The text in pieces, with a role in each of these tags in place of the one that it has."""
    at = 0
    for place, role in sorted(roles):
        name = place.start + 1 + len(place.tag)
        yield text[at:name] + f' role="{role}"' + re.sub(r"""\srole\s*=\s*(?:"[^"]*"|'[^']*')""", "", text[name : place.text])
        at = place.text
    yield text[at:]
