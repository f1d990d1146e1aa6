"""Models that read two texts together: a sentence of a book beside a student's text, an essay after its task, a passage after a
question; and cross-encoders that re-rank (sentence-transformers, extra `gpu`).

assets/reader, assets/essay_reader and assets/answer_reader hold the graphs of our own (ONNX, int8), their tokenizers and their
cards; scripts/train trains them and writes these files. All sentences of an essay or passage are read at once, or in windows:
whether a reason is bare depends on what follows it, and what "It" is on what stands before."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate, chain, pairwise
from math import inf, log
from pathlib import Path
from time import monotonic
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import Chances, Pair, Signs
from chapterverse.core.turns import at_work, pausing
from chapterverse.infrastructure.embedding import local
from chapterverse.infrastructure.embedding.model_files import at_revision, plain_name

ASSETS = Path(__file__).parents[2] / "assets"
READER, ESSAY_READER, ANSWER_READER = ASSETS / "reader", ASSETS / "essay_reader", ASSETS / "answer_reader"
GRAPH, TOKENIZER = "reader.onnx", "tokenizer.json"
NAME = "chapterverse-reader-1"
OUTPUTS = ("useful", "supports", "contradicts")

PAIR_TEXT, PAIR_SENTENCE, NEIGHBOUR = 100, 64, 14  # tokens at most
PAIR_SPECIAL = ("[CLS]", "[SEP]", "[unused1]", "[unused2]")  # the last two stand round the sentence that is judged
ROUND = 8  # pairs between two looks at the deadline


@dataclass(frozen=True)
class Graph:
    """A graph and its tokenizer, on ONNX Runtime, loaded at the first text. name: of the model, for errors."""

    folder: Path
    name: str

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return local.open_tokenizer(self.folder, self.name)

    @cached_property
    def _session(self) -> Any:
        return local.session_of_one_thread(self.folder / GRAPH)


def pair_tokens(tokenizer: Tokenizer, pair: Pair) -> tuple[local.Tokens, local.Tokens]:
    """Token ids and segments for a BERT with two: [CLS] text [SEP] before [unused1] sentence [unused2] after [SEP]."""
    cls, sep, begin, end = cast("map[int]", map(tokenizer.token_to_id, PAIR_SPECIAL))
    text, before, sentence, after = local.tokens_of(tokenizer, [pair.text, pair.before, pair.sentence, pair.after])
    book = [*before[-NEIGHBOUR:], begin, *sentence[:PAIR_SENTENCE], end, *after[:NEIGHBOUR], sep]
    half = PAIR_TEXT // 2  # a paragraph states its point at its beginning or end more often than in between
    ends = text if len(text) <= PAIR_TEXT else text[:half] + text[-half:]
    first = [cls, *ends, sep]
    return first + book, [0] * len(first) + [1] * len(book)


@dataclass(frozen=True)
class TrainedReader(Graph):
    """A Reader, of as many pairs at a time as there are cores.

    A pair is read alone: in int8, its chances would depend on the others of a batch, by up to 0.07; it takes no longer."""

    folder: Path = READER
    name: str = NAME

    def chances(self, pairs: Sequence[Pair], deadline: float = inf) -> list[Chances | None]:
        """Chances of each pair; pairs are read in order, and those after the deadline get None. Raises ModelUnavailable."""
        found: list[Chances | None] = [None] * len(pairs)
        if not pairs:
            return found
        session = self._session
        with ThreadPoolExecutor(local.available_cores()) as pool:
            for start in pausing(range(0, len(pairs), ROUND)):
                if start and at_work() >= deadline:
                    break
                encoded = map(partial(pair_tokens, self._tokenizer), pairs[start : start + ROUND])
                found[start : start + ROUND] = pool.map(partial(_run, session), encoded)
        return found


def _run(session: Any, encoded: tuple[local.Tokens, local.Tokens]) -> Chances:
    ids, segments = (np.array([its], np.int64) for its in encoded)
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": segments}
    useful, supports, contradicts = (float(its[0]) for its in session.run(OUTPUTS, given))
    return Chances(useful, supports, contradicts)


RERANKED = 512  # tokens of a pair; the rest is cut
BATCH = 16  # pairs; the re-ranker checks its deadline between batches


@dataclass(frozen=True)
class CrossEncoderReranker:
    """Scores a sentence for a query by reading both together, in the model's own logits.

    name: e.g. cross-encoder/ms-marco-TinyBERT-L2-v2 or BAAI/bge-reranker-base, or a folder, loaded at its first pair."""

    name: str

    @property
    def model(self) -> str:
        return plain_name(self.name)

    @cached_property
    def network(self) -> Any:
        """sentence-transformers' CrossEncoder. Raises ModelUnavailable."""
        try:
            from sentence_transformers import CrossEncoder
        except ImportError as error:
            raise ModelUnavailable("sentence_transformers_missing") from error
        from torch.nn import Identity

        try:
            name, revision = at_revision(self.name)
            network = CrossEncoder(name, revision=revision, activation_fn=Identity())
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("model_not_loaded", model=self.model) from error
        network.max_length = min(RERANKED, network.model.config.max_position_embeddings)  # some tokenizers have no limit
        return network

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        """Score of each (query, sentence): higher is better, comparable within a query. Pairs are scored in order; None for
        pairs after the deadline, a time of time.monotonic(), to which loading the model comes on top. Raises
        ModelUnavailable."""
        options, scores = {"batch_size": BATCH, "convert_to_numpy": True, "show_progress_bar": False}, list[float | None]()
        for start in range(0, len(pairs), BATCH):
            if monotonic() >= deadline:
                break
            if self.network.num_labels != 1:
                raise ModelUnavailable("model_not_reranker", model=self.model, numbers=self.network.num_labels)
            scores += map(float, self.network.predict(list(pairs[start : start + BATCH]), **options))
        return scores + [None] * (len(pairs) - len(scores))


