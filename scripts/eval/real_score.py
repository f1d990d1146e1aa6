"""What of a parser's sentences on the gold pages of a real document is what is printed there; no files, no parser.

scripts/eval/data/real/README.md describes the gold. All comparisons are of normalised text: see `normalised`."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

WORDS_OF_ANOTHER = 0.6  # share of a sentence's words that its nearest gold sentence has, from which it is that one, altered
WORDS_IN_A_ROW = 5  # from which a text and a gold sentence are no coincidence
PROSE = "sentence"  # the parser's kind for prose
LETTER_FORMS = {"∆": "Δ", "\u2126": "Ω", "µ": "μ", "ϕ": "φ", "ϵ": "ε", "ϑ": "θ", "ℎ": "h", "\u00ad": "", "…": "...", "⋯": "..."}
SCRIPT_LETTERS = "ℬℰℱℋℐℒℳℛℯℊℴ"
NAMED = re.compile(r"(?!Chapter )\w+ ")  # "Part" of "Part A", which the gold may have as "A"
BULLET = re.compile(r"^[•◦‣▪*–—-] ?(?=\S)")  # before an item of a list; printed, but no part of the sentence
QUOTES_AND_DASHES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "′": "'", "″": '"'})
NO_SPACE = (
    r" ?([+−=×≡≠≤≥<>∈±→/—·∗|]) ?",
    r"(?<=[.(\[{]) (?=[.])",
    r" (?=\.\.)",
    r"(?<=\.\.\.) (?=[,;)])",
    r"(?<=[(\[{]) ",
    r" (?=[)\]}])",
    r"(?<=\b\w,) (?=\w\b)",
)


@dataclass(frozen=True, slots=True)
class Gold:
    """A sentence as printed. texts: all texts that count as equal, normalised. parts: what is left of it between the
    formulae or listings set on lines of their own; empty if there are none. starts_before: on the page before."""

    text: str
    texts: frozenset[str]
    parts: tuple[str, ...]
    holds_formula: bool
    starts_before: bool
    chapter_number: str | None
    chapter_title: str | None
    section: str | None
    paragraph_number: str | None
    page_label: str | None


@dataclass(frozen=True, slots=True)
class GoldPage:
    """page_index is None in a book without pages (EPUB). others: (kind, first 60 characters) of what is no prose."""

    page_index: int | None
    sentences: tuple[Gold, ...]
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence of the parser; pages: indexes of all pages it touches, in order."""

    text: str
    kind: str
    quotable: bool
    pages: tuple[int, ...]
    page_label: str | None
    chapter_number: str | None
    chapter_title: str | None
    sections: tuple[str, ...]
    paragraph_number: str | None


@dataclass(frozen=True, slots=True)
class Wrong:
    """A sentence that is not right; truth: the nearest gold sentence or, if it is no prose, what it is."""

    text: str
    truth: str


@dataclass
class Score:
    """Counts; see `lines_of` in real.py for the shares made of them."""

    gold: int = 0
    found: int = 0
    shown: int = 0  # prose that may be quoted
    right: int = 0
    pictures: int = 0  # prose shown as a picture of its lines
    needless: int = 0  # of these, whose gold holds no formula
    addressed: int = 0
    chapter: int = 0
    section: int = 0
    labelled: int = 0
    label: int = 0
    numbered: int = 0
    number: int = 0
    cut: list[Wrong] = field(default_factory=list)  # printed word for word, but more or less than one sentence
    altered: list[Wrong] = field(default_factory=list)
    not_prose: list[Wrong] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)  # gold sentences that no sentence equals

    def add(self, other: "Score") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def normalised(text: str, scanned: bool = False) -> str:
    """Composed, one space between words and none beside operators, brackets and dashes, since their width is a matter of
    setting; italic letters of formulae as plain letters. Of a scan, also all quotation marks and dashes as plain ones."""
    letters = (plain_letter(c) for c in text)
    out = re.sub(r"\s+", " ", unicodedata.normalize("NFC", "".join(letters))).strip()
    if scanned:
        out = out.translate(QUOTES_AND_DASHES)
    for pattern in NO_SPACE:
        out = re.sub(pattern, lambda match: match[1] if match.lastindex else "", out)
    return out


def plain_letter(letter: str) -> str:
    """An italic letter of a formula as a plain one, "½" as "1/2", "…" as three dots."""
    if (
        "\U0001d400" <= letter <= "\U0001d7ff"
        or letter in SCRIPT_LETTERS
        or unicodedata.decomposition(letter).startswith("<fraction>")
    ):
        return unicodedata.normalize("NFKC", letter).replace("⁄", "/")
    return LETTER_FORMS.get(letter, letter)


def title_of(title: str | None) -> str:
    """A title for comparison: letters and digits only, in lower case."""
    return "".join(c for c in unicodedata.normalize("NFKD", title or "").casefold() if c.isalnum())


def section_of(name: str) -> str:
    """A section's title for comparison, without a number before it ("2.3", "Text 1.1")."""
    return title_of(re.sub(r"^(?:[^\W\d]+\s)?[\d.]+\s", "", name))


def score(pages: Sequence[GoldPage], sentences: Sequence[Found], norm: Callable[[str], str]) -> Score:
    """The counts over all gold pages of a document."""
    total = Score()
    seen: set[int] = set()  # a sentence on two gold pages counts once
    for page in pages:
        there = [i for i in on_page(page, sentences, norm) if i not in seen]
        seen.update(there)
        neighbours = [gold for other in pages for gold in other.sentences]
        judge(page, neighbours, [sentences[i] for i in there], norm, total)
    count_found([g for page in pages for g in page.sentences], [sentences[i] for i in sorted(seen)], norm, total)
    return total


