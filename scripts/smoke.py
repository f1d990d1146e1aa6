"""A book and an essay through a running deployment, as a teacher's program does it: upload to answer, and all of it gone again.

    KEY=cv_… python -m scripts.smoke URL [--book FILE.pdf] [--essay FILE] [--minutes 15] [--essays 10]
        [--keep]     (make smoke URL=…)

KEY: an API key of scope teacher. The book is called smoke-test, so that another run takes its place; a school that is full has
none for it. Each step says how long it took; the first that fails ends it with 1. What was uploaded is removed in either case,
unless it is to be kept."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx

SAMPLES = Path(__file__).parents[1] / "samples"
FILE = "smoke-test.pdf"
PATIENCE = 60  # seconds of one answer; a container may have to start for it
LOOK_EVERY = 1.0  # seconds


class Failed(Exception):
    """A step did not end as it should; the message says how."""


@dataclass(frozen=True, slots=True)
class Smoke:
    """One run: who calls, and what is sent. say: told each line; name: of the uploaded file."""

    teacher: httpx.Client
    pdf: bytes
    essay: str
    minutes: float
    say: Callable[[str], object] = print
    name: str = FILE

    def run(self, *, keep: bool = False, essays: int = 1) -> None:
        """Raises Failed."""
        with self.step("the key is good, and the catalog and the index answer"):
            self.call("GET", "/ready")
            self.call("GET", "/api/v1/collections/books/sources")
        with self.step("a PDF was uploaded"):
            book = self.upload()
        try:
            with self.step("it became a book") as told:
                told.append(f"{self.wait_for(book)['chunks']:,} sentences")
            self.ask(book, essays)
        finally:
            if not keep:
                self.remove(book)

    def ask(self, book: str, essays: int = 1) -> None:
        """The essay, so many times, and the page of the first evidence."""
        with self.step("an essay got evidence") as told:
            evidence = self.evidence()
            own = [each for each in evidence if each["sentence"]["book"] == book]
            told.append(f"{len(evidence)} sentences, {len(own)} of this book")
            if not evidence:
                raise Failed("the books have nothing on the essay: is it the right model, and the right threshold?")
        with self.step("a sentence was shown on its page") as told:
            first = (own or evidence)[0]["sentence"]
            told.append(f"page {first['page_label']}")
            self.show(first["sentence_id"])
        with self.step("feedback was streamed") as told:
            first, *later = [self.feedback() for _ in range(essays)]
            told.append(f"the evidence after {first:.1f} s")
            if later:
                told.append(f"of {len(later)} more after {median(later):.1f} s, at most {max(later):.1f} s")

    def upload(self) -> str:
        """The name of the book that the PDF becomes. A program on one machine takes it in a form."""
        sources = "/api/v1/collections/books/sources"
        answer = self.answer("POST", sources, json={"file_name": self.name})
        if "files_come_as_forms" in answer.text:
            return str(self.call("POST", sources, files={"file": (self.name, self.pdf)}).json()["source"])
        upload = (given := self.check(answer).json())["upload"]
        sent = httpx.request(
            upload["method"], upload["url"], content=self.pdf, headers=upload["headers"], timeout=60 * self.minutes
        )
        self.check(sent)
        return str(given["source"])

    def wait_for(self, book: str) -> dict[str, Any]:
        """The book, once it is searched."""
        deadline = time.monotonic() + 60 * self.minutes
        while time.monotonic() < deadline:
            found: dict[str, Any] = self.known(book)
            if found.get("state") == "ready":
                return found
            if found.get("state") == "failed":
                raise Failed(f"{found['reason']}: {found['message']}")
            time.sleep(LOOK_EVERY)
        raise Failed(f"it is not ready after {self.minutes:g} minutes: does the queue reach the embedder?")

    def known(self, book: str) -> dict[str, Any]:
        """Empty as long as the server has no state of it, and if the request failed."""
        try:
            answer = self.teacher.get(f"/api/v1/collections/books/sources/{book}")
        except httpx.TransportError:
            return {}
        return {} if answer.status_code == httpx.codes.NOT_FOUND else dict(self.check(answer).json())

    def evidence(self) -> list[Any]:
        return list(self.call("POST", "/api/v1/essays/evidence", json={"essay": self.essay}).json()["evidence"])

    def show(self, sentence: str) -> None:
        [page, *_] = self.call("GET", f"/api/v1/evidence/{sentence}").json()["pages"]
        if not self.call("GET", page["image"]).content.startswith(b"\x89PNG"):
            raise Failed("what came is no picture")

    def feedback(self) -> float:
        """Seconds until the evidence was there. What is kept of it is forgotten."""
        began, seen = time.monotonic(), dict[str, float]()
        for event, data in self.streamed():
            seen.setdefault(event, time.monotonic() - began)
            if event == "error":
                raise Failed(data["detail"])
            if event == "done" and data["id"]:
                self.call("DELETE", f"/api/v1/feedback/{data['id']}")
        if list(seen)[:1] != ["evidence"] or "done" not in seen:
            raise Failed(f"the stream had {', '.join(seen) or 'nothing'}")
        return seen["evidence"]

    def streamed(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Events and their data."""
        event, accept = "", {"Accept": "text/event-stream"}
        with self.teacher.stream("POST", "/api/v1/essays/feedback", json={"essay": self.essay}, headers=accept) as answer:
            self.check(answer)
            for line in answer.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    event = value
                elif field == "data":
                    yield event, json.loads(value)

    def remove(self, book: str) -> None:
        with self.step("the book was removed"):
            self.call("DELETE", f"/api/v1/collections/books/sources/{book}")
            if self.known(book):
                raise Failed("it is still there")

    def call(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Raises Failed for an answer that is none."""
        return self.check(self.answer(method, path, **request))

    def answer(self, method: str, path: str, **request: Any) -> httpx.Response:
        """The answer, asked for again where it says so (Retry-After)."""
        deadline = time.monotonic() + PATIENCE
        while (
            "Retry-After" in (answer := self.teacher.request(method, path, **request)).headers and time.monotonic() < deadline
        ):
            time.sleep(float(answer.headers["Retry-After"]))
        return answer

    @staticmethod
    def check(answer: httpx.Response) -> httpx.Response:
        """Raises Failed for an answer that is none."""
        if answer.is_success:
            return answer
        said = answer.read().decode("utf-8", "replace")
        raise Failed(f"{answer.request.method} {answer.request.url.path} answers {answer.status_code}: {said[:500]}")

    @contextmanager
    def step(self, what: str) -> Iterator[list[str]]:
        """A line on how it ended, with what the block adds and its seconds. Raises Failed."""
        began, told = time.monotonic(), [what]
        try:
            yield told
        except (Failed, httpx.HTTPError) as error:
            self.say(f"NOT {what}, after {time.monotonic() - began:.1f} s: {error or type(error).__name__}")
            raise Failed(what) from error
        self.say(f"ok  {', '.join(told)}: {time.monotonic() - began:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url", help="where the HTTP interface is reached")
    parser.add_argument("--book", type=Path, default=SAMPLES / "on-liberty.pdf", help="the PDF that is uploaded")
    parser.add_argument("--essay", type=Path, default=SAMPLES / "essay.md", help="an essay that the book has something on")
    parser.add_argument("--minutes", type=float, default=15, help="how long the book may take")
    parser.add_argument("--essays", type=int, default=1, help="times that the essay is sent: programs start for the first")
    parser.add_argument("--keep", action="store_true", help="leave the book there")
    asked = parser.parse_args()
    if not (key := os.environ.get("KEY", "")):
        parser.error("set KEY to an API key of scope teacher: chapterverse keys create --scope teacher")
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=asked.url, headers=headers, timeout=PATIENCE) as teacher:
        try:
            Smoke(teacher, asked.book.read_bytes(), asked.essay.read_text("utf-8"), asked.minutes).run(
                keep=asked.keep, essays=asked.essays
            )
        except Failed:
            sys.exit(1)
    print("It works.")


if __name__ == "__main__":
    main()
