"""Feedback where the reader of essays fails, or has time for a part of the essay only."""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import pytest

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import ReadEssay, Signs
from chapterverse.essays.model import Dimension, EssayEvidence, ParagraphEvidence, Review
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing

ESSAY = "I think cats are best.\n\nCats make children calm. They sleep at noon.\n\nSo they should sleep at school."
BARE = Signs(develop=0.9, source=0, other_side=0, works=0)


def content(read: ReadEssay | None, text: str = ESSAY) -> Review:
    """The review on content."""
    found = EssayEvidence(None, tuple(ParagraphEvidence(one, ()) for one in parse_essay(text).paragraphs), ())
    reviews = list(write_reviews(found, "school", Writing(read_essay=read), monotonic()))
    return next(one for one in reviews if one.dimension is Dimension.CONTENT)


def reads(paragraphs: int) -> ReadEssay:
    def signs(task: str, text: Sequence[Sequence[str]], deadline: float) -> list[list[Signs | None]]:
        return [[BARE if at < paragraphs else None for _ in its] for at, its in enumerate(text)]

    return signs


def fails(task: str, text: Sequence[Sequence[str]], deadline: float) -> list[list[Signs | None]]:
    raise ModelUnavailable("onnx_graph_not_loaded", path=Path("reader.onnx"))


@pytest.mark.parametrize("read", [None, fails])
def test_rules_do_without_a_reader_that_is_not_there(read: ReadEssay | None) -> None:
    review = content(read)

    assert "reasons.develop" not in [one.rule for one in review.comments]
    assert review.checked


def test_how_far_a_long_essay_was_read_is_noted() -> None:
    whole, part = content(reads(3)), content(reads(2))

    assert "reasons.develop" in [one.rule for one in whole.comments]
    assert "note_reader_cut" not in [note.id for note in whole.notes]
    assert "note_reader_cut" in [note.id for note in part.notes]
