"""Notices and messages: what is read of them, and what is wrong with others."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lti_assets.notices import NoticeInvalid, SubmissionNotice, jwts_in, named_in, read_notice
from tests.support.lti_platform.model import LTI, HandedIn, LtiPlatform

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.lists(each) | st.dictionaries(st.text(), each)
)


def a_notice() -> dict[str, object]:
    platform = LtiPlatform("https://lms.example", "https://tool.example", dict)
    file = HandedIn("a-1", "s-1", "u-1", "essay.txt", "text/plain", b"Essay.", datetime.now(UTC))
    return platform.notice([file]) | {f"{LTI}custom": {"course": "7"}}


def test_a_submission_is_read() -> None:
    notice = read_notice(a_notice())

    assert isinstance(notice, SubmissionNotice)
    [file] = notice.files
    assert (file.asset_id, file.filename, file.size) == ("a-1", "essay.txt", 6)
    assert (notice.user, notice.submission) == ("u-1", "s-1")
    assert notice.custom == {"course": "7"}


@given(VALUES)
def test_any_body_is_refused(body: object) -> None:
    with pytest.raises(NoticeInvalid):
        jwts_in(body)


@given(st.text() | st.binary().map(repr))
def test_any_token_is_refused(token: str) -> None:
    with pytest.raises(NoticeInvalid):
        named_in(token)


def test_a_request_has_some_notices_and_not_too_many() -> None:
    assert jwts_in(json.loads('{"notices": [{"jwt": "a"}, {"jwt": "b", "more": 1}]}')) == ["a", "b"]
    for count in (0, 101):
        with pytest.raises(NoticeInvalid):
            jwts_in({"notices": [{"jwt": "a"}] * count})
