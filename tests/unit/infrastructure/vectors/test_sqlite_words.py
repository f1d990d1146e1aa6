from pathlib import Path

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Granularity, Partition
from chapterverse.infrastructure.vectors.words import SqliteWords

LEAVES = Partition("leaves", Granularity.SENTENCE, "words")
STAYS = Partition("stays", Granularity.SENTENCE, "words")


def test_no_word_of_a_school_without_books_stays_in_a_file(tmp_path: Path) -> None:
    words = SqliteWords(tmp_path)
    for partition in (LEAVES, STAYS):
        for version in ("v1", "v2"):
            words.write(partition, version, [(SentenceId(version), f"A ship from {partition.school} to Zanzibar")])

    words.remove(LEAVES, "v1")
    words.remove(LEAVES, "v2")

    holding = [path for path in tmp_path.iterdir() if b"zanzibar" in path.read_bytes()]
    assert len({path.name.partition(".")[0] for path in holding}) == 1
    assert [hit.id for hit in words.search(STAYS, ["zanzibar"], 5, ["v1"])[0]] == ["v1"]
