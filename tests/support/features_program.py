"""`word_program` for batches: feedback on features alone, two essays at once."""

from dataclasses import replace

from chapterverse import composition
from chapterverse.cli.app import main
from chapterverse.essays.model import Dimension, Style
from chapterverse.essays.service import Writing
from chapterverse.settings import Settings
from tests.support.word_embedder import WordEmbedder

AT_ONCE = 2


def on_features(s: Settings) -> Writing:
    """What the settings choose, for one dimension."""
    return replace(usual(s), style=Style(dimensions=(Dimension.FEATURES,)))


if __name__ == "__main__":
    usual = composition.models.writing
    composition.models.writing = on_features
    composition.models.embedder = lambda _settings: WordEmbedder()
    composition.stores.BATCH_AT_ONCE = AT_ONCE
    main()
