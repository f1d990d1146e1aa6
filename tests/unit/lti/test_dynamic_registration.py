"""A platform is registered by one pasted address, without a typed field."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from chapterverse.infrastructure.sealing import refuse_private
from chapterverse.lti.launching import registration_link
from tests.support.lti import OURS, TOOL, Course, platform_beside
from tests.support.lti_platform.model import LtiPlatform
from tests.support.web import Site


@pytest.fixture
def platform(library: Site) -> Iterator[LtiPlatform]:
    with platform_beside(library) as running:
        yield running


def key_of(site: Site, **before: float) -> str:
    """What is in the address that an admin pastes."""
    address = registration_link("school", site.parts.lti, site.parts.now() - timedelta(**before)).address
    return parse_qs(urlsplit(address).query)["key"][0]


def test_one_pasted_address_registers_both_sides(library: Site, platform: LtiPlatform) -> None:
    english = Course(library, platform)

    done = english.registered()

    assert done.status_code == 200, done.text
    [sent] = platform.registrations
    assert {"https://purl.imsglobal.org/spec/lti/scope/report"} <= set(sent["scope"].split())
    [known] = library.parts.lti.store.platforms("school")
    assert (known.issuer, known.client_id) == (platform.address, platform.client)
    assert english.launch("u-1").status_code == 200
    assert english.attached()
    assert Course(library, platform).registered().status_code == 200  # again, it is updated
    assert {each.issuer for each in library.parts.lti.store.platforms("school")} == {platform.address}


def test_an_old_or_forged_address_registers_nothing(library: Site, platform: LtiPlatform) -> None:
    for given in (key_of(library, days=400), f"{key_of(library)[:-6]}AAAAAA", "", "x.y.z"):
        data = {"key": given, "openid_configuration": f"{platform.address}/openid-configuration"}
        answer = library.app.test_client().post("/lti/register", data=data, headers=OURS, base_url=TOOL)
        assert answer.status_code == 401, answer.text

    assert library.parts.lti.store.platforms("school") == []
    assert platform.registrations == []


def test_a_platform_that_refuses_or_sends_us_elsewhere_leaves_nothing(library: Site, platform: LtiPlatform) -> None:
    for url, token in (
        (f"{platform.address}/openid-configuration", "wrong"),
        ("http://169.254.169.254/latest", platform.registration_token),
        ("https://localhost/openid-configuration", platform.registration_token),
        ("file:///etc/passwd", platform.registration_token),
    ):
        data = {"key": key_of(library), "openid_configuration": url, "registration_token": token}
        answer = library.app.test_client().post("/lti/register", data=data, headers=OURS, base_url=TOOL)
        assert answer.status_code in {502, 503}, answer.text

    assert library.parts.lti.store.platforms("school") == []


def test_where_schools_share_an_installation_no_private_platform_is_registered(library: Site, platform: LtiPlatform) -> None:
    shared = library.but(setups=replace(library.parts.setups, check_host=refuse_private))
    assert Course(shared, platform).registered().status_code == 400
    assert library.parts.lti.store.platforms("school") == []
