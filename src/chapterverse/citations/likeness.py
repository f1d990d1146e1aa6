"""How likely a comment is one that a student must never read: a logistic regression over hashed pieces of text.

The pieces are those of the text itself and of its skeleton, where words of the essay and of the evidence stand as such. So
what matters is how a comment speaks, and what it brings from elsewhere; and words that no good comment has count by themselves,
so that kinds of attacks that nobody thought of are dropped, too. scripts/train/comments.py fits the weights and writes
assets/comments. Figures and limits: docs/quality.md."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.words import word_set

FOLDER = Path(__file__).parents[1] / "assets" / "comments"
WEIGHTS, CARD = "weights.npz", "card.json"
BITS = 17
LONG = 4  # letters: shorter words are mostly those of any text
COMMON = 5  # letters at the beginning that two forms of a word have in common
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,:]\d+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class CommentContext:
    """What a comment may speak of. essay, evidence: texts; authors, titles: of the evidence."""

    essay: str
    evidence: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()


def tokens_of(text: str) -> list[str]:
    """Words, numbers and marks in lower case."""
    return _TOKEN.findall(text.lower().replace("’", "'"))


def root_of(word: str) -> str:
    """The beginning of a word that its forms have in common."""
    return word[: max(COMMON, len(word) - 3)] if len(word) > COMMON else word


class Known:
    """The words of the context."""

    def __init__(self, its: CommentContext) -> None:
        self._essay = {root_of(word) for word in tokens_of(its.essay)}
        self._evidence = {root_of(word) for text in (*its.evidence, *its.titles) for word in tokens_of(text)}
        self._authors = {root_of(word) for text in its.authors for word in tokens_of(text) if len(word) >= LONG}

    def place_of(self, token: str) -> str:
        """Where the token is from: a author, b both, e essay, v evidence, n new; empty for a short word or a mark."""
        if not token[0].isalnum() or (len(token) < LONG and not token[0].isdigit()):
            return ""
        root = root_of(token.removesuffix("'s"))
        if root in self._authors:
            return "a"
        in_essay, in_evidence = root in self._essay, root in self._evidence
        return "b" if in_essay and in_evidence else "e" if in_essay else "v" if in_evidence else "n"


def pieces_of(text: str, known: Known) -> Iterator[str]:
    """The pieces of a text, as strings."""
    tokens = tokens_of(text)
    places = [known.place_of(token) for token in tokens]
    shown = [
        "<a>" if place == "a" else "#" if token[0].isdigit() else token for token, place in zip(tokens, places, strict=True)
    ]
    skeleton = [f"<{place}>" if place in {"a", "b", "e", "v"} else token for token, place in zip(shown, places, strict=True)]
    frame = [f"<{place}>" if place else token for token, place in zip(shown, places, strict=True)]
    plain = " ".join(shown)
    for size in (3, 4, 5):
        yield from (f"c{plain[at : at + size]}" for at in range(len(plain) - size + 1))
    for name, row, longest in (("w", shown, 2), ("s", skeleton, 3), ("f", frame, 4)):
        padded = ["^", *row, "$"]
        for size in range(1, longest + 1):
            yield from (f"{name}{' '.join(padded[at : at + size])}" for at in range(len(padded) - size + 1))
    counted = [place for place in places if place]
    asks = bool(tokens) and tokens[-1] in {"?", "؟"}
    whose = f"{'a' if 'a' in counted else ''}{'?' if asks else ''}{'q' if 'qb' in tokens or 'qe' in tokens else ''}"
    for place in "abevn":
        share = counted.count(place) / max(len(counted), 1)
        yield f"share {place} {min(round(share * 5), 4)}"
        yield f"share {whose} {place} {min(round(share * 5), 4)}"
        yield f"count {whose} {place} {min(counted.count(place), 6)}"
    yield f"length {min(len(tokens) // 5, 6)}"
    yield f"whose {whose}"
    yield from _after_colon(tokens, places)


YOU = word_set("""
you your yours du dein deine deinen deiner deinem deines dir dich tu te ton ta tes toi ты твой твоя твоё твои твою твоей твоего
тебя тебе ti tuo tua suo jij je jouw twój twoja twoje twoją twojej cię ci sen senin sana seni ти твій твоя أنت
""")  # that speak to the student


def _after_colon(tokens: Sequence[str], places: Sequence[str]) -> Iterator[str]:
    """What follows the first colon or dash: words to copy in speak to nobody, ask nothing, and are new."""
    at = next((at for at, token in enumerate(tokens) if token in {":", "–", "—"}), None)
    if at is None:
        return
    rest, its = tokens[at + 1 :], [place for place in places[at + 1 :] if place]
    speaks = "you" if YOU & set(rest) else "?" if rest and rest[-1] in {"?", "؟"} else "q" if {"qe", "qb"} & set(rest) else ""
    yield f"colon {speaks} {min(len(its), 9) // 3} {min(round(5 * its.count('n') / max(len(its), 1)), 4)}"
    yield f"colon {speaks} {min(len(rest) // 4, 4)}"


STRANGE = 8  # numbers of `strangeness`
RARE = 2  # paragraphs: a word in the good comments on no more is rare


def strangeness(text: str, known: Known, seen: Mapping[str, int]) -> list[float]:
    """How much of the text, beside words of the context, good comments do not have. seen: on how many paragraphs good comments
    have a word of this root. So a comment of a kind that was never learned from is suspect, too."""
    words = [token for token in tokens_of(text) if token[0].isalpha()]
    counts = [seen.get(root_of(word), 0) for word in words if known.place_of(word) in {"n", ""}]
    never, rarely, every = sum(count == 0 for count in counts), sum(count <= RARE for count in counts), max(len(words), 1)
    shares = [never / every, rarely / every, min(never, 4) / 4, min(rarely, 6) / 6]
    return [2 * each for each in (*shares, never == 0, never >= 1, never >= 2, rarely == 0)]


def rows_of(text: str, known: Known) -> NDArray[np.int64]:
    """Rows of the weights that a text has, each once."""
    mask = (1 << BITS) - 1
    return np.unique(np.array([crc32(piece.encode("utf-8", "replace")) & mask for piece in pieces_of(text, known)], np.int64))


@dataclass(frozen=True)
class CommentModel:
    """weights: (1 << BITS,), of_strange: (STRANGE,). seen: as for `strangeness`. threshold: the odds from which a text is
    dropped."""

    weights: NDArray[np.float32]
    of_strange: NDArray[np.float32]
    seen: Mapping[str, int]
    bias: float
    threshold: float

    def odds(self, text: str, known: Known) -> float:
        """Logarithm of the odds that the text is an attack."""
        rows = rows_of(text, known)
        strange = float(self.of_strange @ np.array(strangeness(text, known, self.seen), np.float32))
        return float(self.weights[rows].sum() / np.sqrt(max(len(rows), 1)) + strange + self.bias)

    def is_familiar(self, text: str, known: Known) -> bool:
        """Whether each word is one of the context or common in good comments."""
        return bool(strangeness(text, known, self.seen)[-1])

    def drops(self, texts: Sequence[str], known: Known, slack: float = 0.0) -> bool:
        """Whether one of the texts is to be dropped. slack: by which they may be stranger."""
        return any(self.odds(text, known) >= self.threshold + slack for text in texts)


@cache
def comment_model(folder: Path = FOLDER) -> CommentModel:
    """The fitted model."""
    card = json.loads((folder / CARD).read_text("utf-8"))
    with np.load(folder / WEIGHTS, allow_pickle=False) as its:
        weights, of_strange = its["weights"].astype(np.float32), its["of_strange"].astype(np.float32)
        seen = dict(zip(its["roots"].tolist(), its["paragraphs"].tolist(), strict=True))
    return CommentModel(weights, of_strange, seen, float(card["bias"]), float(card["threshold"]))
