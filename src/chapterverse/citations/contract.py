"""The contract of a text that a language model wrote for a reader: what its form must be. Code checks it; whether the text is
true is another question (second_reading.py).

| Requirement | Check | If it fails |
|---|---|---|
| LENGTH | at least one word, at most `max_words`, not the same few again and again | withheld |
| PLAIN | no mark-up, no control characters | withheld |
| CONTACT | no web address, no e-mail address, no handle; an answer may repeat its grounds' | withheld |
| MARK | no letter grade with plus or minus, no "3/4", "50 %", "5 points", "out of 10"; not asked of an answer | withheld |
| PLACE | no page or chapter: the server adds them | withheld |
| EVIDENCE | "Evidence #n" is one of its own numbers | withheld |
| QUOTATION | quoted words stand in a source, at most MAX_QUOTED words | withheld; right ones become the source's characters |
| NUMBER | each number stands in the grounds | withheld |
| NAME | words with a capital inside a sentence stand in the grounds, but for an ending or a letter | withheld; not in German |
| QUESTION | where it may only ask, it ends with a question | withheld |
| LANGUAGE | it is not in English for a German reader, or the other way round, as far as LONG_ENOUGH own words show | withheld |

Withheld: the writer may repair the text once; then it is dropped. There is no list of forbidden words: what is decent, and
whether a text orders, promises or marks, is for the second reading."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from itertools import chain

from chapterverse.core.words import OTHER, WORD, language_in, plain_word, plain_words

MAX_QUOTED = 15  # words of one quotation
LONG_ENOUGH = 8  # words, from which the language of a text is known
STEM, ENDING = 4, 4  # letters that two forms of a name share at least, and in which they differ at most
SPELT = 0.85  # likeness from which a name is the same, misspelt by the student
_MARKUP = re.compile(r"[<>`|{}\\~^]|\]\(|\*\*|__|[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_CONTACT = re.compile(r"https?:|www\.|\S@\S|(?<!\S)@\w|\w\.[a-z]{2,}\b(?!\.)|://", re.IGNORECASE)
_MARK = re.compile(
    r"(?<!\w)[A-F][+\-−–](?!\w)|\d\s*/\s*\d|\d\s*(?:%|per\s?cent\b|prozent\b|points?\b|punkte?n?\b|marks?\b)|\bout of \d",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:pages?|chapters?|pp?\.|seiten?|kapitel)\s*#?\d", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_EVIDENCE = re.compile(r"\b(?P<name>Evidence|Beleg)\s*#?\s*(?P<number>\d+)", re.IGNORECASE)
_QUOTED = re.compile(
    r"“(?P<curly>[^”“]*)(?:[”“]|$)|„(?P<low>[^“”]*)(?:[“”]|$)|(?<!\w)»(?P<inward>[^«»]*)(?:[«»]|$)|«(?P<angled>[^»]*)(?:»|$)"
    r"|\"(?P<straight>[^\"]*)(?:\"|$)|[‟″〝＂](?P<prime>[^‟″”〞＂\"]*)(?:[‟″”〞＂\"]|$)|‹(?P<thin>[^›]*)(?:›|$)|›(?P<outward>[^‹]*)(?:‹|$)"
    r"|[「『《〈⟪⟨﴾﴿❝〔【](?P<corner>[^」』》〉⟫⟩﴾﴿❞〕】]*)(?:[」』》〉⟫⟩﴾﴿❞〕】]|$)|(?<!\w)[‚‘‛](?P<single>.+?)[’‘](?!\w)"
    r"|(?<!\w)['′](?P<plain>.+?)['′](?!\w)|`+(?P<ticks>[^`]+)(?:`+|$)|(?<![\w*])\*+(?P<stars>[^*\s][^*]*)\*+|(?<!\w)_+(?P<italics>[^_]+)_+(?!\w)"
    r"|^\s*>(?P<block>.+)$",
    re.MULTILINE | re.DOTALL,
)
_SENTENCE_END = ".!?:…"
MOST_ALIKE = 3  # times that the words of a text come, on average: one that comes more often says the same again and again
_AROUND = ".,;:!?()[]<>\"'“”"  # an address
_BETWEEN = " \t“”\"„‘’'«»()[]"  # a sentence's end and the next word


class Requirement(StrEnum):
    """A row of the contract."""

    LENGTH = "length"
    PLAIN = "plain"
    CONTACT = "contact"
    MARK = "mark"
    PLACE = "place"
    EVIDENCE = "evidence"
    QUOTATION = "quotation"
    NUMBER = "number"
    NAME = "name"
    QUESTION = "question"
    LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a text may rest on.

    quotable: texts that it may quote word for word. known: all texts whose numbers and names it may use; the quotable ones are
    known, too. numbers: of the evidence that it may name.
    repeats_contacts: an address that stands in a known text may be repeated. nouns_have_capitals: the text is in
    such a language (German), so that capitals tell nothing of names. evidence_name: what evidence is called there, as it is in
    the text if empty. only_asks: the text has to end with a question. language: that the text has to be in, empty for any."""

    quotable: tuple[str, ...]
    known: tuple[str, ...] = ()
    numbers: Collection[int] = ()
    nouns_have_capitals: bool = False
    evidence_name: str = ""
    repeats_contacts: bool = False
    only_asks: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True)
