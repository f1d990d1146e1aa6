"""`chapterverse serve` on the home of the settings, and Chromium signed in to it: for scripts that use pages as people do."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import which
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, sync_playwright

PROGRAM = (sys.executable, "-m", "chapterverse.cli.app")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WITHIN = 120.0  # seconds; models are loaded when the program starts


@dataclass(frozen=True)
class Browsed:
    """The pages at an address, and a browser; state: the cookies of who is signed in."""

    address: str
    browser: Browser
    state: Any

    def context(self, **more: Any) -> BrowserContext:
        """A browser of its own, nothing kept but who is signed in."""
        return self.browser.new_context(storage_state=self.state, **more)


@contextmanager
def browsed(role: str = "admin", name: str = "Anna Berger") -> Iterator[Browsed]:
    """A browser signed in with that role. Ends the program with one line if there is no browser."""
    path = os.environ.get("CHAPTERVERSE_CHROMIUM") or next(filter(None, map(which, BROWSERS)), None)
    if not path:
        sys.exit("No chromium here: apt-get install chromium, or set CHAPTERVERSE_CHROMIUM")
    with _served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(_link(address, role, name))
        page.get_by_role("button", name="Sign in now").click()
        page.wait_for_load_state()
        state = page.context.storage_state()
        page.context.close()
        yield Browsed(address, browser, state)
        browser.close()


@contextmanager
def _served() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "CHAPTERVERSE_REQUESTS_PER_MINUTE": "100000"}
    with subprocess.Popen([*PROGRAM, "serve", "--port", str(port)], stdout=subprocess.DEVNULL, env=environment) as process:
        try:
            _wait_for(address, process)
            yield address
        finally:
            process.terminate()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + WITHIN
    while process.poll() is None and time.monotonic() < until:
        try:
            urlopen(f"{address}/sign-in")
            return
        except URLError:
            time.sleep(0.2)
    sys.exit("chapterverse serve does not answer")


def _link(address: str, role: str, name: str) -> str:
    invited = ("people", "invite", "anna@school.example", "--role", role, "--name", name, "--address", address, "--json")
    said = subprocess.run([*PROGRAM, *invited], capture_output=True, check=True, text=True).stdout
    return str(json.loads(said)["link"])
