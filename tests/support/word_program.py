"""`chapterverse` as it is, but with an embedder that needs no model: python -m tests.support.word_program sources add …

Where the environment names a file in HELD, nothing is embedded while that file is there: a test finds the program at work."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from chapterverse import composition
from chapterverse.cli.app import main
from chapterverse.core.hits import Vectors
from tests.support.word_embedder import WordEmbedder

HELD = "WORDS_HELD_BY"


class HeldEmbedder(WordEmbedder):
    """Waits while the file is there."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        while Path(os.environ[HELD]).exists():
            time.sleep(0.01)
        return super().embed_passages(texts)


if __name__ == "__main__":
    composition.ports.embedder = lambda _settings, **_: HeldEmbedder() if HELD in os.environ else WordEmbedder()
    main()
