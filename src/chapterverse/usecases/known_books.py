"""The books of a school as cases name them: by the stem of the file's name, their sentences by text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeVar

from chapterverse.errors import BadRequest
from chapterverse.evaluation.cases import GoldEvidence, GoldSentence, words_of
from chapterverse.model import Scope, SentenceId, ShelvedBook
from chapterverse.names import slug
from chapterverse.ports import Bucket, Catalog
from chapterverse.usecases.artefacts import indexed, load_book
from chapterverse.usecases.shelf import OpenBook

Item = TypeVar("Item")

Place = tuple[str, str]
"""A sentence as a case names it: slug of the book's name, words of its text."""

GoldBooks = Mapping[str, Sequence[GoldSentence]]
"""Numbered sentences in reading order, by the slug of the book's name."""


@dataclass(frozen=True, slots=True)
class KnownBooks:
    """sentences: of each book, in reading order, the words of a sentence and its id; places: the same by id."""

    sentences: Mapping[str, Sequence[tuple[str, SentenceId]]]
    places: Mapping[SentenceId, Place]

    def ids(self, book: str, sentence: str) -> frozenset[SentenceId]:
        """All sentences of the book that have these words; none if the parser has read it otherwise."""
        words = words_of(sentence)
        return frozenset(id for other, id in self.sentences[slug(book)] if other == words)

    def holds(self, book: str) -> bool:
        """Whether the book is there."""
        return slug(book) in self.sentences

    def near(self, evidence: GoldEvidence, gold: GoldBooks) -> Iterator[Place]:
        """The sentence meant and the one on either side of it. Raises BadRequest for a number that gold does not have."""
        book = slug(evidence.book)
        if evidence.n is None:
            is_meant = [words == words_of(evidence.sentence or "") for words, _ in self.sentences[book]]
            return ((book, words) for words, _ in _with_neighbours(self.sentences[book], is_meant))
        numbered = _numbered(evidence, gold)
        is_meant = [sentence.n == evidence.n for sentence in numbered]
        return ((book, words_of(sentence.text)) for sentence in _with_neighbours(numbered, is_meant))


def know_books(scope: Scope, books: Mapping[str, OpenBook], catalog: Catalog, bucket: Bucket) -> KnownBooks:
    """books: those that are searched, by version. Raises NotFound for one that is gone meanwhile."""
    names = {book.id: stem_of(book) for book in catalog.books(scope.school)}
    sentences = {
        names[book.key.book]: [(words_of(sentence.text), sentence.id) for sentence in indexed(load_book(bucket, book.key))]
        for book in books.values()
    }
    places = {id: (name, words) for name, known in sentences.items() for words, id in known}
    return KnownBooks(sentences, places)


def stem_of(book: ShelvedBook) -> str:
    """What cases call the book."""
    return slug(PurePath(book.file_name).stem)


def _numbered(evidence: GoldEvidence, gold: GoldBooks) -> Sequence[GoldSentence]:
    sentences = gold.get(slug(evidence.book), ())
    if not any(sentence.n == evidence.n for sentence in sentences):
        raise BadRequest("gold_lacks_sentence", n=evidence.n, book=evidence.book)
    return sentences


def _with_neighbours(sentences: Sequence[Item], is_meant: Sequence[bool]) -> Iterator[Item]:
    """Those meant, those before them and those after them."""
    around = zip([False, *is_meant], is_meant, [*is_meant[1:], False], strict=False)
    return (sentence for sentence, near in zip(sentences, around, strict=True) if any(near))
