"""Evidence for an essay: by similarity, by the usefulness model, and what it quotes of the books."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chapterverse.citations.model import Relation
from chapterverse.core.hits import QueryKind, Scope
from chapterverse.core.ports import Chances, Pair, Read
from chapterverse.essays import evidence, offline
from chapterverse.essays.model import Comment, CommentKind, Essay, Feedback
from chapterverse.essays.records import EssayEvidenceResponse
from chapterverse.essays.render import feedback_html, feedback_markdown
from chapterverse.essays.text import parse_essay
from chapterverse.infrastructure.embedding.model_files import plain_name
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.settings import Settings
from tests.support.made import unit
from tests.support.shelved import empty_library, shelve

SCHOOL = Scope("school")
PLAN = replace(ESSAY_FEEDBACK, min_score=0.6)  # for words that are equal or not; the shelf is smaller than any real one
ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "So much is certain.")
ON_HABIT = ("Habit rules every person.", "Custom grows where nobody chooses.")
ESSAY = parse_essay("""\
# Speech

Silencing opinion robs us of truth. My uncle sings.

My phone battery empties quickly after lunch. The cable broke yesterday.

Habit rules every person here. Custom is old.
""")


@pytest.fixture
def services(services: CollectionServices) -> CollectionServices:
    """A library with two books."""
    shelve(services, "On Liberty", ON_SPEECH)
    shelve(services, "Habits", ON_HABIT)
    return services


def shown(found: evidence.EssayEvidence) -> list[str]:
    return [one.passage.sentence.text for one in found.evidence]


def test_each_paragraph_gets_the_sentence_that_bears_on_it_by_one_call_of_the_embedder(services: CollectionServices) -> None:
    found = evidence.find_evidence(ESSAY, SCHOOL, services, PLAN)

    assert set(shown(found)) == {"Silencing an opinion robs mankind of truth.", "Habit rules every person."}
    by_number = {one.number: one.passage.sentence.text for one in found.evidence}
    assert [[by_number[number] for number in one.numbers] for one in found.paragraphs] == [
        ["Silencing an opinion robs mankind of truth."],
        [],
        ["Habit rules every person."],
    ]
    first = found.evidence[0]
    assert [by.query.text for by in first.found_by] == ["Habit rules every person here.", ESSAY.paragraphs[2].text]
    assert first.score == first.found_by[0].score
    [texts] = services.embedder.calls
    assert texts[:3] == [paragraph.text for paragraph in ESSAY.paragraphs]
    assert texts[3:5] == ["Silencing opinion robs us of truth.", "My uncle sings."]


def test_an_essay_of_thousands_of_sentences_is_answered_from_some_of_them_and_says_so(services: CollectionServices) -> None:
    essay = parse_essay(f"Silencing opinion robs us of truth. {'Yes. ' * 5_000}\n\nHabit rules every person here.")

    found = evidence.find_evidence(essay, SCHOOL, services, replace(PLAN, sentences=50))

    assert "Silencing an opinion robs mankind of truth." in shown(found)
    assert len(services.embedder.calls[-1]) <= 2 + 50
    assert [note.id for note in found.notes] == ["note_fewer_sentences"]


def test_all_of_an_essay_of_many_paragraphs_is_searched(services: CollectionServices) -> None:
    long = Essay(None, ESSAY.paragraphs * 50)

    found = evidence.find_evidence(long, SCHOOL, services, replace(PLAN, queries=60))

    assert [len(each.numbers) > 0 for each in found.paragraphs] == [len(each.numbers) > 0 for each in found.paragraphs[:3]] * 50


def test_key_sentences_are_the_nearest_the_earlier_of_equal_ones_in_the_paragraphs_order() -> None:
    sentences = unit([0, 1], [1, 0.5], [1, 0.5], [1, 0])

    assert [evidence.central(unit([1, 0])[0], sentences, limit) for limit in (0, 1, 2, 9)] == [[], [3], [1, 3], [0, 1, 2, 3]]


EVIL = "The peculiar evil of silencing the expression of an opinion is that it is robbing the human race."
POWER = "Mankind would not be justified in silencing one person, if it had the power."
GERMAN = "Die eigentümliche Schlechtigkeit der Unterdrückung einer Meinung ist, dass sie die Menschheit beraubt."
QUOTING = f"My uncle likes to quote old books at dinner. Mill writes: “{EVIL}” I find this true of my school, too."


@pytest.fixture
def quotable(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as quotable:
        shelve(quotable, "On Liberty", ["Some wish it were otherwise.", EVIL, "So much is certain."], [POWER])
        shelve(quotable, "Über die Freiheit", [GERMAN])
        yield quotable


def found_in(text: str, quotable: CollectionServices) -> evidence.EssayEvidence:
    return evidence.find_evidence(parse_essay(text), SCHOOL, quotable)


def message_on(text: str, quotable: CollectionServices) -> str:
    [one] = [one for one in found_in(text, quotable).evidence if one.quotation]
    return str(one.label)


def test_a_quoted_sentence_is_evidence_of_its_paragraph_and_stands_once_also_alone(quotable: CollectionServices) -> None:
    found = found_in(f"I have a cat.\n\n{QUOTING}", quotable)

    [one] = [one for one in found.evidence if one.passage.sentence.text == EVIL]
    assert one.number in found.paragraphs[1].numbers
    assert one.number not in found.paragraphs[0].numbers
    assert [(by.query.kind, by.query.text, by.query.paragraph) for by in one.found_by] == [(QueryKind.QUOTATION, EVIL[:-1], 1)]
    assert [one.passage.sentence.text for one in found_in(f"> {EVIL}", quotable).evidence] == [EVIL]


def test_words_quoted_of_a_book_or_of_somebody_else_are_not_searched_for_and_are_no_claim(quotable: CollectionServices) -> None:
    def own(text: str) -> tuple[str, ...]:
        essay = parse_essay(text)
        [paragraph] = evidence.own_words(essay, evidence.quoted_evidence(essay, SCHOOL, quotable)).paragraphs
        return paragraph.sentences

    assert own(QUOTING) == ("My uncle likes to quote old books at dinner.", "I find this true of my school, too.")
    of_a_friend = "I agree with my friend. She told me: “every dog in this town should be walked on Sundays by its owner”."
    assert own(of_a_friend) == ("I agree with my friend.",)
    quoting_nothing = ("He said “no”, and I said “yes, of course”.", "Nobody's opinion counts.")
    assert own(" ".join(quoting_nothing)) == quoting_nothing


@pytest.mark.parametrize(
    ("essay", "says"),
    [
        (QUOTING, "You quoted this."),
        (QUOTING.replace("peculiar", "special"), "Check this quotation. You wrote “special”; this edition has “peculiar”."),
        (
            "Mill: “mankind would … be justified in silencing one person”",
            "You left out: not. Does the quotation still mean the same?",
        ),
        (
            "I believe that silencing the expression of an opinion is that it is robbing the human kind.",
            "These words come from the book. Put them in quotation marks and give the page number.",
        ),
    ],
    ids=["exact", "one word", "left out", "without marks"],
)
def test_it_is_told_where_it_stands_and_what_differs(essay: str, says: str, quotable: CollectionServices) -> None:
    assert message_on(essay, quotable) == says


def test_a_right_quotation_or_another_spelling_needs_no_comment(quotable: CollectionServices) -> None:
    shelve(quotable, "Walden", ["They attached me to the earth, and so I got strength like Antaeus."])
    ligature = "Thoreau writes: “They attached me to the earth, and so I got strength like Antæus.” I like this."

    assert message_on(ligature, quotable).startswith("You quoted this")
    for essay in (QUOTING, QUOTING.replace("robbing", "robbyng"), ligature):
        assert [*offline.on_quotations(found_in(essay, quotable).evidence, "en")] == []
    wrong = QUOTING.replace("peculiar", "special")
    [comment] = offline.on_quotations(found_in(wrong, quotable).evidence, "en")
    assert (comment.kind, wrong[slice(*comment.about)]) == (CommentKind.CORRECTION, EVIL[:-1].replace("peculiar", "special"))


def test_a_sentence_quoted_twice_in_a_paragraph_is_found_once_and_not_missed_once(quotable: CollectionServices) -> None:
    twice = parse_essay(f"{QUOTING} He fears “silencing the expression of an opinion” and “a horse that silenced nobody ever”.")
    quoted = evidence.quoted_evidence(twice, SCHOOL, quotable)

    assert [one.passage.sentence.text for one in quoted] == [EVIL]
    assert [words for _, words in evidence.not_found(twice, quoted)] == ["a horse that silenced nobody ever"]


def test_page_markdown_and_json_say_the_same_of_it(quotable: CollectionServices) -> None:
    found = found_in(QUOTING, quotable)
    feedback = Feedback(found, (Comment(0, "See this.", evidence=(1,), number=1),))
    says = "You quoted this."

    supported = replace(found, evidence=(replace(found.evidence[0], relation=Relation.SUPPORTS),))
    told, other = (EssayEvidenceResponse.of(each).model_dump(mode="json")["evidence"][0] for each in (found, supported))

    assert says in feedback_markdown(feedback)
    assert says.rstrip(".") in feedback_html(feedback)
    assert (told["relation"], told["label"], other["relation"]) == (None, says, "supports")


@pytest.mark.parametrize(("said", "quoted"), [(EVIL, 0), (f"Mill says: “{EVIL}”", 1)])
def test_what_the_task_gives_is_a_quotation_only_if_marked(said: str, quoted: int, quotable: CollectionServices) -> None:
    essay = parse_essay(f"{said} I agree with that.")
    task = replace(essay, paragraphs=(replace(essay.paragraphs[0], copied=(said,)),))

    assert len(evidence.quoted_evidence(task, SCHOOL, quotable)) == quoted


ON_SPEECH_BETWEEN = (ON_SPEECH[1], ON_SPEECH[0], ON_SPEECH[2])
THREE = """\
Silencing opinion robs us of truth, says my uncle.

