"""Answers as they leave: cited, checked, or a plain word that there is none."""

import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from chapterverse.citations.model import VerdictKind
from chapterverse.core.book import SentenceId
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Passage
from chapterverse.questions.answers import EXTRACT, Answer, Claim, Confidence
from chapterverse.questions.compose import compose_answer, stream_answer
from chapterverse.questions.model import Answerability, ConfidenceLevel, Signals
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.styles import DOCUMENT_QA, HELPDESK, TEXTBOOK_CHAT, AnswerStyle
from tests.support.answers import DEADLINE, FEE, FORM, a_source, answering, asks, claims, findings
from tests.support.language_servers import LanguageServer, Reply, language_server, says
from tests.support.made import a_sentence

STYLES = (DOCUMENT_QA, TEXTBOOK_CHAT, HELPDESK)
REFUSED = Answerability(0.1, Signals(*[0.0] * 9), ConfidenceLevel.REFUSED)
NEAR = replace(REFUSED, standing=ConfidenceLevel.NEAR)


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        yield running


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_the_models_claims_are_numbered_and_point_at_sentences(style: AnswerStyle, server: LanguageServer) -> None:
    server.will(says(claims(("It is handed in by 30 June at noon.", [1]), ("Being late costs 25 euros.", [2]))))

    with answering(server) as by:
        answer = compose_answer(asks(), findings(a_source(1, FORM, DEADLINE), a_source(2, FEE)), style, "school", by)

    assert "It is handed in by 30 June at noon. [1] Being late costs 25 euros. [2]" in answer.text
    assert [cited.passage.sentence.text for claim in answer.claims for cited in claim.citations] == [DEADLINE, FEE]
    assert (answer.by, answer.removed, answer.nothing) == ("a-model", 0, False)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_a_claim_that_no_source_has_is_removed_although_it_cites_one(style: AnswerStyle, server: LanguageServer) -> None:
    lies = [("The class meets on Monday at 8:00.", [1]), ("Professor Hill teaches it in room 12.", [1, 2])]
    sources = findings(a_source(1, FORM, DEADLINE), a_source(2, FEE))

    with answering(server) as by:
        server.will(says(claims(*lies, (DEADLINE, [1]))))
        some = compose_answer(asks(), sources, style, "school", by)
        server.will(says(claims(*lies)))
        none = compose_answer(asks(), sources, style, "school", by)

    assert ([claim.text for claim in some.claims], some.removed) == ([DEADLINE], 2)
    assert (none.by, none.removed, none.nothing) == (EXTRACT, 2, False)
    assert {claim.text for claim in none.claims} <= {FORM, DEADLINE, FEE}


def test_claims_come_one_by_one_and_the_whole_answer_last(server: LanguageServer) -> None:
    server.will(says(claims((DEADLINE, [1]), (FEE, [2]))))

    with answering(server) as by:
        *told, last = stream_answer(asks(), findings(a_source(1), a_source(2, FEE)), HELPDESK, "school", by)

    assert [type(each) for each in told] == [Claim, Claim]
    assert isinstance(last, Answer)
    assert last.claims == tuple(told)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_without_a_model_the_sources_speak_the_closest_first(style: AnswerStyle) -> None:
    sources = findings(a_source(1, "The library is open on Sundays.", DEADLINE), a_source(2, FEE, "Cats purr."))

    with answering() as by:
        answer = compose_answer(
            asks("When is a late project handed in, and the fee?"), sources, replace(style, sentences=2), "s", by
        )

    assert [claim.text for claim in answer.claims] == [FEE, DEADLINE]
    assert all(one.verdict.kind is VerdictKind.SUPPORTS for claim in answer.claims for one in claim.citations)
    assert answer.by == EXTRACT


def test_an_answer_that_somebody_wrote_is_given_from_its_beginning() -> None:
    faq = a_source(1, "Log in first.", "Then press Apply.", whole=True)

    with answering() as by:
        answer = compose_answer(asks("How do I apply?"), findings(faq, a_source(2)), HELPDESK, "school", by)

    assert [claim.text for claim in answer.claims] == ["Log in first.", "Then press Apply."]