class Contracted:
    """A text as the reader would see it, and the requirements that it fails."""

    text: str
    failed: tuple[Requirement, ...] = ()


def under_contract(text: str, grounds: Grounds, max_words: int) -> Contracted:
    """The text with canonical quotations and evidence numbers, and what it fails."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    words, known = plain.split(), (*grounds.quotable, *grounds.known)
    repeated = known if grounds.repeats_contacts else ()
    checked = " ".join(word for word in words if not any(_repeats(word, each) for each in repeated))
    named = _EVIDENCE.sub(lambda each: f"{grounds.evidence_name or each['name']} #{each['number']}", plain)
    canonical, unquoted, all_found = _with_quotations(named, grounds.quotable)
    own = _EVIDENCE.sub(" ", unquoted)
    fails = {
        Requirement.PLAIN: _MARKUP.search(checked),
        Requirement.CONTACT: _CONTACT.search(checked),
        Requirement.LENGTH: not 0 < len(words) <= max_words or len(words) > MOST_ALIKE * len(set(words)),
        Requirement.EVIDENCE: not evidence_in(plain) <= {*grounds.numbers},
        Requirement.QUOTATION: not all_found,
        Requirement.MARK: _MARK.search(own),
        Requirement.PLACE: _PLACE.search(own),
        Requirement.NUMBER: set(_numbers(own)) - {number for each in known for number in _numbers(each)},
        Requirement.NAME: not grounds.nouns_have_capitals and not _names_known(own, known),
        Requirement.QUESTION: grounds.only_asks and "?" not in canonical[-4:],
        Requirement.LANGUAGE: grounds.language and language_if_long(own) not in (grounds.language, OTHER),
    }
    return Contracted(canonical, tuple(each for each, found in fails.items() if found))


def language_if_long(text: str) -> str:
    """The language of the text; OTHER for a short one, too."""
    return language_in(text) if len(text.split()) >= LONG_ENOUGH else OTHER


def _repeats(word: str, text: str) -> bool:
    """Whether an address stands in the text as a whole."""
    own = word.strip(_AROUND)
    return bool(_CONTACT.search(own)) and any(each.strip(_AROUND) == own for each in text.split())


def find_words(words: str, text: str) -> tuple[int, int] | None:
    """[start, end) of the words in the text: the same words in the same order, whatever the case, the accents, the marks and
    the blanks between them; None if they are not there."""
    wanted, there = plain_words(words), list(WORD.finditer(text))
    plain = [plain_word(each[0]) for each in there]
    for at in range(len(plain) - len(wanted) + 1) if wanted else ():
        if plain[at : at + len(wanted)] == wanted:
            return there[at].start(), there[at + len(wanted) - 1].end()
    return None


def quotes_of(text: str, source: str) -> bool:
    return any(find_words(quoted, source) for _, quoted in _quotations_in(text))


def evidence_in(text: str) -> set[int]:
    """The numbers of evidence that the text names."""
    return {int(each["number"]) for each in _EVIDENCE.finditer(text)}


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """The text with other numbers of evidence, where it names any."""
    return _EVIDENCE.sub(lambda each: f"{each['name']} #{numbers.get(int(each['number']), each['number'])}", text)


def _quotations_in(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The span of each quotation with its marks, whatever they are, and what is quoted."""
    return ((found.span(), found[found.lastgroup or 0]) for found in _QUOTED.finditer(text))


