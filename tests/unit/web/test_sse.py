from collections.abc import Iterator
from threading import Event
from unittest.mock import Mock

import pytest
from flask import Flask, Response

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.web import sse
from chapterverse.web.bare import bare_app
from chapterverse.web.sse import Part, UnderWay, as_stream
from tests.support.web import events_in


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

    first, (_, name, problem) = events_in(answer)
    assert (answer.status_code, first, name) == (200, ("", "evidence", {"n": 1}), "error")
    assert (problem["code"], problem["status"], problem["request_id"]) == ("embedder_unavailable", 503, "7")


def test_what_nobody_foresaw_is_not_quoted_and_text_with_line_ends_stays_in_its_event(caplog: pytest.LogCaptureFixture) -> None:
    answer = app_of(evidence_then(ValueError("My grandmother"))).test_client().get("/")
    assert '"internal"' in answer.text
    assert "grandmother" not in answer.text + caplog.text

    answer = app_of(iter([("evidence", {"text": "one\n\ntwo\r\u2028"})])).test_client().get("/")
    assert events_in(answer) == [("", "evidence", {"text": "one\n\ntwo\r\u2028"})]


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


def test_who_leaves_in_the_middle_hears_the_rest_later_and_nothing_is_made_twice() -> None:
    under_way, go_on, begun = UnderWay(), Event(), []

    def parts() -> Iterator[Part]:
        begun.append(1)
        yield "evidence", {}
        assert go_on.wait(60)
        yield "done", {}

    first = under_way.follow("a", parts)
    assert next(first) == ("evidence", {}, 1)
    first.close()
    second = under_way.follow("a", parts, after=1)
    go_on.set()

    assert list(second) == [("done", {}, 2)]
    assert begun == [1]


def test_what_fails_is_told_to_all_and_may_be_tried_again() -> None:
    under_way = UnderWay()

    def failing() -> Iterator[Part]:
        yield "evidence", {}
        raise EmbedderUnavailable("Try again.")

    for _ in range(2):
        with pytest.raises(EmbedderUnavailable):
            list(under_way.follow("a", failing))
    assert list(under_way.follow("a", lambda: iter([("done", {})]))) == [("done", {}, 1)]


def test_what_is_kept_nowhere_can_be_heard_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "Timer", timer := Mock())
    under_way, begun = UnderWay(lingers=30), []

    def parts() -> Iterator[Part]:
        begun.append(1)
        yield "done", {}

    def heard() -> int:
        assert list(under_way.follow("a", parts, is_stored=False)) == [("done", {}, 1)]
        return len(begun)

    assert [heard(), heard()] == [1, 1]
    seconds, forget, arguments = timer.call_args.args
    forget(*arguments)
    assert (seconds, heard()) == (30, 2)
