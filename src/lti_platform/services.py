"""Services of the course: Names and Roles 2.0 (NRPS), Assignment and Grades 2.0 (AGS)."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Flask, Response, abort, request

from lti_platform.model import COURSE_SCOPES, LtiPlatform

PAGE = 2  # members


def must(holds: object) -> None:
    """400 unless it holds."""
    if not holds:
        abort(400)


def admit(it: LtiPlatform, scope: str, accept: str | None = None) -> None:
    """Refuse a call without a token for the scope (Security Framework 1.0, 4.1), or of another type."""
    if it.broken:
        abort(it.broken)
    if scope not in it.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "), set()):
        abort(401)
    if accept and request.headers["Accept"] != accept:
        abort(406)


def offer_services(app: Flask, platform: Callable[[], LtiPlatform]) -> None:
    """Add the routes."""

    @app.get("/NRPS/Members")
    def members() -> Response:
        it = platform()
        admit(it, COURSE_SCOPES[0], "application/vnd.ims.lti-nrps.v2.membershipcontainer+json")
        start = int(request.args.get("From", 0))
        page = list(it.users.values())[start : start + PAGE]
        people = [{"user_id": u.id, "name": u.name, "email": u.email, "roles": u.roles, "status": "Active"} for u in page]
        answer = Response(json.dumps({"id": request.url, "context": {"id": "course-1"}, "members": people}))
        if start + PAGE < len(it.users):
            answer.headers["Link"] = f'<{it.address}/NRPS/Members?From={start + PAGE}>; rel="next"'
        return answer

    @app.get("/AGS/lineItems")
    def line_items() -> Response:
        admit(platform(), COURSE_SCOPES[1], "application/vnd.ims.lis.v2.lineitemcontainer+json")
        return Response(json.dumps(list(platform().line_items.values())))

    @app.post("/AGS/lineItems")
    def new_line_item() -> Response:
        admit(platform(), COURSE_SCOPES[1], "application/vnd.ims.lis.v2.lineitem+json")
        must(request.content_type == "application/vnd.ims.lis.v2.lineitem+json")
        return Response(json.dumps(new_column(platform(), json.loads(request.data))), 201)

    @app.post("/AGS/lineItems/<number>/scores")
    def score(number: str) -> Response:
        it = platform()
        admit(it, COURSE_SCOPES[2])
        must(request.content_type == "application/vnd.ims.lis.v1.score+json")
        sent = json.loads(request.data)
        must(sent["activityProgress"] in {"Submitted", "Completed"})
        must(sent["gradingProgress"] in {"PendingManual", "FullyGraded"})
        must(("scoreGiven" in sent) == ("scoreMaximum" in sent))
        when = datetime.fromisoformat(sent["timestamp"])
        must(when.tzinfo and when.microsecond % 1000 == 0)
        column = f"{it.address}/AGS/lineItems/{number}"
        if column not in it.line_items or sent["userId"] not in it.users:
            abort(404)
        if any(old["userId"] == sent["userId"] and datetime.fromisoformat(old["timestamp"]) >= when for old in it.scores):
            abort(409)
        it.scores.append(sent)
        return Response("", 204)


def new_column(it: LtiPlatform, wanted: dict[str, Any]) -> dict[str, Any]:
    """A column of the gradebook."""
    must(wanted["label"] and wanted["scoreMaximum"] > 0)
    id = f"{it.address}/AGS/lineItems/{len(it.line_items) + 1}"
    it.line_items[id] = {"id": id, **wanted}
    return it.line_items[id]
