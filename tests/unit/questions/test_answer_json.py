from chapterverse.core.book import Collection
from chapterverse.library.schemas import with_addresses
from chapterverse.questions.compose import compose_answer
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.styles import HELPDESK
from tests.support.answers import DEADLINE, a_source, answering, asks, findings


def test_an_answer_is_told_with_the_address_of_each_sentence() -> None:
    with answering() as by:
        answer = compose_answer(asks(), findings(a_source(type="faq", id="7")), HELPDESK, "school", by)

    stored = AnswerRecord.model_validate_json(answer.stored())
    body = with_addresses(stored, Collection.HELPDESK)
    [claim] = body.claims
    assert (claim.citations[0].sentence.text, claim.citations[0].citation) == (DEADLINE, "(Study Rules, Chapter II, Page 35)")
    assert [(source.number, source.source_type, source.source_id) for source in body.sources] == [(1, "faq", "7")]
    assert body.confidence.best == 0.8
