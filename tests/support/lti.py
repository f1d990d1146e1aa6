"""A course at a learning platform that knows the app, and browsers in it."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from html import unescape
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from chapterverse.lti.launching import register
from chapterverse.lti.model import Platform
from tests.support.lti_platform.model import CLIENT, DEPLOYMENT, HandedIn, LtiPlatform
from tests.support.lti_platform.registration import opened_with
from tests.support.lti_platform.server import lti_platform
from tests.support.web import Site

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
TOOL = "https://school.example"
IN_A_FRAME = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"}
IN_A_TAB = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
OURS = {"Sec-Fetch-Site": "same-origin"}


def known(site: Site, platform: LtiPlatform, school: str = "school") -> Platform:
    """The platform may send the school's people from now on."""
    at = platform.address
    addresses = (at, f"{at}/auth", f"{at}/token", f"{at}/jwks", (at,))
    return register(Platform(*addresses, token_hex(8), school, CLIENT, (DEPLOYMENT,), site.parts.now()), site.parts.lti)


@dataclass(frozen=True)
class Course:
    """A course, as people's browsers see it."""

    site: Site
    platform: LtiPlatform

    def browser(self) -> FlaskClient:
        return self.site.app.test_client()

    def begin(self, browser: FlaskClient, user: str, link: str = "link-1") -> tuple[str, str]:
        """State and nonce that the platform is asked to send back."""
        sent = self.platform.initiation(user, link)
        answer = browser.post("/lti/login", data=sent, headers=IN_A_FRAME, base_url=TOOL)
        assert answer.status_code == 302, answer.text
        asked = parse_qs(urlsplit(answer.location).query)
        return asked["state"][0], asked["nonce"][0]

    def launch(
        self, user: str, link: str = "link-1", browser: FlaskClient | None = None, headers: Any = None, **changed: Any
    ) -> TestResponse:
        """What the tool answers in the end; changed: claims of the message."""
        browser = browser or self.browser()
        state, nonce = self.begin(browser, user, link)
        told = {name: value for name, value in (self.platform.claims(user, link, nonce) | changed).items() if value is not None}
        return self.come_back(browser, state, self.platform.signed(told), headers)

    def come_back(self, browser: FlaskClient, state: str, token: str, headers: Any = None) -> TestResponse:
        data = {"state": state, "id_token": token}
        return browser.post("/lti/launch", data=data, headers=headers or IN_A_FRAME, base_url=TOOL)

    def signed_in(self, user: str, link: str = "link-1") -> tuple[FlaskClient, str]:
        """A browser that has pressed the button in the frame, and where that led."""
        browser = self.browser()
        page = self.launch(user, link, browser)
        assert page.status_code == 200, page.text
        form = hidden(page.text)
        answer = browser.post("/sign-in/link", data=form, headers=OURS, base_url=TOOL)
        assert answer.status_code == 303
        return browser, answer.location

    def attached(self, **more: Any) -> str:
        """The id of an assignment whose essays are handed in at the platform, as Dr Stein has set it."""
        self._answer("processor", more)
        assert self.platform.processor
        return str(self.platform.processor["custom"]["chapterverse_assignment"])

    def chosen(self, **more: Any) -> str:
        """The id of an assignment that Dr Stein has added to the course."""
        self._answer("choice", more)
        return str(self.platform.links["link-1"]["custom"]["chapterverse_assignment"])

    def _answer(self, link: str, more: dict[str, Any]) -> None:
        form = (
            hidden(self.launch("u-9", link).text) | {"title": "On liberty", "instructions": "Take a side.", "most": "20"} | more
        )
        back = self.browser().post("/lti/choose", data=form, headers=OURS, base_url=TOOL)
        assert back.status_code == 200, back.text
        sent = requests.post(f"{self.platform.address}/return", data={"JWT": hidden(back.text)["JWT"]}, timeout=10)
        assert sent.ok, sent.text

    def send(self, *notices: str) -> TestResponse:
        """The answer to notices of the platform, at the address that the tool has subscribed with."""
        [handler] = set(self.platform.handlers.values())
        path = handler.removeprefix(TOOL)
        body = {"notices": [{"jwt": notice} for notice in notices]}
        return self.browser().post(path, json=body, base_url=TOOL, headers={"Sec-Fetch-Site": "cross-site"})

    def hand_in(self, user: str, *files: tuple[str, str, bytes]) -> list[HandedIn]:
        """What the platform has of files that somebody hands in, of which the tool has heard."""
        before = set(self.platform.handed_in)
        answer = self.send(self.platform.hand_in(user, files))
        assert answer.status_code == 202, answer.text
        return [file for id, file in self.platform.handed_in.items() if id not in before]

    def registered(self) -> TestResponse:
        """The page after an admin has pasted one address into the platform, and pressed the button."""
        made = self.site.caller(KeyScope.ADMIN)("POST", "/api/v1/setup/platforms/link").get_json()
        opened = urlsplit(opened_with(self.platform, made["address"]))
        browser = self.browser()
        page = browser.get(f"{opened.path}?{opened.query}", base_url=TOOL, headers={"Sec-Fetch-Site": "cross-site"})
        return browser.post("/lti/register", data=hidden(page.text), headers=OURS, base_url=TOOL)

    def answer_terms(self, user: str, given: str) -> None:
        """A student says "yes" or "no" to the terms."""
        browser = self.browser()
        page = self.launch(user, "eula", browser)
        assert page.status_code == 200, page.text
        sent = browser.post("/lti/agree", data=hidden(page.text) | {"answer": given}, headers=OURS, base_url=TOOL)
        assert sent.status_code == 200, sent.text


def hidden(html: str) -> dict[str, str]:
    """The hidden fields of a page's form."""
    return {name: unescape(value) for name, value in HIDDEN.findall(html)}


def platform_beside(site: Site) -> AbstractContextManager[LtiPlatform]:
    """One that the school does not know yet."""
    return lti_platform(TOOL, lambda: site.anybody("GET", "/lti/jwks").get_json())


@contextmanager
def course(site: Site) -> Iterator[Course]:
    """Of a platform that the school knows."""
    with platform_beside(site) as platform:
        known(site, platform)
        yield Course(site, platform)
