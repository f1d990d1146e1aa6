"""Texts to vectors through any model that takes tokens: what the two local embedders share, so that they agree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from tokenizers import Tokenizer

from chapterverse.adapters.model_files import ModelFiles
from chapterverse.adapters.windows import Ids, Mask, Tokens, embed_batches, plan_windows, pool
from chapterverse.errors import ModelUnavailable
from chapterverse.model import Vectors


@dataclass(frozen=True)
class WindowedModel:
    """A tokenizer that cuts nothing, and a model that is never given more than it takes.

    run: (b, t) token ids and mask to (b, d) vectors of any length. window: tokens the model takes, special ones included.
    batch_tokens: padded tokens of one batch. at_once: batches that `run` may be given at the same time.
    overlap: the share of a window that its neighbour has too, at least."""

    tokenizer: Tokenizer
    window: int
    dimensions: int
    batch_tokens: int
    run: Callable[[Ids, Mask], Vectors]
    at_once: int = 1
    overlap: float = 0.125

    def embed(self, texts: Sequence[str], prefix: str = "") -> Vectors:
        """(n, d) float32, unit norm. A text longer than the window is embedded in windows, each behind the prefix."""
        first, *last = self.tokenizer.encode("").ids  # BERT's kind: [CLS] text [SEP]
        before = [first, *self._tokens([prefix])[0]]
        bodies = self._tokens(texts)
        room = self.window - len(before) - len(last)
        plans = [plan_windows(len(body), room, int(room * self.overlap)) for body in bodies]
        windows = [[body[start:end] for start, end in plan] for body, plan in zip(bodies, plans, strict=True)]
        sequences = [[*before, *window, *last] for window in chain.from_iterable(windows)]
        vectors = embed_batches(sequences, self.run, self.dimensions, self.batch_tokens, self.at_once)
        return pool(vectors, [len(plan) for plan in plans])

    def _tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return tokens_of(self.tokenizer, texts)


def tokens_of(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Tokens]:
    """Of each text, without the special ones."""
    sound = [text.encode("utf-8", "replace").decode() for text in texts]  # half a surrogate pair would be refused
    return [encoding.ids for encoding in tokenizer.encode_batch(sound, add_special_tokens=False)]


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
