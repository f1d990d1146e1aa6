"""Trained readers that read sentences after a text that they are read for: an essay after its task, a passage after a question.

assets/essay_reader and assets/answer_reader hold their graphs (ONNX, int8), their tokenizers and their cards;
scripts/train/essays.py and scripts/train/answers.py train them and write these files. All sentences are read at once, or in
windows: whether a reason is bare depends on what follows it, and what "It" is on what stands before."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate, pairwise
from math import inf, log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from chapterverse.core.ports import Signs
from chapterverse.core.turns import at_work, pausing
from chapterverse.infrastructure.embedding.onnx import available_cores, session_of_one_thread
from chapterverse.infrastructure.embedding.windows import Tokens
from chapterverse.infrastructure.llm.cross_encoders import WordPieces, tokenizer_in

ASSETS = Path(__file__).parents[2] / "assets"
ESSAY_READER, ANSWER_READER = ASSETS / "essay_reader", ASSETS / "answer_reader"
GRAPH, TOKENIZER = "reader.onnx", "tokenizer.json"
PURPOSE, SENTENCE, WINDOW = 40, 120, 448  # tokens at most of the first text, of a sentence, and of what is read at once
QUESTION = 30  # words of a question; the middle of a longer one is left out
MIN_CHANCE = 1e-6  # the log odds of a chance are within +-14
SPECIAL = ("[CLS]", "[SEP]")


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are read at once. ids: tokens; first: index of the first sentence in the whole; spans: the tokens
    [start, end) of each; skip: how many of the first and of the last ones another window shows with more around them."""

    ids: Tokens
    first: int
    spans: tuple[tuple[int, int], ...]
    skip: tuple[int, int] = (0, 0)

    @property
    def places(self) -> tuple[slice, slice]:
        """The sentences that no other window shows better, in the whole and in this window."""
        first, end = self.skip[0], len(self.spans) - self.skip[1]
        return slice(self.first + first, self.first + end), slice(first, end)

    @property
    def pool(self) -> NDArray[np.float32]:
        """(n, t): the weights by which the states of tokens become those of sentences, their mean."""
        weights = np.zeros((len(self.spans), len(self.ids)), np.float32)
        for row, (start, end) in enumerate(self.spans):
            weights[row, start:end] = 1 / (end - start)
        return weights


class SentenceTokenizer:
    """Sentences of paragraphs as windows of token ids."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._pieces = WordPieces(tokenizer, SPECIAL)
        self._cls, self._sep = self._pieces.special

    def windows(self, purpose: str, paragraphs: Sequence[Sequence[str]]) -> Iterator[Window]:
        """[CLS] purpose [SEP] sentences, with a [SEP] between paragraphs. A window begins in the middle of the one before."""
        head = [self._cls, *self._pieces.ids(purpose)[:PURPOSE], self._sep]
        sentences = [
            (at, self._pieces.ids(text)[:SENTENCE] or [self._sep]) for at, its in enumerate(paragraphs) for text in its
        ]
        start = skip = 0
        while start < len(sentences):
            ids, spans = list(head), list[tuple[int, int]]()
            for place in range(start, len(sentences)):
                paragraph, tokens = sentences[place]
                gap = [self._sep] if spans and paragraph != sentences[place - 1][0] else []
                if spans and len(ids) + len(gap) + len(tokens) > WINDOW:
                    break
                ids += gap
                spans.append((len(ids), len(ids) + len(tokens)))
                ids += tokens
            is_last = start + len(spans) == len(sentences)
            step = max(len(spans) // 2, 1)
            cut = 0 if is_last else (len(spans) - step) // 2
            yield Window(ids, start, tuple(spans), (skip, cut))
            skip = len(spans) - step - cut
            start += len(spans) if is_last else step


@dataclass(frozen=True)
class SentenceReader:
    """A graph that gives probabilities to each sentence, loaded at the first one. name: of the model, for errors."""

    folder: Path
    name: str

    def load(self) -> None:
        """Load the files now, before several threads need them. Raises ModelUnavailable."""
        _ = self._tokenizer, self._session

    def chances(
        self, purpose: str, paragraphs: Sequence[Sequence[str]], deadline: float = inf
    ) -> list[NDArray[np.float32] | None]:
        """Of each sentence its probabilities, (outputs of the graph,). Windows are read in order until the deadline, at least
        one; None for sentences that are not read by then. Raises ModelUnavailable."""
        found: list[NDArray[np.float32] | None] = [None] * sum(map(len, paragraphs))
        for window in pausing(self._tokenizer.windows(purpose, paragraphs)) if found else ():
            if window.first and at_work() >= deadline:
                break
            whole, here = window.places
            found[whole] = self._read(window)[here]
        return found

    def _read(self, window: Window) -> list[NDArray[np.float32]]:
        ids = np.array([window.ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "pool": window.pool[None]}
        [chances] = self._session.run(["chances"], given)
        return list(chances[0])

    @cached_property
    def _tokenizer(self) -> SentenceTokenizer:
        return SentenceTokenizer(tokenizer_in(self.folder / TOKENIZER, self.name))

    @cached_property
    def _session(self) -> Any:
        return session_of_one_thread(self.folder / GRAPH)


@dataclass(frozen=True)
class EssayReader:
    """A ReadEssay on ONNX Runtime."""

    reader: SentenceReader = SentenceReader(ESSAY_READER, "chapterverse-essay-reader-1")

    def signs(self, task: str, paragraphs: Sequence[Sequence[str]], deadline: float = inf) -> list[list[Signs | None]]:
        """The signs of each sentence. Raises ModelUnavailable."""
        chances = self.reader.chances(task, paragraphs, deadline)
        found = [None if row is None else Signs(*map(float, row)) for row in chances]
        ends = accumulate((len(its) for its in paragraphs), initial=0)
        return [found[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True)
class AnswerReader:
    """A ReadAnswers on ONNX Runtime. threads: passages at a time, each in one thread."""

    reader: SentenceReader = SentenceReader(ANSWER_READER, "chapterverse-answer-reader-1")
    threads: int = field(default_factory=available_cores)

    def log_odds(self, question: str, passages: Sequence[Sequence[Sequence[str]]]) -> list[list[float]]:
        """Of each sentence of each passage; of a long question its beginning and its end are read. Raises ModelUnavailable."""
        if not passages:
            return []
        words = question.split()
        asked = question if len(words) <= QUESTION else " ".join(words[: QUESTION // 3] + words[-(QUESTION * 2 // 3) :])
        self.reader.load()
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(partial(self._of_passage, asked), passages))

    def _of_passage(self, question: str, paragraphs: Sequence[Sequence[str]]) -> list[float]:
        read = [row for row in self.reader.chances(question, paragraphs) if row is not None]
        return [log(chance / (1 - chance)) for chance in (float(np.clip(row[0], MIN_CHANCE, 1 - MIN_CHANCE)) for row in read)]
