"""Follow-ups as questions that stand alone, and what of a conversation is told on."""

from datetime import UTC, datetime

import pytest

from chapterverse.questions.answers import EXTRACT, Confidence
from chapterverse.questions.conversation import TURNS, ConversationTopic, needs_context, recent_turns, standalone_query
from chapterverse.questions.model import Speaker, Turn
from chapterverse.questions.records import AnswerRecord, CitationRecord, ClaimRecord, SourceRecord
from tests.support.answers import a_source

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def student(text: str) -> Turn:
    return Turn(Speaker.STUDENT, text, NOW)


def assistant(text: str, title: str = "", section: str = "") -> Turn:
    """Its answer rests on that source, if one is named."""
    sources = (a_source(1, title="Other"), a_source(2, title=title, headings=(section,)))
    claim = ClaimRecord(text=text, citations=[CitationRecord.of(sources[1], sources[1].passage(sources[1].sentences[0]))])
    answer = AnswerRecord(
        text=text,
        claims=[claim] if title else [],
        sources=list(map(SourceRecord.of, sources)),
        confidence=Confidence(best=0.8, mean=0.8, band="high"),
        disclaimer=None if title else "Nothing was found.",
        nothing=not title,
        by=EXTRACT,
        notes=(),
    )
    return Turn(Speaker.ASSISTANT, text, NOW, answer.stored())


TALK = [student("How do I hand in a project?"), assistant("Use the form of Professor Ada Lovelace.", "Study Rules", "Projects")]


def test_a_follow_up_is_about_the_source_of_the_last_answer_and_whom_it_names() -> None:
    assert standalone_query("When is it due?", TALK) == "Study Rules, Projects. Professor Ada Lovelace. When is it due?"


def test_a_question_of_its_own_and_the_first_one_stay_as_they_are_and_the_one_before_is_never_added() -> None:
    assert standalone_query("How do I reset the password of my account?", TALK) == "How do I reset the password of my account?"
    assert standalone_query("When is it due?") == "When is it due?"
    assert "hand in" not in standalone_query("And when?", TALK)


def test_a_topic_that_is_known_goes_before_that_of_the_answer() -> None:
    assert standalone_query("Why?", TALK, ConversationTopic("Robots")).startswith("Robots. ")


def test_what_was_talked_about_long_ago_is_forgotten() -> None:
    later = [turn for _ in range(TURNS) for turn in (student("Hm."), assistant("I do not know."))]

    assert standalone_query("When is it due?", [*TALK, *later]) == "When is it due?"


@pytest.mark.parametrize(
    ("question", "leans"),
    [
        ("What about the fee?", True),
        ("And then?", True),
        ("Is that allowed?", True),
        ("Which bus goes all the way there?", True),
        ("Why?", True),
        ("How much?", True),
        ("Anything else?", True),
        ("Which one is cheaper?", True),
        ("And on Saturdays?", True),
        ("Saturdays?", True),
        ("Are there showers beside the track?", False),
        ("Which form does a late project need?", False),
        ("How do I reset the password of my account?", False),
        ("When does the library close?", False),
        ("I lost my student card, how much is a new one?", False),
    ],
)
def test_some_questions_lean_on_what_was_said(question: str, leans: bool) -> None:
    assert needs_context(question) is leans


def test_the_author_s_name_in_the_question_is_not_searched() -> None:
    assert standalone_query("What does Mill say about drunkenness?") == "drunkenness?"
    assert standalone_query("Does the author think that children are free?") == "children are free?"
    assert standalone_query("How do I hold a violin?") == "How do I hold a violin?"
    assert standalone_query("What does Tom Brandt teach?") == "What does Tom Brandt teach?"


def test_the_last_turns_are_told_oldest_first_and_the_end_of_what_is_too_long() -> None:
    def told(*texts: str) -> list[str]:
        speakers = (Speaker.STUDENT, Speaker.ASSISTANT)
        return recent_turns([Turn(speakers[at % 2], text, NOW) for at, text in enumerate(texts)])

    assert told() == []
    all_ = told("one", "two", "three", "four", "five", "six")
    assert (len(all_), all_[0], all_[-1]) == (5, "Assistant: two", "Assistant: six")
    long = told("a" * 1500, "b" * 800, "c" * 900)
    assert [line[-1] for line in long] == ["b", "c"]
    assert len("\n".join(long)) <= 2000
    [end] = told("a" * 5000 + "z")
    assert (len(end), end[-1]) == (2000, "z")