@pytest.mark.parametrize(
    ("found", "says_so"),
    [
        (findings(), True),
        (findings(a_source(), judgement=REFUSED), True),
        (findings(scores=(0.6, 0.5)), True),
        (findings(a_source()), False),
    ],
    ids=["nothing found", "refused", "all below the threshold", "found"],
)
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_where_nothing_answers_no_model_is_called(
    style: AnswerStyle, found: object, says_so: bool, server: LanguageServer
) -> None:
    server.will(says(claims((DEADLINE, [1]))))

    with answering(server) as by:
        answer = compose_answer(asks(), found, style, "school", by)  # type: ignore[arg-type]

    assert (answer.nothing, len(server.asked)) == (says_so, 0 if says_so else 1)
    assert answer.text


def test_what_the_model_declines_is_no_answer(server: LanguageServer) -> None:
    server.will(says(claims()))

    with answering(server) as by:
        answer = compose_answer(asks(), findings(a_source()), HELPDESK, "school", by)

    assert (answer.nothing, answer.text, answer.claims) == (True, HELPDESK.nothing, ())


@pytest.mark.parametrize(
    ("best", "band", "begins", "answers"),
    [
        (0.7, "high", DEADLINE, True),
        (0.6999, "medium", "The document may contain", True),
        (0.5, "medium", "The document may contain", True),
        (0.4999, "low", "The documents may not contain", False),
    ],
)
def test_documents_are_as_sure_as_their_best_score_unrounded(best: float, band: str, begins: str, answers: bool) -> None:
    with answering() as by:
        answer = compose_answer(asks(), findings(a_source(score=best)), DOCUMENT_QA, "school", by)

    assert (answer.confidence.band, bool(answer.claims)) == (band, answers)
    assert answer.text.startswith(begins)


def test_the_textbook_is_as_sure_as_the_mean_before_the_threshold() -> None:
    below = findings(a_source(score=0.8), scores=(0.8, 0.5), related=("Robots", "Nodes"))

    with answering() as by:
        sure = compose_answer(asks(), findings(a_source(score=0.7)), TEXTBOOK_CHAT, "school", by)
        unsure = compose_answer(asks(), below, TEXTBOOK_CHAT, "school", by)

    assert (sure.disclaimer, sure.confidence.mean) == ("", 0.7)
    assert unsure.text.endswith("only partly about your question. Related topics: Robots; Nodes.")


def test_the_textbook_names_related_topics_where_it_found_nothing() -> None:
    with answering() as by:
        answer = compose_answer(asks(), findings(related=("A", "B", "C")), TEXTBOOK_CHAT, "school", by)

    assert answer.text == "I couldn't find relevant content. Related topics: A; B; C."


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=503),
        Reply("{", ended="length"),
        says({"other": 1}),
        Reply("I just know."),
        says(claims(("Fee: 900.", [7]))),
    ],
    ids=["not there", "cut", "another form", "without a citation", "only numbers that do not exist"],
)
def test_a_model_that_is_no_use_costs_only_its_words(reply: Reply, server: LanguageServer) -> None:
    server.will(reply)

    with answering(server, seconds=1.0) as by:
        answer = compose_answer(asks(), findings(a_source()), HELPDESK, "school", by)

    assert [claim.text for claim in answer.claims] == [DEADLINE]
    assert answer.by == EXTRACT
    assert "consists of sentences of the sources" in str(str(answer.notes[0]))


def test_what_came_before_the_model_broke_off_stands(server: LanguageServer) -> None:
    whole = says(claims((DEADLINE, [1]), (FEE, [2]))).text
    server.will(Reply(whole[: whole.index(FEE)], ended="length"))

    with answering(server) as by:
        answer = compose_answer(asks(), findings(a_source(1), a_source(2, FEE)), HELPDESK, "school", by)

    assert [claim.text for claim in answer.claims] == [DEADLINE]
    assert "may end too early" in str(str(answer.notes[0]))


def test_prose_with_numbers_is_read_as_well(server: LanguageServer) -> None:
    server.will(Reply(f"{DEADLINE} [1] {FEE} (Source 2)"))

    with answering(server) as by:
        answer = compose_answer(asks(), findings(a_source(1), a_source(2, FEE)), HELPDESK, "school", by)

    assert [(claim.text, claim.citations[0].source.number) for claim in answer.claims] == [(DEADLINE, 1), (FEE, 2)]


