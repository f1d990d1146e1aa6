"""What one school's attack costs another one: `make attack-load`. Everything happens on this machine's loopback, in minutes.

The program is served as users run it, with the rates of its settings. In each round the school harbour sends essays and books:
first to a server that nobody attacks, then to a fresh one while meadow attacks it in every way: half-sent requests, slow
bodies, costly essays without end, poison for the parser, large uploads."""

import argparse
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from typing import Any

import httpx

from tests.support.home import Home
from tests.support.pdfs import a_pdf, a_pdf_that_draws
from tests.support.servers import free_port
from tests.support.sites import folder

SLOWER_ESSAYS, SLOWER_BOOKS = 1.5, 2.0  # × alone: what the issue allows
PATIENCE = 120.0
POLL_SECONDS = 0.5  # between two looks for a book: within the rate that a person has
WARM_SECONDS = 5.0  # until the attack is at full strength
PAGES = 20  # of a book
SOURCES = "/api/v1/collections/textbook/sources"
NUMBERS = count()
TEXT = Path("samples/essay.md").read_text("utf-8")


def client(home: Home, school: str, port: int) -> httpx.Client:
    """A teacher of the school."""
    made = home.run("keys", "create", "--scope", "teacher", "--school", school, "--json")
    headers = {"Authorization": f"Bearer {json.loads(made.stdout)['secret']}"}
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=PATIENCE)


def essay(teacher: httpx.Client, text: str) -> tuple[float, int]:
    """Seconds until the feedback, trying again as told, and how often it was put off."""
    began, put_off = monotonic(), 0
    while True:
        answer = teacher.post("/api/v1/essays/feedback", json={"essay": text})
        if answer.status_code != 429:
            answer.raise_for_status()
            return monotonic() - began, put_off
        put_off += 1
        sleep(int(answer.headers["Retry-After"]))


def pages(count_: int, name: str) -> list[str]:
    """Texts of pages, no two alike: what recurs is taken for a running head."""
    words, chance = TEXT.split(), Random(name)
    return [" ".join(f"{' '.join(chance.sample(words, 12)).strip('.,#')}." for _ in range(12)) for _ in range(count_)]


def book(teacher: httpx.Client, name: str) -> float:
    """Seconds from sending a folder of pages to its being searchable."""
    files = {f"p{n}.md": f"# Page {n}\n\n{text}" for n, text in enumerate(pages(PAGES, name))}
    began = monotonic()
    accepted = teacher.post(SOURCES, files={"file": (f"{name}.zip", folder(files))}).raise_for_status().json()
    wait_for(teacher, accepted["progress"])
    return monotonic() - began


def wait_for(teacher: httpx.Client, source: str) -> None:
    """Wait until a source can be searched. Raises TimeoutError, also if it failed."""
    latest = monotonic() + PATIENCE
    state = ""
    while state != "ready":
        if state == "failed" or monotonic() > latest:
            raise TimeoutError(f"The book is {state}.")
        answer = teacher.get(source)
        if answer.status_code in {429, 503}:
            print(f"{answer.status_code} while a book is awaited: {answer.json().get('code')}", flush=True)
            sleep(int(answer.headers.get("Retry-After", 1)))
            continue
        state = answer.raise_for_status().json()["state"]
        sleep(POLL_SECONDS)