def on_page(page: GoldPage, sentences: Sequence[Found], norm: Callable[[str], str]) -> list[int]:
    """Indexes of the sentences that touch the page; without pages, those between its first and its last gold sentence."""
    if page.page_index is not None:
        return [i for i, sentence in enumerate(sentences) if page.page_index in sentence.pages]
    texts = {text for gold in page.sentences for text in (*gold.texts, *gold.parts)}
    title = title_of(page.sentences[0].chapter_title)
    hits = [i for i, s in enumerate(sentences) if BULLET.sub("", norm(s.text)) in texts and title_of(s.chapter_title) == title]
    return list(range(hits[0], hits[-1] + 1)) if hits else []


def judge(page: GoldPage, golds: Sequence[Gold], there: Iterable[Found], norm: Callable[[str], str], total: Score) -> None:
    """Add to the score what the parser's sentences of one page are worth."""
    torn = [norm(text) for kind, text in page.others if kind == "torn"]
    for sentence in there:
        text = BULLET.sub("", norm(sentence.text))
        if sentence.kind != PROSE or any(part in text or text in part for part in torn):
            continue
        gold = next((g for g in (*page.sentences, *golds) if text in g.texts or text in g.parts), None)
        if gold:
            address(gold, sentence, total)
        if not sentence.quotable:
            total.pictures += 1
            near = gold or nearest(text, golds)
            total.needless += bool(near and not near.holds_formula and not near.parts)
            continue
        total.shown += 1
        total.right += gold is not None
        if gold is None:
            truth, fault = faults(text, page, golds, norm, total)
            fault.append(Wrong(sentence.text, truth))


def faults(
    text: str, page: GoldPage, golds: Sequence[Gold], norm: Callable[[str], str], total: Score
) -> tuple[str, list[Wrong]]:
    """What a quotable text that equals no gold sentence is nearest to or in truth, and the faults that it counts with."""
    near = nearest(text, golds)
    if any(text in norm(other) for _, other in page.others):
        return kind_of(text, page, norm), total.not_prose
    if text in norm(" ".join(gold.text for gold in page.sentences)):
        return near.text if near else "", total.cut
    return (near.text, total.altered) if near else (kind_of(text, page, norm), total.not_prose)


def nearest(text: str, golds: Sequence[Gold]) -> Gold | None:
    """The gold sentence that has most of the text's words, or else so many of them in a row that it must be its original."""
    words = words_of(text)
    best = max(golds, key=lambda gold: shared(words, gold), default=None)
    if best and words and shared(words, best) >= WORDS_OF_ANOTHER:
        return best
    runs = runs_of(text)
    return next((gold for gold in golds if runs & runs_of(gold.text)), None)


def runs_of(text: str) -> set[tuple[str, ...]]:
    """All runs of WORDS_IN_A_ROW words."""
    words = re.findall(r"\w+", text.casefold())
    return set(zip(*(words[start:] for start in range(WORDS_IN_A_ROW)), strict=False))


def shared(words: frozenset[str], gold: Gold) -> float:
    """Of the words, the share that the gold sentence has; among equals, the shorter gold sentence is the nearer one."""
    own = words_of(gold.text)
    return len(words & own) / max(1, len(words)) + len(words & own) / (1000 * max(1, len(own)))


def words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def kind_of(text: str, page: GoldPage, norm: Callable[[str], str]) -> str:
    """What a text of the page that is no prose is in truth; "unlisted" if the gold does not name it."""
    return next((kind for kind, other in page.others if norm(other)[:40] in text or text[:40] in norm(other)), "unlisted")


def address(gold: Gold, sentence: Found, total: Score) -> None:
    """Compare the addresses of a sentence and of the gold sentence that it equals."""
    total.addressed += 1
    number = sentence.chapter_number or ""
    same_title = title_of(gold.chapter_title) == title_of(sentence.chapter_title)
    total.chapter += same_title and (gold.chapter_number or "") in (number, NAMED.sub("", number))
    total.section += gold.section is None or section_of(gold.section) in map(section_of, sentence.sections)
    if gold.page_label is not None and not gold.starts_before:
        total.labelled += 1
        total.label += gold.page_label == sentence.page_label
    if gold.paragraph_number is not None:
        total.numbered += 1
        total.number += gold.paragraph_number == sentence.paragraph_number


def count_found(golds: Sequence[Gold], sentences: Sequence[Found], norm: Callable[[str], str], total: Score) -> None:
    """How many gold sentences the parser has as prose, exactly; one that holds a formula also as a picture of its lines."""
    prose = [sentence for sentence in sentences if sentence.kind == PROSE]
    have = {BULLET.sub("", norm(sentence.text)) for sentence in prose}
    pictured = [frozenset(words_of(norm(s.text))) for s in prose if not s.quotable]
    unique = {gold.text: gold for gold in golds}.values()  # one that crosses two gold pages is on both
    for gold in unique:
        total.gold += 1
        exact = bool(gold.texts & have) or (bool(gold.parts) and all(part in have for part in gold.parts))
        picture = (gold.holds_formula or bool(gold.parts)) and any(shared(w, gold) >= WORDS_OF_ANOTHER for w in pictured if w)
        if exact or picture:
            total.found += 1
        else:
            total.lost.append(gold.text)
