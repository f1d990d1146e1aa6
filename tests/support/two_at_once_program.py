"""`word_program` for batches: two essays at once."""

from chapterverse import composition
from chapterverse.cli.app import main
from tests.support.word_embedder import WordEmbedder

AT_ONCE = 2


if __name__ == "__main__":
    composition.ports.embedder = lambda _settings: WordEmbedder()
    composition.ports.BATCH_AT_ONCE = AT_ONCE
    main()
