"""What must be taken from a platform and what must be refused, clause by clause.

Clauses: "Core" is LTI 1.3 Core, "SF" 1EdTech Security Framework 1.0, "DL" Deep Linking 2.0, each with the number of a section;
"PNS" Platform Notification Service 1.0, "AP" Asset Processor, with what the section is about: their texts are for members."""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

import jwt
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.operations.batch_app import run_essay_task
from tests.support.lti import OURS, TOOL, Course, course
from tests.support.lti_platform.model import CLIENT, DL, LTI, LtiPlatform, new_key
from tests.support.web import ESSAY, WITHIN, Site, site

Claims = dict[str, Any]
Sign = Callable[[Claims], str]


class Door(StrEnum):
    """Where a case comes in. LAUNCH: a resource link; CHOICE: a deep linking request; REVIEW: of a report; NOTICE: by PNS."""

    LAUNCH = "launch"
    CHOICE = "choice"
    REVIEW = "review"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Case:
    """changed: the token of the message that would be right; accepted: whether a tool must take it."""

    clause: str
    text: str
    door: Door
    accepted: bool
    changed: Callable[[LtiPlatform, Claims], str]


def _with(**changed: Any) -> Callable[[LtiPlatform, Claims], str]:
    """Other values of claims; None: without the claim. A name in capitals is one of LTI's own."""

    def sign(platform: LtiPlatform, claims: Claims) -> str:
        names = {f"{LTI}{name.lower()}" if name.isupper() else name: value for name, value in changed.items()}
        return platform.signed({name: value for name, value in (claims | names).items() if value is not None})

    return sign


def _by_another(kid: str = "") -> Callable[[LtiPlatform, Claims], str]:
    """Signed by another key, with this id or with that of the platform's."""

    def sign(platform: LtiPlatform, claims: Claims) -> str:
        return jwt.encode(claims, new_key().private, "RS256", headers={"kid": kid or platform.keys[0].kid})

    return sign


def _symmetric(platform: LtiPlatform, claims: Claims) -> str:
    """Signed with the public key as if it were a shared secret."""
    secret = json.dumps(platform.keys[0].public()).encode()
    return jwt.encode(claims, base64.b64encode(secret), "HS256", headers={"kid": platform.keys[0].kid})


def _of_a_clock(seconds: int) -> Callable[[LtiPlatform, Claims], str]:
    """Of a platform whose clock is so many seconds fast."""

    def sign(platform: LtiPlatform, claims: Claims) -> str:
        return platform.signed(claims | {name: claims[name] + seconds for name in ("iat", "exp")})

    return sign


def _no_return(platform: LtiPlatform, claims: Claims) -> str:
    settings = {name: value for name, value in claims[f"{DL}deep_linking_settings"].items() if name != "deep_link_return_url"}
    return platform.signed(claims | {f"{DL}deep_linking_settings": settings})


def _no_asset_id(platform: LtiPlatform, claims: Claims) -> str:
    service = claims[f"{LTI}assetservice"]
    return platform.signed(claims | {f"{LTI}assetservice": service | {"assets": [{"url": service["assets"][0]["url"]}]}})


def _other_type(platform: LtiPlatform, claims: Claims) -> str:
    return platform.signed(claims | {f"{LTI}notice": (claims[f"{LTI}notice"] | {"type": "LtiSomethingNewNotice"})})


