"""The platform as an HTTP server on this machine: login, keys, tokens, deep links, services."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from typing import Any

from flask import Flask, Response, request

from tests.support.lti_platform.assets import offer_assets
from tests.support.lti_platform.model import DEPLOYMENT, DL, LTI, SCOPES, LtiPlatform
from tests.support.lti_platform.registration import offer_registration
from tests.support.lti_platform.services import must, new_column, offer_services
from tests.support.serving import serving

COURSE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>English</title><header>English 10b · {who}</header><main><h1>English</h1>
<form method="post" action="{it.tool}/lti/login" target="tool">{fields}<button>Open the tool</button></form>
<iframe name="tool" title="Tool" style="width: 100%; height: 38rem; background: #fff"></iframe></main></html>"""
POST = """<!doctype html><form method="post" action="{to}">{fields}</form><script>document.forms[0].submit()</script>"""


def platform_app(it: LtiPlatform) -> Flask:
    """The platform's pages and services."""
    app = Flask("platform")

    @app.get("/course")
    def course() -> str:
        """A page of the course with the tool in a frame."""
        user = request.args["user"]
        return COURSE.format(it=it, who=escape(it.users[user].name), fields=fields(it.initiation(user, request.args["link"])))

    @app.get("/auth")
    def auth() -> Response | str:
        sent = request.args
        expected = {"response_type": "id_token", "response_mode": "form_post", "prompt": "none", "scope": "openid"}
        expected |= {"client_id": it.client, "redirect_uri": f"{it.tool}/lti/launch"}
        right = all(sent.get(name) == value for name, value in expected.items()) and sent.get("nonce") and sent.get("state")
        must(it, "SF 5.1.1.2", right)
        token = it.signed(it.claims(sent["login_hint"], sent["lti_message_hint"], sent["nonce"]))
        return POST.format(to=sent["redirect_uri"], fields=fields({"id_token": token, "state": sent["state"]}))

    @app.get("/jwks")
    def jwks() -> dict[str, Any]:
        it.fetched_keys += 1
        return {"keys": [key.public() for key in it.keys]}

    @app.post("/token")
    def token() -> dict[str, Any]:
        form = request.form
        kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        must(it, "SF 4.1.1", form["grant_type"] == "client_credentials" and form["client_assertion_type"] == kind)
        asserted = it.verified(form["client_assertion"], f"{it.address}/token")
        scopes = set(form["scope"].split())
        new = asserted["sub"] == it.client and asserted["jti"] not in it.assertions
        must(it, "SF 4.1.1", new and scopes <= set(SCOPES))
        it.assertions.add(asserted["jti"])
        it.tokens[given := secrets.token_hex(8)] = scopes
        return {"access_token": given, "token_type": "Bearer", "expires_in": 3600, "scope": form["scope"]}

    @app.post("/return")
    def returned() -> str:
        """A deep link comes back: the platform makes a link with a column of it, or attaches a processor."""
        answer = it.verified(request.form["JWT"], it.address)
        must(it, "DL 4.5.2", answer[f"{LTI}message_type"] == "LtiDeepLinkingResponse")
        must(it, "DL 4.5.3", answer[f"{LTI}version"] == "1.3.0")
        must(it, "DL 4.5.4", answer[f"{LTI}deployment_id"] == DEPLOYMENT)
        must(it, "DL 4.5.5", answer[f"{DL}data"] == "opaque=7")
        [item] = answer[f"{DL}content_items"]
        if item["type"] == "ltiAssetProcessor":
            must(it, "AP, content item", item["report"]["url"].startswith(it.tool))
            it.processor = item
        else:
            must(it, "DL 4.5.6", item["type"] == "ltiResourceLink")
            column = new_column(it, {**item["lineItem"], "resourceLinkId": "link-1"})["id"]
            it.links["link-1"] = {"title": item["title"], "custom": item["custom"], "line_item": column, "url": item["url"]}
        return f"<!doctype html><title>Course</title><p>Added {escape(item['title'])}</p>"

    for offer in (offer_services, offer_assets, offer_registration):
        offer(app, it)
    return app


def fields(values: Mapping[str, str]) -> str:
    """Hidden fields of a form."""
    return "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in values.items())


@contextmanager
def lti_platform(tool: str, tool_keys: Callable[[], dict[str, Any]], host: str = "127.0.0.1") -> Iterator[LtiPlatform]:
    """A running platform that knows the tool. tool_keys: what the tool publishes."""
    it = LtiPlatform("", tool, tool_keys)
    with serving(platform_app(it)) as address:
        it.address = address.replace("127.0.0.1", host)
        yield it
