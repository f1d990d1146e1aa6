"""Search for one question: the chunks of a collection that bear on it, each with the sentences to cite.

Units are sentences that answer a question only together: a lead-in with its list, a row with its table's header, "It …" or
the answer to a question with the sentence before it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

import numpy as np

from chapterverse.core.book import Chunk, Kind, Sentence, SentenceId
from chapterverse.core.hits import Passage, Query, QueryKind, Scope, Vectors
from chapterverse.core.recent import lazy
from chapterverse.library.artefacts import BookText
from chapterverse.library.scope import OpenBook, passage
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import SearchResult, embedded, find
from chapterverse.search.plan import RetrievalPlan

MAX_ITEMS = 15  # of a list
MAX_CHARACTERS = 1_500  # of a list
MAX_ROWS = 60  # of a table, up to which its header is looked for
SHORT = 20  # words of an item without a mark
ITEM = re.compile(r"\s*(?:[•◦▪‣]\s*[\d$€£]|(?:[•◦▪‣·*–—-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])\s*[^\W\d_])")
LEANS = re.compile(r"(?:It|They|This|These|That|Those|He|She|Such|However|Otherwise|Then|If so|In that case)\b")
DIGIT = re.compile(r"\d")
BRACKETS = re.compile(r"\([^()]*\)")


def unit_of(sentence: Sentence, text: BookText) -> tuple[Sentence, ...]:
    """The sentence with those that it needs, in reading order; alone if it needs none. Raises NotFound."""
    if sentence.kind is Kind.TABLE:
        return (*_header(sentence, text), sentence)
    if _leads_in(sentence):
        return (sentence, *_items(sentence, text))
    if ITEM.match(sentence.text):
        return (*_lead_in(sentence, text), sentence)
    before = text.sentence(sentence.prev_id) if sentence.prev_id else None
    if before and (LEANS.match(sentence.text) or _is_question(before)):
        return (before, sentence)
    return (sentence,)


def _header(row: Sentence, text: BookText) -> Iterator[Sentence]:
    """The first row of the table if it names columns: it has no figures and no "Name: value"; else that of the table directly
    before it, which goes on on this page; else the last row before it that does, if all between have figures: what stands
    between two tables may have been read as rows."""
    before = [*text.before(row, MAX_ROWS), row]
    table = list(takewhile(lambda one: place_of(one) == place_of(row) and one.kind is Kind.TABLE, reversed(before)))[::-1]
    own = [one for one in table if one.address.paragraph_id == row.address.paragraph_id]
    first = next((one for one in (own[0], table[0]) if one is not row and _names_columns(one)), None)
    above = list(takewhile(lambda one: not _names_columns(one), reversed(own[:-1])))
    if first:
        yield first
    elif len(above) < len(own) - 1 and all(DIGIT.search(one.text) for one in (*above, row)):
        yield own[len(own) - 2 - len(above)]


def _names_columns(row: Sentence) -> bool:
    return not DIGIT.search(BRACKETS.sub("", row.text)) and ":" not in row.text


def _items(lead_in: Sentence, text: BookText) -> Sequence[Sentence]:
    """The items of the list that follows: marked all of them, or short paragraphs."""
    following = text.after(lead_in, 2 * MAX_ITEMS)
    is_marked = bool(following and ITEM.match(following[0].text))
    items: list[Sentence] = []
    characters = 0
    for one in following:
        new = one.prev_id is None or one.prev_id == lead_in.id
        begins = ITEM.match(one.text) if is_marked else len(one.text.split()) <= SHORT and not _is_question(one)
        characters += len(one.text)
        ends = (new and not begins) or characters > MAX_CHARACTERS or len(items) >= MAX_ITEMS
        if ends or place_of(one) != place_of(lead_in):
            break
        items.append(one)
    return items


def _lead_in(item: Sentence, text: BookText) -> Iterator[Sentence]:
    """The sentence before the list, if it ends with a colon."""
    before = text.before(item, MAX_ITEMS)
    in_list = list(takewhile(lambda one: not _leads_in(one) and (one.prev_id or ITEM.match(one.text)), reversed(before)))
    rest = before[: len(before) - len(in_list)]
    if rest and _leads_in(rest[-1]) and place_of(rest[-1]) == place_of(item):
        yield rest[-1]


def _is_question(sentence: Sentence) -> bool:
    return sentence.text.rstrip().endswith("?")


def _leads_in(sentence: Sentence) -> bool:
    return sentence.text.rstrip().endswith(":")


def place_of(sentence: Sentence) -> tuple[int, tuple[str, ...], bool]:
    """Chapter and section, and whether it is prose: a note between two items is none of them."""
    address = sentence.address
    return address.chapter.index, address.section_path, sentence.kind is Kind.SENTENCE


@dataclass(frozen=True)
class FoundChunk:
    """A chunk that bears on a question.

    score: cosine of chunk and question, also if another score ordered it. nearest: its sentences nearest to the question, at
    least one, best first. ordered_by: the score that decided its place. text: of the book. cosines: of sentences, by id."""

    chunk: Chunk
    score: float
    nearest: Sequence[SentenceId]
    book: OpenBook
    text: BookText
    ordered_by: float = 0.0
    cosines: Mapping[SentenceId, float] = field(default_factory=dict, repr=False)

    @lazy
    def sentences(self) -> Sequence[Sentence]:
        """All its sentences, in reading order."""
        return self.text.sentences(self.chunk.sentences)

    @lazy
    def best(self) -> Sentence:
        """Its sentence nearest to the question."""
        return self.text.sentence(self.nearest[0])

    def unit(self, sentence: Sentence) -> tuple[Sentence, ...]:
        """The sentence with those that it answers together with (unit_of), in reading order."""
        return unit_of(sentence, self.text)

    def passage(self, sentence: Sentence) -> Passage:
        """A sentence of its book with its neighbours. Raises NotFound."""
        return passage(self.text, sentence.id, self.book)

    def headings(self, sentence: Sentence) -> tuple[str, ...]:
        """Of a sentence of its book: the chapter, or else the book's title, and sections, outermost first."""
        address = sentence.address
        return tuple(filter(None, (address.chapter.name or self.book.title, *address.section_path)))


