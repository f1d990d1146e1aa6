from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chapterverse.accounts.store import SqlSchoolSettings
from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.essays.model import Rating
from chapterverse.evaluation.calibration import calibrate
from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.library.text.chunking import windows
from chapterverse.questions.judging import Scale, Score, accept, accepted, calibration_name, judge_for
from chapterverse.questions.log import EvaluationCase
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import DOCUMENT_QA as STYLE
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import DOCUMENT_QA
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL, Town

TOPICS = ("harbour", "orchard", "library", "furnace", "meadow", "station", "theatre", "quarry")


def text_of(topic: str) -> bytes:
    """Three sentences that share no word with those of another topic but the little ones."""
    return "|".join(
        f"The {topic}{n} keeps {topic}{n}gate beside {topic}{n}wall near {topic}{n}road." for n in range(3)
    ).encode()


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[CollectionServices]:
    town = Town(tmp_path)
    with town.closing:
        catalog = SqlCatalog(f"sqlite:///{tmp_path / 'catalog.db'}", collection=Collection.DOCUMENTS)
        town.closing.callback(catalog.close)
        services = replace(
            town.intake.services,
            catalog=catalog,
            collection=Collection.DOCUMENTS,
            chunker=windows(120, 10),
            words=SqliteWords(tmp_path / "words"),
        )
        yield services


def test_what_is_there_is_told_from_what_was_left_out(documents: CollectionServices) -> None:
    for topic in TOPICS:
        add_book(text_of(topic), f"{topic}.pdf", SCHOOL, documents, LIMITS, title=topic)

    found = calibrate(SCHOOL, documents, DOCUMENT_QA, thresholds=[0.99], number=90)

    told = {one.threshold: one for one in found.confidence.metrics}[found.confidence.possible]
    assert told.shown > 0.9
    assert told.silent > 0.2
    assert {one.threshold: one.shown for one in found.cosine.metrics}[0.99] <= found.cosine.metrics[-1].shown
    assert (found.model, found.unit) == ("words", documents.chunker.unit)
    assert 24 < found.questions <= 90


def test_the_same_texts_give_the_same(documents: CollectionServices) -> None:
    add_book(text_of("harbour"), "harbour.pdf", SCHOOL, documents, LIMITS, title="harbour")

    assert calibrate(SCHOOL, documents, DOCUMENT_QA) == calibrate(SCHOOL, documents, DOCUMENT_QA)


def test_nothing_is_used_before_it_is_accepted(documents: CollectionServices) -> None:
    add_book(text_of("harbour"), "harbour.pdf", SCHOOL, documents, LIMITS, title="harbour")
    found = calibrate(SCHOOL, documents, DOCUMENT_QA)
    before = accepted(SCHOOL, documents)

    accept(SCHOOL, found, documents)

    assert before is None
    assert accepted(SCHOOL, documents) == found
    assert accepted("another school", documents) is None


@pytest.mark.parametrize(
    ("score", "only_confident", "standing"),
    [
        (0.8, False, ConfidenceLevel.CONFIDENT),
        (0.6, False, ConfidenceLevel.POSSIBLE),
        (0.6, True, ConfidenceLevel.NEAR),
        (0.3, False, ConfidenceLevel.REFUSED),
    ],
)
def test_a_score_stands_where_the_schools_own_texts_put_it(
    score: float, standing: ConfidenceLevel, *, only_confident: bool
) -> None:
    assert Scale(confident=0.8, possible=0.4, metrics=()).standing(score, only_confident=only_confident) is standing


def test_below_an_answer_what_is_near_is_shown_from_its_own_score_on() -> None:
    scale = Scale(confident=0.8, possible=0.6, metrics=(), near=0.4)

    levels = [scale.standing(score, only_confident=False) for score in (0.6, 0.5, 0.4, 0.3)]

    near = ConfidenceLevel.NEAR
    assert levels == [ConfidenceLevel.POSSIBLE, near, near, ConfidenceLevel.REFUSED]
    assert [level.answers for level in levels] == [True, False, False, False]


