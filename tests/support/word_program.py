"""`chapterverse` as it is, but with an embedder that needs no model: python -m tests.support.word_program sources add …"""

from chapterverse import composition
from chapterverse.cli.app import main
from tests.support.word_embedder import WordEmbedder

if __name__ == "__main__":
    composition.ports.embedder = lambda _settings, **_: WordEmbedder()
    main()