PURPOSE, SENTENCE, WINDOW = 40, 120, 448  # tokens at most of the first text, of a sentence, and of what is read at once
QUESTION = 30  # words of a question; the middle of a longer one is left out
MIN_CHANCE = 1e-6  # the log odds of a chance are within +-14
SPECIAL = ("[CLS]", "[SEP]")


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are read at once. ids: tokens; first: index of the first sentence in the whole; spans: the tokens
    [start, end) of each; skip: how many of the first and of the last ones another window shows with more around them."""

    ids: local.Tokens
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


def windows(tokenizer: Tokenizer, purpose: str, paragraphs: Sequence[Sequence[str]]) -> Iterator[Window]:
    """[CLS] purpose [SEP] sentences, with a [SEP] between paragraphs. A window begins in the middle of the one before."""
    cls, sep = cast("map[int]", map(tokenizer.token_to_id, SPECIAL))
    purposes, *texts = local.tokens_of(tokenizer, [purpose, *chain.from_iterable(paragraphs)])
    head = [cls, *purposes[:PURPOSE], sep]
    numbers = (at for at, its in enumerate(paragraphs) for _ in its)
    sentences = [(at, tokens[:SENTENCE] or [sep]) for at, tokens in zip(numbers, texts, strict=True)]
    start = skip = 0
    while start < len(sentences):
        ids, spans = list(head), list[tuple[int, int]]()
        for place in range(start, len(sentences)):
            paragraph, tokens = sentences[place]
            gap = [sep] if spans and paragraph != sentences[place - 1][0] else []
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


class SentenceReader(Graph):
    """A graph that gives probabilities to each sentence."""

    def load(self) -> None:
        """Load the files now, before several threads need them. Raises ModelUnavailable."""
        _ = self._tokenizer, self._session

    def chances(
        self, purpose: str, paragraphs: Sequence[Sequence[str]], deadline: float = inf
    ) -> list[NDArray[np.float32] | None]:
        """Of each sentence its probabilities, (outputs of the graph,). Windows are read in order until the deadline, at least
        one; None for sentences that are not read by then. Raises ModelUnavailable."""
        found: list[NDArray[np.float32] | None] = [None] * sum(map(len, paragraphs))
        for window in pausing(windows(self._tokenizer, purpose, paragraphs)) if found else ():
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


@dataclass(frozen=True)
class EssayReader(SentenceReader):
    """A ReadEssay."""

    folder: Path = ESSAY_READER
    name: str = "chapterverse-essay-reader-1"

    def signs(self, task: str, paragraphs: Sequence[Sequence[str]], deadline: float = inf) -> list[list[Signs | None]]:
        """The signs of each sentence. Raises ModelUnavailable."""
        chances = self.chances(task, paragraphs, deadline)
        found = [None if row is None else Signs(*map(float, row)) for row in chances]
        ends = accumulate((len(its) for its in paragraphs), initial=0)
        return [found[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True)
class AnswerReader(SentenceReader):
    """A ReadAnswers. threads: passages at a time, each in one thread."""

    folder: Path = ANSWER_READER
    name: str = "chapterverse-answer-reader-1"
    threads: int = field(default_factory=local.available_cores)

    def log_odds(self, question: str, passages: Sequence[Sequence[Sequence[str]]]) -> list[list[float]]:
        """Of each sentence of each passage; of a long question its beginning and its end are read. Raises ModelUnavailable."""
        if not passages:
            return []
        words = question.split()
        asked = question if len(words) <= QUESTION else " ".join(words[: QUESTION // 3] + words[-(QUESTION * 2 // 3) :])
        self.load()
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(partial(self._of_passage, asked), passages))

    def _of_passage(self, question: str, paragraphs: Sequence[Sequence[str]]) -> list[float]:
        read = [row for row in self.chances(question, paragraphs) if row is not None]
        return [log(chance / (1 - chance)) for chance in (float(np.clip(row[0], MIN_CHANCE, 1 - MIN_CHANCE)) for row in read)]


trained_reader, essay_reader, answer_reader = TrainedReader(), EssayReader(), AnswerReader()
"""Those of this process, each loaded at its first text."""
