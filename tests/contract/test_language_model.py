"""What every language model must do: the real clients on a server that is told what to answer."""

import json
import time
from collections.abc import Callable, Iterator

import pytest

from chapterverse.core import errors
from chapterverse.core.ports import LanguageModel, Prompt, Schema
from tests.support.language_servers import LanguageServer, Reply, language_server, says
from tests.support.refusals import refused

Client = Callable[[LanguageServer], LanguageModel]
PROMPT = Prompt("a-prompt-1", "Answer in JSON.", "An essay.")
GOOD = {"comment": "“Ça va” \\ \n fine"}
CUT = '{"comments": [{"text": "One."}, {"text": "Two."}, {"text": "Thr'


def an_object(**properties: Schema) -> Schema:
    """The schema of an object with all of these."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


SCHEMA, YES = an_object(comment={"type": "string"}), an_object(comment={"type": "string", "enum": ["yes"]})
ITEM = an_object(text={"type": "string", "maxLength": 20})
LIST = an_object(comments={"type": "array", "items": ITEM, "maxItems": 3})


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        yield running


@pytest.fixture(params=[LanguageServer.gemini, LanguageServer.openai], ids=lambda client: client.__name__)
def client(request: pytest.FixtureRequest) -> Client:
    """Each real client."""
    return request.param


@pytest.fixture
def model(client: Client, server: LanguageServer) -> LanguageModel:
    """On the server."""
    return client(server)


def within(seconds: float = 30) -> float:
    """A deadline; a busy machine is slow."""
    return time.monotonic() + seconds


def test_an_answer_is_an_object_with_what_it_took_and_a_stream_in_pieces(model: LanguageModel, server: LanguageServer) -> None:
    server.will(says({"comment": "yes"}))

    answer, pieces = model.generate(PROMPT, YES, within()), list(model.stream(PROMPT, YES, within()))

    [asked, _] = server.asked
    assert (asked.instructions, asked.material, asked.schema) == (PROMPT.instructions, PROMPT.material, YES)
    assert answer.value == {"comment": "yes"}
    assert answer.usage.prompt_tokens > 0
    assert answer.usage.answer_tokens > 0
    assert json.loads("".join(piece.text for piece in pieces)) == {"comment": "yes"}
    assert len([piece for piece in pieces if piece.text]) > 1
    assert [piece.usage is not None for piece in pieces] == [False] * (len(pieces) - 1) + [True]


def test_an_answer_that_was_cut_at_its_limit_is_none(model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply('{"comment": "very long', ended="length"))

    with pytest.raises(errors.BadAnswer, match="too long"):
        list(model.stream(PROMPT, SCHEMA, within(60)))


@pytest.mark.parametrize("slow", [Reply("{}", before=60), Reply("x" * 700, between=0.1)], ids=["silent", "drop by drop"])
def test_the_deadline_holds_however_slow_it_is(slow: Reply, model: LanguageModel, server: LanguageServer) -> None:
    server.will(slow)
    began = time.monotonic()

    with pytest.raises(errors.BadAnswer, match="too late"):
        list(model.stream(PROMPT, SCHEMA, within(0.1)))
    assert time.monotonic() - began < 20


def test_who_leaves_a_stream_is_not_waited_for(model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply("word " * 1000, between=0.05))
    stream = model.stream(PROMPT, SCHEMA, within())

    next(stream)
    began = time.monotonic()
    stream.close()

    assert time.monotonic() - began < 10


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_stumbles_is_asked_again(status: int, model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply(status=status), Reply(status=status), says(GOOD))

    assert model.generate(PROMPT, SCHEMA, within()).value == GOOD
    assert len(server.asked) == 3


def test_a_server_that_asks_for_a_pause_gets_it(model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply(status=503, retry_after="1"), says(GOOD))
    began = time.monotonic()

    assert model.generate(PROMPT, SCHEMA, within()).value == GOOD
    assert time.monotonic() - began >= 1


def test_a_server_may_be_asked_until_the_deadline_however_often(
    model: LanguageModel, server: LanguageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chapterverse.infrastructure.llm.streaming.LONG_PAUSES", lambda _: 0.01)
    model.until_deadline = True
    server.will(*[Reply(status=503)] * 9, says(GOOD))

    assert model.generate(PROMPT, SCHEMA, within()).value == GOOD


def test_a_server_that_asks_for_too_long_a_pause_is_left_alone(model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply(status=429, retry_after="60"))
    began = time.monotonic()

    with pytest.raises(errors.LanguageModelUnavailable):
        model.generate(PROMPT, SCHEMA, within(50))
    assert len(server.asked) == 1
    assert time.monotonic() - began < 25


def test_a_server_that_is_not_there_is_told_of(client: Client) -> None:
    with language_server() as gone:
        model = client(gone)

    with pytest.raises(errors.LanguageModelUnavailable):
        model.generate(PROMPT, SCHEMA, within(3))


@pytest.mark.parametrize("reply", [Reply('{"comment": "half of', broken=True), says(GOOD, ended="")], ids=["half", "unended"])
def test_a_stream_without_an_end_is_no_answer(model: LanguageModel, server: LanguageServer, reply: Reply) -> None:
    server.will(reply)

    with refused(errors.BadAnswer, "llm_broke_off"):
        model.generate(PROMPT, SCHEMA, within())
    assert len(server.asked) == 1


@pytest.mark.parametrize("text", ["{'comment': 1}", "Sure! Here it is:", "[]", '"{}"', ""])
def test_what_is_no_json_object_is_no_answer(text: str, model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply(text))

    with pytest.raises(errors.BadAnswer, match=r"JSON|empty"):
        model.generate(PROMPT, SCHEMA, within())


@pytest.mark.parametrize(
    ("reply", "error", "asked"),
    [
        (Reply(status=500), errors.LanguageModelUnavailable, 3),
        (Reply(ended="refused"), errors.ModelRefused, 1),
        *((Reply(status=status), errors.ModelUnavailable, 1) for status in (401, 403, 404)),
        *((Reply(status=status), errors.BadRequest, 1) for status in (400, 413)),
    ],
)
def test_what_trying_again_would_not_change_is_told_at_once_and_nobody_is_asked_for_ever(
    reply: Reply, error: type[errors.ChapterverseError], asked: int, model: LanguageModel, server: LanguageServer
) -> None:
    server.will(reply)

    with pytest.raises(error) as raised:
        model.generate(PROMPT, SCHEMA, within())
    assert len(server.asked) == asked
    assert "grandmother" not in str(raised.value)  # what the server says may quote the essay


@pytest.mark.parametrize("reply", [Reply(CUT, ended="length"), Reply(CUT, broken=True)], ids=["length", "broken"])
def test_of_an_answer_that_was_cut_whole_items_are_used(reply: Reply, model: LanguageModel, server: LanguageServer) -> None:
    server.will(reply)

    assert model.generate(PROMPT, LIST, within()).value == {"comments": [{"text": "One."}, {"text": "Two."}]}


def test_of_an_answer_that_is_late_what_has_arrived_is_used(model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply(CUT + "x" * 700, between=0.02))

    assert model.generate(PROMPT, LIST, within(1.5)).value["comments"][:1] == [{"text": "One."}]


@pytest.mark.parametrize("around", ['<think>A comment? {{"comment": "no"}}</think>\n\n{}', "```json\n{}\n```", "\n\n{}"])
def test_thoughts_and_marks_of_code_are_no_part_of_an_answer(around: str, model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply(around.format('{"comment": "yes"}')))

    assert model.generate(PROMPT, YES, within()).value == {"comment": "yes"}
    assert "".join(piece.text for piece in model.stream(PROMPT, YES, within())).startswith('{"comment": "yes"}')


def test_what_is_no_json_is_asked_for_once_more(model: LanguageModel, server: LanguageServer) -> None:
    server.will(Reply("Sure, gladly."), says(GOOD))

    assert model.generate(PROMPT, SCHEMA, within()).value == GOOD
    assert len(server.asked) == 2