SIGNED: tuple[tuple[str, str, bool, Callable[[LtiPlatform, Claims], str]], ...] = (
    ("SF 5.1.3 (1)", "signed by the platform", True, _with()),
    ("SF 5.1.3 (1)", "signed by another key with the id of the platform's", False, _by_another()),
    ("SF 5.1.3 (1)", "signed by an unknown key", False, _by_another("nowhere")),
    ("SF 5.1.3 (2)", "of another issuer", False, _with(iss="https://elsewhere.example")),
    ("SF 5.1.3 (3)", "for another client", False, _with(aud="client-of-another")),
    ("SF 5.1.3 (3)", "for this client, in a list", True, _with(aud=[CLIENT])),
    ("SF 5.1.3 (3)", "for another client, too, that the tool does not know", False, _with(aud=[CLIENT, "another"], azp=CLIENT)),
    ("SF 5.1.3 (4)", "for several clients, none authorized", False, _with(aud=[CLIENT, "another"], azp=None)),
    ("SF 5.1.3 (5)", "another client is authorized", False, _with(azp="client-of-another")),
    ("SF 5.1.3 (5)", "for several clients, another one authorized", False, _with(aud=[CLIENT, "another"], azp="another")),
    ("SF 5.1.3 (6)", "without an algorithm", False, lambda _, claims: jwt.encode(claims, None, "none")),
    ("SF 5.1.3 (6)", "by a symmetric algorithm with the public key", False, _symmetric),
    ("SF 5.1.3 (7)", "expired", False, _of_a_clock(-7200)),
    ("SF 5.1.3 (7)", "expired half a minute ago, by clocks that differ", True, _of_a_clock(-330)),
    ("SF 5.1.3 (7)", "without a time of expiry", False, _with(exp=None)),
    ("SF 5.1.3 (8)", "of the next half minute, by clocks that differ", True, _of_a_clock(30)),
    ("SF 5.1.3 (8)", "of the future", False, _of_a_clock(120)),
    ("SF 5.1.3 (8)", "without a time of issue", False, _with(iat=None)),
    ("SF 5.1.3 (9)", "without a nonce", False, _with(nonce=None)),
    ("Core 5.3.3", "of an unknown deployment", False, _with(DEPLOYMENT_ID="deployment-of-another")),
    ("Core 5.3.3", "without a deployment", False, _with(DEPLOYMENT_ID=None)),
    ("Core 5.3.2", "of another version", False, _with(VERSION="2.0.0")),
    ("Core 4.3", "with a claim that no specification has", True, _with(**{"https://elsewhere.example/claim": {"a": [1]}})),
)

CASES: tuple[Case, ...] = (
    *(Case(clause, text, Door.LAUNCH, ok, change) for clause, text, ok, change in SIGNED),
    *(Case(clause, text, Door.NOTICE, ok, change) for clause, text, ok, change in SIGNED),
    Case("SF 5.1.3 (9)", "with another nonce than asked for", Door.LAUNCH, False, _with(nonce="another")),
    Case("Core 5.3.1", "without a type", Door.LAUNCH, False, _with(MESSAGE_TYPE=None)),
    Case("Core 5.3.1", "of an unknown type", Door.LAUNCH, False, _with(MESSAGE_TYPE="LtiUnknownRequest")),
    Case("Core 5.3.5", "without a resource link", Door.LAUNCH, False, _with(RESOURCE_LINK=None)),
    Case("Core 5.3.6", "without a subject", Door.LAUNCH, False, _with(sub=None)),
    Case("Core 5.3.7", "without roles", Door.LAUNCH, False, _with(ROLES=None)),
    Case("Core 5.3.7", "with no role", Door.LAUNCH, True, _with(ROLES=[])),
    Case("Core 5.3.7", "with a role of another vocabulary", Door.LAUNCH, True, _with(ROLES=["urn:x:Wizard"])),
    Case("Core 5.3.6", "without name and e-mail address", Door.LAUNCH, True, _with(name=None, email=None)),
    Case("DL 4.4.1", "a choice", Door.CHOICE, True, _with()),
    Case("DL 4.4.1", "a choice without an address to return to", Door.CHOICE, False, _no_return),
    Case("AP, review", "a report is opened", Door.REVIEW, True, _with()),
    Case("AP, review", "a report without an asset is opened", Door.REVIEW, False, _with(ASSET=None)),
    Case("AP, review", "a report of an unknown asset is opened", Door.REVIEW, False, _with(ASSET={"id": "nowhere"})),
    Case("PNS, notice", "without a description of the notice", Door.NOTICE, False, _with(NOTICE=None)),
    Case("PNS, notice", "of a type that the tool does not know", Door.NOTICE, True, _other_type),
    Case("AP, submission", "a submission without a student", Door.NOTICE, False, _with(FOR_USER=None)),
    Case("AP, submission", "a submission without an address for reports", Door.NOTICE, False, _with(ASSETREPORT=None)),
    Case("AP, submission", "a submission whose asset has no id", Door.NOTICE, False, _no_asset_id),
)

LINKS = {Door.LAUNCH: ("u-1", "link-1"), Door.CHOICE: ("u-9", "choice"), Door.REVIEW: ("u-9", "report/asset")}


