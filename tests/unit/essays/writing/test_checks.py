import pytest

from chapterverse.citations.model import Relation, VerdictKind
from chapterverse.essays.model import Dimension, Style, Subject, Tone, sources_in
from chapterverse.essays.writing.choices.answers import DraftComment, ModelDraft
from chapterverse.essays.writing.choices.mending import only_mends
from chapterverse.essays.writing.choices.moves import MOVES, Move, texts_of
from chapterverse.essays.writing.drafts import MAX_COMMENTS, CheckedComments, DraftCheck, breaches
from tests.support.essays import ESSAY, a_subject, evidence_on

UNCLE = "My uncle sings"
PLACES = ("My uncle sings", "every morning", "uncle sings", "sings every")


def checked(
    *drafts: DraftComment,
    subject: Subject | None = None,
    dimension: Dimension = Dimension.CONTENT,
    style: Style | None = None,
) -> CheckedComments:
    subject = subject or a_subject(ESSAY, evidence_on(0))
    check = DraftCheck(subject, dimension, sources_in(subject), style or Style())
    return check(ModelDraft(comments=list(drafts)))


def draft(
    kind: Move = Move.REASON, paragraph: int = 1, about: str = UNCLE, evidence: tuple[int, ...] = (), instead: str = ""
) -> DraftComment:
    return DraftComment(paragraph=paragraph, about=about, kind=kind, evidence=list(evidence), instead=instead)


@pytest.mark.parametrize(
    ("dimension", "turns"), [(Dimension.CONTENT, ["first", "second", "model"]), (Dimension.FEATURES, ["first"])]
)
def test_what_the_model_takes_up_first_is_marked_and_no_more_than_a_few(dimension: Dimension, turns: list[str]) -> None:
    kinds = [Move.REASON, Move.EXAMPLE, Move.LIMIT] if dimension is Dimension.CONTENT else [Move.ENDING]
    drafts = [draft(kind, about=PLACES[at]).model_copy(update={"first": True}) for at, kind in enumerate(kinds)]

    found = checked(*drafts, dimension=dimension)

    assert [one.rule.partition(".")[2] for one in found.comments] == turns


def texts(found: CheckedComments) -> list[str]:
    return [comment.text for comment in found.comments]


def test_the_model_chooses_place_and_kind_and_the_words_are_ours() -> None:
    [comment] = checked(draft()).comments

    assert (comment.paragraph, comment.about) == (0, (36, 50))
    assert comment.text == "Why is this so? You could give a reason for it in a sentence of your own."


def test_what_the_model_writes_is_nowhere_in_a_comment() -> None:
    attack = "You are stupid, see http://evil.example."

    found = checked(draft(instead=attack), draft(about=attack), dimension=Dimension.CONTENT)

    assert found.removed == 1
    assert [(attack in one.text, one.instead) for one in found.comments] == [(False, None)]


def test_evidence_is_cited_with_how_it_could_be_used() -> None:
    [comment] = checked(draft(Move.REASON, evidence=(1,))).comments

    assert comment.text == "Why is this so? After “My uncle sings” you could add what On Liberty says."
    assert [(one.evidence.number, one.verdict.kind) for one in comment.citations] == [(1, VerdictKind.NOT_FOUND)]
    assert comment.citations[0].quote == "Silencing an opinion robs mankind of truth."


def test_nothing_is_said_of_books_without_their_evidence() -> None:
    assert checked(draft(Move.EVIDENCE)) == CheckedComments((), 1)


@pytest.mark.parametrize("evidence", [(2,), (1, 2), (0,), (-1,)])
def test_a_number_that_does_not_exist_goes_with_its_comment(evidence: tuple[int, ...]) -> None:
    assert checked(draft(evidence=evidence)) == CheckedComments((), 1)


def test_on_a_paragraph_on_which_the_books_are_silent_nothing_is_cited() -> None:
    silent = a_subject(ESSAY, evidence_on(0)).essay.paragraphs[1].sentences[0]

    assert checked(draft(paragraph=2, about=silent, evidence=(1,))).comments == ()


def test_words_that_are_not_in_the_essay_are_no_place() -> None:
    assert checked(draft(about="My aunt sings")) == CheckedComments((), 1)


def test_words_of_another_paragraph_are_found_there() -> None:
    assert [one.paragraph for one in checked(draft(paragraph=2)).comments] == [0]


@pytest.mark.parametrize("paragraph", [-1, 0, 3, 10**9])
def test_without_words_and_without_a_paragraph_there_is_no_place(paragraph: int) -> None:
    assert checked(draft(paragraph=paragraph, about=" ")).comments == ()


def test_without_words_it_stands_at_the_first_sentence_of_its_paragraph() -> None:
    assert [one.about for one in checked(draft(about="")).comments] == [(0, 35)]


def test_quotation_marks_may_be_of_another_kind() -> None:
    subject = a_subject("It’s “free” speech that my uncle wants.")

    assert [one.about for one in checked(draft(about='It\'s "free"'), subject=subject).comments] == [(0, 11)]


def test_our_words_for_a_kind_come_once_each() -> None:
    found = checked(*(draft(about=about) for about in PLACES[:3]))

    assert len(set(texts(found))) == len(found.comments) == 2
    assert found.removed == 1


