"""The public keys of platforms are fetched from where they may be."""

from collections.abc import Iterator

import pytest
from flask import Flask, redirect

from chapterverse.core.errors import PlatformUnavailable
from chapterverse.lti.messages import KeySets
from tests.support.refusals import refused
from tests.support.serving import serving


@pytest.fixture
def redirecting() -> Iterator[str]:
    """The address of a server that sends everybody elsewhere."""
    app = Flask("redirecting")
    app.add_url_rule("/keys", "keys", lambda: redirect("http://127.0.0.1:9/keys"))
    with serving(app) as address:
        yield f"{address}/keys"


@pytest.mark.parametrize("address", ["169.254.169.254", "127.0.0.1", "::1", "0.0.0.0", "fe80::1", "::ffff:169.254.169.254", ""])
def test_keys_are_fetched_over_https_and_not_from_this_machine_or_its_platform(address: str) -> None:
    with refused(PlatformUnavailable, "lms_keys_elsewhere"):
        KeySets(resolve=lambda host, port: ["93.184.215.14", address] if address else []).find(
            f"{'https' if address else 'http'}://platform.example/keys", "a"
        )


def test_a_redirect_is_not_followed(redirecting: str) -> None:
    with refused(PlatformUnavailable, "lms_keys_away"):
        KeySets().find(redirecting, "a")
