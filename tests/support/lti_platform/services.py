"""Services of the course: Names and Roles 2.0 (NRPS), Assignment and Grades 2.0 (AGS)."""

import json
from datetime import datetime
from typing import Any

from flask import Flask, Response, abort, request

from tests.support.lti_platform.model import COURSE_SCOPES, LtiPlatform

PAGE = 2  # members


def must(it: LtiPlatform, clause: str, holds: object, status: int = 400) -> None:
    """Note whether the tool did as the clause says; refuse the call if not."""
    it.checks.append((clause, bool(holds)))
    if not holds:
        abort(status)


def admit(it: LtiPlatform, scope: str) -> None:
    """Refuse a call without a token for the scope."""
    if it.broken:
        abort(it.broken)
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    must(it, "SF 4.1", scope in it.tokens.get(token, set()), 401)


def offer_services(app: Flask, it: LtiPlatform) -> None:
    """Add the routes."""

    @app.get("/NRPS/Members")
    def members() -> Response:
        admit(it, COURSE_SCOPES[0])
        must(it, "NRPS 2.4", request.headers["Accept"] == "application/vnd.ims.lti-nrps.v2.membershipcontainer+json", 406)
        start = int(request.args.get("From", 0))
        page = list(it.users.values())[start : start + PAGE]
        people = [{"user_id": u.id, "name": u.name, "email": u.email, "roles": u.roles, "status": "Active"} for u in page]
        answer = Response(json.dumps({"id": request.url, "context": {"id": "course-1"}, "members": people}))
        if start + PAGE < len(it.users):
            answer.headers["Link"] = f'<{it.address}/NRPS/Members?From={start + PAGE}>; rel="next"'
        return answer

    @app.get("/AGS/lineItems")
    def line_items() -> Response:
        admit(it, COURSE_SCOPES[1])
        must(it, "AGS 3.2.1", request.headers["Accept"] == "application/vnd.ims.lis.v2.lineitemcontainer+json", 406)
        return Response(json.dumps(list(it.line_items.values())))

    @app.post("/AGS/lineItems")
    def new_line_item() -> Response:
        kind = "application/vnd.ims.lis.v2.lineitem+json"
        admit(it, COURSE_SCOPES[1])
        must(it, "AGS 3.2.1", request.headers["Accept"] == kind, 406)
        must(it, "AGS 3.2.1", request.content_type == kind)
        return Response(json.dumps(new_column(it, json.loads(request.data))), 201)

    @app.post("/AGS/lineItems/<number>/scores")
    def score(number: str) -> Response:
        admit(it, COURSE_SCOPES[2])
        must(it, "AGS 3.4.3", request.content_type == "application/vnd.ims.lis.v1.score+json")
        sent = json.loads(request.data)
        must(it, "AGS 3.4.4", ("scoreGiven" in sent) == ("scoreMaximum" in sent))
        must(it, "AGS 3.4.7", sent["activityProgress"] in {"Submitted", "Completed"})
        must(it, "AGS 3.4.8", sent["gradingProgress"] in {"PendingManual", "FullyGraded"})
        when = datetime.fromisoformat(sent["timestamp"])
        must(it, "AGS 3.4.9", when.tzinfo and when.microsecond % 1000 == 0)
        column = f"{it.address}/AGS/lineItems/{number}"
        if column not in it.line_items or sent["userId"] not in it.users:
            abort(404)
        if any(old["userId"] == sent["userId"] and datetime.fromisoformat(old["timestamp"]) >= when for old in it.scores):
            abort(409)
        it.scores.append(sent)
        return Response("", 204)


def new_column(it: LtiPlatform, wanted: dict[str, Any]) -> dict[str, Any]:
    """A column of the gradebook."""
    must(it, "AGS 3.2.7", wanted["label"])
    must(it, "AGS 3.2.8", wanted["scoreMaximum"] > 0)
    id = f"{it.address}/AGS/lineItems/{len(it.line_items) + 1}"
    it.line_items[id] = {"id": id, **wanted}
    return it.line_items[id]
