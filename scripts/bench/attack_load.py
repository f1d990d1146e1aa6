"""What one school's attack costs another one: `make attack-load`. Everything happens on this machine's loopback, in minutes.

Two servers run as users run them, with the rates of their settings. The school harbour sends each essay and each book to both:
first to one that nobody attacks, then to one that meadow attacks in every way: half-sent requests, slow bodies, costly essays
without end, poison for the parser, large uploads. Meanwhile the other server stands still."""

import argparse
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from random import Random
from signal import SIGCONT, SIGSTOP
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
WARM_SECONDS, REST_SECONDS = 5.0, 1.0  # until the attack is at full strength: at first, and after a stop
PAGES = 20  # of a book
SOURCES = "/api/v1/collections/textbook/sources"
NUMBERS = count()
TEXT = Path("samples/essay.md").read_text("utf-8")


def client(home: Home, school: str, port: int) -> httpx.Client:
    """A teacher of the school."""
    made = home.run("keys", "create", "--scope", "teacher", "--school", school, "--json")
    headers = {"Authorization": f"Bearer {json.loads(made.stdout)['secret']}"}
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=PATIENCE)


def essay(teacher: httpx.Client, text: str) -> float:
    """Seconds until the feedback, trying again as told."""
    began = monotonic()
    while (answer := teacher.post("/api/v1/essays/feedback", json={"essay": text})).status_code == 429:
        sleep(int(answer.headers["Retry-After"]))
    answer.raise_for_status()
    return monotonic() - began


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


def p95(seconds: list[float]) -> float:
    """Their 95th percentile."""
    return quantiles(seconds, n=20, method="inclusive")[-1]


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
def attacked(teacher: httpx.Client, port: int, only: str) -> Iterator[tuple[Counter[str], int]]:
    """The block runs under attack; yields the attackers' answers, which are there after it, and their process."""
    forked, seen = get_context("fork"), Counter[str]()
    end, answers = forked.Event(), forked.Queue()
    attacker = forked.Process(target=attack, args=(teacher, port, only, end, answers))
    attacker.start()
    sleep(WARM_SECONDS)
    try:
        yield seen, attacker.pid or 0
    finally:
        end.set()
        with suppress(Empty):
            seen.update(answers.get(timeout=10))
        attacker.kill()
        attacker.join()


def processes(of: int) -> list[int]:
    """A process and those that it began."""
    begun: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            begun.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
    every = [of]
    for each in every:
        every += begun.get(each, [])
    return every


@contextmanager
def stopped(program: int) -> Iterator[None]:
    """The program stands still during the block."""
    try:
        send(SIGSTOP, program)
        send(SIGSTOP, program)  # also to what it began meanwhile
        yield
    finally:
        send(SIGCONT, program)


def send(signal: int, program: int) -> None:
    """The signal to a program and to those that it began."""
    for each in processes(program):
        with suppress(OSError):
            os.kill(each, signal)


@contextmanager
def served(environment: Path) -> Iterator[tuple[httpx.Client, httpx.Client, int, int]]:
    """A server of its own, which nothing has happened to: teachers of two schools that have a book, its port, its process."""
    home, port = Home(environment, "chapterverse"), free_port()
    with home.start("serve", "--port", str(port)) as program:
        try:
            yield *ready(home, port), port, program.pid
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
    for name in ("Wojciechowski", "Szymborska"):  # a word like no other, for which the proofreader loads a table
        essay(victim, f"{TEXT}\n\nThis warms up, says {name}.")
    book(victim, "Warm up")
    return victim, attacker


def main() -> int:
    """Print the figures; 1 if they are beyond what is allowed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--essays", type=int, default=40)
    options.add_argument("--books", type=int, default=6)
    options.add_argument("--only", default="", help="one kind of attack: half-sent, essay, deep, pdf, large or stranger")
    given = options.parse_args()
    essays, books = (list[float](), list[float]()), (list[float](), list[float]())  # alone; under attack
    with (
        TemporaryDirectory() as at,
        served(Path(at) / "quiet") as (undisturbed, _, _, quiet),
        served(Path(at) / "attacked") as (victim, attacker, port, pressed),
        attacked(attacker, port, given.only) as (seen, attackers),
    ):
        for number in range(given.essays):
            with_book = number * given.books // given.essays < (number + 1) * given.books // given.essays
            for state, teacher, others in ((0, undisturbed, (attackers, pressed)), (1, victim, (quiet,))):
                with ExitStack() as still:
                    for each in others:
                        still.enter_context(stopped(each))
                    sleep(REST_SECONDS)
                    essays[state].append(essay(teacher, f"{TEXT}\n\nThis is number {number}."))
                    if with_book:
                        books[state].append(book(teacher, f"Book {number}"))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, the attackers on the same ones, niced")
    figures = {"essay median": map(median, essays), "essay p95": map(p95, essays), "book searchable": map(median, books)}
    slower = dict[str, float]()
    for what, (calm, hard) in figures.items():
        slower[what] = hard / calm
        print(f"{what}: {calm:.2f} s alone, {hard:.2f} s under attack: {slower[what]:.2f} ×")
    print(f"{given.essays} essays and {given.books} books of each state; attackers: {dict(sorted(seen.items()))}")
    is_slow = slower["essay p95"] > SLOWER_ESSAYS or slower["book searchable"] > SLOWER_BOOKS
    print(f"tries={sum(seen.values())} breaches={int(is_slow)}")
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
