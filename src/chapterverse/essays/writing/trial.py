"""A trial of a language model with the product's own prompt: whether it works, and what to do where it does not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from time import monotonic

from bookreader.book import Address, Chapter, Kind, Place, Sentence
from chapterverse.citations.model import Evidence
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import ChapterverseError
from chapterverse.core.hits import Passage
from chapterverse.core.paid_model import FAILURES, PaidModel
from chapterverse.core.ports import Prompt, Usage
from chapterverse.essays.evidence import MAX_CANDIDATES
from chapterverse.essays.model import Style
from chapterverse.essays.text import parse_essay
from chapterverse.essays.writing.forms import CommentsAnswer, comments_prompt
from chapterverse.messages import Message, message

LONGEST_SECONDS = 60.0  # that a trial waits, so that it can say by how much a model is too slow
CALLS, IN_TURN = 2, 4  # an essay takes so many times as long as this call; on a server that answers one call at a time
ESSAY = """\
Homework should be shorter. Last week i had three hours of it after football, and in the end I copied the maths from
a friend, so I learned nothing at all. Teachers say that homework makes you independant. But who can be independant
when he is asleep on his desk? And somebody who has a quiet room and parents with time gets better marks then a boy
who shares the kitchen table with his sisters."""
SENTENCE = (
    "What is practised in weariness is practised ill, and the child who is kept at his task beyond the hour at which he can "
    "attend to it learns chiefly to dislike the task, and after it, by an association which no later kindness easily undoes, "
    "the teacher."
)


@dataclass(frozen=True, slots=True)
class Trial:
    """The result. seconds: until the whole answer; remarks: what to do, most urgent first; works: whether it can be used."""

    works: bool
    seconds: float
    usage: Usage
    remarks: tuple[Message, ...]


def try_model(paid: PaidModel, school: str, seconds: float) -> Trial:
    """Let the model comment on a short essay with as many sentences of books as a longer one's has. seconds: that the model has
    for an essay. The call is paid for."""
    prompt, remaining = paid.fitted(_prompt, _evidence())
    context, small = paid.context_tokens or 0, list[Message]()
    if len(remaining) < MAX_CANDIDATES:
        needed = context - (paid.room(_prompt(_evidence())) or 0)
        small.append(message("model_context_small", context=context, needed=needed))
    began = monotonic()
    try:
        answer = paid.answer(school, prompt, CommentsAnswer.model_json_schema(), began + max(seconds, LONGEST_SECONDS))
    except FAILURES as error:
        took = monotonic() - began
        is_late = error.id == "llm_too_late"
        why = list(_slowness(paid, took, seconds, "model_unfinished")) if is_late else list(_reasons(paid, error))
        why = why[1:] if small and error.id == "llm_context_too_small" else why  # which is said better then
        return Trial(False, took, Usage(), (*why, *small))
    took = monotonic() - began
    remarks = list(_slowness(paid, took, seconds)) or ([message(answer.cut)] if answer.cut else [])
    if paid.writes and not answer.value.get("comments"):
        remarks.append(message("model_says_nothing"))
    limits = [] if paid.writes else [message("model_chooses_only", billions=paid.facts().billions)]
    limits += [] if paid.facts().takes_schema else [message("model_takes_no_schema")]
    return Trial(not remarks, took, answer.usage, (*remarks, *small, *limits))


def _reasons(paid: PaidModel, error: ChapterverseError) -> Iterator[Message]:
    """Why the model does not answer, also in its server's words: what it may quote is ours."""
    others = paid.facts().others if error.id in {"llm_unknown_model", "llm_refused_request"} else ()
    yield message("llm_no_such_model", has=", ".join(others)) if others else error.message
    told = next(filter(None, (getattr(each, "__notes__", ()) for each in (error, error.__cause__))), ())
    yield from (message("llm_server_says", reason=each) for each in told if each)


def _slowness(paid: PaidModel, took: float, seconds: float, id: str = "model_too_slow") -> Iterator[Message]:
    """By how much the model is too slow, if it is."""
    calls = max(CALLS, IN_TURN / (paid.facts().at_once or IN_TURN))
    if (needed := ceil(took * calls)) > seconds:
        yield message(id, needed=needed, limit=round(seconds))


def _prompt(evidence: Sequence[Evidence]) -> Prompt:
    return comments_prompt(parse_essay(ESSAY), evidence, (), Style(), "en")


def _evidence() -> list[Evidence]:
    """As long as an old book's sentences are, with their neighbours."""
    address = Address(BookId("trial"), "trial", Chapter(0, "I", "Of Schools"), (), "0", 0, 0, (0, 1), (Place(0, "12", ()),))
    sentence = Sentence(SentenceId("trial"), SENTENCE, Kind.SENTENCE, address, None, None)
    passage = Passage("On Schools", sentence, sentence, sentence, SENTENCE)
    return [Evidence(number, passage, 0.5, ()) for number in range(1, MAX_CANDIDATES + 1)]
