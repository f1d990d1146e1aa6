"""A learning platform as the specifications have it (LTI 1.3 Core, Deep Linking 2.0, NRPS 2.0, AGS 2.0, 1EdTech Security
Framework 1.0), as a real HTTP server. It shares no code with what it tests, and refuses what a strict platform refuses."""

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from threading import Thread
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from flask import Flask, Response, abort, request
from werkzeug.serving import make_server

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
DL = "https://purl.imsglobal.org/spec/lti-dl/claim/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
INSTRUCTOR = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
SCOPES = [f"{NRPS}scope/contextmembership.readonly", f"{AGS}scope/lineitem", f"{AGS}scope/score"]
CLIENT, DEPLOYMENT = "client-7", "deployment-1"


@dataclass
class User:
    """Somebody in the course."""

    id: str
    name: str
    email: str
    roles: list[str]


@dataclass
class Key:
    kid: str
    private: rsa.RSAPrivateKey

    def public(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.private.public_key()))
        return told | {"kid": self.kid, "alg": "RS256", "use": "sig"}


def new_key() -> Key:
    return Key(secrets.token_hex(4), rsa.generate_private_key(65537, 2048))


USERS = [
    User("u-1", "Anna Berg", "anna@school.example", [LEARNER]),
    User("u-2", "Ben Çelik", "ben@school.example", [LEARNER]),
    User("u-9", "Dr Stein", "stein@school.example", [INSTRUCTOR]),
]


@dataclass
class LtiPlatform:
    """address: its own; tool: where the tool is, as its admin typed it in; tool_keys: what the tool publishes."""

    address: str
    tool: str
    tool_keys: Callable[[], dict[str, Any]]
    users: dict[str, User] = field(default_factory=lambda: {user.id: user for user in USERS})
    keys: list[Key] = field(default_factory=lambda: [new_key()])
    links: dict[str, dict[str, Any]] = field(default_factory=dict)  # resource links of the course
    line_items: dict[str, dict[str, Any]] = field(default_factory=dict)
    scores: list[dict[str, Any]] = field(default_factory=list)
    tokens: dict[str, set[str]] = field(default_factory=dict)
    assertions: set[str] = field(default_factory=set)
    fetched_keys: int = 0
    broken: int = 0  # the status that every service answers with

    def rotate(self) -> None:
        """A new key signs; the old one is gone."""
        self.keys = [new_key()]

    def initiation(self, user: str, link: str = "link-1") -> dict[str, str]:
        """What the browser is made to send to the tool first; link "choice": a deep link is to be chosen."""
        told = {"iss": self.address, "login_hint": user, "lti_message_hint": link, "client_id": CLIENT}
        return told | {"lti_deployment_id": DEPLOYMENT, "target_link_uri": f"{self.tool}/lti/launch"}

    def claims(self, user: str, link: str, nonce: str) -> dict[str, Any]:
        """The body of a message."""
        who, now = self.users[user], int(time.time())
        told: dict[str, Any] = {"iss": self.address, "aud": CLIENT, "sub": who.id, "iat": now, "exp": now + 300, "nonce": nonce}
        told |= {"name": who.name, "email": who.email, f"{LTI}roles": who.roles, f"{LTI}version": "1.3.0"}
        told |= {f"{LTI}deployment_id": DEPLOYMENT, f"{LTI}target_link_uri": f"{self.tool}/lti/launch"}
        told |= {f"{LTI}context": {"id": "course-1", "title": "English"}}
        return told | (self._choice() if link == "choice" else self._opened(link))

    def _choice(self) -> dict[str, Any]:
        settings = {
            "deep_link_return_url": f"{self.address}/return",
            "accept_types": ["ltiResourceLink"],
            "accept_presentation_document_targets": ["iframe", "window"],
            "data": "opaque=7",
        }
        return {f"{LTI}message_type": "LtiDeepLinkingRequest", f"{DL}deep_linking_settings": settings}

    def _opened(self, link: str) -> dict[str, Any]:
        known = self.links.get(link, {})
        grades = {"scope": SCOPES[1:], "lineitems": f"{self.address}/AGS/lineItems"}
        if column := known.get("line_item"):
            grades["lineitem"] = column
        told = {f"{LTI}message_type": "LtiResourceLinkRequest", f"{LTI}custom": known.get("custom", {})}
        told |= {f"{LTI}resource_link": {"id": link, "title": known.get("title", "A link")}, f"{AGS}claim/endpoint": grades}
        return told | {f"{NRPS}claim/namesroleservice": {"context_memberships_url": f"{self.address}/NRPS/Members"}}

    def signed(self, claims: dict[str, Any]) -> str:
        """As an id_token."""
        key = self.keys[0]
        return jwt.encode(claims, key.private, "RS256", headers={"kid": key.kid})

    def verified(self, token: str, audience: str) -> dict[str, Any]:
        """What the tool has signed, by a key that it publishes."""
        kid = jwt.get_unverified_header(token)["kid"]
        [key] = [each for each in self.tool_keys()["keys"] if each["kid"] == kid]
        assert set(key) == {"kty", "kid", "alg", "use", "n", "e"}, "a private part is published"
        options: Any = {"require": ["iss", "aud", "exp", "iat"]}
        return dict(jwt.decode(token, jwt.PyJWK.from_dict(key), ["RS256"], options, audience=audience, issuer=CLIENT))


