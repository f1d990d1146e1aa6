"""`chapterverse serve` as a school would use it: a key, an upload, an essay, a page; all in one process on one machine."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGTERM
from typing import Any

import httpx

from tests.support.home import Home
from tests.support.pdfs import a_pdf
from tests.support.servers import free_port
from tests.support.serving import eventually

PATIENCE = 120  # seconds; a busy machine is slow
ESSAY = {"essay": "The object of this essay is to assert one very simple principle."}


@contextmanager
def served(home: Home, port: int) -> Iterator[Any]:
    """The program, once it answers; it is told to end afterwards, and has to."""
    with home.start("serve", "--port", port) as program:
        try:
            eventually(lambda: answers(port))
            yield program
        finally:
            program.send_signal(SIGTERM)
            program.communicate(timeout=PATIENCE)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/ready", timeout=PATIENCE).is_success
    except httpx.TransportError:
        return False


def client(home: Home, port: int) -> httpx.Client:
    """A teacher."""
    made = home.run("keys", "create", "--scope", "teacher", "--json")
    secret = json.loads(made.stdout)["secret"]
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Bearer {secret}"}, timeout=PATIENCE)


def upload(teacher: httpx.Client, pdf: bytes) -> str:
    """The name of the book that the PDF becomes."""
    sent = teacher.post("/api/v1/collections/books/sources", files={"file": ("On Principle.pdf", pdf)}).raise_for_status()
    return str(sent.json()["source"])


def is_ready(teacher: httpx.Client, book: str) -> bool:
    answer = teacher.get(f"/api/v1/collections/books/sources/{book}")
    state = answer.json().get("state")
    assert state != "failed", answer.text
    return state == "ready"


def test_an_uploaded_book_is_evidence_for_an_essay_without_any_other_action(tmp_path: Path) -> None:
    home, port = Home(tmp_path), free_port()
    with served(home, port), client(home, port) as teacher:
        book = upload(teacher, a_pdf())
        eventually(lambda: is_ready(teacher, book))

        answer = teacher.post("/api/v1/essays/feedback", json=ESSAY, headers={"Accept": "text/event-stream"})
        first, *_, last = answer.text.strip().split("\n\n")
        [evidence] = json.loads(first.partition("data: ")[2])["evidence"]
        [page] = teacher.get(f"/api/v1/evidence/{evidence['sentence']['sentence_id']}").json()["pages"]

        assert (first.splitlines()[0], last.splitlines()[0]) == ("event: evidence", "event: done")
        assert evidence["sentence"]["text"].startswith("The object of this essay")
        assert teacher.get(page["image"]).content.startswith(b"\x89PNG")
