import json
from collections.abc import Iterator

import pytest
from flask import Flask, Response

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.web.bare import bare_app
from chapterverse.web.sse import Part, as_stream


def app_of(parts: Iterator[Part]) -> Flask:
    app = bare_app(1024)

    def stream() -> Response:
        return as_stream(parts)

    app.add_url_rule("/", "stream", stream)
    return app


def evidence_then(error: Exception) -> Iterator[Part]:
    yield "evidence", {"n": 1}
    raise error


def test_what_fails_after_the_first_part_is_an_event_and_the_last(caplog: pytest.LogCaptureFixture) -> None:
    answer = app_of(evidence_then(EmbedderUnavailable("Try again."))).test_client().get("/", headers={"X-Request-Id": "7"})

    first, last = answer.text.strip().split("\n\n")
    name, data = last.split("\n")
    problem = json.loads(data.removeprefix("data: "))
    assert (answer.status_code, first) == (200, 'event: evidence\ndata: {"n": 1}')
    assert (name, problem["code"], problem["status"], problem["request_id"]) == (
        "event: error",
        "embedder_unavailable",
        503,
        "7",
    )


def test_what_nobody_foresaw_is_not_quoted_in_a_stream_either(caplog: pytest.LogCaptureFixture) -> None:
    answer = app_of(evidence_then(ValueError("My grandmother"))).test_client().get("/")

    assert '"internal"' in answer.text
    assert "grandmother" not in answer.text + caplog.text


def test_text_with_line_ends_stays_in_its_event() -> None:
    answer = app_of(iter([("evidence", {"text": "one\n\ntwo\r\u2028"})])).test_client().get("/")

    [data] = [line.removeprefix("data: ") for line in answer.text.split("\n") if line.startswith("data: ")]
    assert json.loads(data) == {"text": "one\n\ntwo\r\u2028"}


def test_a_client_that_leaves_ends_the_work() -> None:
    ended = []

    def parts() -> Iterator[Part]:
        try:
            yield "evidence", {}
            yield "feedback", {}
        finally:
            ended.append(True)

    answer = app_of(parts()).test_client().get("/", buffered=False)
    next(answer.response)
    answer.close()

    assert ended