def platform_app(platform: Callable[[], LtiPlatform]) -> Flask:
    """Its pages and services."""
    app = Flask("platform")

    @app.get("/course")
    def course() -> str:
        """A page of the course with the tool in a frame."""
        it, user, link = platform(), request.args["user"], request.args["link"]
        return COURSE.format(login=f"{it.tool}/lti/login", fields=_fields(it.initiation(user, link)))

    @app.get("/auth")
    def auth() -> Response | str:
        it, told = platform(), request.args
        expected = {"response_type": "id_token", "response_mode": "form_post", "prompt": "none", "scope": "openid"}
        expected |= {"client_id": CLIENT, "redirect_uri": f"{it.tool}/lti/launch"}
        if any(told.get(name) != value for name, value in expected.items()) or not told.get("nonce") or not told.get("state"):
            abort(400)
        token = it.signed(it.claims(told["login_hint"], told["lti_message_hint"], told["nonce"]))
        return POST.format(to=told["redirect_uri"], fields=_fields({"id_token": token, "state": told["state"]}))

    @app.get("/jwks")
    def jwks() -> dict[str, Any]:
        platform().fetched_keys += 1
        return {"keys": [key.public() for key in platform().keys]}

    @app.post("/token")
    def token() -> dict[str, Any]:
        it, form = platform(), request.form
        kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        if form["grant_type"] != "client_credentials" or form["client_assertion_type"] != kind:
            abort(400)
        told = it.verified(form["client_assertion"], f"{it.address}/token")
        scopes = set(form["scope"].split())
        if told["sub"] != CLIENT or told["jti"] in it.assertions or not scopes <= set(SCOPES):
            abort(400)
        it.assertions.add(told["jti"])
        it.tokens[given := secrets.token_hex(8)] = scopes
        return {"access_token": given, "token_type": "Bearer", "expires_in": 3600, "scope": form["scope"]}

    @app.post("/return")
    def returned() -> str:
        """A deep link comes back; the platform makes a link and a column of it."""
        it = platform()
        told = it.verified(request.form["JWT"], it.address)
        assert (told[f"{LTI}message_type"], told[f"{LTI}version"]) == ("LtiDeepLinkingResponse", "1.3.0")
        assert (told[f"{LTI}deployment_id"], told[f"{DL}data"]) == (DEPLOYMENT, "opaque=7")
        [item] = told[f"{DL}content_items"]
        assert item["type"] == "ltiResourceLink"
        column = _new_column(it, {**item["lineItem"], "resourceLinkId": "link-1"})
        it.links["link-1"] = {"title": item["title"], "custom": item["custom"], "line_item": column["id"], "url": item["url"]}
        return f"<!doctype html><title>Course</title><p>Added {escape(item['title'])}</p>"

    _offer_services(app, platform)
    return app


