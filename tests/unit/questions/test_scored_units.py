"""The unit that answers: words for the same matter, what an answer looks like, and the order of units and chunks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import Collection, Kind, SentenceId
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Passage, Scope
from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.library.text.chunking import windows
from chapterverse.questions import judging, units
from chapterverse.questions.answers import Question, findings_of
from chapterverse.questions.extract import extract_claims
from chapterverse.questions.judging import Judge
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.school_words import keys_in, look_of_answer, related_terms
from chapterverse.questions.service import ask_documents
from chapterverse.questions.styles import NEAREST, AnswerSettings
from chapterverse.questions.units import by_units, chance_of, passages_of, score_units
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import DOCUMENT_QA, ChanceLevels, DefaultThresholds
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL, Town

RULES = b"The course has an instructor, Dr. Ada Okafor.|The course has a room in Herter Hall.|Nobody runs here."
WHO = "Who teaches the course?"


def by_name(_: str, passages: Sequence[Sequence[Sequence[str]]]) -> list[list[float]]:
    """A reader that finds the instructor's name."""
    return [[3.0 if "Okafor" in sentence else -3.0 for its in one for sentence in its] for one in passages]


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CollectionServices]:
    monkeypatch.setattr(units, "DEFAULT_THRESHOLDS", {"words": DefaultThresholds(confidence=0.4, cosine=-1.0)})
    town = Town(tmp_path)
    with town.closing:
        catalog = SqlCatalog(f"sqlite:///{tmp_path / 'catalog.db'}", collection=Collection.DOCUMENTS)
        town.closing.callback(catalog.close)
        services = replace(
            town.intake.services,
            catalog=catalog,
            collection=Collection.DOCUMENTS,
            chunker=windows(60, 10),
            words=SqliteWords(tmp_path / "words"),
            read_answers=by_name,
        )
        add_book(RULES, "rules.pdf", SCHOOL, services, LIMITS, title="rules")
        yield services


@pytest.mark.parametrize(
    ("question", "text", "has"),
    [
        ("What is her e-mail?", "ada@college.example", True),
        ("How much does the book cost?", "It is $30.", True),
        ("How much does the book cost?", "It has 300 pages.", False),
        ("How much is the final worth?", "Final examination 25 %", True),
        ("What time does it open?", "from 9:30 on", True),
        ("When is the essay due?", "on 8 May", True),
        ("When is the essay due?", "as a PDF", False),
        ("How long is the exam?", "three hours", True),
        ("Who teaches it?", "Dr. Okafor", True),
        ("Who teaches it?", "somebody", False),
    ],
)
def test_an_answer_has_a_look(question: str, text: str, *, has: bool) -> None:
    look = look_of_answer(question)

    assert look
    assert bool(look.search(text)) is has


def test_some_questions_have_answers_of_any_look() -> None:
    assert look_of_answer("May I eat in class?") is None


def test_words_at_a_school_stand_for_the_same_matter() -> None:
    assert "instructor" in related_terms("teach")
    assert "teach" not in related_terms("teach")
    assert not related_terms("zebra")
    assert "oct" in related_terms("octob")


def test_a_grade_with_a_sign_is_another_grade() -> None:
    assert units.grades_in("A– is 88, B+ 85, C 70; vitamin B12") == {"A-", "B+", "C"}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Fri 4 June 14:30 Hall 2", {"date jun 4", "hall 2"}),
        ("due on the 4th of June at 9", {"date jun 4"}),
        ("Week 3 June 4 Rivers", {"week 3", "date jun 4"}),
        ("GEO-201, LAT201b or 3b for 90 students", {"geo 201", "lat 201b", "201b", "3b"}),
    ],
)
def test_a_date_or_code_is_the_same_in_any_spelling(text: str, keys: set[str]) -> None:
    assert keys_in(text) == keys


