"""A question, the sources found for it, and what is shown of them: the best passage, with what answers lit, and two more.

A passage is whole sentences, list items or table rows of one section, at most MAX_CHARACTERS. The trained reader of answers
reads the likeliest passages and says of each sentence how likely it answers; where there is no reader for a text, cosines
decide."""

import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import exp
from statistics import mean

import numpy as np

from chapterverse.core.book import LINED, Kind, Sentence, SentenceId
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Passage
from chapterverse.core.recent import lazy
from chapterverse.core.requests import Record
from chapterverse.core.words import are_english, distinct_terms, holds, terms_of
from chapterverse.library.artefacts import BookText
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message
from chapterverse.questions.model import Answerability, ConfidenceLevel
from chapterverse.search.chunks import ITEM, FoundChunk, place_of, unit_of

ENTRIES = 3  # the right one is among so many in 86 of 100 questions, and the first in 54
EXTRACT = "extract"  # AnswerRecord.by if no language model wrote it: it consists of sentences of the sources
MAX_CHARACTERS = 600  # of a passage
MAX_PASSAGES = 3  # that are shown
READ = 4  # passages: of 171 questions of four blind rounds, as many are right as with 5
HEADINGS = 2  # of a sentence, the nearest
# Fitted on the documents `TUNING` of scripts/eval/written_courses.py: the log odds that a sentence answers, by what the reader
# says and by the scores of the search.
READER, SEARCH, BASE = 0.5, 2.0, -0.93
WORDS = 0.5  # of the question that a sentence has, for its place; 0.5 and 1 differ little there and on the syllabi
SUMMED = 3  # sentences of a passage; with 2 or with all, fewer are right on four blind rounds and the syllabi
HIGHLIGHTED = 2  # sentences of a passage, at most
CLOSE, CLOSE_UNREAD = 1.0, 0.12  # what the second may be behind the first, by the reader (chosen on tuning data), and without
REACH = 15  # sentences looked at on each side
LANGUAGE_CHUNKS = 3  # chunks whose words tell the language
CITABLE = frozenset({Kind.SENTENCE, Kind.TABLE, Kind.CODE})
LOG = logging.getLogger(__name__)
_WORD = re.compile(r"[^\W\d_]{2,}")
_POINTS = str.maketrans(":,", "..")
_NUMBER = re.compile(r"\d+(?:[.:,]\d+)?")
_RANGE = re.compile(rf"({_NUMBER.pattern})\s*(?:[-–—]|to|bis)\s*({_NUMBER.pattern})")
_COUNTED = (
    "first erste second zweite third dritte fourth vierte fifth fünfte sixth sechste seventh siebte eighth achte ninth neunte"
)
_ORDINALS = {word: str(twice // 2) for twice, word in enumerate(f"{_COUNTED} tenth zehnte".split(), start=2)}
_CHOICE = re.compile(r"\s*\(?[A-Ea-e][.)]\s")
_EXERCISES = re.compile(r"[\d.\s]*(?:\w+ )?(?:questions|exercises|problems|quiz)", re.IGNORECASE)


@dataclass(frozen=True)
class CitableSource:
    """Source #number, from 1. title: of the document, or the question of an FAQ entry. module: topic of the page's folder.
    headings: outermost first.

    text: what a language model reads. sentences: that can be cited, in reading order, at least one; of an FAQ entry, those of
    its answer. passage, unit: of one of them, unit with those that it needs (search/chunks.py). score: cosine to the query.
    whole: written as one answer (FAQ entry, resolved ticket). type, id, department: source_type, source_id, department_id of
    S5."""

    number: int
    title: str
    text: str
    sentences: tuple[Sentence, ...]
    score: float
    passage: Callable[[Sentence], Passage] = field(repr=False, compare=False)
    unit: Callable[[Sentence], tuple[Sentence, ...]] = field(repr=False, compare=False)
    module: str = ""
    headings: tuple[str, ...] = ()
    whole: bool = False
    type: str = ""
    id: str = ""
    department: str | None = None

    @property
    def section(self) -> str:
        """Its path, "Module > Chapter > Heading" (S4-13); the title replaces a missing module."""
        return " > ".join((self.module or self.title, *self.headings))


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """Whole sentences, list items or table rows of a source, in reading order. highlighted: ids of those that answer best
    together, or come nearest; none if rows of a table cannot be told apart. score: log odds that they answer, by the reader,
    else for the order only. relevance: mean cosine of the lit ones to the question."""

    source: CitableSource
    passages: tuple[Passage, ...]
    highlighted: frozenset[SentenceId]
    score: float
    relevance: float

    @property
    def highlighted_passages(self) -> list[Passage]:
        """The lit ones, in reading order; all if none is."""
        return [one for one in self.passages if one.sentence.id in self.highlighted] or list(self.passages)

    @property
    def highlighted_text(self) -> str:
        return text_of([one.sentence for one in self.highlighted_passages])

    @property
    def text(self) -> str:
        return text_of([one.sentence for one in self.passages])


@dataclass(frozen=True, slots=True)
class Reading:
    """What is shown of the sources without a language model, best first, and whether it answers; None if nothing was found.
    entries: FAQ entries among the sources, the likeliest first. notes: for the reader."""

    passages: tuple[QuotedPassage, ...] = ()
    judgement: Answerability | None = None
    entries: tuple[CitableSource, ...] = ()
    notes: tuple[Message, ...] = ()

    @property
    def standing(self) -> ConfidenceLevel:
        """REFUSED if nothing was found."""
        return self.judgement.standing if self.judgement else ConfidenceLevel.REFUSED


@dataclass(frozen=True)
class Findings:
    """Search result for a question. sources: for a language model. scores: cosines of the top k, best first. related: close
    sections by title, each with a sentence. read: reads what is shown without a language model. courtesy: the reply to small
    talk, for which nothing is searched."""

    sources: tuple[CitableSource, ...] = ()
    scores: tuple[float, ...] = ()
    related: Mapping[str, Passage] = field(default_factory=dict)
    read: Callable[[], Reading] = field(default=Reading, repr=False, compare=False)
    courtesy: str = ""

    @lazy
    def reading(self) -> Reading:
        """What `read` returns. Raises NotFound if a source was replaced meanwhile."""
        return self.read()

    @property
    def best(self) -> float:
        """The best score; 0 without scores."""
        return max(self.scores, default=0.0)

    @property
    def mean(self) -> float:
        """Mean of all scores, also those below the threshold (S4-15); 0 without scores."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """question: as the user wrote it. query: the search text, understandable without the conversation. about: the section, or
    at the help desk the entry, that a follow-up leans on, empty for any other. conversation: the turns before it, oldest first.
    selected: text marked by the user. names: of participants, to be redacted."""

    question: str
    query: str
    conversation: Sequence[str] = ()
    selected: str = ""
    names: Sequence[str] = field(default=(), repr=False)
    about: str = ""


class Confidence(Record, frozen=True):
    """best, mean: cosines of the found chunks. band: the application's name for the level. relevance: mean cosine of the claims
    to the question, null without claims. answerable: whether the sources answer the question, null if not judged."""

    best: float = 0.0
    mean: float = 0.0
    band: str
    relevance: float | None = None
    answerable: Answerability | None = None


def is_row(sentence: Sentence) -> bool:
    """Whether it is a line of its own: a row, a line of code, or an item that does not end as a sentence does."""
    return sentence.kind in LINED or not sentence.text.rstrip("\"'”’»)]*_").endswith((".", "!", "?", "…", ":"))


def text_of(sentences: Sequence[Sentence]) -> str:
    """The sentences as they are read: each paragraph, and each row, on a line of its own."""
    text, before = "", None
    for one in sentences:
        is_new = before and (is_row(one) or is_row(before) or one.address.paragraph_id != before.address.paragraph_id)
        text += ("\n" if is_new else " ") * bool(before) + one.text
        before = one
    return text


def text_under_headings(sentences: Sequence[Sentence], known: Sequence[str]) -> str:
    """As text_of; where they are of several sections, each under its headings, without those that are known of all."""
    parts = list[str]()
    for headings, its in groupby(sentences, key=lambda one: (one.address.chapter.name, *one.address.section_path)):
        own = [each for each in headings if each and each not in known]
        parts += [*([f"Section: {' > '.join(own)}"] if own else []), text_of(list(its))]
    return "\n".join(parts)


def source_of(found: FoundChunk, number: int, sentences: Sequence[Sentence]) -> CitableSource:
    """Sentences of a chunk as a source. The title of an FAQ entry is its question (S5-5), its text the whole entry."""
    is_entry, address = bool(found.chunk.question), sentences[0].address
    kind, _, id = (address.chapter.file or "").partition("/") if is_entry else ("pdf" if address.places else "page", "", "")
    return CitableSource(
        number=number,
        title=found.chunk.question or found.book.title,
        text=found.chunk.text if is_entry else text_under_headings(sentences, found.chunk.headings),
        sentences=tuple(sentences),
        passage=found.passage,
        unit=found.unit,
        score=found.score,
        module="" if is_entry else address.chapter.module or "",
        headings=() if is_entry else found.chunk.headings,
        whole=is_entry,
        type=kind,
        id=id or str(address.book),
        department=address.chapter.module if is_entry else found.book.department,
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """score: that it answers; shared: what the question's words in it and in its headings add to its place, for words tell
    sentences apart that one text has, and not whether one of them answers."""

    found: FoundChunk
    sentence: Sentence
    score: float
    shared: float

    @property
    def order(self) -> float:
        return self.score + self.shared

    def read(self, odds: float) -> "_Candidate":
        """The same with the log odds that it answers. odds: by the reader."""
        return replace(self, score=READER * odds + SEARCH * self.score + BASE, shared=SEARCH * self.shared)


def read_passages(
    question: str, found: Sequence[FoundChunk], services: CollectionServices, *, selected: str = ""
) -> tuple[list[QuotedPassage], bool]:
    """The best passages of the chunks, best first, no sentence but a header in two of them; and whether their scores are the
    reader's: then the odds of a passage are the sum of those of its SUMMED best sentences, for it answers if any of them does.
    selected: text that the asker has marked: only the passage around it is read, if it stands there, and a sentence that is all
    marked is no answer if there is another. Raises NotFound if a book was replaced meanwhile."""
    candidates = sorted(_candidates(question, found), key=lambda one: -one.order)
    around = next((passage_around(one.sentence, one.found.text) for one in candidates if is_marked(one.sentence, selected)), ())
    if around:
        candidates = [one for one in candidates if one.sentence in around]
    odds = _odds(question, candidates, found, services)
    if odds is not None:
        read = [one for one in candidates if one.sentence.id in odds]
        candidates = sorted((one.read(odds[one.sentence.id]) for one in read), key=lambda one: -one.order)
    best, behind = list[QuotedPassage](), CLOSE_UNREAD if odds is None else CLOSE
    candidates = [one for one in candidates if not holds(selected, one.sentence.text)] or candidates
    passages = [(around, candidates)] if around else _passages(candidates)
    if odds is not None:
        passages.sort(key=lambda passage: -sum(exp(one.order) for one in passage[1][:SUMMED]))
    for number, (sentences, its) in enumerate(passages[:MAX_PASSAGES], start=1):
        heads = {each.id for row in sentences if row.kind is Kind.TABLE for each in unit_of(row, its[0].found.text)[:-1]}
        likely = [each for each in its if each.sentence.id not in heads] or its  # a table's header answers with a row only
        one, chosen = likely[0], _chosen(question, likely, behind)
        unit = {each.id for near in chosen[:HIGHLIGHTED] for each in near.found.unit(near.sentence)}
        highlighted = frozenset(each.id for each in sentences if each.id in unit)
        relevance = mean(one.found.cosines.get(each, one.found.score) for each in highlighted or (one.sentence.id,))
        source, shown = source_of(one.found, number, sentences), tuple(map(one.found.passage, sentences))
        best.append(QuotedPassage(source, shown, highlighted, its[0].score, relevance))
    return best, odds is not None


def _chosen(question: str, likely: Sequence[_Candidate], behind: float) -> Sequence[_Candidate]:
    """The first and those close to it. Of rows, whose odds are much alike, only those that share most with the question of what
    not all rows have; one that shares a number need not be close. None if the first is a row and none tells them apart."""
    close = [one for one in likely if one.order >= likely[0].order - behind]
    rows = [one for one in likely if is_row(one.sentence) and (one.sentence.prev_id or one.sentence.next_id)]  # of a table
    if len(rows) < 2 or not any(one in rows for one in close):
        return close
    words = _marks(question)
    numbers = sum(word[0].isdigit() for word in words)
    shares = np.array([_shares(words, one.sentence.text) for one in rows], dtype=float)
    own = zip(rows, shares - shares.min(axis=0), strict=True)
    rivals = {one.sentence.id: sum(its) for one, its in own if one in close or any(its[:numbers])}
    if not (most := max(rivals.values())) and (numbers or len(rivals) > 1):
        return [] if likely[0] in rows else [one for one in close if one not in rows]
    best = [one for one in likely if rivals.get(one.sentence.id, most * (one in close and one not in rows)) == most]
    return [one for one in best if one.order >= best[0].order - behind]


def _marks(text: str) -> list[str]:
    """Its numbers, also those of ordinals, then its terms."""
    plain = _WORD.sub(lambda word: _ORDINALS.get(word[0].rstrip("mnrs"), word[0]), text.lower().translate(_POINTS))
    return list(dict.fromkeys([*_NUMBER.findall(plain), *terms_of(_NUMBER.sub(" ", plain))]))


def _shares(words: Sequence[str], text: str) -> list[float]:
    """For each of _marks 1 if the text has it, half for a number within a range of the text: "80" in "74–84"."""
    has, ranges = _marks(_RANGE.sub(" ", text)), _RANGE.findall(text.translate(_POINTS))
    within = [one[0].isdigit() and any(float(low) <= float(one) <= float(high) for low, high in ranges) for one in words]
    return [max(word in has, 0.5 * is_in) for word, is_in in zip(words, within, strict=True)]


def _passages(candidates: Sequence[_Candidate]) -> list[tuple[tuple[Sentence, ...], Sequence[_Candidate]]]:
    """At most READ passages around the first candidates; each with its candidates, in order."""
    taken, passages = set[SentenceId](), list[tuple[tuple[Sentence, ...], Sequence[_Candidate]]]()
    for one in candidates:
        if len(passages) < READ and one.sentence.id not in taken:
            sentences = passage_around(one.sentence, one.found.text, taken)
            taken.update(each.id for each in sentences)
            passages.append((sentences, [each for each in candidates if each.sentence in sentences]))
    return passages


def is_marked(sentence: Sentence, selected: str) -> bool:
    """Whether the sentence holds the selection or is part of it."""
    return bool(selected) and (holds(sentence.text, selected) or holds(selected, sentence.text))


def _candidates(question: str, found: Sequence[FoundChunk]) -> Iterator[_Candidate]:
    """The sentences of the chunks that may answer, each once, with the score of the chunk and their own cosine, and the share
    of the question's words."""
    seen, words = set[SentenceId](), set(distinct_terms(question))
    for one in found:
        for sentence in one.sentences:
            if sentence.id not in seen and may_answer(sentence, one.text):
                seen.add(sentence.id)
                shared = words & set(terms_of(" ".join([sentence.text, *one.headings(sentence)[-HEADINGS:]])))
                score = one.ordered_by + one.cosines.get(sentence.id, one.score)
                yield _Candidate(one, sentence, score, WORDS * len(shared) / max(len(words), 1))


def may_answer(sentence: Sentence, text: BookText) -> bool:
    """Whether the sentence is not a question, one of the choices under it, a task, or a field to fill in before another one."""
    is_field = sentence.text.endswith(":") and all(each.text.endswith(":") for each in text.after(sentence, 1))
    heading = (sentence.address.section_path or (sentence.address.chapter.name or "",))[-1]
    if is_field or sentence.text.rstrip().endswith("?") or _EXERCISES.fullmatch(heading):
        return False
    if not _CHOICE.match(sentence.text):
        return True
    before = next((one for one in reversed(text.before(sentence, REACH)) if not ITEM.match(one.text)), None)  # the items
    return not (before and before.text.rstrip().endswith("?"))


def _odds(
    question: str, candidates: Sequence[_Candidate], found: Sequence[FoundChunk], services: CollectionServices
) -> dict[SentenceId, float] | None:
    """What the reader says of the sentences of the first READ passages; None where it cannot read."""
    read = [(its[0].found, sentences) for sentences, its in _passages(candidates)]
    odds = read_odds(question, [paragraphs_of(its, chunk.headings(its[0])) for chunk, its in read], found, services)
    if odds is None:
        return None
    pairs = (zip(its, values[1:], strict=True) for (_, its), values in zip(read, odds, strict=True))
    return {one.id: value for of_text in pairs for one, value in of_text}


def read_odds(
    question: str, texts: Sequence[Sequence[Sequence[str]]], found: Sequence[FoundChunk], services: CollectionServices
) -> list[list[float]] | None:
    """The log odds of each sentence of the texts, their headings included; None without a reader, if it fails, and for texts or
    a question in another language than English, which it has not learned."""
    if services.read_answers is None or not (are_english(_WORD.findall(question)) and are_english(_words_in(found))):
        return None
    try:
        return services.read_answers(question, texts)
    except ModelUnavailable:
        LOG.exception("reader of answers unavailable")
        return None


def is_in_other_language(question: str, found: Sequence[FoundChunk]) -> bool:
    """Whether the question is not English, and what was found is; False for a question of very few words."""
    return not are_english(_WORD.findall(question)) and are_english(_words_in(found))


def _words_in(found: Sequence[FoundChunk]) -> list[str]:
    return [word for one in found[:LANGUAGE_CHUNKS] for word in _WORD.findall(one.chunk.text)]


def paragraphs_of(sentences: Sequence[Sentence], headings: Sequence[str]) -> list[list[str]]:
    """The sentences as the reader reads them: by paragraph, under the headings nearest to them."""
    by_paragraph = groupby(sentences, key=lambda one: (one.address.chapter.index, one.address.paragraph))
    return [[" ".join(headings[-HEADINGS:]) or "."], *([one.text for one in its] for _, its in by_paragraph)]


def passage_around(
    sentence: Sentence, text: BookText, taken: Collection[SentenceId] = (), limit: int = MAX_CHARACTERS
) -> tuple[Sentence, ...]:
    """The sentence with those that it needs (unit_of), then with those around it in its section as long as they fit, of its
    own paragraph first, rows under their header. taken: left out, but for headers; limit: characters. Raises NotFound."""
    unit = unit_of(sentence, text)
    chosen, left = {sentence.id: sentence}, limit - len(sentence.text)
    for one in [*unit[:1], *sorted(unit, key=lambda each: abs(unit.index(each) - unit.index(sentence)))]:
        if one.id not in chosen and (one.id not in taken or one.kind is Kind.TABLE) and len(one.text) <= left:
            chosen[one.id], left = one, left - len(one.text)
    before, after = text.before(sentence, REACH), text.after(sentence, REACH)
    sides = [after[::-1], before[:]]  # the nearest last
    while sides := [side for side in sides if side]:
        side = next((each for each in sides if each[-1].address.paragraph_id == sentence.address.paragraph_id), sides[0])
        one = side.pop()
        if one.id in chosen or (one.kind not in CITABLE and place_of(one)[:2] == place_of(sentence)[:2]):
            continue
        new = [each for each in (unit_of(one, text) if one.kind is Kind.TABLE else (one,)) if each.id not in chosen]
        size = sum(len(each.text) for each in new)
        if one.id in taken or place_of(one)[:2] != place_of(sentence)[:2] or size > left:
            side.clear()
            continue
        chosen, left = chosen | {each.id: each for each in new}, left - size
        sides.reverse()  # alternately after it and before it
    in_order = [*before, sentence, *after]
    headers = [one for one in chosen.values() if one.kind is Kind.TABLE and one not in in_order]
    return tuple(one for one in (*headers, *in_order) if one.id in chosen)
