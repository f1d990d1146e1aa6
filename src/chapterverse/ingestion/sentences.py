"""One paragraph of a book to its sentences: the hot path of ingestion, and the function inside our spaCy component.

docs/segmentation.md compares it with the libraries there are."""

import re

from chapterverse.ingestion.boundaries import CANDIDATE, Candidate, ends_sentence, numbers_next_item


def split_sentences(text: str) -> list[tuple[int, int]]:
    """[start, end) of each sentence of one paragraph's text, in order, without surrounding blanks; together they hold every
    character that is not blank. A text without a letter is one sentence, an empty one has none."""
    spans: list[tuple[int, int]] = []
    start, last = len(text) - len(text.lstrip()), len(text.rstrip())
    for match in CANDIDATE.finditer(text):
        cut = _cut(Candidate.of(text, start, match), match)
        if cut:
            spans.append((start, cut[0]))
            start = cut[1]
    return [*spans, (start, last)] if start < last else spans


def _cut(candidate: Candidate, match: re.Match[str]) -> tuple[int, int] | None:
    """Where the sentence ends and the next one begins; None where it goes on."""
    text, start, call = candidate.text, candidate.start, match.start("call")
    if numbers_next_item(candidate):
        item = candidate.stop_at - len(candidate.word)
        return len(text[:item].rstrip()), item
    if not ends_sentence(candidate):
        return None
    in_numbered_list = text[start] == "[" and candidate.call[:1].isspace()
    return (call, call + 1) if in_numbered_list else (match.start("gap"), match.end("gap"))
