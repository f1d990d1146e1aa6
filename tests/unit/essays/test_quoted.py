"""What an essay quotes of the books: evidence of its paragraph, and nobody's claim."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.citations.model import Evidence, Relation
from chapterverse.core.hits import QueryKind, Scope
from chapterverse.essays import offline
from chapterverse.essays.evidence import find_evidence, not_found, own_words, quoted_evidence
from chapterverse.essays.model import Comment, CommentKind, EssayEvidence, Feedback
from chapterverse.essays.records import EssayEvidenceResponse
from chapterverse.essays.render import feedback_html, feedback_markdown
from chapterverse.essays.text import parse_essay
from chapterverse.library.services import CollectionServices
from chapterverse.messages import in_words
from tests.support.shelved import empty_library, shelve

SCHOOL = Scope("school")
EVIL = "The peculiar evil of silencing the expression of an opinion is that it is robbing the human race."
POWER = "Mankind would not be justified in silencing one person, if it had the power."
GERMAN = "Die eigentümliche Schlechtigkeit der Unterdrückung einer Meinung ist, dass sie die Menschheit beraubt."
QUOTING = f"My uncle likes to quote old books at dinner. Mill writes: “{EVIL}” I find this true of my school, too."


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", ["Some wish it were otherwise.", EVIL, "So much is certain."], [POWER])
        shelve(services, "Über die Freiheit", [GERMAN])
        yield services


def found_in(text: str, services: CollectionServices) -> EssayEvidence:
    return find_evidence(parse_essay(text), SCHOOL, services)


def quoted_in(text: str, services: CollectionServices) -> list[Evidence]:
    return [one for one in found_in(text, services).evidence if one.quotation]


def comments_on(found: EssayEvidence, language: str = "en") -> list[Comment]:
    return list(offline.on_quotations(found.evidence, language))


def message_on(text: str, services: CollectionServices) -> str:
    [one] = quoted_in(text, services)
    assert one.label
    return str(one.label)


def test_a_quoted_sentence_is_evidence_of_its_paragraph_and_stands_once(services: CollectionServices) -> None:
    found = found_in(f"I have a cat.\n\n{QUOTING}", services)

    [one] = [one for one in found.evidence if one.passage.sentence.text == EVIL]
    assert one.number in found.paragraphs[1].numbers
    assert one.number not in found.paragraphs[0].numbers
    assert [(by.query.kind, by.query.text, by.query.paragraph) for by in one.found_by] == [(QueryKind.QUOTATION, EVIL[:-1], 1)]


def test_quoted_words_are_not_searched_for_and_are_no_claim(services: CollectionServices) -> None:
    essay = parse_essay(QUOTING)
    quoted = quoted_evidence(essay, SCHOOL, services)

    [own] = own_words(essay, quoted).paragraphs

    assert own.sentences == ("My uncle likes to quote old books at dinner.", "I find this true of my school, too.")


def test_a_quotation_of_somebody_else_is_no_claim_either(services: CollectionServices) -> None:
    text = "I agree with my friend. She told me: “every dog in this town should be walked on Sundays by its owner”."

    [own] = own_words(parse_essay(text), quoted_in(text, services)).paragraphs

    assert own.sentences == ("I agree with my friend.",)


def test_an_essay_that_quotes_nothing_is_searched_for_as_it_stands(services: CollectionServices) -> None:
    essay = parse_essay("He said “no”, and I said “yes, of course”. Nobody's opinion counts.")

    assert own_words(essay, quoted_evidence(essay, SCHOOL, services)) == essay


def test_an_essay_of_quotations_alone_has_nothing_to_search_for(services: CollectionServices) -> None:
    found = found_in(f"> {EVIL}", services)

    assert [one.passage.sentence.text for one in found.evidence] == [EVIL]


@pytest.mark.parametrize(
    ("essay", "says"),
    [
        (QUOTING, "You quoted from this word for word (On Liberty, Chapter I, Page vii)."),
        (
            QUOTING.replace("robbing the", "stealing from the"),
            "This is a quotation (On Liberty, Chapter I, Page vii); 2 words differ. "
            "You wrote “stealing from”; this edition has “robbing”.",
        ),
        (
            QUOTING.replace("peculiar", "special"),
            "This is a quotation (On Liberty, Chapter I, Page vii); one word differs. "
            "You wrote “special”; this edition has “peculiar”.",
        ),
        (
            "Mill: “mankind would … be justified in silencing one person”",
            "You quoted from this word for word (On Liberty, Chapter I, Page vii), but left out: not. "
            "Check that the meaning is still the same.",
        ),
        (
            "I believe that silencing the expression of an opinion is that it is robbing the human kind.",
            "These words come from the book (On Liberty, Chapter I, Page vii). Put them in quotation marks and give the page "
            "number.",
        ),
    ],
    ids=["exact", "two words", "one word", "left out", "without marks"],
)
def test_it_is_told_where_it_stands_and_what_differs(essay: str, says: str, services: CollectionServices) -> None:
    assert message_on(essay, services) == says


def test_a_quotation_that_differs_is_told_beside_what_it_does_for_the_point(services: CollectionServices) -> None:
    [one] = found_in(QUOTING.replace("peculiar", "special"), services).evidence

    label = replace(one, relation=Relation.CONTRADICTS).label

    assert label
    said = in_words(label)
    assert said.startswith("Contradicts your point. ")
    assert said.endswith("You wrote “special”; this edition has “peculiar”.")


def test_a_ligature_is_no_other_letter(services: CollectionServices) -> None:
    shelve(services, "Walden", ["They attached me to the earth, and so I got strength like Antaeus."])

    quoting = "Thoreau writes: “They attached me to the earth, and so I got strength like Antæus.” I like this."

    assert message_on(quoting, services).startswith("You quoted from this word for word")


def test_a_right_quotation_needs_no_comment(services: CollectionServices) -> None:
    assert comments_on(found_in(QUOTING, services)) == []


def test_another_spelling_needs_no_comment(services: CollectionServices) -> None:
    assert comments_on(found_in(QUOTING.replace("robbing", "robbyng"), services)) == []


def test_the_student_is_told_at_the_quoted_words_what_differs(services: CollectionServices) -> None:
    text = QUOTING.replace("peculiar", "special")

    [comment] = comments_on(found := found_in(text, services))
    german = feedback_markdown(Feedback(found, (comment,)), language="de")

    assert comment.about
    assert "ein Wort weicht ab" not in german.partition("Verwendete Belege")[0]  # the comment says it, in the essay's language
    assert text[slice(*comment.about)] == EVIL[:-1].replace("peculiar", "special")
    assert comment.kind is CommentKind.CORRECTION
    assert comment.text.endswith("You wrote “special”; this edition has “peculiar”.")


def test_page_markdown_and_json_say_the_same_of_it(services: CollectionServices) -> None:
    found = found_in(QUOTING, services)
    feedback = Feedback(found, (Comment(0, "See this.", evidence=(1,), number=1),))
    says = "You quoted from this word for word (On Liberty, Chapter I, Page vii)."

    told = EssayEvidenceResponse.of(found).model_dump(mode="json")["evidence"][0]

    assert says in feedback_markdown(feedback)
    assert says.rstrip(".") in feedback_html(feedback)
    assert (told["relation"], told["label"]) == (None, says)
    assert told["quotation"] == {
        "paragraph": 1,
        "start": QUOTING.index(EVIL),
        "end": QUOTING.index(EVIL) + len(EVIL) - 1,
        "marked": True,
        "exact": True,
        "differences": [],
        "left_out": [],
    }


def test_a_german_essay_is_told_in_german(services: CollectionServices) -> None:
    quotation = "die eigentümliche Schlechtigkeit der Unterdrückung jeder Meinung"
    text = f"Wer anderen den Mund verbietet, schadet allen. Mill nennt es „{quotation}“."

    [one] = quoted_in(text, services)

    assert one.label
    assert in_words(one.label, "de") == (
        "Das ist ein Zitat (Über die Freiheit, Chapter I, Page vii); ein Wort weicht ab. "
        "Hier steht „jeder“, in dieser Ausgabe „einer“."
    )
    assert len(comments_on(found_in(text, services), "de")) == 1


@pytest.mark.parametrize(("said", "quoted"), [(EVIL, 0), (f"Mill says: “{EVIL}”", 1)])
def test_what_the_task_gives_is_a_quotation_only_where_it_is_marked(
    said: str, quoted: int, services: CollectionServices
) -> None:
    essay = parse_essay(f"{said} I agree with that.")
    task = replace(essay, paragraphs=(replace(essay.paragraphs[0], copied=(said,)),))

    assert len(quoted_evidence(task, SCHOOL, services)) == quoted


def test_what_stands_in_quotation_marks_and_in_no_book_is_told(services: CollectionServices) -> None:
    essay = parse_essay(f"{QUOTING} He adds: “The end always justifies the means.” She said “hello”.")

    assert not_found(essay, quoted_evidence(essay, SCHOOL, services)) == [(0, "The end always justifies the means.")]
