"""A server that speaks LanguageTool's HTTP protocol, on a thread of this process; it finds what it is told to find."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, jsonify, redirect, request

from tests.support.serving import serving


@dataclass
class LanguageToolServer:
    """words: what is wrong, each with what to write instead and its issue type. seconds: before it answers."""

    url: str = ""
    words: Mapping[str, tuple[str | None, str]] = field(default_factory=dict)
    seconds: float = 0.0
    status: int = 200
    body: str | None = None
    dribbles: bool = False
    elsewhere: str | None = None
    asked: list[dict[str, str]] = field(default_factory=list)


def units(text: str) -> int:
    """As Java counts characters."""
    return len(text.encode("utf-16-le")) // 2


def match(text: str, wrong: str, instead: str | None, issue_type: str) -> dict[str, Any]:
    return {
        "message": f"“{wrong}” is wrong here.",
        "shortMessage": "Wrong",
        "replacements": [{"value": instead}] if instead else [],
        "offset": units(text[: text.index(wrong)]),
        "length": units(wrong),
        "context": {"text": text, "offset": 0, "length": 1},
        "sentence": text,
        "rule": {"id": "A_RULE", "issueType": issue_type, "category": {"id": "GRAMMAR", "name": "Grammar"}},
    }


@contextmanager
def languagetool(**options: Any) -> Iterator[LanguageToolServer]:
    """The server, which does from now on what its fields say."""
    told = LanguageToolServer(**options)
    app = Flask("languagetool")

    @app.post("/v2/check")
    def check() -> Any:
        told.asked.append(dict(request.form))
        time.sleep(told.seconds)
        if told.elsewhere:
            return redirect(told.elsewhere, 307)
        if told.dribbles:
            return Response((time.sleep(0.1) or " " for _ in range(300)), content_type="application/json")
        if told.body is not None or told.status != 200:
            return Response(told.body or "", status=told.status)
        text = request.form["text"]
        found = [match(text, wrong, *what) for wrong, what in told.words.items() if wrong in text]
        return jsonify(software={"name": "LanguageTool", "apiVersion": 1}, language={"code": "en"}, matches=found)

    with serving(app) as told.url:
        yield told