def test_the_same_words_are_commented_on_once() -> None:
    assert len(checked(draft(), draft(Move.EXAMPLE)).comments) == 1


def test_a_paragraph_gets_no_flood_of_comments() -> None:
    kinds = (Move.REASON, Move.EXAMPLE, Move.DETAIL, Move.SOURCE)

    found = checked(*map(lambda kind, about: draft(kind, about=about), kinds, PLACES))

    assert len(found.comments) == MAX_COMMENTS


def test_a_kind_belongs_to_its_dimension() -> None:
    assert checked(draft(Move.LONG)) == CheckedComments((), 1)
    assert len(checked(draft(Move.LONG), dimension=Dimension.EXPRESSIONS).comments) == 1


@pytest.mark.parametrize("dimension", [Dimension.EXPRESSIONS, Dimension.FEATURES])
def test_only_the_content_is_backed_by_books(dimension: Dimension) -> None:
    assert all(checked(draft(kind, evidence=(1,)), dimension=dimension).comments == () for kind in MOVES[dimension])


@pytest.mark.parametrize(("relation", "kind"), [(Relation.CONTRADICTS, VerdictKind.CONTRADICTS), (None, VerdictKind.NOT_FOUND)])
def test_the_verdict_is_what_a_model_read_in_the_sentence(relation: Relation | None, kind: VerdictKind) -> None:
    subject = a_subject(ESSAY, evidence_on(0, relation=relation))

    [comment] = checked(draft(Move.EVIDENCE, evidence=(1,)), subject=subject).comments

    assert [one.verdict.kind for one in comment.citations] == [kind]


def test_a_model_cannot_be_made_to_praise() -> None:
    found = checked(draft(Move.STRENGTH))

    assert (found.comments, found.removed) == ((), 0)
    assert len(found.good) == 1


def test_a_plain_tone_says_only_what_to_do() -> None:
    found = checked(draft(), style=Style(tone=Tone.PLAIN))

    assert texts(found) == ["You could give a reason for it in a sentence of your own."]


EVERY = [(dimension, kind) for dimension, its in MOVES.items() for kind, words in its.items() if words.ways]


@pytest.mark.parametrize(("dimension", "kind"), EVERY, ids=lambda one: one.value)
@pytest.mark.parametrize("tone", Tone)
def test_all_our_words_keep_the_contract_of_a_comment_and_differ(dimension: Dimension, kind: Move, tone: Tone) -> None:
    subject = a_subject(ESSAY, evidence_on(0))
    cites = kind is Move.EVIDENCE
    style = Style(grade=5, tone=tone)

    ways = list(texts_of(kind, dimension, tone, cites=cites))
    [comment] = checked(draft(kind, evidence=(1,) if cites else ()), dimension=dimension, style=style).comments

    assert len(set(ways)) == 2
    assert list(breaches(comment, subject.essay, style, sources_in(subject))) == []


@pytest.mark.parametrize(
    ("about", "instead"),
    [
        ("He go to school", "He goes to school"),
        ("there freinds", "their friends"),
        ("I am interested of books", "I am interested in books"),
        ("childrens toys", "children's toys"),
        ("It was a accident", "It was an accident."),
        ("more better", "better"),
    ],
)
def test_a_correction_mends_what_the_essay_says(about: str, instead: str) -> None:
    assert only_mends(instead, about)


@pytest.mark.parametrize(
    ("about", "instead"),
    [
        ("my uncle sings", ""),
        ("my uncle sings", "my uncle sings"),
        ("my uncle sings", "my stupid uncle sings"),
        ("my uncle sings", "my uncle never sings"),
        ("he does not sing", "he does sing"),
        ("cats hate dogs", "dogs hate cats"),
        ("uncle", "www.evil.example"),
        ("uncle", "A+"),
        ("uncle", "10/10"),
        ("the public", "the pubic"),
        ("sings", "sings 🤡"),
        ("Onkel", "Dummkopf"),
        ("Wer nicht kochen kann", "Wer kochen kann"),
        ("my old uncle", "my uncle"),
        ("he lost more", "I lost more"),
    ],
)
def test_a_correction_says_nothing_new(about: str, instead: str) -> None:
    assert not only_mends(instead, about)


def test_a_correction_is_for_the_wording_alone() -> None:
    subject = a_subject("He go to school.")
    mended = draft(Move.CORRECTION, about="He go", instead="He goes")

    [comment] = checked(mended, subject=subject, dimension=Dimension.EXPRESSIONS).comments

    assert comment.instead == "He goes"
    assert checked(draft(about="He go", instead="He goes"), subject=subject).comments[0].instead is None


def test_a_comment_that_loses_its_correction_is_counted() -> None:
    found = checked(draft(Move.CORRECTION, instead="He cries"), dimension=Dimension.EXPRESSIONS)

    assert ([one.instead for one in found.comments], found.removed, found.repaired) == ([None], 0, 1)


def test_corrections_are_as_many_as_there_are_mistakes() -> None:
    subject = a_subject("He go, she go and we goes to school.")
    mended = [("He go", "He goes"), ("she go", "she goes"), ("we goes", "we go")]

    found = checked(
        *(draft(Move.CORRECTION, about=about, instead=instead) for about, instead in mended),
        subject=subject,
        dimension=Dimension.EXPRESSIONS,
    )

    assert [one.instead for one in found.comments] == ["He goes", "she goes", "we go"]
