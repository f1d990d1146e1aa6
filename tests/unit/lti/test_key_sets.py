"""The public keys of platforms are fetched from where they may be."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from chapterverse.core.errors import PlatformUnavailable
from chapterverse.lti.messages import KeySets
from tests.support.refusals import refused
from tests.support.serving import at_work


@pytest.fixture
def redirecting() -> Iterator[str]:
    """The address of a server that sends everybody elsewhere."""

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:9/keys")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Elsewhere)
    with at_work(server):
        yield f"http://127.0.0.1:{server.server_port}/keys"


@pytest.mark.parametrize("address", ["169.254.169.254", "127.0.0.1", "::1", "0.0.0.0", "fe80::1", "::ffff:169.254.169.254", ""])
def test_keys_are_fetched_over_https_and_not_from_this_machine_or_its_platform(address: str) -> None:
    with refused(PlatformUnavailable, "lms_keys_elsewhere"):
        KeySets(resolve=lambda host, port: ["93.184.215.14", address] if address else []).find(
            f"{'https' if address else 'http'}://platform.example/keys", "a"
        )


def test_a_redirect_is_not_followed(redirecting: str) -> None:
    with refused(PlatformUnavailable, "lms_keys_away"):
        KeySets().find(redirecting, "a")