def rows_of(chunk: FoundChunk, header: str, *others: str) -> FoundChunk:
    """The chunk with a table instead of its text."""
    table = replace(chunk.every[0], sentence=replace(chunk.every[0].sentence, kind=Kind.TABLE))
    first, *rest = (replace(table, sentence=replace(table.sentence, id=SentenceId(one), text=one)) for one in (header, *others))

    class Table(FoundChunk):
        every = (first, *rest)

        def together(self, one: Passage) -> tuple[Passage, ...]:
            return (first,) if one is first else (first, one)

    return Table(chunk.chunk, 0.5, (first, *rest), chunk.book)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What do we read in week 4?", ["4 5 May Lakes B"]),
        ("What is on the 5th of May?", ["4 5 May Lakes B", "5 5 May Seas A-"]),
        ("What is on 5 May in week 5?", ["5 5 May Seas A-"]),
        ("What was an A- given for?", ["5 5 May Seas A-"]),
        ("A question: what do we read?", ["12 4 May Rivers A", "4 5 May Lakes B", "5 5 May Seas A-"]),
    ],
)
def test_the_rows_with_the_date_week_or_grade_of_the_question_are_read(
    documents: CollectionServices, question: str, rows: list[str]
) -> None:
    [chunk, *_] = find_chunks(WHO, Scope(SCHOOL), documents, replace(DOCUMENT_QA, limit=9))
    found = rows_of(chunk, "Week Date Topic Grade", "12 4 May Rivers A", "4 5 May Lakes B", "5 5 May Seas A-")
    candidates, *_ = units.read_units(question, [found], documents)

    assert sorted(one.passage.sentence.text for one in candidates) == rows


@pytest.mark.parametrize(
    ("heading", "text", "is_one"),
    [
        ("3.2 Review questions", "2. Describe two rivers.", True),
        ("Exercises", "Each is worth 5 points.", False),
        ("Rivers", "Name your boat.", False),
    ],
)
def test_a_task_for_the_reader_answers_nothing(documents: CollectionServices, heading: str, text: str, *, is_one: bool) -> None:
    passage = find_chunks(WHO, Scope(SCHOOL), documents, DOCUMENT_QA)[0].passages[0]
    sentence = replace(passage.sentence, text=text, address=replace(passage.sentence.address, section_path=(heading,)))

    assert units.is_exercise(replace(passage, sentence=sentence)) is is_one


def test_rows_with_the_same_date_are_all_claimed(documents: CollectionServices) -> None:
    [chunk, *_] = find_chunks(WHO, Scope(SCHOOL), documents, replace(DOCUMENT_QA, limit=9))
    found = rows_of(chunk, "Date Topic", "4 May Rivers", "5 May Lakes 1", "5 May Lakes 2")
    scored = score_units("What is on 5 May?", [found], documents)
    findings = findings_of([found], -1.0, units=scored)

    claims = extract_claims(Question("What is on 5 May?", "What is on 5 May?"), findings, 3, documents.embedder)

    assert sorted(one.text for one in claims) == ["Date Topic\n5 May Lakes 1", "Date Topic\n5 May Lakes 2"]


def test_the_unit_that_answers_comes_first_and_its_chunk_with_it(documents: CollectionServices) -> None:
    found = find_chunks(WHO, Scope(SCHOOL), documents, DOCUMENT_QA)

    scored = score_units(WHO, list(reversed(found)), documents)

    assert "Okafor" in scored[0].passages[0].sentence.text
    assert [one.score for one in scored] == sorted((one.score for one in scored), reverse=True)
    assert 0 < chance_of(scored[-1]) < chance_of(scored[0]) < 1
    assert "Okafor" in by_units(found, scored)[0].chunk.text


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which room is it on Monday?", ["Day Room\nMonday L01 5", "Day Room\nTuesday L02 6"]),
        ("Which room has L02?", ["Day Room\nTuesday L02 6"]),
        ("Which room has l 02?", ["Day Room\nTuesday L02 6"]),
    ],
)
def test_a_row_is_read_with_its_header_and_only_the_one_with_a_code_that_is_named(
    documents: CollectionServices, question: str, rows: list[str]
) -> None:
    [chunk, *_] = find_chunks(WHO, Scope(SCHOOL), documents, replace(DOCUMENT_QA, limit=9))
    found = rows_of(chunk, "Day Room", "Monday L01 5", "Tuesday L02 6")
    scored, *_ = units.read_units(question, [found], documents)

    assert sorted(one.text for one in scored) == rows


def test_the_answer_is_made_of_that_unit(documents: CollectionServices) -> None:
    result = ask_documents(WHO, Scope(SCHOOL), documents, AnswerSettings(documents.embedder))

    assert result.findings.units[0].source == 1
    assert "instructor" in result.findings.sources[0].text