def _with_quotations(text: str, sources: Sequence[str]) -> tuple[str, str, bool]:
    """The text with each quotation in the source's own characters; the same with blanks for them; whether all were found."""
    canonical, unquoted, end, all_found = "", "", 0, True
    for (start, stop), quoted in _quotations_in(text):
        source = _standing(quoted, sources)
        if source is None or len(quoted.split()) > MAX_QUOTED:
            all_found = False
            continue
        exact, closing = _exact(source, quoted.rstrip()[-1:])
        canonical += text[end:start] + (f"„{exact}“" if text[start] == "„" else f"“{exact}”") + closing
        unquoted += text[end:start] + " " * (len(exact) + 2) + closing
        end = stop
    return canonical + text[end:], unquoted + text[end:], all_found


def _standing(quoted: str, sources: Sequence[str]) -> tuple[str, tuple[int, int]] | None:
    """The source that has the quoted words, as they are or else whatever the case and the marks, and [start, end) of them."""
    as_it_is = re.compile(rf"(?<!\w){re.escape(quoted.strip(_AROUND))}(?!\w)")
    exact = ((each, found.span()) for each in sources if (found := as_it_is.search(each)) and find_words(quoted, found[0]))
    tolerant = ((each, place) for each in sources if (place := find_words(quoted, each)))
    return next(chain(exact, tolerant), None)


def _exact(source: tuple[str, tuple[int, int]], last: str) -> tuple[str, str]:
    """The source's characters, with its own question or exclamation mark; and the mark of the comment's sentence after them."""
    text, (start, end) = source
    if last in {"?", "!"} and text[end : end + 1] == last:
        return text[start : end + 1], ""
    return text[start:end], last if last in {",", ".", ";"} else ""


def _numbers(text: str) -> Iterator[str]:
    return (found[0].rstrip(".,:/") for found in _NUMBER.finditer(text))


def _names_known(text: str, known: Sequence[str]) -> bool:
    words = {_stem(found[0]) for each in known for found in WORD.finditer(each)}
    names = {_stem(name) for each in known for name in _names(each)}
    new = {_stem(name) for name in _names(text)} - words
    return all(any(_is_form_of(name, other) for other in names) or get_close_matches(name, words, 1, SPELT) for name in new)


def _is_form_of(name: str, other: str) -> bool:
    """Whether they begin alike and differ only in their endings: "English", "England"."""
    same = next((at for at, (one, two) in enumerate(zip(name, other, strict=False)) if one != two), min(len(name), len(other)))
    return same >= STEM and max(len(name), len(other)) <= same + ENDING


def _stem(name: str) -> str:
    return plain_word(re.sub("['’ʼ]s$", "", name, flags=re.IGNORECASE))


def _names(text: str) -> Iterator[str]:
    """Words with a capital that do not begin a sentence, without "I"."""
    for found in WORD.finditer(text):
        before = text[: found.start()].rstrip(_BETWEEN)
        is_inside = bool(before) and before[-1] not in _SENTENCE_END
        if is_inside and found[0][0].isupper() and found[0].partition("'")[0].partition("’")[0] != "I":
            yield found[0]
