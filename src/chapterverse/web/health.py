"""What is sent and answered, field by field. Requests are strict; answers are checked.

For those who watch over the process and those who write programs against it; no key is asked for."""

from collections.abc import Sequence
from typing import Literal

from flask import Flask, Response, jsonify
from pydantic import BaseModel

from chapterverse.core.hits import Granularity, Partition
from chapterverse.library.services import CollectionServices
from chapterverse.web.openapi import document
from chapterverse.web.operations import PREFIX, Operation


class Health(BaseModel):
    """Whether the process is alive, or ready to answer."""

    status: Literal["ok"] = "ok"


NOBODY = Partition("readyz", Granularity.SENTENCE, "readyz")


def offer_health(app: Flask, services: CollectionServices) -> None:
    """GET /healthz: the process answers. GET /readyz: so do the catalog and the index, else 503 with a problem."""

    def healthz() -> Response:
        return jsonify(status="ok")

    def readyz() -> Response:
        services.catalog.books(NOBODY.school)
        services.index.count(NOBODY, "readyz")
        return jsonify(status="ok")

    app.add_url_rule("/healthz", "healthz", healthz)
    app.add_url_rule("/readyz", "readyz", readyz)


def offer_document(app: Flask, operations: Sequence[Operation]) -> None:
    """GET /api/v1/openapi.json."""
    told = document(operations)
    app.add_url_rule(f"{PREFIX}/openapi.json", "openapi", lambda: jsonify(told))
