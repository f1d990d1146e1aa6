"""A platform is registered by one pasted address, without a typed field."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.infrastructure.sealing import refuse_private
from chapterverse.lti.registering import registration_link
from chapterverse.web.app import create_app
from tests.support.lti import OURS, TOOL, Course, hidden
from tests.support.lti_platform import LtiPlatform, lti_platform
from tests.support.lti_platform.registration import opened_with
from tests.support.web import Site


@pytest.fixture
def platform(library: Site) -> Iterator[LtiPlatform]:
    """One that the school does not know yet."""

    def keys() -> dict[str, Any]:
        return dict(library.anybody("GET", "/lti/jwks").get_json())

    with lti_platform(TOOL, keys) as running:
        yield running


def pasted(library: Site) -> str:
    """The address that an admin gets on the setup page."""
    made = library.caller(KeyScope.ADMIN)("POST", "/api/v1/setup/platforms/link")
    assert made.status_code == 200, made.text
    return str(made.get_json()["address"])


def registered(library: Site, platform: LtiPlatform, address: str) -> Any:
    """The page after the button."""
    opened = urlsplit(opened_with(platform, address))
    browser = library.app.test_client()
    page = browser.get(f"{opened.path}?{opened.query}", base_url=TOOL, headers={"Sec-Fetch-Site": "cross-site"})
    assert page.status_code == 200, page.text
    return browser.post("/lti/register", data=hidden(page.text), headers=OURS, base_url=TOOL)


def test_one_pasted_address_registers_both_sides(library: Site, platform: LtiPlatform) -> None:
    done = registered(library, platform, pasted(library))

    assert done.status_code == 200, done.text
    [sent] = platform.registrations
    assert {"https://purl.imsglobal.org/spec/lti/scope/report"} <= set(sent["scope"].split())
    [known] = library.parts.lti.store.platforms("school")
    assert (known.issuer, known.client_id) == (platform.address, platform.client)
    english = Course(library, platform)
    assert english.launch("u-1").status_code == 200
    assert english.attached()


def test_registering_again_updates_the_platform(library: Site, platform: LtiPlatform) -> None:
    address = pasted(library)

    for _ in range(2):
        assert registered(library, platform, address).status_code == 200

    assert {each.issuer for each in library.parts.lti.store.platforms("school")} == {platform.address}


def test_an_old_or_forged_address_registers_nothing(library: Site, platform: LtiPlatform) -> None:
    tool = library.parts.lti
    old = registration_link("school", tool, library.parts.now() - timedelta(days=400)).address
    key = parse_qs(urlsplit(old).query)["key"][0]
    for given in (key, f"{key[:-6]}AAAAAA", "", "x.y.z"):
        data = {"key": given, "openid_configuration": f"{platform.address}/openid-configuration"}
        answer = library.app.test_client().post("/lti/register", data=data, headers=OURS, base_url=TOOL)
        assert answer.status_code == 401, answer.text

    assert tool.store.platforms("school") == []
    assert platform.registrations == []


def test_a_platform_that_refuses_or_sends_us_elsewhere_leaves_nothing(library: Site, platform: LtiPlatform) -> None:
    key = parse_qs(urlsplit(pasted(library)).query)["key"][0]
    for url, token in (
        (f"{platform.address}/openid-configuration", "wrong"),
        ("http://169.254.169.254/latest", platform.registration_token),
        ("https://localhost/openid-configuration", platform.registration_token),
        ("file:///etc/passwd", platform.registration_token),
    ):
        data = {"key": key, "openid_configuration": url, "registration_token": token}
        answer = library.app.test_client().post("/lti/register", data=data, headers=OURS, base_url=TOOL)
        assert answer.status_code in {502, 503}, answer.text

    assert library.parts.lti.store.platforms("school") == []


def test_where_schools_share_an_installation_no_private_platform_is_registered(library: Site, platform: LtiPlatform) -> None:
    shared = replace(library.parts, setups=replace(library.parts.setups, check_host=refuse_private))
    site = Site(shared, create_app(shared))

    assert registered(site, platform, pasted(site)).status_code == 400
    body = {"kind": "moodle", "host": "https://127.0.0.1", "client_id": "1", "deployment": "1"}
    assert site.caller(KeyScope.ADMIN)("POST", "/api/v1/setup/platforms", body).status_code == 400

    assert library.parts.lti.store.platforms("school") == []