def test_where_no_score_is_sure_none_is_refused_for_it() -> None:
    assert Scale(confident=None, possible=0.4, metrics=()).standing(0.99, only_confident=True) is ConfidenceLevel.POSSIBLE


def test_texts_that_are_cut_otherwise_have_a_calibration_of_their_own(documents: CollectionServices) -> None:
    add_book(text_of("harbour"), "harbour.pdf", SCHOOL, documents, LIMITS, title="harbour")
    accept(SCHOOL, calibrate(SCHOOL, documents, DOCUMENT_QA), documents)

    assert accepted(SCHOOL, replace(documents, chunker=windows(300, 30))) is None


def test_a_damaged_one_counts_as_none(documents: CollectionServices) -> None:
    name = calibration_name(SCHOOL, documents.chunker.unit, "words", documents)
    documents.bucket.write(name, b"{")

    assert accepted(SCHOOL, documents) is None


def test_where_nothing_is_there_is_nothing_to_ask(documents: CollectionServices) -> None:
    with pytest.raises(NotFound):
        calibrate(SCHOOL, documents, DOCUMENT_QA)


def test_a_school_is_answered_from_the_score_on_that_it_has_set(documents: CollectionServices, tmp_path: Path) -> None:
    for topic in TOPICS:
        add_book(text_of(topic), f"{topic}.pdf", SCHOOL, documents, LIMITS, title=topic)
    accept(SCHOOL, calibrate(SCHOOL, documents, DOCUMENT_QA, number=90), documents)
    with closing(SqlSchoolSettings(f"sqlite:///{tmp_path / 'catalog.db'}")) as settings:
        choosing = replace(documents, school_settings=settings)

        def standing() -> ConfidenceLevel:
            return judge_for(SCHOOL, choosing, STYLE)(Score(0.9)).standing

        before = standing()
        settings.change(SCHOOL, {"least_documents": 1.0}, "anna", datetime.now(UTC))

        assert before in (ConfidenceLevel.CONFIDENT, ConfidenceLevel.POSSIBLE)
        assert standing() is ConfidenceLevel.NEAR


@pytest.mark.parametrize(("only_confident", "sure", "maybe"), [(False, 0.7, 0.5), (True, 0.5, 0.5)])
def test_a_threshold_of_the_schools_own_moves_what_is_refused(only_confident: bool, sure: float, maybe: float) -> None:
    scale = Scale(confident=0.7, possible=0.3, metrics=())

    moved = scale.with_min_score(0.5, only_confident=only_confident)

    assert (moved.confident, moved.possible) == (sure, maybe)
    assert scale.with_min_score(None, only_confident=only_confident) == scale
    assert moved.threshold(only_confident=only_confident) == 0.5


def test_where_nothing_is_sure_a_desk_answers_from_the_score_that_it_has_set() -> None:
    scale = Scale(confident=None, possible=0.3, metrics=()).with_min_score(0.5, only_confident=True)

    assert scale.standing(0.6, only_confident=True) is ConfidenceLevel.CONFIDENT
    assert scale.standing(0.4, only_confident=True) is ConfidenceLevel.NEAR
    assert scale.standing(0.2, only_confident=True) is ConfidenceLevel.REFUSED


def test_questions_that_people_rated_count_beside_the_made_ones(documents: CollectionServices) -> None:
    for topic in TOPICS:
        add_book(text_of(topic), f"{topic}.pdf", SCHOOL, documents, LIMITS, title=topic)
    [found, *_] = find_chunks("harbour0 gate", Scope(SCHOOL), documents, DOCUMENT_QA)
    cited = (found.passages[0].sentence.id,)
    up = EvaluationCase("1", "documents", "What does harbour0 keep?", Rating.UP, cited, (), None)
    down = replace(up, id="2", question="Who sells bicycles?", thumb=Rating.DOWN)
    elsewhere = replace(up, id="3", application="helpdesk")

    alone = calibrate(SCHOOL, documents, DOCUMENT_QA)
    rated = calibrate(SCHOOL, documents, DOCUMENT_QA, cases=[up, down, elsewhere])

    assert rated.questions == alone.questions + 2
    assert [one.right for one in rated.confidence.questions[-2:]] == [True, False]