def test_an_answer_without_a_citation_or_a_disclaimer_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="source"):
        Claim("It is so.", ())
    with pytest.raises(ValueError, match="citation or a disclaimer"):
        Answer("It is so.", (), (), Confidence(1, 1, "high"))


class Hides:
    """A Redactor that keeps Ada's secret."""

    def redact(self, texts: list[str], names: tuple[str, ...] = ()) -> list[str]:
        return [text.replace(name, "<PERSON>") for text in texts for name in names]


def test_what_a_user_says_is_redacted_before_a_model_is_told_it(server: LanguageServer) -> None:
    server.will(says(claims((DEADLINE, [1]))))
    asked = asks("I am Ada: when?", conversation=("Ada: hello",), selected="by Ada", names=("Ada",))

    with answering(server, redactor=Hides()) as by:
        compose_answer(asked, findings(a_source()), HELPDESK, "school", by)

    [told] = server.asked
    assert "Ada" not in told.material
    assert told.material.count("<PERSON>") == 3


class Fails:
    """A Redactor that cannot."""

    def redact(self, texts: list[str], names: tuple[str, ...] = ()) -> list[str]:
        raise ModelUnavailable("model_not_loaded")


def test_what_cannot_be_redacted_is_not_told(server: LanguageServer) -> None:
    with answering(server, redactor=Fails()) as by:
        answer = compose_answer(asks(), findings(a_source()), HELPDESK, "school", by)

    assert (server.asked, answer.by) == ([], EXTRACT)