@pytest.mark.parametrize(
    ("unit", "sure", "standing"),
    [(0.0, 0.0, ConfidenceLevel.CONFIDENT), (0.0, 1.0, ConfidenceLevel.POSSIBLE), (1.0, 1.0, ConfidenceLevel.REFUSED)],
)
def test_the_chance_of_the_best_unit_decides_whether_there_is_an_answer(
    documents: CollectionServices, monkeypatch: pytest.MonkeyPatch, unit: float, sure: float, standing: ConfidenceLevel
) -> None:
    thresholds = DefaultThresholds(confidence=0.4, cosine=-1.0, units=ChanceLevels(unit, sure, unit))
    monkeypatch.setattr(judging, "DEFAULT_THRESHOLDS", {"words": thresholds})

    result = ask_documents(WHO, Scope(SCHOOL), documents, AnswerSettings(documents.embedder))

    assert result.findings.standing is standing
    assert result.answer.nothing is (standing is ConfidenceLevel.REFUSED)


def test_below_an_answer_the_sections_that_come_nearest_are_named(
    documents: CollectionServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    thresholds = DefaultThresholds(confidence=0.4, cosine=-1.0, units=ChanceLevels(1.0, 1.0, 0.0))
    monkeypatch.setattr(judging, "DEFAULT_THRESHOLDS", {"words": thresholds})

    answer = ask_documents(WHO, Scope(SCHOOL), documents, AnswerSettings(documents.embedder)).answer

    headings = [place.heading for place in answer.nearest]
    assert (answer.nothing, answer.claims, answer.confidence.band) == (True, (), "near")
    assert "Okafor" in answer.nearest[0].passage.sentence.text
    assert len(set(headings)) == len(headings) <= 2
    assert answer.text == NEAREST.format(titles="\n".join(f"- {heading}" for heading in headings))
    assert [one.sentence_id for one in AnswerRecord.of(answer).nearest] == [one.passage.sentence.id for one in answer.nearest]


def test_nothing_is_scored_without_words_or_a_reader_or_for_another_model(
    documents: CollectionServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = find_chunks(WHO, Scope(SCHOOL), documents, DOCUMENT_QA)

    assert score_units(WHO, found, replace(documents, words=None)) == []
    assert score_units(WHO, found, replace(documents, read_answers=None)) == []
    monkeypatch.setattr(units, "DEFAULT_THRESHOLDS", {})
    assert score_units(WHO, found, documents) == []


def test_nothing_is_scored_where_the_reader_fails_or_has_not_learned_the_language(documents: CollectionServices) -> None:
    def fails(_: str, __: Sequence[Sequence[Sequence[str]]]) -> list[list[float]]:
        raise ModelUnavailable("model_file_unreadable", file="reader.onnx", model="reader")

    found = find_chunks(WHO, Scope(SCHOOL), documents, DOCUMENT_QA)
    german = [
        replace(one, chunk=replace(one.chunk, text="Die Hausordnung gilt auch während der großen Pause.")) for one in found
    ]

    assert score_units(WHO, found, replace(documents, read_answers=fails)) == []
    assert score_units(WHO, german, documents) == []


def test_the_reader_gets_sentences_in_reading_order_under_their_heading(documents: CollectionServices) -> None:
    [one, *_] = find_chunks(WHO, Scope(SCHOOL), documents, DOCUMENT_QA)
    read = [passage.sentence.id for part, _ in passages_of(one) for passage in part]

    assert read == list(one.chunk.sentences)
    assert all(len(paragraphs[0]) == 1 for _, paragraphs in passages_of(one))


def test_a_school_chooses_from_which_chance_there_is_an_answer(documents: CollectionServices) -> None:
    found = find_chunks(WHO, Scope(SCHOOL), documents, DOCUMENT_QA)
    defaults = DefaultThresholds(confidence=0.4, cosine=-1.0, units=ChanceLevels(0.5, 0.8, 0.2))
    judge = Judge(DOCUMENT_QA, documents, None, only_confident=False, defaults=defaults)

    levels = [replace(judge, least=least)(WHO, found, 0.7) for least in (None, 0.75, 0.6)]

    assert [one.standing for one in levels if one] == [ConfidenceLevel.POSSIBLE, ConfidenceLevel.NEAR, ConfidenceLevel.POSSIBLE]
