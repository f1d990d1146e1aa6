from dataclasses import replace

import pytest

from chapterverse.citations.model import Relation
from chapterverse.essays.model import Comment, Essay, Paragraph, Style
from chapterverse.essays.task import Genre
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.genre import Role, genre_of, roles_of
from chapterverse.essays.writing.rules import RuleContext, evidence_found
from tests.support.essays import a_subject, evidence_on

BODY = "One thing.\n\n{}\n\nThe end of it."
LONG = "Cats should sleep at noon, and dogs should walk at night. " * 4


def comments(text: str, paragraph: int = 0, relation: Relation | None = None) -> list[Comment]:
    return list(evidence_found(RuleContext(a_subject(text, evidence_on(0, relation=relation)), Style()), paragraph))


def rules(text: str, paragraph: int = 1) -> list[str]:
    return [comment.rule for comment in comments(text, paragraph)]


@pytest.mark.parametrize("relation", [*Relation, None])
def test_what_a_book_says_is_asked_beside_the_sentence_it_is_about_with_how_to_use_it(relation: Relation | None) -> None:
    claim = "Silencing opinion robs us of truth."
    subject = a_subject(f"One thing. {claim}", evidence_on(0, key=claim, relation=relation))

    [comment] = evidence_found(RuleContext(subject, Style()), 0)

    assert comment.about == (11, 46)
    assert "?" in comment.text
    assert "after “opinion robs us of truth” you could add" in comment.text.replace("After", "after")
    assert [one.quote for one in comment.citations] == ["Silencing an opinion robs mankind of truth."]


def test_a_contradiction_is_told_with_its_reason() -> None:
    [comment] = comments("Truth is never silenced.", relation=Relation.CONTRADICTS)

    assert comment.contradicts
    assert comment.text.startswith("Your sentence seems to mean the opposite of what the book says here. ")


@pytest.mark.parametrize(
    "text", ["Silencing an opinion robs mankind of truth.", "Silencing an opinion never robs mankind of truth."]
)
def test_what_nobody_has_read_may_help_and_neither_agrees_nor_disagrees(text: str) -> None:
    [comment] = comments(text)

    assert comment.text.startswith("This may help: ")
    assert [one.verdict.kind for one in comment.citations] == ["not_found"]
    assert [str(one.verdict.reason) for one in comment.citations] == ["This may help: see whether it is about your point."]


def test_a_paragraph_gets_one_comment_on_its_best_evidence_and_a_sentence_of_a_book_one_comment() -> None:
    near, far = evidence_on(0), replace(evidence_on(0, number=2), score=0.7)
    again = replace(near, found_by=(*near.found_by, *evidence_on(1).found_by))
    look = RuleContext(a_subject("One.\n\nTwo.", again, far), Style())

    first, second = list(evidence_found(look, 0)), list(evidence_found(look, 1))

    assert [one.citations[0].evidence.number for one in first] == [1]
    assert second == []


def test_what_may_only_be_about_the_same_and_is_not_near_is_shown_without_a_comment() -> None:
    far = replace(evidence_on(0), score=0.45)

    assert list(evidence_found(RuleContext(a_subject("One.", far), Style()), 0)) == []


def test_a_task_that_a_book_sets_is_no_answer_to_a_claim() -> None:
    task = evidence_on(0, "Write an essay on the advantages of cats.")

    assert list(evidence_found(RuleContext(a_subject("One.", task), Style()), 0)) == []


def test_a_letter_has_a_salutation_and_a_closing() -> None:
    texts = ("Dear Senator,", "Lions should sing.", "They sing well.", "Let them sing.", "Sincerely,", "Anna")
    letter = Essay(None, tuple(Paragraph(text, (text,)) for text in texts))

    assert roles_of(letter) == (Role.SALUTATION, Role.OPENING, Role.BODY, Role.ENDING, Role.CLOSING, Role.CLOSING)


@pytest.mark.parametrize(
    ("text", "genre"),
    [
        ("Dear Senator, lions should sing.", Genre.LETTER),
        ("Dear Mayor Chen,\n\nLions should sing.", Genre.LETTER),
        ("Lions should sing.", Genre.ARGUMENTATIVE),
        ("The article says that lions sing. According to the author, they do.", Genre.SOURCE_BASED),
        ("We went home. My uncle was there. He had a lion, and it sang.", Genre.NARRATIVE),
        ("Lions sing at night.", Genre.EXPOSITORY),
        ("It would be justified if all lions had to sing.", Genre.ARGUMENTATIVE),
        ("To sing, a lion has to breathe in.", Genre.EXPOSITORY),
        ("According to the article, lions sing. I think they should.", Genre.ARGUMENTATIVE),
        ("In this text I show how lions sing. My uncle says that it is loud at dawn.", Genre.EXPOSITORY),
    ],
)
def test_the_text_tells_its_genre(text: str, genre: Genre) -> None:
    assert genre_of(parse_essay(text)) is genre


def test_a_title_that_explains_counts_unless_the_writer_takes_a_side() -> None:
    text = "A lion has to breathe. It should not run, and the air has to be dry. It must not eat."

    genres = [genre_of(replace(parse_essay(each), title="How a lion sings")) for each in (text, f"{text} I think it is sad.")]

    assert genres == [Genre.EXPOSITORY, Genre.ARGUMENTATIVE]


def test_where_a_student_tells_what_a_text_says_nothing_is_added_from_a_book() -> None:
    near = replace(evidence_on(0), score=0.9)

    assert list(evidence_found(RuleContext(a_subject("The author says that cats sleep.", near), Style()), 0)) == []
