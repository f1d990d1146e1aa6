"""FAQ entries in the order of how likely they answer: by their cosine, and by the trained reader of answers where it can read
them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.words import distinct_terms, plain_words, terms_of
from chapterverse.library.services import CollectionServices
from chapterverse.questions.passages import read_odds
from chapterverse.search.chunks import FoundChunk
from chapterverse.search.plan import logistic

# Fitted on the desks `residence` and `exams` of scripts/eval/desk.py: the log odds that an entry answers, by the mean of what
# the reader says of its question and of its answer; and those that the first does, by its lead as well, and by the share of the
# words of both questions that both have: "Can my dog travel with me?" is nearer to "Can a guest …?" than it should be.
READER, COSINE, BASE = 0.44, 8.9, -2.46
FIRST, LEAD, SHARED, FIRST_BASE = 0.79, 1.22, -3.63, -1.14
TOPIC_HELP = 0.8  # of an entry's score with the topic before the question; 0.6 and 1 differ little (eval.desk)
SAME_ENTRY_HELP = 0.3  # the same for the entry that answered before; with more it hides entries that are named
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OrderedEntries:
    """Chunks, the FAQ entries among them with the likeliest first, in the places that entries have. chance: in [0, 1], that the
    first entry answers; None if entries were not read. is_same: it asks the same in the same words."""

    chunks: Sequence[FoundChunk]
    chance: float | None = None
    is_same: bool = False


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message that leans on the answer before. entry: question of the entry that answered; query: the message with that
    before it; found: for the query."""

    entry: str
    query: str
    found: Sequence[FoundChunk]

    @property
    def is_of_entry(self) -> bool:
        """Whether an entry, and no document, answered before."""
        return any(one.chunk.question == self.entry for one in self.found)

    def repeats(self, message: str) -> bool:
        """Whether the query only finds the entry again that answered before: it is first, and lacks words of the message."""
        first = self.found[0].chunk if self.found else None
        return bool(first and first.question == self.entry and not _has_words(message, first.text))

    def help(self, message: str, entries: Sequence[FoundChunk], services: CollectionServices) -> Numbers:
        """What the topic adds to the scores of entries that were found for the message, never less than nothing. The entry that
        answered before is helped only if it has the message's words."""
        by_id = {one.chunk.id: one for one in self.found if one.chunk.question}
        near = [by_id[one.chunk.id] for one in entries if one.chunk.id in by_id]
        read = _log_odds(self.query, near, services) if near else None
        scores = dict(zip((one.chunk.id for one in near), read if read is not None else (), strict=False))
        return np.array([self._weight(message, one) * np.logaddexp(0.0, scores.get(one.chunk.id, -inf)) for one in entries])

    def _weight(self, message: str, one: FoundChunk) -> float:
        if one.chunk.question != self.entry:
            return TOPIC_HELP
        return SAME_ENTRY_HELP if _has_words(message, one.chunk.text) else 0.0


def order_entries(
    question: str, found: Sequence[FoundChunk], services: CollectionServices, follow_up: FollowUp | None = None
) -> OrderedEntries:
    """The chunks as they are where there is no entry, or where entries cannot be read. follow_up: what the question may lean
    on."""
    entries = [one for one in found if one.chunk.question]
    is_same = [plain_words(one.chunk.question or "") == plain_words(question) for one in entries]
    scores = _log_odds(question, entries, services) if entries else None
    if scores is None:
        return OrderedEntries(found, is_same=is_same[:1] == [True])
    if follow_up:
        scores += follow_up.help(question, entries, services)
    best = sorted(range(len(entries)), key=lambda at: (not is_same[at], -scores[at]))
    ordered = iter([entries[at] for at in best])
    chunks = [next(ordered) if one.chunk.question else one for one in found]
    others = [scores[at] for at in best if entries[at].chunk.question != entries[best[0]].chunk.question]
    lead = scores[best[0]] - others[0] if others else 1.0
    asked, known = set(distinct_terms(question)), set(terms_of(entries[best[0]].chunk.question))
    shared = len(asked & known) / max(len(asked | known), 1)
    chance = logistic(FIRST * scores[best[0]] + LEAD * lead + SHARED * shared + FIRST_BASE)
    return OrderedEntries(chunks, chance, is_same[best[0]])


def _log_odds(question: str, entries: Sequence[FoundChunk], services: CollectionServices) -> Numbers | None:
    """That each entry answers, (n,); None where they cannot be read."""
    answers = [one.chunk.text.partition("\nAnswer: ")[2] for one in entries]
    texts = [entry_paragraphs(one.chunk.question or "", answer) for one, answer in zip(entries, answers, strict=True)]
    odds = read_odds(question, texts, entries, services)
    if odds is None:
        return None
    reader = np.array([(of_question + of_answer) / 2 for _, of_question, of_answer in odds])
    return READER * reader + COSINE * np.array([one.score for one in entries]) + BASE


def entry_paragraphs(question: str, answer: str) -> list[list[str]]:
    """An FAQ entry as the reader reads it: without a heading, its question, and its answer as one sentence."""
    return [["."], [question], [answer]]


def _has_words(message: str, text: str) -> bool:
    return set(distinct_terms(message)) <= set(terms_of(text))
