"""Calls of a platform's services: limits, redirects, checksums, errors."""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from flask import Flask, Response, request

from lti_assets.notices import AssetFile, AssetTooLarge, PlatformAway, ServiceRefused
from lti_assets.services import AssetServices, Progress, Report
from tests.support.serving import serving

ESSAY = b"An essay."
NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def store() -> Iterator[tuple[str, list[str]]]:
    """Another host, with the tokens that it was sent."""
    app, tokens = Flask("store"), list[str]()

    @app.get("/file")
    def file() -> bytes:
        tokens.append(request.headers.get("Authorization", ""))
        return ESSAY

    with serving(app) as address:
        yield address, tokens


@pytest.fixture(scope="module")
def platform(store: tuple[str, list[str]]) -> Iterator[str]:
    app = Flask("platform")

    @app.get("/file")
    def file() -> Response:
        return Response(ESSAY if request.headers.get("Authorization") == "Bearer token" else "", content_type="text/plain")

    @app.get("/elsewhere")
    def elsewhere() -> Response:
        return Response(status=302, headers={"Location": f"{store[0]}/file"})

    @app.get("/round")
    def around() -> Response:
        return Response(status=302, headers={"Location": "/round"})

    @app.get("/endless")
    def endless() -> Response:
        return Response((b"x" * 65536 for _ in range(10**6)), content_type="text/plain")

    @app.route("/status/<int:status>", methods=["GET", "POST", "PUT", "DELETE"])
    def with_status(status: int) -> Response:
        return Response("Anna Berg", status)

    with serving(app) as address:
        yield address


def services() -> AssetServices:
    return AssetServices(lambda _scopes: "token")


def report(progress: Progress = Progress.PROCESSED, **more: object) -> Report:
    return Report("a-1", "feedback", NOW, progress, **more)


@pytest.mark.parametrize(
    "checksum",
    [None, base64.b64encode(sha256(ESSAY).digest()).decode(), sha256(ESSAY).hexdigest(), sha256(ESSAY).hexdigest().upper()],
)
def test_a_file_is_fetched_with_the_token_and_checked(platform: str, checksum: str | None) -> None:
    asset = AssetFile(asset_id="1", url=f"{platform}/file", sha256_checksum=checksum)

    assert services().download(asset, 100) == ESSAY


def test_a_file_that_is_another_one_is_not_taken(platform: str) -> None:
    for checksum in (base64.b64encode(b"x" * 32).decode(), "no checksum at all"):
        with pytest.raises(PlatformAway):
            services().download(AssetFile(asset_id="1", url=f"{platform}/file", sha256_checksum=checksum), 100)


def test_the_token_stays_with_the_platform(platform: str, store: tuple[str, list[str]]) -> None:
    assert services().download(AssetFile(asset_id="1", url=f"{platform}/elsewhere"), 100) == ESSAY
    assert store[1] == [""]


def test_redirects_end(platform: str) -> None:
    with pytest.raises(ServiceRefused):
        services().download(AssetFile(asset_id="1", url=f"{platform}/round"), 100)


def test_an_address_is_checked_after_a_redirect_too(platform: str, store: tuple[str, list[str]]) -> None:
    def check(url: str) -> None:
        if url.startswith(store[0]):
            raise ServiceRefused("inside")

    guarded = AssetServices(lambda _scopes: "token", check=check)

    with pytest.raises(ServiceRefused, match="inside"):
        guarded.download(AssetFile(asset_id="1", url=f"{platform}/elsewhere"), 100)


def test_a_file_is_bounded_whatever_its_notice_says(platform: str) -> None:
    for url, size in ((f"{platform}/endless", 9), (f"{platform}/file", 10**9)):
        with pytest.raises(AssetTooLarge):
            services().download(AssetFile(asset_id="1", url=url, size=size), 10**6)


@pytest.mark.parametrize(
    ("status", "error"),
    [(500, PlatformAway), (503, PlatformAway), (429, PlatformAway), (403, ServiceRefused), (302, ServiceRefused)],
)
def test_errors_tell_whether_to_try_again_and_quote_nothing(platform: str, status: int, error: type[Exception]) -> None:
    with pytest.raises(error) as raised:
        services().send(f"{platform}/status/{status}", report())

    assert "Anna" not in str(raised.value)


def test_a_report_that_is_older_than_the_known_one_is_no_error(platform: str) -> None:
    assert services().send(f"{platform}/status/409", report()) is False
    assert services().send(f"{platform}/status/201", report()) is True


def test_a_platform_that_is_away_can_be_asked_later() -> None:
    with pytest.raises(PlatformAway):
        services().send("http://127.0.0.1:9/reports", report())


def test_a_result_is_as_long_as_a_platform_takes_it() -> None:
    assert len(report(result="a very long result of a report").to_dict()["result"]) == 16
