from collections.abc import Iterator

import pytest
from flask import Flask, Response, g, request, stream_with_context

from chapterverse.web.bare import Isolated


@pytest.fixture
def inner() -> Flask:
    app = Flask("inner")

    @app.get("/told")
    def told() -> Response:
        def parts() -> Iterator[str]:
            yield f"{request.path} "
            yield g.name
            if request.args:
                raise RuntimeError("too late")

        g.name = "inner"
        return Response(stream_with_context(parts()))

    return app


@pytest.fixture
def outer(inner: Flask) -> Flask:
    app = Flask("outer")
    app.before_request(lambda: setattr(g, "name", "outer"))
    app.add_url_rule("/<path:path>", "all", lambda path: Response.from_app(Isolated(inner), request.environ))
    app.after_request(lambda response: response.headers.set("X-Name", g.name) or response)
    return app


def test_a_streamed_answer_passes_through_another_app(outer: Flask) -> None:
    answer = outer.test_client().get("/told")

    assert (answer.text, answer.headers["X-Name"]) == ("/told inner", "outer")


def test_an_answer_that_nobody_reads_to_its_end_leaves_nothing_behind(outer: Flask) -> None:
    client = outer.test_client()

    client.get("/told", buffered=False).close()

    assert client.get("/told").text == "/told inner"


def test_what_fails_while_streaming_fails_there(outer: Flask) -> None:
    answer = outer.test_client().get("/told?late=1", buffered=False)

    with pytest.raises(RuntimeError, match="too late"):
        _ = answer.data
