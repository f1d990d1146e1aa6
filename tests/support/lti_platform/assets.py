"""Platform Notification Service 1.0, and the services of the Asset Processor: assets, reports, agreements."""

import re
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, abort, jsonify, request

from tests.support.lti_platform.model import ASSET_SCOPES, SUBMISSION, HandedIn, LtiPlatform
from tests.support.lti_platform.services import admit, must

PROGRESS = {"Processed", "Processing", "PendingManual", "Failed", "NotProcessed", "NotReady"}
MAX_RESULT = 16  # characters
MOST_URGENT = 5
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
NOTICES, READ, REPORT, AGREE = ASSET_SCOPES


def offer_assets(app: Flask, it: LtiPlatform) -> None:
    """Add the routes."""

    @app.put("/notice-handlers")
    def subscribe() -> Any:
        admit(it, NOTICES)
        wanted = request.get_json()
        must(it, "PNS, handlers", wanted["notice_type"] in {"LtiHelloWorldNotice", SUBMISSION})
        must(it, "PNS, handlers", not wanted["handler"] or urlsplit(wanted["handler"]).netloc == urlsplit(it.tool).netloc)
        it.handlers[wanted["notice_type"]] = wanted["handler"]
        return jsonify(wanted)

    @app.get("/assets/<asset>")
    def download(asset: str) -> Response:
        """A redirect to a store with its own short-lived address, as large platforms do."""
        admit(it, READ)
        _file(it, asset)
        return Response(status=302, headers={"Location": f"/store/{asset}"})

    @app.get("/store/<asset>")
    def stored(asset: str) -> Response:
        file = _file(it, asset)
        return Response(file.data, content_type=file.content_type)

    @app.post("/reports")
    def report() -> Any:
        admit(it, REPORT)
        sent = request.get_json()
        file = _file(it, sent["assetId"])
        when = datetime.fromisoformat(sent["timestamp"])
        for holds in (
            isinstance(sent["type"], str) and sent["type"],
            sent["processingProgress"] in PROGRESS,
            0 <= sent["priority"] <= MOST_URGENT,
            len(sent.get("result", "")) <= MAX_RESULT,
            "result" not in sent or sent["processingProgress"] == "Processed",
            "errorCode" not in sent or sent["processingProgress"] == "Failed",
            "indicationColor" not in sent or COLOUR.fullmatch(sent["indicationColor"]),
            when.tzinfo,
        ):
            must(it, "AP, report", holds)
        same = [old for old in file.reports if old["type"] == sent["type"]]
        if any(datetime.fromisoformat(old["timestamp"]) > when for old in same):
            abort(409)
        file.reports.append(sent)
        return jsonify(sent), 201

    @app.post("/eula/user")
    def agree() -> Any:
        admit(it, AGREE)
        sent = request.get_json()
        must(it, "AP, agreement", sent["userId"] in it.users and isinstance(sent["accepted"], bool))
        must(it, "AP, agreement", datetime.fromisoformat(sent["timestamp"]).tzinfo)
        it.agreements[sent["userId"]] = sent
        return jsonify(sent), 201


def _file(it: LtiPlatform, asset: str) -> HandedIn:
    if asset not in it.handed_in:
        abort(404)
    return it.handed_in[asset]