Yesterday we had pizza.

Every person can choose what he does, custom or no custom.
"""
IN_GERMAN = "Meinungen zu unterdrücken schadet der Wahrheit, denn niemand irrt sich nie, und opinion ist auch ein Wort."


def reads(useful: Mapping[str, float]) -> Read:
    """A reader that finds these sentences useful with these chances, and has no time for any other."""

    def read(pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        return [Chances(useful[one.sentence], 0.0, 0.0) if one.sentence in useful else None for one in pairs]

    return read


def chosen(services: CollectionServices, cosine: float, text: str = THREE, **others: object) -> evidence.EssayEvidence:
    """By a model that shows what has at least this cosine with the paragraph."""
    weights = np.array([100.0] + [0.0] * (len(evidence.FEATURES) - 1))
    zeros = np.zeros(services.embedder.dimensions)
    model = evidence.UsefulnessModel(weights, zeros, -100 * cosine, services.embedder.model, 0.5, 0.2)
    return evidence.find_evidence(parse_essay(text), SCHOOL, services, usefulness=replace(model, **others))


def test_the_best_useful_sentence_of_a_paragraph_is_shown_once_and_nothing_where_there_is_none(
    services: CollectionServices,
) -> None:
    found = chosen(services, 0.5)

    assert shown(found) == [ON_SPEECH[1]]
    assert [one.numbers for one in found.paragraphs] == [(1,), (), ()]
    assert [(one.relation, one.label) for one in found.evidence] == [(None, None)]
    two = "Custom grows where nobody chooses, and habit rules.\n\nYesterday we had pizza."
    assert shown(chosen(services, 0.2, two)) == [ON_HABIT[1]]  # the better one alone
    shelve(services, "On Liberty, second printing", ON_SPEECH)
    assert shown(chosen(services, 0.5)) == [ON_SPEECH[1]]  # of two that say the same, one


def test_what_the_reader_finds_useless_or_has_no_time_for_is_not_shown(services: CollectionServices) -> None:
    assert shown(chosen(services, 0.5, read=reads({ON_SPEECH[1]: 0.05}))) == []
    assert shown(chosen(services, 0.5, read=reads({ON_SPEECH[1]: 0.95}))) == [ON_SPEECH[1]]
    assert shown(chosen(services, 0.5, read=reads({}))) == []


def test_the_reader_sees_the_paragraph_and_the_sentence_between_its_neighbours(services: CollectionServices) -> None:
    seen = list[Pair]()

    def read(pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        seen.extend(pairs)
        return [None] * len(pairs)

    chosen(services, 0.2, read=read)

    assert seen[0] == Pair("Silencing opinion robs us of truth, says my uncle.", *ON_SPEECH_BETWEEN)
    assert [one.text[0] for one in seen[:2]] == ["S", "E"]


def test_an_essay_that_quotes_or_names_a_book_gets_nothing_of_another(services: CollectionServices) -> None:
    shelve(services, "On Truth", quoted := ["Truth is what survives every question that an honest person can ask."])

    found = chosen(services, 0.2, f"My uncle says: “{quoted[0]}”\n\n{THREE}")

    assert {one.passage.book_title for one in found.evidence} == {"On Truth"}
    for title in ("On Liberty", "Habits"):
        found = chosen(services, 0.1, f"{THREE}\n\nSomebody says so in {title}.").evidence
        assert {one.passage.book_title for one in found} == {title}


def test_with_another_embedding_model_similarity_chooses(services: CollectionServices) -> None:
    assert (
        shown(chosen(services, 1.1, model="another"))
        == shown(evidence.find_evidence(parse_essay(THREE), SCHOOL, services))
        != []
    )


def test_an_essay_in_a_language_of_no_book_gets_none_and_is_told_why(services: CollectionServices) -> None:
    found = chosen(services, -1.0, IN_GERMAN)

    assert (shown(found), [note.id for note in found.notes]) == ([], ["note_books_in_other_languages"])


def test_the_fitted_model_is_of_the_default_embedding_model() -> None:
    fitted = evidence.usefulness_model()

    assert fitted.model == plain_name(Settings().embedding_model)
    assert fitted.weights.shape == (len(evidence.FEATURES),)
    assert 0 < fitted.threshold < 1
    assert 0 < fitted.agreed < 1


def test_features_are_of_the_paragraph_first_and_of_its_key_sentences() -> None:
    queries = np.array([[1, 0], [0, 1]], np.float32)
    vectors, around = np.array([[0.6, 0.8]], np.float32), np.array([[0.8, 0.6]], np.float32)
    candidate = evidence.CandidateSignals(vectors, around, np.array([0.4], np.float32), np.array([3]))

    [row] = evidence.features(queries, candidate)

    assert row == pytest.approx([0.6, 0.8, 0.7, 0.8, 0.8, 0.4, 3, np.log(4)])
