"""Evidence that a language model chooses: what it claims is searched for, what it grades useful is shown, and nothing else."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chapterverse.citations.model import Relation, VerdictKind
from chapterverse.core.errors import BadAnswer, CeilingReached, LanguageModelUnavailable, NotFound
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, Usage
from chapterverse.essays.evidence import EssayEvidence, find_evidence
from chapterverse.essays.model import Dimension, Style, subject_of
from chapterverse.essays.reading import PARAGRAPHS_A_CALL, EvidenceModel
from chapterverse.essays.service import EssayContext, FeedbackRequest, evidence_on
from chapterverse.essays.task import Genre
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.review import compose
from chapterverse.essays.writing.rules import RuleContext
from chapterverse.essays.writing.writing import Writing
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.library.services import CollectionServices
from tests.support.batches import Clock
from tests.support.history import history_in
from tests.support.shelved import empty_library, shelve

SCHOOL = Scope("school")
ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "Opinion is a wide word.")
ON_HABIT = ("Habit rules every person.", "Custom grows where nobody chooses.")
TEXT = """\
Silencing opinion robs us of truth, says my uncle.

Yesterday we had pizza.

Every person can choose what he does, custom or no custom.
"""
ESSAY = parse_essay(TEXT)

Answers = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


class Model:
    """A language model that answers claims by paragraph, and chooses sentences by their text."""

    def __init__(self, claims: Mapping[int, str], chosen: Mapping[str, tuple[int, str, str]]) -> None:
        self._claims, self._chosen = claims, chosen
        self.asked: list[tuple[str, str, str]] = []

    def __call__(self, school: str, prompt: Prompt, _schema: Schema, _deadline: float) -> ModelAnswer:
        self.asked.append((school, prompt.name, prompt.material))
        material = json.loads(prompt.material)
        if prompt.name.startswith("claims"):
            written = [
                {"paragraph": n, "claims": [self._claims[n]] if n in self._claims else [], "statements": []}
                for n in map(int, material["paragraphs"])
            ]
            return ModelAnswer({"paragraphs": written}, Usage())
        chosen = [
            {"candidate": one["number"], "grade": grade, "relation": relation, "comment": comment}
            for text, (grade, relation, comment) in self._chosen.items()
            for one in material["candidates"]
            if one["sentence"] == text
        ]
        return ModelAnswer({"chosen": chosen}, Usage())


CLAIMS = {1: "Silencing an opinion robs mankind of truth.", 3: "Custom does not rule a person."}


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", ON_SPEECH)
        shelve(services, "Habits", ON_HABIT)
        yield services


def shown(found: EssayEvidence) -> list[list[str]]:
    by_number = {one.number: one.passage.sentence.text for one in found.evidence}
    return [[by_number[number] for number in one.numbers] for one in found.paragraphs]


def test_what_the_model_grades_useful_is_shown_beside_its_paragraph_with_its_relation(services: CollectionServices) -> None:
    model = Model(
        CLAIMS,
        {
            ON_SPEECH[1]: (2, "supports", "The book gives a reason. Use it."),
            ON_SPEECH[2]: (1, "background", ""),
            ON_HABIT[0]: (2, "contradicts", "Here habit decides. Answer that."),
        },
    )

    found = find_evidence(ESSAY, SCHOOL, services, model=EvidenceModel(model, "m", "school"))

    assert shown(found) == [[ON_SPEECH[1]], [], [ON_HABIT[0]]]
    readings = [one.reading for one in found.evidence if one.reading]
    assert [one.relation for one in readings] == [Relation.SUPPORTS, Relation.CONTRADICTS]
    assert [one.verdict.kind for one in readings] == [VerdictKind.SUPPORTS, VerdictKind.CONTRADICTS]
    assert found.reranked
    assert found.reranked.judged == found.reranked.worth > 0
    assert found.notes == ()
    assert {school for school, _, _ in model.asked} == {"school"}
    assert sum(name.startswith("reading") for _, name, _ in model.asked) == 2  # nothing to read on the pizza


@pytest.mark.parametrize(
    ("relation", "begins"),
    [
        ("contradicts", "Your sentence seems to mean the opposite"),
        ("background", "This may tell your reader more about what you say here."),
    ],
)
def test_the_words_beside_a_sentence_are_ours(services: CollectionServices, relation: str, begins: str) -> None:
    model = Model(CLAIMS, {ON_HABIT[0]: (2, relation, "Here habit decides. Answer that.")})
    found = find_evidence(ESSAY, SCHOOL, services, model=EvidenceModel(model, "m", "school"))
    subject = subject_of(found)

    review = compose(Dimension.CONTENT, RuleContext(subject, Style(genre=Genre.ARGUMENTATIVE)))

    [comment] = [one for one in review.comments if one.citations]
    assert comment.text.startswith(begins)
    assert "Here habit decides" not in comment.text
    assert comment.contradicts is (relation == "contradicts")


@dataclass(frozen=True)
class SchoolsModel:
    """The language model that a school set up."""

    ask: Model

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        return self.ask("", prompt, schema, deadline)


@pytest.mark.parametrize("reads", [True, False])
def test_the_model_that_a_school_set_up_chooses_its_evidence(
    services: CollectionServices, tmp_path: Path, *, reads: bool
) -> None:
    model = Model(CLAIMS, {ON_SPEECH[1]: (2, "supports", "")})
    with closing(SqlLedger(f"sqlite:///{tmp_path}/ledger.db")) as ledger, history_in(tmp_path, Clock()) as history:
        paid = PaidModel(SchoolsModel(model), ledger, name="theirs", ceiling=10**9)  # type: ignore[arg-type]
        writing = Writing(school_model=lambda school: paid if school == "school" else None)
        context = EssayContext(services, history, writing, read_by_model=reads)

        found = evidence_on(FeedbackRequest(TEXT, SCHOOL), context)

    assert bool(model.asked) is reads
    assert (found.reranked is not None and found.reranked.model == "theirs") is reads


def test_an_essay_that_claims_nothing_gets_nothing(services: CollectionServices) -> None:
    found = find_evidence(ESSAY, SCHOOL, services, model=EvidenceModel(Model({}, {}), "m", "school"))

    assert shown(found) == [[], [], []]
    assert not any(one.left_out for one in found.paragraphs)
    with pytest.raises(NotFound):
        find_evidence(ESSAY, Scope("empty"), services, model=EvidenceModel(Model({}, {}), "m", "school"))


def test_two_sentences_a_paragraph_and_no_more_than_the_plan_has_room_for(services: CollectionServices) -> None:
    everything = dict.fromkeys((*ON_SPEECH, *ON_HABIT), (2, "supports", ""))

    found = find_evidence(ESSAY, SCHOOL, services, model=EvidenceModel(Model(CLAIMS, everything), "m", "school"))

    assert sum(map(len, shown(found))) == len(ESSAY.paragraphs)
    assert all(shown(found)[at] for at in (0, 2))
    assert len({one.passage.sentence.text for one in found.evidence}) == len(found.evidence)


@pytest.mark.parametrize(
    "error",
    [LanguageModelUnavailable("llm_away", retry_after=0), BadAnswer("llm_too_late"), CeilingReached("llm_ceiling_reached")],
)
def test_without_an_answer_similarity_chooses_and_a_note_says_so(services: CollectionServices, error: Exception) -> None:
    def fails(*_: object) -> ModelAnswer:
        raise error

    found = find_evidence(ESSAY, SCHOOL, services, model=EvidenceModel(fails, "m", "school"))
    without = find_evidence(ESSAY, SCHOOL, services)

    assert shown(found) == shown(without)
    assert [note.id for note in found.notes] == ["note_not_read"]


def test_a_paragraph_that_the_model_did_not_read_is_not_said_to_have_nothing(services: CollectionServices) -> None:
    model = Model(CLAIMS, {ON_SPEECH[1]: (2, "supports", "")})

    def late_for_habits(school: str, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        if prompt.name.startswith("reading") and "custom or no custom" in prompt.material:
            raise BadAnswer("llm_too_late")
        return model(school, prompt, schema, deadline)

    found = find_evidence(ESSAY, SCHOOL, services, model=EvidenceModel(late_for_habits, "m", "school"))

    assert shown(found) == [[ON_SPEECH[1]], [], []]
    assert [one.left_out for one in found.paragraphs] == [False, False, True]
    assert [note.id for note in found.notes] == ["note_not_all_read"]
    assert found.reranked
    assert found.reranked.judged < found.reranked.worth


def test_the_claims_of_a_long_essay_are_written_in_several_calls_and_one_may_fail(services: CollectionServices) -> None:
    paragraphs = PARAGRAPHS_A_CALL + 1
    essay = parse_essay("\n\n".join(f"Silencing opinion robs us of truth, says uncle {n}." for n in range(paragraphs)))
    model = Model(dict.fromkeys(range(1, paragraphs + 1), CLAIMS[1]), {ON_SPEECH[1]: (2, "supports", "")})

    def late_for_the_last(school: str, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        if prompt.name.startswith("claims") and f"uncle {paragraphs - 1}" in prompt.material:
            raise BadAnswer("llm_too_late")
        return model(school, prompt, schema, deadline)

    found = find_evidence(essay, SCHOOL, services, model=EvidenceModel(model, "m", "school"))
    assert sum(name.startswith("claims") for _, name, _ in model.asked) == 2
    assert not any(one.left_out for one in found.paragraphs)
    assert found.notes == ()

    found = find_evidence(essay, SCHOOL, services, model=EvidenceModel(late_for_the_last, "m", "school"))
    assert [one.left_out for one in found.paragraphs] == [False] * PARAGRAPHS_A_CALL + [True]
    assert [note.id for note in found.notes] == ["note_not_all_read"]


def test_an_answer_of_another_form_counts_as_none(services: CollectionServices) -> None:
    model = EvidenceModel(lambda *_: ModelAnswer({"claims": "many"}, Usage()), "m", "school")

    assert [note.id for note in find_evidence(ESSAY, SCHOOL, services, model=model).notes] == ["note_not_read"]