@dataclass(frozen=True)
class OurTool:
    """The tool in a course. asset: one that was handed in."""

    course: Course
    asset: str

    def answered(self, door: Door, sign: Sign) -> int:
        return self.notice(sign) if door is Door.NOTICE else self.message(door, sign)

    def message(self, door: Door, sign: Sign) -> int:
        user, link = LINKS[door]
        link = link.replace("asset", self.asset)
        browser = self.course.browser()
        state, nonce = self.course.begin(browser, user, link)
        return self.course.come_back(browser, state, sign(self.course.platform.claims(user, link, nonce))).status_code

    def notice(self, sign: Sign) -> int:
        platform = self.course.platform
        platform.hand_in("u-1", [("essay.txt", "text/plain", b"Essay.")])
        return self.course.send(sign(platform.notice([list(platform.handed_in.values())[-1]]))).status_code


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurTool]:
    with site(tmp_path_factory.mktemp("site")) as running, course(running) as english:
        english.attached()
        [file] = english.hand_in("u-1", ("essay.txt", "text/plain", b"Essay."))
        yield OurTool(english, file.id)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.clause}: {case.door} {case.text}")
def test_a_message_is_taken_or_refused_as_its_clause_says(tool: OurTool, case: Case) -> None:
    status = tool.answered(case.door, partial(case.changed, tool.course.platform))

    assert status < 400 if case.accepted else 400 <= status < 500, status


def use_services(course: Course) -> None:
    """Every kind of call: registration, a link with a score, a file with its report, an answer to the terms."""
    assert course.registered().status_code == 200
    assignment = course.chosen()
    del course.platform.links["link-1"]["line_item"]  # as where a teacher has made the link without a column
    course.platform.line_items.clear()
    student, teacher = course.signed_in("u-1")[0], course.signed_in("u-9")[0]
    path = f"/api/v1/assignments/{assignment}"

    def call(browser: FlaskClient, method: str, address: str, body: Any = None) -> Any:
        answer = browser.open(address, method=method, json=body, headers=OURS, base_url=TOOL)
        assert answer.status_code < 300, answer.text
        return answer.get_json(silent=True)

    call(student, "PUT", f"{path}/essay", {"essay": ESSAY})
    call(teacher, "GET", f"{path}/students")
    call(teacher, "PUT", f"{path}/score", {"student": "u-1", "given": 15.5, "comment": "Well argued."})
    call(teacher, "PUT", f"{path}/score", {"student": "u-1", "comment": "Well argued, and revised."})
    course.attached()
    course.answer_terms("u-1", "yes")
    [file] = course.hand_in("u-1", ("essay.txt", "text/plain", ESSAY.encode()))
    [unread] = course.hand_in("u-2", ("essay.zip", "application/zip", b"PK no essay"))
    queue: Any = course.site.parts.batches.queue
    queue.start(partial(run_essay_task, batches=course.site.parts.batches, hand_ins=course.site.parts.hand_ins))
    queue.wait_until_idle(WITHIN)
    queue.close()
    assert (file.report or {})["processingProgress"] == "Processed"
    assert (unread.report or {})["processingProgress"] == "Failed"


def test_what_is_sent_to_the_services_of_a_platform_is_as_their_clauses_say(library: Site) -> None:
    with course(library) as english:
        use_services(english)

    assert [clause for clause, is_kept in english.platform.checks if not is_kept] == []
    clauses = {clause.partition(",")[0].partition(" ")[0] for clause, _ in english.platform.checks}
    assert clauses == {"AGS", "AP", "DL", "DR", "NRPS", "PNS", "SF"}


FOREIGN = new_key()
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=5,
)
DOORS = st.sampled_from(list(Door))


@given(DOORS, st.data())
def test_no_claim_of_a_platform_whatever_its_value_is_an_error_of_ours(tool: OurTool, door: Door, data: st.DataObject) -> None:
    def sign(claims: dict[str, Any]) -> str:
        names = data.draw(st.lists(st.sampled_from(sorted(claims)), min_size=1, max_size=3))
        changed = claims | {name: data.draw(VALUES) for name in names}
        try:
            return tool.course.platform.signed(changed)
        except TypeError:  # no JWT can have such an issuer or time
            return jwt.api_jws.encode(json.dumps(changed).encode(), FOREIGN.private, "RS256", headers={"kid": "k"})

    assert tool.answered(door, sign) < 500
