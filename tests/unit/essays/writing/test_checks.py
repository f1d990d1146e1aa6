import pytest

from chapterverse.citations.forms import OWN_WORDS, Advice
from chapterverse.citations.model import Relation, VerdictKind
from chapterverse.essays.model import Dimension, Subject, sources_in
from chapterverse.essays.writing.answers import DraftComment, ModelDraft
from chapterverse.essays.writing.drafts import MAX_COMMENT_WORDS, MAX_COMMENTS, CheckedComments, DraftCheck
from tests.support.essays import ESSAY, a_subject, evidence_on

TAG = "0123456789abcdef"


def checked(
    *drafts: DraftComment,
    dimension: Dimension = Dimension.CONTENT,
    subject: Subject | None = None,
) -> CheckedComments:
    subject = subject or a_subject()
    return DraftCheck(subject, dimension, TAG, sources_in(subject))(ModelDraft(comments=list(drafts)))


def draft(
    comment: str = "Say why.",
    paragraph: int = 1,
    about: str = "",
    evidence: tuple[int, ...] = (),
    instead: str = "",
    kind: Advice | None = None,
) -> DraftComment:
    return DraftComment(paragraph=paragraph, about=about, comment=comment, evidence=list(evidence), instead=instead, kind=kind)


def texts(found: CheckedComments) -> list[str]:
    """Without the words on how to use the evidence."""
    return [comment.text.partition(" After “")[0] for comment in found.comments]


def test_a_comment_that_is_borne_out_stays_with_its_evidence_and_its_place() -> None:
    [comment] = checked(draft("The book agrees.", about="My uncle sings", evidence=(1,))).comments

    assert (comment.paragraph, comment.about) == (0, (36, 50))
    assert comment.text.startswith("The book agrees.")
    assert [(one.evidence.number, one.verdict.kind) for one in comment.citations] == [(1, VerdictKind.NOT_FOUND)]
    assert comment.citations[0].quote == "Silencing an opinion robs mankind of truth."


def test_words_that_may_not_be_read_give_way_to_ours_for_their_kind() -> None:
    [comment] = checked(draft("This is worth an A.", about="My uncle sings", kind=Advice.REASON)).comments

    assert comment.text == OWN_WORDS[Advice.REASON]
    assert comment.about == (36, 50)


@pytest.mark.parametrize(
    ("kind", "about"), [(Advice.STRENGTH, "My uncle sings"), (None, "My uncle sings"), (Advice.REASON, "My aunt sings")]
)
def test_praise_and_what_is_about_no_words_of_the_essay_has_no_words_of_ours(kind: Advice | None, about: str) -> None:
    assert checked(draft("This is worth an A.", about=about, kind=kind)) == CheckedComments((), 1)


def test_our_words_for_a_kind_come_once() -> None:
    bad = draft("This is worth an A.", about="My uncle sings", kind=Advice.REASON)

    assert len(checked(bad, bad).comments) == 1


def test_a_question_asks() -> None:
    [comment] = checked(draft("Say why.", about="My uncle sings", kind=Advice.OTHER_SIDE)).comments

    assert comment.text == OWN_WORDS[Advice.OTHER_SIDE]


LONG = (
    "Why does he sing? Say who hears it. Explain what they think. Give a reason for it. Add an example from school. Say what "
    "the neighbours want. Put it at the end. Tell the reader why it matters. Ask what they think. Compare it with another "
    "morning. Say how loud it is. Name the song. Explain the rule. Say more. Say why."
)


@pytest.mark.parametrize("evidence", [(2,), (1, 2), (0,), (-1,)])
def test_a_number_that_does_not_exist_goes_with_its_claim(evidence: tuple[int, ...]) -> None:
    assert checked(draft("The book agrees.", evidence=evidence)) == CheckedComments((), 1)


def test_a_number_in_the_text_counts_as_a_citation() -> None:
    [comment] = checked(draft("Use evidence 1 here.")).comments

    assert [one.evidence.number for one in comment.citations] == [1]
    assert checked(draft("Use evidence 7 here.")).comments == ()


def test_on_a_paragraph_on_which_the_books_are_silent_nothing_is_cited() -> None:
    assert checked(draft("The book agrees.", paragraph=2, evidence=(1,))).comments == ()


