"""`word_program` for batches: feedback on features alone, two essays at once."""

from dataclasses import replace

from chapterverse import composition
from chapterverse.cli.app import main
from chapterverse.essays.model import Dimension, Style
from chapterverse.essays.service import Writing
from chapterverse.settings import Settings
from tests.support.word_embedder import WordEmbedder

AT_ONCE = 2


def on_features(s: Settings, *, is_bulk: bool = False) -> Writing:
    """What the settings choose, for one dimension."""
    return replace(usual(s, is_bulk=is_bulk), style=Style(dimensions=(Dimension.FEATURES,)))


if __name__ == "__main__":
    usual = composition.ports.writing
    composition.ports.writing = on_features
    composition.ports.embedder = lambda _settings: WordEmbedder()
    composition.ports.BATCH_AT_ONCE = AT_ONCE
    main()
