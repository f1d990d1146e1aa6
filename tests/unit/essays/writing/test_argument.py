"""The outline of an essay's own argument, by rules."""

import pytest

from chapterverse.essays.model import Feedback, Review, Style, Subject
from chapterverse.essays.outline import EssaySpan, Outline, PieceKind
from chapterverse.essays.outline_records import OutlineResponse
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.argument import DraftOutline, DraftPiece, DraftReason, checked_outline, outline_of
from chapterverse.essays.writing.render import feedback_html, feedback_markdown
from chapterverse.essays.writing.rules import RuleContext
from scripts.eval.outline import Score, essays, score
from tests.support.essays import a_subject, evidence_on, found_on

ESSAY = """\
In the morning our classroom is full of heads on desks. I think that school should begin at nine.

First of all, tired people do not learn much. A study in Oslo found that tired pupils forget 30 percent more.

Another reason is that buses are full at eight.

Of course, many parents have to leave for work early. But most pupils can get up by themselves.

All in all, a later start would be better for everyone.
"""


def outline(text: str, *evidence: object, style: Style | None = None) -> tuple[Outline, Subject]:
    subject = Subject(a_subject(text).essay, evidence)  # type: ignore[arg-type]
    look = RuleContext(subject, style or Style(genre=Genre.ARGUMENTATIVE))
    return outline_of(look), subject


def words(place: EssaySpan | None, subject: Subject) -> str | None:
    return place and subject.essay.paragraphs[place.paragraph].text[place.start : place.end]


def test_claim_reasons_evidence_and_the_other_side_are_sentences_of_the_essay() -> None:
    found, subject = outline(ESSAY)

    assert words(found.claim, subject) == "I think that school should begin at nine."
    assert [words(one.place, subject) for one in found.reasons] == [
        "First of all, tired people do not learn much.",
        "Another reason is that buses are full at eight.",
    ]
    [piece] = found.reasons[0].pieces
    assert (piece.kind, piece.specific) == (PieceKind.SOURCE, ("Oslo", "30"))
    assert found.reasons[1].pieces == ()
    assert words(found.counter, subject) == "Of course, many parents have to leave for work early."


def test_a_reason_names_the_evidence_that_the_books_have_for_it() -> None:
    found, _ = outline(ESSAY, evidence_on(1, key="First of all, tired people do not learn much."), evidence_on(2, number=2))

    assert [one.books for one in found.reasons] == [(1,), (2,)]
    assert [one.books for one in found.without({1}).reasons] == [(), (2,)]


def test_what_is_not_sure_is_not_found() -> None:
    found, _ = outline("Snow fell in the night. The dog slept. Nobody came to the door until noon.")

    assert found == Outline(Genre.ARGUMENTATIVE)


@pytest.mark.parametrize(
    ("sentence", "claim", "counter"),
    [
        ("I will argue that this advice is only half true.", True, False),
        ("I will show in three steps what the following sources say.", False, False),
        ("I hope that you will open the library on Saturdays.", True, False),
        ("Some say that children need it, but they can call each other.", False, True),
        ("But one can say that the writer was not honest.", False, True),
        ("Fear is in the hand of the ruler, but love is not.", False, False),
    ],
)
def test_plain_words_for_a_claim_or_the_other_side_are_known(sentence: str, claim: bool, counter: bool) -> None:
    around = "The Prince is a book for rulers of small cities. It was written long ago."

    found, subject = outline(f"{around} {sentence} However, leaders depend on other people, too.")

    assert (words(found.claim, subject) == sentence, words(found.counter, subject) == sentence) == (claim, counter)


@pytest.mark.parametrize(
    ("claim", "sentence", "others"),
    [
        ("I think that zoos should be closed.", "The strongest argument for zoos is that they save rare animals.", True),
        ("I think that zoos should be closed.", "Supporters say that children learn about animals there.", True),
        ("I think that zoos should be closed.", "People who like zoos say that the animals are safe there.", True),
        ("I think that zoos should be closed.", "The strongest argument against zoos is the size of the cages.", False),
        ("I think that zoos should be closed.", "The strongest argument for closing zoos is the size of the cages.", False),
        ("I think that zoos should stay open.", "The strongest argument for zoos is that they save rare animals.", False),
        ("I think that zoos should stay open.", "The best argument against zoos is the size of the cages.", True),
    ],
)
def test_an_argument_of_those_who_disagree_is_no_reason_of_the_writers(claim: str, sentence: str, others: bool) -> None:
    found, subject = outline(f"{claim}\n\n{sentence} It is told every year.\n\nSo this is my answer.")

    assert (words(found.counter, subject) == sentence) is others
    assert (sentence in [words(one.place, subject) for one in found.reasons]) is not others