def test_scores_are_logged_and_words_are_not(server: LanguageServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    found = findings(a_source(score=0.55), scores=(0.55, 0.1))

    with answering() as by:
        compose_answer(asks("Where do quokkas sleep?"), found, DOCUMENT_QA, "school", by)

    [record] = [each for each in caplog.records if each.name.endswith("questions.compose")]
    assert (record.levelname, record.__dict__["scores"]) == ("WARNING", [0.55, 0.1])  # the mean is below 0.4
    assert not any("quokka" in str(vars(each)) for each in caplog.records)


def test_the_first_three_entries_are_offered_without_the_cited_one_each_once() -> None:
    entries = [a_source(n, f"Answer {title}.", title=f"Question {title}?", whole=True) for n, title in enumerate("ABBCD", 1)]

    with answering() as by:
        answer = compose_answer(asks("A?"), findings(*entries, a_source(6)), HELPDESK, "school", by)

    assert [cited.source.title for cited in answer.citations] == ["Question A?"]
    assert answer.siblings == ["Question B?", "Question C?"]
    assert AnswerRecord.of(answer).did_you_mean == answer.siblings


def test_where_the_help_desk_does_not_answer_three_entries_may_have_been_meant() -> None:
    entries = [a_source(n, f"Answer {title}.", title=f"Question {title}?", whole=True) for n, title in enumerate("ABCD", 1)]

    with answering() as by:
        near, refused = (
            compose_answer(asks("A?"), replace(findings(*entries), judgement=judgement), HELPDESK, "school", by)
            for judgement in (NEAR, REFUSED)
        )

    assert (near.nothing, near.claims, near.siblings) == (True, (), ["Question A?", "Question B?", "Question C?"])
    assert "Did you mean one of these questions?\n\n- Question A?\n- Question B?\n- Question C?\n\n" in near.text
    assert (refused.text, refused.nothing, refused.siblings) == (HELPDESK.nothing, True, [])


def test_where_sections_but_no_entries_are_near_the_help_desk_says_that_it_found_nothing() -> None:
    with answering() as by:
        answer = compose_answer(asks("A?"), replace(findings(a_source(1)), judgement=NEAR), HELPDESK, "school", by)

    assert answer.text == HELPDESK.nothing


def test_around_a_marked_text_only_its_own_section_is_shown() -> None:
    marked, beside = "Calderas fall in.", "A cone is small."

    def under(text: str, section: str) -> Passage:
        sentence = a_sentence(text)
        return Passage(
            "Volcanoes", replace(sentence, address=replace(sentence.address, section_path=(section,))), None, None, text
        )

    passages = (under("Magma means rock that fall in.", "Magma"), under(marked, "Shapes"), under(beside, "Shapes"))
    source = replace(a_source(1), text=f"{marked} {beside}", passages=passages)
    question = asks("What does this mean?", query=f"What does this mean? {marked}", selected=marked, points=True)

    with answering() as by:
        answer = compose_answer(question, findings(source), TEXTBOOK_CHAT, "school", by)

    assert [claim.text for claim in answer.claims] == [beside]

    after = replace(passages[1].sentence, id=SentenceId("after"), text="It is wide.")
    found = replace(source, passages=(passages[0], replace(passages[1], next=after)))
    with answering() as by:
        answer = compose_answer(question, findings(found), TEXTBOOK_CHAT, "school", by)
    assert [claim.text for claim in answer.claims] == ["It is wide."]


@pytest.mark.parametrize(
    ("marked", "shown", "note"),
    [
        ("It is cold at night.", ["The house is cold because nobody heats it."], "note_reason"),
        ("So the pipes burst.", ["It is cold at night."], "note_reason"),
        ("Rain fell in May.", ["Snow fell in June."], "note_no_reason"),
        ("Snow fell in June.", ["Rain fell in May."], "note_no_reason"),
        ("Birds sing because it is spring.", ["Birds sing because it is spring."], "note_reason"),
        ("The roof leaks.", ["This is because the tiles are old."], "note_reason"),
    ],
    ids=["beside it", "it follows", "no reason", "a reason of another matter", "in it", "it is pointed at"],
)
def test_why_is_answered_by_the_reason_near_the_marked_text(marked: str, shown: list[str], note: str) -> None:
    texts = [
        "The house is cold because nobody heats it.",
        "It is cold at night.",
        "So the pipes burst.",
        "Rain fell in May.",
        "Snow fell in June.",
        "Birds sing because it is spring.",
        "The roof leaks.",
        "This is because the tiles are old.",
    ]
    places = [replace(a_sentence(text), id=SentenceId(f"s{at}")) for at, text in enumerate(texts)]
    around = [None, *places, None]
    passages = tuple(Passage("A house", one, around[at], around[at + 2], " ".join(texts)) for at, one in enumerate(places))
    source = replace(a_source(1), text=" ".join(texts), passages=passages)
    question = asks("Why?", query=f"Why? {marked}", selected=marked, points=True)

    with answering() as by:
        answer = compose_answer(question, findings(source), TEXTBOOK_CHAT, "school", by)

    assert [claim.text for claim in answer.claims][:1] == shown
    assert [each.id for each in answer.notes] == [note]
    assert all("Birds" not in claim.text for claim in answer.claims if "Birds" not in marked and "Snow" not in marked)


def test_an_example_of_what_is_marked_is_the_one_that_the_section_announces() -> None:
    texts = ["A prime has no divisors.", "Primes are rare.", "Example.", "Seven is one.", "Some, for example two, are even."]
    ids = [SentenceId(f"s{at}") for at in range(len(texts))]
    paragraphs = (0, 0, 1, 1, 2)
    sentences = [
        replace(a_sentence(text), id=id, prev_id=ids[2] if at == 3 else None, next_id=ids[3] if at == 2 else None)
        for at, (text, id) in enumerate(zip(texts, ids, strict=True))
    ]
    sentences = [
        replace(one, address=replace(one.address, paragraph=at)) for one, at in zip(sentences, paragraphs, strict=True)
    ]
    passages = tuple(Passage("Primes", one, None, None, one.text) for one in sentences)
    source = replace(a_source(1), text=" ".join(texts), passages=passages[:2], every=lambda: passages)
    question = asks("Give me an example", query=f"Give me an example {texts[0]}", selected=texts[0], points=True)

    with answering() as by:
        answer = compose_answer(question, findings(source), TEXTBOOK_CHAT, "school", by)

    assert [claim.text for claim in answer.claims][:2] == ["Example.\nSeven is one.", "Some, for example two, are even."]
