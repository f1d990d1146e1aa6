"""What must be taken from a platform and what must be refused, clause by clause."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import jwt
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.operations.batch_app import run_essay_task
from tests.support.lti import OURS, TOOL, Course, course
from tests.support.lti_platform.conformance import CASES, Case, Door, Sign
from tests.support.lti_platform.model import new_key
from tests.support.web import ESSAY, WITHIN, Site, site

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
        file = list(platform.handed_in.values())[-1]
        return self.course.send(sign(platform.notice([file]))).status_code


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
