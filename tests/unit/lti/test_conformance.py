"""What must be taken from a platform and what must be refused, clause by clause."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from lti_platform import CASES, Case, run_cases
from lti_platform.conformance import Door, Sign
from tests.support.lti import Course, course
from tests.support.web import site

LINKS = {Door.LAUNCH: ("u-1", "link-1"), Door.CHOICE: ("u-9", "choice"), Door.REVIEW: ("u-9", "report/asset")}


@dataclass(frozen=True)
class OurTool:
    """The tool in a course. asset: one that was handed in."""

    course: Course
    asset: str

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
    [outcome] = run_cases(tool.course.platform, tool, [case])

    assert outcome.conforms, f"{case.clause}: {case.text}: {outcome.status}"