def _offer_services(app: Flask, platform: Callable[[], LtiPlatform]) -> None:
    @app.get("/NRPS/Members")
    def members() -> Response:
        it = platform()
        _admit(it, SCOPES[0], "application/vnd.ims.lti-nrps.v2.membershipcontainer+json")
        start = int(request.args.get("From", 0))
        page = list(it.users.values())[start : start + 2]
        told = [{"user_id": u.id, "name": u.name, "email": u.email, "roles": u.roles, "status": "Active"} for u in page]
        answer = Response(json.dumps({"id": request.url, "context": {"id": "course-1"}, "members": told}))
        if start + 2 < len(it.users):
            answer.headers["Link"] = f'<{it.address}/NRPS/Members?From={start + 2}>; rel="next"'
        return answer

    @app.get("/AGS/lineItems")
    def line_items() -> Response:
        _admit(platform(), SCOPES[1], "application/vnd.ims.lis.v2.lineitemcontainer+json")
        return Response(json.dumps(list(platform().line_items.values())))

    @app.post("/AGS/lineItems")
    def new_line_item() -> Response:
        _admit(platform(), SCOPES[1], "application/vnd.ims.lis.v2.lineitem+json")
        assert request.content_type == "application/vnd.ims.lis.v2.lineitem+json"
        return Response(json.dumps(_new_column(platform(), json.loads(request.data))), 201)

    @app.post("/AGS/lineItems/<number>/scores")
    def score(number: str) -> Response:
        it = platform()
        _admit(it, SCOPES[2])
        assert request.content_type == "application/vnd.ims.lis.v1.score+json"
        told = json.loads(request.data)
        assert told["activityProgress"] in {"Submitted", "Completed"}
        assert told["gradingProgress"] in {"PendingManual", "FullyGraded"}
        assert ("scoreGiven" in told) == ("scoreMaximum" in told)
        when = datetime.fromisoformat(told["timestamp"])
        assert when.tzinfo
        assert when.microsecond % 1000 == 0
        column = f"{it.address}/AGS/lineItems/{number}"
        if column not in it.line_items or told["userId"] not in it.users:
            abort(404)
        if any(old["userId"] == told["userId"] and datetime.fromisoformat(old["timestamp"]) >= when for old in it.scores):
            abort(409)
        it.scores.append(told)
        return Response("", 204)


def _new_column(it: LtiPlatform, told: dict[str, Any]) -> dict[str, Any]:
    assert told["label"]
    assert told["scoreMaximum"] > 0
    id = f"{it.address}/AGS/lineItems/{len(it.line_items) + 1}"
    it.line_items[id] = {"id": id, **told}
    return it.line_items[id]


def _admit(it: LtiPlatform, scope: str, accept: str | None = None) -> None:
    if it.broken:
        abort(it.broken)
    if scope not in it.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "), set()):
        abort(401)
    if accept and request.headers["Accept"] != accept:
        abort(406)


def _fields(told: dict[str, str]) -> str:
    return "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in told.items())


COURSE = """<!doctype html><html lang="en"><title>English</title><h1>English</h1>
<form method="post" action="{login}" target="tool">{fields}<button>Open the tool</button></form>
<iframe name="tool" title="Tool" width="900" height="700"></iframe></html>"""
POST = """<!doctype html><form method="post" action="{to}">{fields}</form><script>document.forms[0].submit()</script>"""


@contextmanager
def lti_platform(tool: str, tool_keys: Callable[[], dict[str, Any]], host: str = "127.0.0.1") -> Iterator[LtiPlatform]:
    """One that runs, and knows the tool."""
    made: list[LtiPlatform] = []
    server = make_server("127.0.0.1", 0, platform_app(lambda: made[0]), threaded=True)
    made.append(LtiPlatform(f"http://{host}:{server.server_port}", tool, tool_keys))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made[0]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
