import gzip
from pathlib import Path

from chapterverse.evaluation.search import words_of
from evaluations.retrieval import GoldEvidence, near, read_gold


def test_evidence_is_found_with_the_sentences_beside_it(tmp_path: Path) -> None:
    lines = "".join(f'{{"n": {n}, "text": "Sentence {n}."}}\n' for n in range(5))
    (tmp_path / "On Liberty.gold.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    books = read_gold(tmp_path)

    assert [words for _, words in near(GoldEvidence(book="on-liberty", n=4), books)] == ["sentence 3", "sentence 4"]
    assert not list(near(GoldEvidence(book="another", n=4), books))


def test_sentences_are_compared_by_their_words() -> None:
    assert words_of("“It’s  so,” he said—twice.") == words_of('"It\'s so," he said - twice')
    assert words_of("It is so.") != words_of("It is not so.")
