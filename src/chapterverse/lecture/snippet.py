"""What a citation shows of a paragraph: its best sentence, and as much around it as it takes (S3: 100–200 characters)."""

from collections.abc import Sequence

from chapterverse.retrieval.terms import terms_of

CUT = "…"


def best_sentence(sentences: Sequence[str], said: str) -> int:
    """The one that shares most words with what was said, the first of several."""
    wanted = set(terms_of(said))
    shared = [len(wanted & set(terms_of(sentence))) for sentence in sentences]
    return shared.index(max(shared))


def snippet(before: str, sentence: str, after: str, least: int, most: int) -> str:
    """The sentence with words after it, then before it, until there are `least` characters, where there are as many.

    Of a sentence longer than `most` its beginning. It is cut between words, but in one that is longer than `most`; an ellipsis
    tells where."""
    words = [*before.split(), *sentence.split(), *after.split()]
    start = len(before.split())
    end = start + len(sentence.split())
    while end - start > 1 and len(_shown(words, start, end)) > most:
        end -= 1
    while len(_shown(words, start, end)) < least and (wider := _wider(words, start, end, most)) != (start, end):
        start, end = wider
    shown = _shown(words, start, end)
    return shown if len(shown) <= most else shown[: most - len(CUT)] + CUT


def _wider(words: Sequence[str], start: int, end: int, most: int) -> tuple[int, int]:
    """With one word more, where there is one that fits."""
    for first, last in ((start, end + 1), (start - 1, end)):
        if first >= 0 and last <= len(words) and len(_shown(words, first, last)) <= most:
            return first, last
    return start, end


def _shown(words: Sequence[str], start: int, end: int) -> str:
    return CUT * (start > 0) + " ".join(words[start:end]) + CUT * (end < len(words))
