"""A language model writes, the server vouches: what comes of a model that does well, badly, or nothing at all."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from threading import Event
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chapterverse.citations.model import Relation
from chapterverse.core.errors import LanguageModelUnavailable
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel, max_usage
from chapterverse.core.ports import ModelFacts
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.model import CommentKind, Feedback, Tone
from chapterverse.essays.service import EssayContext, FeedbackOptions, FeedbackRequest, feedback_on, give_feedback
from chapterverse.essays.task import Criterion, WritingTask, as_rubric
from chapterverse.essays.writing import forms
from chapterverse.essays.writing.forms import CLAIMS, COMMENTS, CORRECTIONS, LANGUAGE
from chapterverse.infrastructure.quotas import SqlLedger
from scripts.bench.simulated_model import SimulatedModel, answer
from tests.support.batches import TRUTH
from tests.support.shelved import shelve

TEXT = f"# Speech\n\n{TRUTH} It is my opinion.\n\nMy uncle sings every morning in 1999."
SAID = "You trust that truth is robbed. Whom would you have to convince, and what would you say to them?"
Changes = Mapping[str, Any]


@pytest.fixture
def ledger(ledger: SqlLedger) -> Iterator[SqlLedger]:
    yield ledger
    for thread in enumerate_threads():  # a call that is not waited for pays at its end
        if thread.name.startswith("writer"):
            thread.join(60)


def comment(text: str = SAID, **changes: Any) -> dict[str, Any]:
    usual = {"paragraph": 1, "words": "It is my opinion", "part": "content", "kind": "question"}
    return {**usual, "evidence": [], "see": [], "criterion": 0, "comment": text, **changes}


def cites(*cited: tuple[int, str]) -> list[dict[str, Any]]:
    return [{"number": number, "relation": relation} for number, relation in cited]


def answered_by(*comments: dict[str, Any], summary: str = "") -> dict[str, Any]:
    return {"comments": list(comments), "summary": summary}


def mending(text: str, kind: str = "question", *cited: tuple[int, str]) -> dict[str, Any]:
    return {"comment": text, "kind": kind, "evidence": cites(*cited)}


def model(changes: Changes, failing: tuple[str, ...] = ()) -> SimulatedModel:
    """Answers as the simulated model does, but for these forms."""

    def answered(title: str, material: str) -> Mapping[str, Any]:
        if title in failing:
            raise LanguageModelUnavailable("llm_away", retry_after=0)
        return changes.get(title) or answer(title, material)

    return SimulatedModel(first=0.0, pace=0.0, answer=answered)


def with_model(context: BatchContext, ledger: SqlLedger, of: SimulatedModel, **facts: Any) -> EssayContext:
    paid = PaidModel(of, ledger, ceiling=10**9, name="a-model", facts=lambda: ModelFacts(**facts))
    return replace(context.essays, writing=replace(context.essays.writing, paid=paid, seconds=20.0))


Written = Callable[..., Feedback]


@pytest.fixture
def written(context: BatchContext, ledger: SqlLedger) -> Written:
    """Feedback by a model with these answers, of which those to the forms that fail do not come."""

    def feedback(changes: Changes, failing: tuple[str, ...] = (), text: str = TEXT, **options: Any) -> Feedback:
        request = FeedbackRequest(text, Scope("school"), FeedbackOptions(**options))
        return feedback_on(request, with_model(context, ledger, model(changes, failing)))

    return feedback


def texts(feedback: Feedback) -> list[str]:
    return [one.text for one in feedback.comments]


@pytest.fixture
def without(context: BatchContext) -> list[str]:
    return texts(feedback_on(FeedbackRequest(TEXT, Scope("school")), context.essays))


def test_a_models_comment_stands_at_its_words(written: Written) -> None:
    said = "You say it in plain English. What would your uncle answer?"

    feedback = written({"CommentsAnswer": answered_by(comment(said))})

    [one] = feedback.comments
    assert (one.text, one.kind, one.paragraph, feedback.by) == (said, CommentKind.QUESTION, 0, "a-model")
    assert feedback.evidence.paragraphs[0].paragraph.text[slice(*one.about)] == "It is my opinion"


def test_evidence_comes_before_the_comment_that_cites_it_and_only_cited_stays(context: BatchContext, ledger: SqlLedger) -> None:
    says = "Evidence #1 says that “silencing” does harm. Is that your reason, too?"
    changes = {"CommentsAnswer": answered_by(comment(says, evidence=cites((1, "contradicts"))))}

    first, second, one, last = give_feedback(
        FeedbackRequest(TEXT, Scope("school")), with_model(context, ledger, model(changes))
    )

    assert (first.evidence, [each.relation for each in second.evidence]) == ((), [Relation.CONTRADICTS])
    assert one.kind is CommentKind.CONTRADICTION
    assert [each.relation for each in last.evidence.evidence] == [Relation.CONTRADICTS]


def test_nobody_sees_the_neighbours_of_a_quoted_sentence_that_no_comment_uses(context: BatchContext, written: Written) -> None:
    quoted = "Opinions are the coins of free minds everywhere."
    shelve(context.services, "More", ["Nobody should read this.", quoted, "Nor this."])

    def shown(*comments: dict[str, Any]) -> list[str]:
        found = written({"CommentsAnswer": answered_by(*comments)}, text=f"“{quoted}” I agree with that.").evidence.evidence
        [one] = [each.passage for each in found if each.quotation]
        return [each.text for each in (one.previous, one.next) if each]

    uses = comment("Evidence #1 says it. Who pays with them?", words="I agree", evidence=cites((1, "supports")))
    assert (shown(), len(shown(uses))) == ([], 2)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("You would get 95 points for this opinion.", {}),
        ("Add what your uncle would answer.", {"tone": Tone.QUESTIONS}),
    ],
    ids=["a mark", "advice where comments only ask"],
)
def test_a_comment_that_breaks_the_contract_is_mended_once_or_dropped(
    written: Written, without: list[str], text: str, options: dict[str, Any]
) -> None:
    drafted, mended = {"CommentsAnswer": answered_by(comment(text))}, "Whom would you have to convince of your opinion?"

    assert texts(written(drafted | {"RepairAnswer": mending(mended)}, **options)) == [mended]
    for refused in (text, ""):
        assert texts(written(drafted | {"RepairAnswer": mending(refused)}, **options)) == without


NO = {"number": 1, "problem": "It is not so."}


@pytest.mark.parametrize(("problems", "right"), [([NO], []), ([], []), ([NO], [1])])
def test_what_the_second_reading_doubts_or_omits_is_gone(
    written: Written, problems: list[Any], right: list[int], without: list[str]
) -> None:
    found = {"problems": problems, "right": right}
    assert texts(written({"CommentsAnswer": answered_by(comment()), "Findings": found})) == without


def test_words_are_found_whatever_their_case_and_slips_and_without_a_second_reading_nothing_is_shown(written: Written) -> None:
    comments = [comment(words="it is  MY opinion!"), comment(words="nowhere at all here")]
    changes = {"CommentsAnswer": answered_by(*comments)}

    assert len(written(changes).comments) == 1
    assert SAID not in texts(written(changes, failing=("Findings",)))


def rule(why: str, *places: tuple[int, str, str]) -> dict[str, Any]:
    return {"why": why, "places": [{"paragraph": at, "words": words, "instead": instead} for at, words, instead in places]}


def test_corrections_of_one_rule_are_one_comment_where_the_second_reading_agrees(written: Written) -> None:
    rules = [
        rule("Clearer.", (1, "It is", "This is"), (1, "opinion", "See www.prose.example")),
        rule("Say our.", (1, "my", "our"), (2, "My", "Our"), (2, "morning", "evening")),
    ]
    drafted = {"CommentsAnswer": answered_by(), "LanguageAnswer": {"rules": rules}}

    [one] = written(drafted | {"RightCorrections": {"right": [2, 3], "misleading": []}}).comments
    [other] = written(drafted | {"RightCorrections": {"right": [2], "misleading": [2]}}).comments
    two = written(drafted | {"RightCorrections": {"right": [2, 3], "misleading": [3]}}).comments

    assert {(one.text, one.instead) for one in two} == {("Say our.", "our"), ("", "Our")}  # where the rule misleads, it goes
    assert [(one.paragraph, one.instead) for one in one.places] == [(0, "our"), (1, "Our")]
    assert (one.kind, one.text, other.text) == (CommentKind.CORRECTION, "Say our.", "")


LONG = "Silencing an opinion robs mankind. Truth should be told, told and shown to all."


@pytest.mark.parametrize(
    ("words", "instead", "marked", "shown"),
    [
        (
            "robs mankind. Truth should be told, told",
            "robs mankind. Truth should be spoken, told",
            "should be told, told",
            "should be spoken, told",
        ),
        ("Silencing an opinion robs", "Silencing an idea robs", "Silencing an opinion robs", "Silencing an idea robs"),
        ("told, told and shown", "told, told and be shown", "told and shown", "told and be shown"),
        ("told, told and", "told, and", "told, told and", "told, and"),
        (". Truth should", "; truth should", ". Truth should", "; truth should"),
        ("robs mankind", "robs mankind!", "robs mankind.", "robs mankind!"),
        ("be told, told", "be told told", "be told, told", "be told told"),
        ("and shown to all.", "and shown, to all.", "and shown to all.", "and shown, to all."),
        ("should be told,", "should be told", "should be told,", "should be told"),
        ("should be shown to all.", "must show it to all.", None, None),
        ("SHOWN to all", "shown to all", None, None),
    ],
)
def test_a_correction_is_cut_to_the_words_that_it_changes(
    written: Written, words: str, instead: str, marked: str | None, shown: str | None
) -> None:
    rules = {"rules": [rule("Spelling.", (1, words, instead))]}
    answers = {"LanguageAnswer": rules, "RightCorrections": {"right": [1], "misleading": []}, "CommentsAnswer": answered_by()}

    feedback = written(answers, text=LONG)

    found = [(LONG[slice(*each.about)], each.instead) for one in feedback.comments if one.text for each in one.places]
    assert found == ([(marked, shown)] if marked else [])


def test_a_sentence_that_two_comments_take_differently_has_no_relation(written: Written) -> None:
    other = comment("Evidence #1 is on your side. How?", words="Silencing", evidence=cites((1, "supports")))
    says = comment("Evidence #1 grants less. How much?", evidence=cites((1, "limits")))

    assert [one.relation for one in written({"CommentsAnswer": answered_by(says, other)}).evidence.evidence] == [None]


def test_a_repair_may_change_what_a_comment_is_and_cites(context: BatchContext, ledger: SqlLedger) -> None:
    wrong = comment("Evidence #1 proves that kings are wise.", evidence=cites((1, "supports")), kind="suggestion")
    right = mending("Evidence #1 speaks of truth. Is that your point?", "question", (1, "limits"), (2, "supports"))
    found = iter([{"problems": [{"number": 1, "problem": "It does not."}], "right": []}, {"problems": [], "right": [1]}])
    changes = {"CommentsAnswer": answered_by(wrong), "RepairAnswer": right}
    of = model(changes)
    usual = of.answer
    of.answer = lambda title, material: next(found) if title == "Findings" else usual(title, material)

    feedback = feedback_on(FeedbackRequest(TEXT, Scope("school")), with_model(context, ledger, of))

    [one], [cited] = feedback.comments, feedback.evidence.evidence
    assert (one.kind, one.evidence, cited.relation) == (CommentKind.QUESTION, (1,), Relation.LIMITS)


def test_comments_stand_in_the_order_of_the_answer_with_a_vouched_summary(written: Written) -> None:
    later, third = "Which word carries your opinion, and could it stand first?", "Who is the uncle, and why 1999?"
    goes = "This is about something else, and can go."
    comments = [
        comment(see=[2]),
        comment(goes, kind="removal", paragraph=2, words="1999"),
        comment(later, words="Silencing"),
        comment(third, paragraph=2, words="My uncle"),
        comment("You say plainly that it is yours.", kind="strength"),
    ]
    summary = "Your opinion is clear. Begin there."

    feedback = written({"CommentsAnswer": answered_by(*comments, summary=summary)})

    assert texts(feedback) == [each["comment"] for each in comments]
    assert feedback.comments[1].kind is CommentKind.SUGGESTION
    assert feedback.comments[0].see == (1,)
    assert feedback.summary == summary
    forged = {"CommentsAnswer": answered_by(comment(), summary="You get 100 points."), "RepairAnswer": mending("100 points.")}
    assert written(forged).summary == ""


@pytest.mark.parametrize("listed", [None, {"comment": SAID}, [None, SAID]])
def test_an_answer_of_another_form_costs_its_comments_alone(written: Written, without: list[str], listed: Any) -> None:
    rules = {"rules": [rule("A past action.", (2, "uncle sings", "uncle sang"))]}

    feedback = written({"CommentsAnswer": {"comments": listed, "summary": ""}, "LanguageAnswer": rules})

    assert [one.id for one in feedback.notes if one.id == "note_some_failed"]
    assert texts(feedback) == [*without, "A past action."]  # the passages that are found without a model, too


def test_a_model_sees_a_letters_ends_and_what_a_misquotation_may_mean(context: BatchContext, ledger: SqlLedger) -> None:
    of = model({})
    said = "He says: “Silencing an opinion gives mankind the truth.” I think so too."

    feedback_on(
        FeedbackRequest(f"# A letter\n\nDear Mr Mayor,\n\n{said}\n\nYours sincerely\n\nLeonie", Scope("school")),
        with_model(context, ledger, of),
    )

    [material] = {prompt.material for prompt, _ in of.asked if prompt.name == COMMENTS}
    assert "Title: A letter\n\nDear Mr Mayor,\n\n[1] " in material
    assert "Yours sincerely\n\nLeonie" in material
    assert TRUTH in material


@pytest.mark.parametrize(
    ("changes", "failing"),
    [({"CommentsAnswer": answered_by()}, ()), ({}, ("ClaimsAnswer", "CommentsAnswer", "LanguageAnswer"))],
)
def test_a_model_that_fails_or_says_nothing_leaves_what_there_is_without_it(
    written: Written, without: list[str], changes: Changes, failing: tuple[str, ...]
) -> None:
    feedback = written(changes, failing)

    assert texts(feedback) == without
    assert feedback.by == ""
    assert [note.values for note in feedback.notes if note.id == "note_no_model"] == [{}]  # its reason is for operators


def test_a_model_that_is_too_small_does_not_write(context: BatchContext, ledger: SqlLedger) -> None:
    of = model({})

    feedback = feedback_on(FeedbackRequest(TEXT, Scope("school")), with_model(context, ledger, of, billions=1.5))

    assert (feedback.by, of.asked) == ("", [])


@pytest.mark.parametrize(
    ("text", "failing", "kept"),
    [
        ("They goes when it rian.", (), False),
        ("They goes when it rian.", ("RightCorrections",), True),
        ("They goes when it rian. She go when it snwo.", (), True),
    ],
)
def test_what_is_sure_without_a_model_goes_if_its_second_reading_refuses_it_and_not_nearly_all(
    written: Written, text: str, failing: tuple[str, ...], kept: bool
) -> None:
    refusing = {"CommentsAnswer": answered_by(comment()), "RightCorrections": {"right": [], "misleading": []}}

    feedback = written(refusing, failing, f"{TEXT}\n\n{text}")

    assert SAID in texts(feedback)
    assert any(one.places for one in feedback.comments) == kept


@pytest.mark.parametrize("slow", ["ClaimsAnswer", "CommentsAnswer"])
def test_a_model_that_is_late_is_not_waited_for(context: BatchContext, ledger: SqlLedger, slow: str) -> None:
    go_on, in_time = Event(), list[bool]()

    def answered(title: str, material: str) -> Mapping[str, Any]:
        if title == slow:
            in_time.append(go_on.wait(30))  # an adapter that keeps to no deadline
        return answer(title, material)

    with_slow = with_model(context, ledger, SimulatedModel(first=0.0, pace=0.0, answer=answered))
    with_slow = replace(with_slow, writing=replace(with_slow.writing, seconds=3.0))

    request = FeedbackRequest(f"{TEXT}\n\nI should of went.", Scope("school"))

    feedback = feedback_on(request, with_slow)

    assert not in_time
    assert {*texts(feedback_on(request, context.essays))} <= {*texts(feedback)}
    go_on.set()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(said=st.text(max_size=120), words=st.sampled_from(["It is my opinion", "Silencing", "x"]), number=st.integers(0, 9))
def test_whatever_a_model_says_quotations_are_the_sources_own(said: str, words: str, number: int, written: Written) -> None:
    drafted = answered_by(comment(said, words=words, evidence=cites((number, "supports"))), summary=said)

    feedback = written({"CommentsAnswer": drafted, "RepairAnswer": mending(said)})

    sources = json.dumps([TEXT, *(one.passage.sentence.text for one in feedback.evidence.evidence)], ensure_ascii=False)
    numbers = {each.number for each in feedback.evidence.evidence}
    assert {number for one in feedback.comments for number in one.evidence} <= numbers
    for text in [feedback.summary, *texts(feedback)]:
        quoted = [each.partition("”")[0] for each in text.split("“")[1:]]
        assert [each for each in quoted if json.dumps(each, ensure_ascii=False)[1:-1] not in sources] == []


@pytest.mark.parametrize("context_tokens", [8192, 32_768])
def test_each_prompt_on_800_words_fits_a_models_context(context: BatchContext, ledger: SqlLedger, context_tokens: int) -> None:
    told = "I beleive that the goverment should not forbid what somebody says about opinion number {}, because {} it robs us."
    essay = "\n\n".join(" ".join(told.format(4 * at + each, TRUTH[:60]) for each in range(4)) for at in range(8))
    task = WritingTask("Should the government forbid opinions? " * 60, ("Nobody knows. " * 300,))
    options = FeedbackOptions(task=task, rubric=as_rubric([Criterion("x" * 290)] * 12))
    shelve(context.services, "Long", [f"Opinion {at} robs us of truth because {'somebody says so ' * 15}." for at in range(90)])
    wrong = rule("The letters are mixed up. " * 5, *[(1, "beleive", "believe")] * 12)
    said = answered_by(*[comment(paragraph=at % 8 + 1) for at in range(10)], summary=SAID)
    of = model({"LanguageAnswer": {"rules": [wrong] * 10}, "CommentsAnswer": said})

    feedback_on(
        FeedbackRequest(essay, Scope("school"), options), with_model(context, ledger, of, context_tokens=context_tokens)
    )

    numbers = [*range(1, forms.MAX_PAIRS + 1)]  # the longest answer, with a token for each of its signs
    longest = forms.RightCorrections(right=numbers, misleading=numbers).model_dump_json()
    assert forms.corrections_prompt([("", "", "", "")] * forms.MAX_PAIRS).max_tokens > len(longest)
    used = {prompt.name: max_usage(prompt) for prompt, _ in of.asked}
    assert len(essay.split()) > 800
    assert used.keys() >= {COMMENTS, CORRECTIONS, LANGUAGE, CLAIMS, "check-comments-2"}
    assert {name: it for name, it in used.items() if it.prompt_tokens + it.answer_tokens > context_tokens} == {}