def test_a_story_has_no_claim_and_no_reasons() -> None:
    found, _ = outline(ESSAY, style=Style(genre=Genre.NARRATIVE))

    assert (found.claim, found.reasons, found.counter, found.pieces) == (None, (), None, ())


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("According to the mayor, the bridge is too old.", PieceKind.SOURCE),
        ("It costs 48 pounds, and nobody pays that.", PieceKind.STATISTIC),
        ("Last summer my brother fell off it.", PieceKind.EXAMPLE),
        ("In On Liberty we can read of such a bridge.", PieceKind.BOOK),
        ("Bridges are good for the town.", None),
        ("This shows that bridges can fall.", None),
    ],
)
def test_evidence_has_a_kind(sentence: str, kind: PieceKind | None) -> None:
    text = ESSAY.replace("A study in Oslo found that tired pupils forget 30 percent more.", sentence)

    found, _ = outline(text, evidence_on(4))

    assert [each.kind for each in found.pieces] == ([kind] if kind else [])


def test_the_outline_is_in_json_markdown_and_on_the_page() -> None:
    found, subject = outline(ESSAY, evidence_on(2))
    review = Review("content", (), outline=found)  # type: ignore[arg-type]
    feedback = Feedback(found_on(subject), (review,))

    answer = OutlineResponse.of(found, feedback.evidence)
    markdown, page = feedback_markdown(feedback), feedback_html(feedback)

    assert answer.claim
    assert (answer.claim.paragraph, answer.claim.text) == (1, "I think that school should begin at nine.")
    assert (answer.pieces, answer.specific) == (1, 1)
    assert "- **Claim:** “I think that school should begin at nine.” (paragraph 1)" in markdown
    assert "  - no evidence found for it yet\n  - in your books: Evidence #1" in markdown
    assert '<a href="#at-2-0">“<bdi>Another reason is that buses are full at eight.</bdi>”</a>' in page
    assert 'id="at-2-0"' in page


def test_on_the_essays_that_the_rules_were_made_on_what_is_named_is_mostly_right() -> None:
    scores = {name: Score() for name in ("claim", "reasons", "evidence", "its kind", "its reason", "specific", "other side")}
    for one in (each for each in essays() if each.id.startswith("b")):
        subject = Subject(one.essay, ())
        look = RuleContext(subject, Style(genre=one.genre))
        score(one, outline_of(look), scores, show=False)

    for name in ("claim", "reasons", "other side"):
        assert scores[name].right >= 0.9 * scores[name].named, name
        assert scores[name].right >= 0.5 * scores[name].there, name


def test_of_a_models_outline_only_sentences_of_the_essay_are_taken() -> None:
    subject = a_subject(ESSAY, evidence_on(1))
    look = RuleContext(subject, Style(genre=Genre.ARGUMENTATIVE))
    reason = DraftReason(
        words="first of all, tired people",
        evidence=[
            DraftPiece(words="A study in Oslo found", kind=PieceKind.SOURCE),
            DraftPiece(words="A study in Paris found", kind=PieceKind.SOURCE),
        ],
        books=[1, 7],
    )
    invented = DraftReason(words="School is a prison", evidence=[], books=[1])
    draft = DraftOutline(claim="I think that school should …", reasons=[invented, reason, reason], counter="Of")

    found = checked_outline(draft, look, "a model")

    assert words(found.claim, subject) == "I think that school should begin at nine."
    assert [(words(one.place, subject), len(one.pieces), one.books) for one in found.reasons] == [
        ("First of all, tired people do not learn much.", 1, (1,))
    ]
    assert (found.counter, found.by) == (None, "a model")
