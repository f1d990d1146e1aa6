"""What the local embedders share, so that their vectors agree: tokenizer, windows, batches, pooling."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from tokenizers import Tokenizer

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.model_files import ModelFiles, find_model, model_name, plain_name
from chapterverse.infrastructure.embedding.windows import Ids, Mask, Tokens, embed_batches, plan_windows, pool, unit


@dataclass(frozen=True)
class WindowedModel:
    """A model with its tokenizer; texts longer than its window are embedded in windows.

    run: (b, t) token ids and mask to (b, d) vectors of any length. window: tokens the model takes, special ones included.
    batch_tokens: padded tokens of one batch. at_once: batches that `run` may get at the same time.
    overlap: minimum share of a window that the next one repeats."""

    tokenizer: Tokenizer
    window: int
    dimensions: int
    batch_tokens: int
    run: Callable[[Ids, Mask], Vectors]
    at_once: int = 1
    overlap: float = 0.125

    def embed(self, texts: Sequence[str], prefix: str = "") -> Vectors:
        """(n, d) float32, unit norm. Each window of a long text has the prefix."""
        first, *last = self.tokenizer.encode("").ids  # as in BERT: [CLS] text [SEP]
        before = [first, *tokens_of(self.tokenizer, [prefix])[0]]
        bodies = tokens_of(self.tokenizer, texts)
        room = self.window - len(before) - len(last)
        plans = [plan_windows(len(body), room, int(room * self.overlap)) for body in bodies]
        windows = [[body[start:end] for start, end in plan] for body, plan in zip(bodies, plans, strict=True)]
        sequences = [[*before, *window, *last] for window in chain.from_iterable(windows)]
        vectors = embed_batches(sequences, self.run, self.dimensions, self.batch_tokens, self.at_once)
        return pool(vectors, [len(plan) for plan in plans])


def tokens_of(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Tokens]:
    """Token ids of each text, without special tokens."""
    valid = [text.encode("utf-8", "replace").decode() for text in texts]  # the tokenizer refuses half a surrogate pair
    return [encoding.ids for encoding in tokenizer.encode_batch(valid, add_special_tokens=False)]


def open_tokenizer(files: ModelFiles) -> Tokenizer:
    """The model's tokenizer without its own padding and truncation: MiniLM's tokenizer.json cuts every text at 128 tokens.

    Raises ModelUnavailable."""
    path = files.folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise ModelUnavailable("model_file_unreadable", file=path, model=files.name) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@dataclass(frozen=True)
class LocalEmbedder(ABC):
    """Base of an Embedder in this process. name: of a model or its folder; nothing is loaded before the first vector.
    is_centred: whether a centre in the folder is used (evaluation/fitting.py)."""

    name: str
    is_centred: bool = field(default=True, kw_only=True)

    @cached_property
    def model(self) -> str:
        return model_name(self.name) if self.is_centred else plain_name(self.name)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._files.passage_prefix)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._files.query_prefix)

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        vectors, centre = self.windowed.embed(texts, prefix), self._files.centre
        return vectors if centre is None or not self.is_centred else unit(vectors - centre)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(tokens) for tokens in tokens_of(self._tokenizer, texts)]

    @cached_property
    def windowed(self) -> WindowedModel:
        """The loaded model. Call it once before threads share the embedder, or each of them loads it."""
        return self._load()

    @abstractmethod
    def _load(self) -> WindowedModel:
        """Load the model. Raises ModelUnavailable."""

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return open_tokenizer(self._files)

    @cached_property
    def _files(self) -> ModelFiles:
        return find_model(self.name)
