import gzip

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
    ("line", "named"),
    [
        (b"not json", "Line 2 of the variants is not as expected"),
        (b'{"book": "b", "sentence": "A.", "level1": "B.", "level2": "C."}', "level3"),
        (b'["a", "list"]', "Line 2 of the variants"),
    ],
)
def test_a_line_that_is_wrong_is_named(line: bytes, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_variants(VARIANT + b"\n" + line)


def test_evidence_that_names_no_sentence_is_refused() -> None:
    with pytest.raises(ValueError, match='by "n" or by "sentence"'):
        read_essays(b'{"paragraphs": [{"text": "P.", "evidence": [{"book": "b"}]}]}')


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(ValueError, match="The file of essays is empty"):
        read_essays(b"\n")


def test_gold_sentences_are_read_from_gzip() -> None:
    [sentence] = read_gold(gzip.compress(b'{"n": 7, "text": "A sentence.", "boxes": []}\n'))

    assert (sentence.n, sentence.text) == (7, "A sentence.")


def test_gold_that_is_not_gzip_is_refused() -> None:
    with pytest.raises(ValueError, match="gzip"):
        read_gold(b'{"n": 7, "text": "A sentence."}')


def test_sentences_are_compared_by_their_words() -> None:
    assert words_of("“It’s  so,” he said—twice.") == words_of('"It\'s so," he said - twice')
    assert words_of("It is so.") != words_of("It is not so.")