@pytest.mark.parametrize("paragraph", [-1, 3, 10**9])
def test_a_paragraph_that_does_not_exist_has_no_comments(paragraph: int) -> None:
    assert checked(draft(paragraph=paragraph)).comments == ()


def test_the_whole_essay_may_be_meant() -> None:
    [comment] = checked(draft("Say why your uncle sings.", paragraph=0)).comments

    assert (comment.paragraph, comment.about) == (0, (36, 65))


@pytest.mark.parametrize(
    "text",
    [
        "Good start. The book says “truth is always silenced”. Say more.",
        "Look. It says “truth is dead. It was silenced. Nobody cares.” Go on.",
        "The book says “my uncle sings every morning”. Say more.",
        "Say why. This deserves full marks.",
    ],
)
def test_a_comment_goes_as_a_whole_where_a_sentence_of_it_is_invented_or_no_feedback(text: str) -> None:
    assert checked(draft(text, evidence=(1,))) == CheckedComments((), 1)


def test_nothing_is_said_of_books_without_their_evidence() -> None:
    assert texts(checked(draft("The author thinks so, too. Say more."))) == []


@pytest.mark.parametrize(
    ("place", "stays"), [("page 35", True), ("chapter II", True), ("page 36", False), ("Chapter 4", False)]
)
def test_a_page_or_chapter_is_the_one_of_the_evidence(place: str, stays: bool) -> None:
    assert bool(texts(checked(draft(f"Why does the book say so on {place}?", evidence=(1,))))) is stays


def test_a_long_comment_ends_where_it_is_long_enough() -> None:
    [text] = texts(checked(draft(LONG)))

    assert len(text.split()) <= MAX_COMMENT_WORDS < len(LONG.split())


def test_a_comment_that_nobody_of_that_grade_can_read_goes_and_is_counted() -> None:
    hard = " ".join(["Say why the reader thinks so,", *["and say what this means for the reader,"] * 4, "and say why."])

    found = checked(draft(hard), draft(f"Say why. {hard}"))

    assert (texts(found), found.removed, found.repaired) == (["Say why."], 1, 1)


def test_evidence_comes_with_how_it_could_be_used() -> None:
    [comment] = checked(draft("The book agrees.", about="My uncle sings", evidence=(1,))).comments

    assert comment.text == "The book agrees. After “My uncle sings” you could add what On Liberty says."


def test_nothing_is_said_twice_in_a_comment() -> None:
    assert texts(checked(draft("Say why. Say why. Say why."))) == ["Say why."]


def test_a_paragraph_gets_no_flood_of_comments() -> None:
    assert len(checked(*[draft()] * 10).comments) == MAX_COMMENTS


def test_words_that_do_not_stand_in_the_essay_are_no_place_in_it() -> None:
    found = checked(draft("Say why your uncle sings.", about="My aunt sings"))

    assert [comment.about for comment in found.comments] == [(36, 65)]
    assert found.repaired == 1


def test_words_to_write_instead_are_for_the_wording_alone_and_about_as_long() -> None:
    fitting = draft(about="sings every morning", instead="sings each day")
    flood = draft(about="sings", instead="sings, and now for something quite different from all that")
    mark = draft(about="sings", instead="full marks")

    found = checked(fitting, flood, mark, dimension=Dimension.EXPRESSIONS)

    assert [comment.instead for comment in found.comments] == ["sings each day", None, None]
    assert checked(fitting).comments[0].instead is None


@pytest.mark.parametrize("dimension", [Dimension.EXPRESSIONS, Dimension.FEATURES])
def test_only_the_content_is_backed_by_books(dimension: Dimension) -> None:
    assert checked(draft("The book agrees.", evidence=(1,)), dimension=dimension).comments == ()


@pytest.mark.parametrize(("relation", "kind"), [(Relation.CONTRADICTS, VerdictKind.CONTRADICTS), (None, VerdictKind.NOT_FOUND)])
def test_the_verdict_is_what_a_model_read_in_the_sentence(relation: Relation | None, kind: VerdictKind) -> None:
    subject = a_subject(ESSAY, evidence_on(0, relation=relation))

    [comment] = checked(draft("The book agrees.", evidence=(1,)), subject=subject).comments

    assert [one.verdict.kind for one in comment.citations] == [kind]
