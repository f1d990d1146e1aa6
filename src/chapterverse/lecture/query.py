"""What is embedded in the place of a window's text (S3, "Query Construction"): `{text} {keyword} {keyword} …`."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from chapterverse.ingestion.chunks.pieces import Count

SPECIAL = 2  # tokens that the model adds itself: [CLS] and [SEP]


def build_queries(texts: Sequence[str], keywords: Sequence[Sequence[str]], count: Count, below: int) -> list[str]:
    """A query a text, of fewer than `below` tokens. Where it has more, words go from the beginning of the text: the first of
    them are what the window before had, too. Keywords stay."""
    queries = [_query(text, words) for text, words in zip(texts, keywords, strict=True)]
    return [
        query if tokens + SPECIAL < below else _shortened(text, words, count, below)
        for query, tokens, text, words in zip(queries, count(queries), texts, keywords, strict=True)
    ]


def _shortened(text: str, keywords: Sequence[str], count: Count, below: int) -> str:
    """With the longest end of the text that there is room for."""
    ends = [text[found.start() :] for found in re.finditer(r"\S+", text)] + [""]
    queries = [_query(end, keywords) for end in ends]
    fits = bisect_left(queries, True, hi=len(queries) - 1, key=lambda query: count([query])[0] + SPECIAL < below)
    return queries[fits]


def _query(text: str, keywords: Sequence[str]) -> str:
    return " ".join([text, *keywords]).strip()
