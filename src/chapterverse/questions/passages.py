"""What is shown of the sources that were found: the best passage, with the sentence or row that answers lit, and two more.

A passage is whole sentences, list items or table rows of one section, at most MAX_CHARACTERS. The trained reader of answers
reads the likeliest passages and says of each sentence how likely it answers; where there is no reader for a text, cosines
decide."""

import logging
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import mean

from chapterverse.core.book import Kind, Sentence, SentenceId
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.words import are_english, distinct_terms, holds, terms_of
from chapterverse.library.artefacts import BookText
from chapterverse.library.services import CollectionServices
from chapterverse.questions.answers import QuotedPassage, source_of
from chapterverse.search.chunks import ITEM, FoundChunk, place_of, unit_of

MAX_CHARACTERS = 600  # of a passage
MAX_PASSAGES = 3  # passages
READ = 5  # passages
HEADINGS = 2  # of a sentence, the nearest
# Fitted on the documents `TUNING` of scripts/eval/written_courses.py: the log odds that a sentence answers, by what the reader
# says and by the scores of the search.
READER, SEARCH, BASE = 0.5, 2.0, -0.93
WORDS = 0.5  # of the question that a sentence has, for its place; 0.5 and 1 differ little there and on the syllabi
HIGHLIGHTED = 2  # sentences of a passage, at most
CLOSE, CLOSE_UNREAD = 0.5, 0.12  # what the second may be behind the first: by the reader, and by the search alone
REACH = 15  # sentences looked at on each side
LANGUAGE_CHUNKS = 3  # chunks whose words tell the language
CITABLE = frozenset({Kind.SENTENCE, Kind.TABLE, Kind.CODE})
LOG = logging.getLogger(__name__)
_WORD = re.compile(r"[^\W\d_]{2,}")
_CHOICE = re.compile(r"\s*\(?[A-Ea-e][.)]\s")
_EXERCISES = re.compile(r"[\d.\s]*(?:\w+ )?(?:questions|exercises|problems|quiz)", re.IGNORECASE)


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

    def around(self, taken: set[SentenceId]) -> tuple[Sentence, ...]:
        """The passage around it, of sentences that are not taken; those are taken then."""
        sentences = passage_around(self.sentence, self.found.text, taken)
        taken.update(one.id for one in sentences)
        return sentences


def read_passages(
    question: str, found: Sequence[FoundChunk], services: CollectionServices, *, selected: str = ""
) -> tuple[list[QuotedPassage], bool]:
    """The best passages of the chunks, best first, no sentence in two of them; and whether their scores are the reader's.
    selected: text that the asker has marked: only the passage around it is read, if it
    stands there, and a sentence that is all marked is no answer if there is another. Raises NotFound if a book was
    replaced meanwhile."""
    candidates = sorted(_candidates(question, found), key=lambda one: -one.order)
    around = next((one.around(set()) for one in candidates if is_marked(one.sentence, selected)), ())
    if around:
        candidates = [one for one in candidates if one.sentence in around]
    odds = _odds(question, candidates, found, services)
    if odds is not None:
        read = [one for one in candidates if one.sentence.id in odds]
        candidates = sorted((one.read(odds[one.sentence.id]) for one in read), key=lambda one: -one.order)
    taken, best, behind = set[SentenceId](), list[QuotedPassage](), CLOSE_UNREAD if odds is None else CLOSE
    candidates = [one for one in candidates if not holds(selected, one.sentence.text)] or candidates
    for one in candidates:
        if one.sentence.id not in taken and len(best) < MAX_PASSAGES:
            sentences = around or one.around(taken)
            taken.update(each.id for each in sentences)
            close = [each for each in candidates if each.order >= one.order - behind and each.sentence in sentences]
            unit = {each.id for near in close[:HIGHLIGHTED] for each in near.found.unit(near.sentence)}
            highlighted = frozenset(each.id for each in sentences if each.id in unit)
            source, passages = source_of(one.found, len(best) + 1, sentences), tuple(map(one.found.passage, sentences))
            relevance = mean(one.found.cosines.get(each, one.found.score) for each in highlighted)
            best.append(QuotedPassage(source, passages, highlighted, one.score, relevance))
    return best, odds is not None


def is_marked(sentence: Sentence, selected: str) -> bool:
    """Whether the sentence holds the selection or is part of it."""
    return holds(sentence.text, selected) or holds(selected, sentence.text)


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
    """Whether the sentence is not a question, one of the choices under it, or a task."""
    heading = (sentence.address.section_path or (sentence.address.chapter.name or "",))[-1]
    if sentence.text.rstrip().endswith("?") or _EXERCISES.fullmatch(heading):
        return False
    if not _CHOICE.match(sentence.text):
        return True
    before = next((one for one in reversed(text.before(sentence, REACH)) if not ITEM.match(one.text)), None)  # the items
    return not (before and before.text.rstrip().endswith("?"))


def _odds(
    question: str, candidates: Sequence[_Candidate], found: Sequence[FoundChunk], services: CollectionServices
) -> dict[SentenceId, float] | None:
    """What the reader says of the sentences of the first READ passages; None where it cannot read."""
    read, taken = list[tuple[FoundChunk, Sequence[Sentence]]](), set[SentenceId]()
    for one in candidates:
        if len(read) < READ and one.sentence.id not in taken:
            read.append((one.found, one.around(taken)))
    odds = read_odds(question, [paragraphs_of(its, chunk.headings(its[0])) for chunk, its in read], found, services)
    if odds is None:
        return None
    return {
        one.id: value for (_, its), values in zip(read, odds, strict=True) for one, value in zip(its, values[1:], strict=True)
    }


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
    """The sentence with those that it needs (unit_of), then with those around it in its section as long as they fit, of
    its own paragraph first; in reading order. taken: what is left out; limit: characters. Raises NotFound."""
    unit = unit_of(sentence, text)
    chosen, left = {sentence.id: sentence}, limit - len(sentence.text)
    at = unit.index(sentence)
    for one in [*unit[:1], *sorted(unit, key=lambda each: abs(unit.index(each) - at))]:
        if one.id not in chosen and one.id not in taken and len(one.text) <= left:
            chosen[one.id], left = one, left - len(one.text)
    before, after = text.before(sentence, REACH), text.after(sentence, REACH)
    sides = [after[::-1], before[:]]  # the nearest last
    while sides := [side for side in sides if side]:
        side = next((each for each in sides if each[-1].address.paragraph_id == sentence.address.paragraph_id), sides[0])
        one = side.pop()
        if one.id in chosen or (one.kind not in CITABLE and place_of(one)[:2] == place_of(sentence)[:2]):
            continue
        if one.id in taken or place_of(one)[:2] != place_of(sentence)[:2] or len(one.text) > left:
            side.clear()
            continue
        chosen[one.id], left = one, left - len(one.text)
        sides.reverse()  # alternately after it and before it
    in_order = [*before, sentence, *after]
    header = [one for one in unit[:1] if one.id not in {each.id for each in in_order}]
    return tuple(one for one in (*header, *in_order) if one.id in chosen)
