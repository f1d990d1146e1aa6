"""S2's experiment: how well questions on a document are answered with chunks of several sizes ("Chunk Size Selection").

The questions come with the document, or are made of it: of sentences drawn at random every other of the words that say
anything, as somebody asks who half remembers one. Nothing is stored, and the vectors are compared in memory."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.core.book import Book, Chunk, Sentence
from chapterverse.core.errors import BadRequest
from chapterverse.core.ports import Embedder
from chapterverse.core.words import NOT_TERMS
from chapterverse.library.text.chunking import windows
from chapterverse.library.text.pieces import body
from chapterverse.search.plan import inverse_distance

K = 3  # chunks that an answer is made from (S2-5)

LEAST_WORDS = 8  # that say anything, of a sentence drawn: half of fewer could be of many


@dataclass(frozen=True, slots=True)
class SizeQuestion:
    """A question, and whether a chunk holds what answers it."""

    question: str
    is_answered_by: Callable[[Chunk], bool]


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """Of chunks of one size: how many; means over the questions of the best chunk's cosine, of the K best ones' ("average
    similarity"), and of the latter as the seed computes it; the share of questions with an answering chunk first, and among
    the K first; seconds that embedding the chunks took."""

    characters: int
    overlap: int
    chunks: int
    best: float
    mean: float
    inverse_distance: float
    hit_at_1: float
    hit_at_3: float
    seconds: float


class QuestionLine(BaseModel):
    """A question and words of the document that answer it."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)


def compare_sizes(
    book: Book, asked: Sequence[SizeQuestion], sizes: Sequence[tuple[int, int]], embedder: Embedder
) -> Iterator[SizeFigures]:
    """Each size's figures when they are known. Raises BadRequest where there is nothing to ask, and as the embedder does."""
    if not asked:
        raise BadRequest("document_sentences_too_short")
    queries = embedder.embed_queries([one.question for one in asked])
    for characters, overlap in sizes:
        began = perf_counter()
        chunks = windows(characters, overlap)(book)
        vectors = embedder.embed_passages([chunk.text for chunk in chunks])
        seconds = perf_counter() - began
        yield SizeFigures(characters, overlap, len(chunks), **_measured(chunks, asked, queries @ vectors.T), seconds=seconds)


def drawn_questions(book: Book, n: int, seed: int) -> list[SizeQuestion]:
    """Of at most n sentences, drawn by that seed."""
    long = [sentence for sentence in body(book) if len(_telling(sentence.text)) >= LEAST_WORDS]
    drawn = Random(seed).sample(long, min(n, len(long)))  # noqa: S311  # nothing is kept secret by it
    return [SizeQuestion(" ".join(_telling(sentence.text)[::2]), _holds_sentence(sentence)) for sentence in drawn]


def questions_in(lines: str) -> list[SizeQuestion]:
    """JSON lines {"question", "answer"}. Raises BadRequest, which names the line."""
    return [_asked(number, line) for number, line in enumerate(lines.splitlines(), start=1) if line.strip()]


def _asked(number: int, line: str) -> SizeQuestion:
    try:
        told = QuestionLine.model_validate_json(line)
    except ValidationError as error:
        raise BadRequest("question_line_invalid", line=number) from error
    answer = _plain(told.answer)
    return SizeQuestion(told.question, lambda chunk: answer in _plain(chunk.text))


def _holds_sentence(sentence: Sentence) -> Callable[[Chunk], bool]:
    return lambda chunk: sentence.id in chunk.sentences and holds_half(_plain(chunk.text), _plain(sentence.text))


def holds_half(chunk: str, sentence: str) -> bool:
    """Whether half of the sentence or more is in the chunk: its beginning, its end, or a piece of it that the chunk is."""
    half = len(sentence) // 2
    return sentence[:half] in chunk or sentence[-half:] in chunk or (len(chunk) >= half and chunk in sentence)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _telling(text: str) -> list[str]:
    return [word for word in text.split() if word.strip(".,;:!?\"'()").casefold() not in NOT_TERMS]


def _measured(chunks: Sequence[Chunk], asked: Sequence[SizeQuestion], cosines: NDArray[np.float32]) -> dict[str, float]:
    """cosines: (q, n)."""
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :K]
    scores = np.take_along_axis(cosines, order, axis=1)
    hits = np.array([[one.is_answered_by(chunks[at]) for at in found] for one, found in zip(asked, order, strict=True)])
    return {
        "best": float(scores[:, 0].mean()),
        "mean": float(scores.mean()),
        "inverse_distance": float(np.mean([inverse_distance(float(score)) for score in scores.flat])),
        "hit_at_1": float(hits[:, 0].mean()),
        "hit_at_3": float(hits.any(axis=1).mean()),
    }