@dataclass
class Figures:
    """Seconds of each essay and book of a round, and how often an essay was put off."""

    essays: list[float] = field(default_factory=list)
    books: list[float] = field(default_factory=list)
    put_off: int = 0

    def take(self, teacher: httpx.Client, essays: int, books: int, what: str) -> None:
        """Send some essays and books, a book after some of the essays."""
        for number in range(books):
            for part in range(essays * number // books, essays * (number + 1) // books):
                seconds, times = essay(teacher, f"{TEXT}\n\nThis is {what}, {part}.")
                self.essays.append(seconds)
                self.put_off += times
            self.books.append(book(teacher, f"Book {what} {number}"))

    @property
    def p95(self) -> float:
        """Of the essays."""
        return quantiles(self.essays, n=20, method="inclusive")[-1]


def together(rounds: Sequence[Figures]) -> Figures:
    """The figures of all rounds."""
    return Figures(
        [each for one in rounds for each in one.essays],
        [each for one in rounds for each in one.books],
        sum(one.put_off for one in rounds),
    )


def slower(under: Figures, alone: Figures) -> tuple[float, float, float]:
    """How many times slower than alone: an essay's median, its 95th percentile, a book's median."""
    return (median(under.essays) / median(alone.essays), under.p95 / alone.p95, median(under.books) / median(alone.books))


def half_sent(port: int, end: Any) -> None:
    """Hold 300 connections with half a request."""
    parts = (b"", b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\nemail=")
    while not end.is_set():
        with ExitStack() as held:
            with suppress(OSError):
                for number in range(300):
                    own = held.enter_context(socket.create_connection(("127.0.0.1", port), 10))
                    own.sendall(parts[number % 3])
            end.wait(3.0)


def until(end: Any, answers: Counter[str], kind: str, send: Callable[[], httpx.Response]) -> None:
    """Send again and again, without waiting as told."""
    while not end.is_set():
        try:
            answers[f"{kind} {send().status_code}"] += 1
        except (httpx.HTTPError, OSError) as error:
            answers[f"{kind} {type(error).__name__}"] += 1


def attacks(teacher: httpx.Client) -> Iterator[tuple[str, int, Callable[[], httpx.Response]]]:
    """Kinds of attack with the number of clients."""
    letters = Random(1)
    costly = "\n\n".join(
        " ".join("".join(letters.choices("bcdfgxqz", k=9)) if n % 4 == 0 else "people" for n in range(38)) + "."
        for _ in range(390)
    )

    def new(name: str, data: bytes) -> httpx.Response:
        return teacher.post(SOURCES, files={"file": (f"{name} {next(NUMBERS)}", data)})

    def poison(kind: str) -> httpx.Response:
        number = next(NUMBERS)
        if kind == "deep":
            return teacher.post(SOURCES, files={"file": (f"{number}.zip", folder({"a.html": f"{number}" + "<div>" * 200_000}))})
        drawn = a_pdf_that_draws(b"BT /F1 9 Tf (x) Tj ET %%%d " % number, 10**7)
        return teacher.post(SOURCES, files={"file": (f"{number}.pdf", drawn)})

    yield "essay", 40, lambda: teacher.post("/api/v1/essays/feedback", json={"essay": f"{costly}\n\n{next(NUMBERS)}."})
    yield "deep", 2, lambda: poison("deep")
    yield "pdf", 1, lambda: poison("pdf")
    yield "large", 2, lambda: new("large.txt", b"x" * 20_000_000)
    yield "stranger", 10, lambda: httpx.post(f"{teacher.base_url}/sign-in", data={"email": f"{next(NUMBERS)}@a.example"})


def attack(teacher: httpx.Client, port: int, only: str, end: Any, answers: Any) -> None:
    """Attack until the end, in a process of its own that leaves the processor to the server; sends what was answered."""
    os.nice(19)
    seen = Counter[str]()
    threads = [Thread(target=half_sent, args=(port, end), daemon=True)] if only in {"", "half-sent"} else []
    for kind, clients, send in attacks(teacher):
        if only in {"", kind}:
            threads += [Thread(target=until, args=(end, seen, kind, send), daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    end.wait()
    answers.put(dict(sorted(seen.items())))


@contextmanager
def attacked(teacher: httpx.Client, port: int, only: str) -> Iterator[Counter[str]]:
    """The block runs under attack; yields the attackers' answers, which are there after it."""
    forked, seen = get_context("fork"), Counter[str]()
    end, answers = forked.Event(), forked.Queue()
    attacker = forked.Process(target=attack, args=(teacher, port, only, end, answers))
    attacker.start()
    sleep(WARM_SECONDS)
    try:
        yield seen
    finally:
        end.set()
        with suppress(Empty):
            seen.update(answers.get(timeout=10))
        attacker.kill()
        attacker.join()


@contextmanager
def served(environment: Path) -> Iterator[tuple[httpx.Client, httpx.Client, int]]:
    """A server of its own, which nothing has happened to: teachers of two schools that have a book, and its port."""
    home, port = Home(environment, "chapterverse"), free_port()
    with home.start("serve", "--port", port) as program:
        try:
            yield *ready(home, port), port
        finally:
            program.kill()  # with all that waits for it; its children end with it
            program.communicate()


def ready(home: Home, port: int) -> tuple[httpx.Client, httpx.Client]:
    """Teachers of both schools, which have a book."""
    victim, attacker = client(home, "harbour", port), client(home, "meadow", port)
    began = monotonic()
    while monotonic() - began < PATIENCE:
        with suppress(httpx.HTTPError):
            if httpx.get(f"http://127.0.0.1:{port}/ready").is_success:
                break
        sleep(0.5)
    for teacher in (victim, attacker):
        form = {"file": ("Prose.pdf", a_pdf(*pages(8, "prose")))}
        sent = teacher.post("/api/v1/collections/books/sources", files=form).raise_for_status().json()
        wait_for(teacher, sent["progress"])
    Figures().take(victim, 2, 1, "to warm up")
    return victim, attacker


def main() -> int:
    """Print the figures; 1 if they are beyond what is allowed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--essays", type=int, default=20, help="of each round and state")
    options.add_argument("--books", type=int, default=2, help="of each round and state")
    options.add_argument("--rounds", type=int, default=3, help="alone, then attacked")
    options.add_argument("--seconds", type=float, default=240.0, help="after which no further round begins")
    options.add_argument("--only", default="", help="one kind of attack: half-sent, essay, deep, pdf, large or stranger")
    given = options.parse_args()
    alone, under, seen, began = list[Figures](), list[Figures](), Counter[str](), monotonic()
    with TemporaryDirectory() as at, served(Path(at) / "quiet") as (undisturbed, _, _):
        for number in range(given.rounds):
            if number and (monotonic() - began) * (number + 1) / number > given.seconds:
                break
            with served(Path(at) / f"attacked{number}") as (victim, attacker, port):
                alone.append(Figures())
                alone[-1].take(undisturbed, given.essays, given.books, f"alone {number}")
                under.append(Figures())
                with attacked(attacker, port, given.only) as answers:
                    under[-1].take(victim, given.essays, given.books, f"under attack {number}")
                seen += answers
            told = "essay median {:.2f} ×, p95 {:.2f} ×, book {:.2f} ×".format(*slower(under[-1], alone[-1]))
            print(f"round {number + 1}: {told}", flush=True)
    rested, pressed = together(alone), together(under)
    middle, p95, book_ratio = slower(pressed, rested)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, the attackers on the same ones, niced")
    for what, of, ratio in (
        ("essay median", lambda one: median(one.essays), middle),
        ("essay p95", lambda one: one.p95, p95),
        ("book searchable", lambda one: median(one.books), book_ratio),
    ):
        print(f"{what}: {of(rested):.2f} s alone, {of(pressed):.2f} s under attack: {ratio:.2f} ×")
    print(f"{len(rested.essays)} essays and {len(rested.books)} books of each state; {pressed.put_off} put off")
    print(f"attackers: {dict(sorted(seen.items()))}")
    is_slow = p95 > SLOWER_ESSAYS or book_ratio > SLOWER_BOOKS
    print(f"tries={sum(seen.values())} breaches={int(is_slow)}")
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
