"""S2's experiment "Chunk Size Selection" (S2-2): how well questions on a document find their answer by size of chunks.

    python -m evaluations.chunk_sizes FILE.pdf [--sizes 300/30,500/50,1000/100] [--questions FILE]

The questions come as JSON lines {"question", "answer"}, the answer in words of the document; or are made of it: every other
content word of sentences drawn at random. Nothing is stored; the vectors are compared in memory."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter

import numpy as np
import typer

from bookreader import read
from chapterverse.composition.ports import embedder
from chapterverse.core.book import Book, Chunk, Sentence
from chapterverse.core.ports import Embedder
from chapterverse.core.words import NOT_TERMS
from chapterverse.library.chunks import body, windows
from chapterverse.search.plan import inverse_distance
from chapterverse.settings import read_settings

K = 3  # chunks that an answer is made from (S2-5)
MIN_WORDS = 8  # content words of a sentence drawn; half of fewer would fit many sentences


@dataclass(frozen=True, slots=True)
class SizeQuestion:
    """A question. contains_answer: whether a chunk contains its answer."""

    question: str
    contains_answer: Callable[[Chunk], bool]


@dataclass(frozen=True, slots=True)
class SizeMetrics:
    """Metrics of one chunk size. chunks: their number. Means over the questions: best, cosine of the best chunk; mean, of the K
    best ("average similarity"); inverse_distance, the same by S2's formula; hit_at_1, hit_at_3, whether the first, or one of
    the first three, contains the answer. seconds: to embed the chunks."""

    characters: int
    overlap: int
    chunks: int
    best: float
    mean: float
    inverse_distance: float
    hit_at_1: float
    hit_at_3: float
    seconds: float


def compare_sizes(
    book: Book, questions: Sequence[SizeQuestion], sizes: Sequence[tuple[int, int]], embedder: Embedder
) -> Iterator[SizeMetrics]:
    """Metrics of each size, as soon as they are known. Raises ValueError without questions, and as the embedder."""
    if not questions:
        raise ValueError("The document has no sentence long enough for a question")
    queries = embedder.embed_queries([one.question for one in questions])
    for characters, overlap in sizes:
        began = perf_counter()
        chunks = windows(characters, overlap)(book)
        vectors = embedder.embed_passages([chunk.text for chunk in chunks])
        seconds = perf_counter() - began
        cosines = queries @ vectors.T
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :K]
        scores = np.take_along_axis(cosines, order, axis=1)
        hits = np.array([[one.contains_answer(chunks[at]) for at in best] for one, best in zip(questions, order, strict=True)])
        yield SizeMetrics(
            characters,
            overlap,
            chunks=len(chunks),
            best=float(scores[:, 0].mean()),
            mean=float(scores.mean()),
            inverse_distance=float(np.mean([inverse_distance(float(score)) for score in scores.flat])),
            hit_at_1=float(hits[:, 0].mean()),
            hit_at_3=float(hits.any(axis=1).mean()),
            seconds=seconds,
        )


def sample_questions(book: Book, n: int, seed: int) -> list[SizeQuestion]:
    """Questions made of at most n sentences, drawn with the seed."""
    long = [sentence for sentence in body(book) if len(_content_words(sentence.text)) >= MIN_WORDS]
    sampled = Random(seed).sample(long, min(n, len(long)))  # not for secrets
    return [SizeQuestion(" ".join(_content_words(sentence.text)[::2]), _holds_sentence(sentence)) for sentence in sampled]


def questions_in(lines: str) -> list[SizeQuestion]:
    """Questions of JSON lines {"question", "answer"}."""
    rows = [json.loads(line) for line in lines.splitlines() if line.strip()]
    return [SizeQuestion(row["question"], partial(_has, answer=_plain(row["answer"]))) for row in rows]


def _has(chunk: Chunk, answer: str) -> bool:
    return answer in _plain(chunk.text)


def _holds_sentence(sentence: Sentence) -> Callable[[Chunk], bool]:
    return lambda chunk: sentence.id in chunk.sentences and holds_half(_plain(chunk.text), _plain(sentence.text))


def holds_half(chunk: str, sentence: str) -> bool:
    """Whether the chunk contains the first or second half of the sentence, or is at least half of it."""
    half = len(sentence) // 2
    return sentence[:half] in chunk or sentence[-half:] in chunk or (len(chunk) >= half and chunk in sentence)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _content_words(text: str) -> list[str]:
    return [word for word in text.split() if word.strip(".,;:!?\"'()").casefold() not in NOT_TERMS]


def main(file: Path, sizes: str = "300/30,500/50,1000/100", questions: Path | None = None, n: int = 100, seed: int = 0) -> None:
    """sizes: characters/overlap."""
    book = read(file)
    asked = questions_in(questions.read_text("utf-8")) if questions else sample_questions(book, n, seed)
    pairs = [(int(characters), int(overlap)) for characters, overlap in (each.split("/") for each in sizes.split(","))]
    print(f"{len(asked)} questions; characters, overlap, chunks, best, mean of {K}, 1/(1+d²), hit@1, hit@3, seconds")
    for each in compare_sizes(book, asked, pairs, embedder(read_settings())):
        print(*(f"{value:.2f}" if isinstance(value, float) else value for value in astuple(each)), sep="\t")


if __name__ == "__main__":
    typer.run(main)
