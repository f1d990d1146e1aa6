import gzip
from collections.abc import Callable

import pytest

from chapterverse.evaluation.search import words_of
from evaluations.cases import read_essays, read_gold, read_variants

VARIANT = b'{"id": 0, "book": "on-liberty", "sentence": "A.", "level1": "B.", "level2": "C.", "level3": "D."}'


def test_a_variant_is_read_and_what_else_its_line_holds_is_left_alone() -> None:
    [variant] = read_variants(VARIANT + b"\n\n")

    assert (variant.book, variant.sentence, variant.level3) == ("on-liberty", "A.", "D.")


def test_evidence_is_named_by_number_or_by_text() -> None:
    by_both = b'{"text": "P.", "evidence": [{"book": "b", "n": 3}, {"book": "b", "sentence": "S."}]}'

    [essay] = read_essays(b'{"paragraphs": [' + by_both + b', {"text": "Q."}]}')

    assert [(one.n, one.sentence) for one in essay.paragraphs[0].evidence] == [(3, None), (None, "S.")]
    assert essay.paragraphs[1].evidence == ()


@pytest.mark.parametrize(
    ("read", "data", "named"),
    [
        (read_variants, VARIANT + b"\nnot json", "Line 2 of the variants is not as expected"),
        (read_variants, VARIANT + b'\n{"book": "b", "sentence": "A.", "level1": "B.", "level2": "C."}', "level3"),
        (read_variants, VARIANT + b'\n["a", "list"]', "Line 2 of the variants"),
        (read_essays, b'{"paragraphs": [{"text": "P.", "evidence": [{"book": "b"}]}]}', 'by "n" or by "sentence"'),
        (read_essays, b"\n", "The file of essays is empty"),
        (read_gold, b'{"n": 7, "text": "A sentence."}', "gzip"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(read: Callable[[bytes], object], data: bytes, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read(data)


def test_gold_sentences_are_read_from_gzip() -> None:
    [sentence] = read_gold(gzip.compress(b'{"n": 7, "text": "A sentence.", "boxes": []}\n'))

    assert (sentence.n, sentence.text) == (7, "A sentence.")


def test_sentences_are_compared_by_their_words() -> None:
    assert words_of("“It’s  so,” he said—twice.") == words_of('"It\'s so," he said - twice')
    assert words_of("It is so.") != words_of("It is not so.")