def find_chunks(question: str, scope: Scope, services: CollectionServices, plan: RetrievalPlan) -> list[FoundChunk]:
    """At most plan.limit chunks of the collection, best first; none below plan.min_score.

    One embed call, and one more for sentences without stored vectors. Raises as find does."""

    def read(result: SearchResult) -> list[FoundChunk]:
        [vector], found, services = result.queries.vectors, result.best(), result.services
        opened = [result.books[one.record.version] for one in found]
        chunks = [services.chunks_of(book.key).chunk(one.record.id) for one, book in zip(found, opened, strict=True)]
        cosines = sentence_cosines(vector, list(zip(chunks, opened, strict=True)), services)
        return [
            FoundChunk(
                chunk=chunk,
                score=float(np.clip(one.vector @ vector, -1.0, 1.0)),
                nearest=sorted((id for id in chunk.sentences if id in cosines), key=lambda id: -cosines[id]),
                book=book,
                text=services.text_of(book.key),
                ordered_by=one.score,
                cosines=cosines,
            )
            for one, book, chunk in zip(found, opened, chunks, strict=True)
        ]

    return find(partial(embedded, [Query(question, QueryKind.QUESTION, 0)]), scope, plan, services, read)


def sentence_cosines(
    vector: Vectors, chunks: Sequence[tuple[Chunk, OpenBook]], services: CollectionServices
) -> Mapping[SentenceId, float]:
    """Cosine of each sentence with the vector, (d,); sentences of a book whose vectors of them are lost are embedded."""
    known: dict[SentenceId, float] = {}
    lacking: dict[SentenceId, str] = {}
    for chunk, book in chunks:
        stored = services.sentences_of(book.key).cosines(chunk.sentences, vector)
        known |= stored
        if not stored:
            lacking |= {one.id: one.text for one in services.text_of(book.key).sentences(chunk.sentences)}
    if not lacking:
        return known
    cosines = services.embedder.embed_passages(list(lacking.values())) @ vector
    return known | dict(zip(lacking, cosines.tolist(), strict=True))
