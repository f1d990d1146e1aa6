"""A home of the first stage, opened with the code of today: what every read answers, over HTTP and on the command line.

tests/fixtures/first_stage holds the home, a PostgreSQL dump of the same catalog, and the answers of the code that wrote them
(scripts/fixtures/first_stage.py). The program runs as a process, so this module imports nothing of it."""

import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import numpy as np
import sqlalchemy as sa

ROOT = Path(__file__).parents[2]
FIXTURE = ROOT / "tests" / "fixtures" / "first_stage"
ARCHIVE, DUMP, ANSWERS = FIXTURE / "home.tar.xz", FIXTURE / "catalog.sql.xz", FIXTURE / "answers.json"
SCHOOL = "lessing"
MODEL, DIMENSIONS = "words", 128
UNWILLING = "drowned"  # texts with this word are not embedded unless the server is willing
START_WITHIN = 900.0  # seconds
GRACE = 120.0  # seconds until a server has ended
STOP_WORDS = frozenset(
    re.findall(r"\w+", "a all an and are as at be by for from he i in is it no not of on or that the they to was we were")
)

Json = Any


# The embedding model: a server that speaks OpenAI's protocol


@dataclass
class EmbeddingServer:
    """Vectors of texts that share words are near one another. willing: embeds texts with the word UNWILLING, too."""

    url: str = ""
    willing: bool = True

    def answer(self, texts: Sequence[str]) -> list[str] | None:
        """The vectors as base64, None if one of the texts is refused."""
        if not self.willing and any(UNWILLING in text.lower() for text in texts):
            return None
        return [base64.b64encode(_vector(text).tobytes()).decode() for text in texts]


def _vector(text: str) -> Any:
    vector = np.full(DIMENSIONS, 1e-6, "<f4")
    for word in set(re.findall(r"\w+", text.lower())) - STOP_WORDS:
        vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1
    return (vector / np.linalg.norm(vector)).astype("<f4")


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """The server on a free port of this machine."""
    state = EmbeddingServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            vectors = state.answer(asked["input"])
            rows = [{"index": index, "embedding": each} for index, each in enumerate(vectors or [])]
            body = json.dumps({"data": rows, "model": MODEL}).encode()
            self.send_response(503 if vectors is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Retry-After", "1")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


# The program


@dataclass(frozen=True)
class Program:
    """`chapterverse` in a process of its own, with these settings and the home."""

    home: Path
    settings: Mapping[str, str]

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CHAPTERVERSE_")}
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT), *sys.path])
        return {**inherited, "PYTHONPATH": path, "CHAPTERVERSE_HOME": str(self.home), **self.settings}

    @contextmanager
    def commands(self) -> Iterator["Commands"]:
        """The command line."""
        command = [sys.executable, "-m", "tests.support.first_stage_commands"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env=self.environment, cwd=ROOT, text=True, **pipes) as process:
            yield Commands(process)
            assert process.stdin
            process.stdin.close()

    @contextmanager
    def serving(self) -> Iterator[str]:
        """`chapterverse serve`; its address."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "chapterverse.cli.app", "serve", "--port", str(port)]
        log = self.home.with_name(f"{self.home.name}.log")
        with log.open("ab") as output:
            process = subprocess.Popen(
                command, env=self.environment, cwd=ROOT, stdout=output, stderr=output, start_new_session=True
            )
            try:
                yield when_ready(f"http://127.0.0.1:{port}", process)
            except AssertionError as error:
                raise AssertionError(log.read_text("utf-8")[-4000:]) from error
            finally:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(GRACE)
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # the process that answers, too, if it is still there
                process.wait()


@dataclass(frozen=True)
class Done:
    """A command that was run to its end."""

    code: int
    out: str
    err: str

    @property
    def printed(self) -> Json:
        """JSON, JSON lines, or lines of text."""
        try:
            return json.loads(self.out)
        except ValueError:
            lines = self.out.splitlines()
            return [json.loads(line) for line in lines] if lines and lines[0].startswith("{") else lines


@dataclass(frozen=True)
class Commands:
    """A process that runs commands one after the other."""

    process: Any  # a Popen with text

    def run(self, *arguments: str | Path, stdin: str = "") -> Done:
        """A command, to its end."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps({"arguments": list(map(str, arguments)), "stdin": stdin}), file=self.process.stdin, flush=True)
        return Done(**json.loads(self.process.stdout.readline()))


def when_ready(url: str, process: Any) -> str:
    """The address, once the server answers there."""
    deadline = time.monotonic() + START_WITHIN
    with httpx.Client(timeout=60) as http:  # one: it takes long to make
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(httpx.HTTPError):
                http.get(f"{url}/readyz").raise_for_status()
                return url
            time.sleep(0.2)
    raise AssertionError("The server did not start.")


def settings(embedder: EmbeddingServer, catalog: str = "") -> dict[str, str]:
    """What the program is set to when the home is read."""
    chosen = {
        "SCHOOL": SCHOOL,
        "EMBEDDER": "openai",
        "EMBEDDER_URL": embedder.url,
        "EMBEDDING_MODEL": MODEL,
        "EMBEDDER_DIMENSIONS": str(DIMENSIONS),
        "SITE_URL": "https://school.example",
        "MAX_TASK_SENTENCES": "4",  # as when it was written: a book in progress counts in tasks
        "REQUESTS_PER_MINUTE": "100000",
        "CATALOG": catalog,
    }
    return {f"CHAPTERVERSE_{name}": value for name, value in chosen.items()}


# The home, as old as it was when it was written


def unpack(folder: Path) -> Path:
    """A copy of the home in that folder."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder / "home"


def age_of(written: datetime) -> timedelta:
    """Whole days from then to now."""
    return timedelta(days=(datetime.now(UTC) - written).days)


def move_times(database: str, by: timedelta) -> None:
    """Add that to every time and date of the database: nothing in it has expired that had not when it was written."""
    engine = sa.create_engine(database)
    tables = sa.MetaData()
    tables.reflect(engine)
    with engine.begin() as connection:
        for table in tables.tables.values():
            _move_times_of(table, by, connection)
    engine.dispose()


def _move_times_of(table: sa.Table, by: timedelta, connection: sa.Connection) -> None:
    times = [column for column in table.columns if isinstance(column.type, sa.DateTime | sa.Date)]
    keys = list(table.primary_key.columns)
    if not times or not keys:
        return
    for row in connection.execute(sa.select(*keys, *times).order_by(*(column.desc() for column in times))).mappings().all():
        same = sa.and_(*(key == row[key.name] for key in keys))
        moved = {column.name: row[column.name] + by for column in times if row[column.name] is not None}
        connection.execute(sa.update(table).where(same).values(moved))


# What is read


@dataclass(frozen=True)
class Read:
    """A request, or a command where `who` is empty; {names} in it stand for ids that the fixture tells. now: the command as it
    is spelt today, where that differs from `what`, by which its answer was recorded."""

    who: str
    what: str
    body: Json = None
    status: int = 200
    now: str = ""

    @property
    def name(self) -> str:
        return f"{self.who or 'command'}: {self.what}" + (f" {json.dumps(self.body, sort_keys=True)}" if self.body else "")


@dataclass
class Reader:
    """Asks a running server as those whom the fixture knows. ids: by name; secrets: API keys and sessions, by who has them."""

    url: str
    ids: Mapping[str, str]
    secrets: Mapping[str, str]
    http: httpx.Client = field(
        default_factory=lambda: httpx.Client(timeout=900, limits=httpx.Limits(max_keepalive_connections=0))
    )

    def __call__(self, read: Read) -> Json:
        """The answer: JSON, or text; an object with `status` where that is not the expected one."""
        method, _, path = read.what.partition(" ")
        body = json.loads(_filled(json.dumps(read.body), self.ids)) if read.body is not None else None
        answer = self.http.request(method, self.url + _filled(path, self.ids), json=body, headers=self.headers(read.who))
        if answer.status_code != read.status:
            return {"status": answer.status_code, "body": answer.text}
        return _content(answer)

    def headers(self, who: str) -> dict[str, str]:
        """Of somebody signed in, or of a program with a key."""
        secret = self.secrets[who]
        if who.startswith("key"):
            return {"Authorization": f"Bearer {secret}"}
        return {"Cookie": f"chapterverse={secret}", "Sec-Fetch-Site": "same-origin"}


def _filled(text: str, ids: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: ids.get(found[1], found[0]), text)


def _content(answer: httpx.Response) -> Json:
    kind = answer.headers.get("Content-Type", "")
    if answer.status_code == 204:
        return None
    if kind.startswith("image/") or kind == "application/pdf":
        return {"media": kind}
    if "json" not in kind:
        return answer.text.splitlines()
    return [json.loads(line) for line in answer.text.splitlines()] if "ndjson" in kind else answer.json()


def run_command(read: Read, commands: Commands, ids: Mapping[str, str]) -> Json:
    """What the command prints; an object with `status` where it ends otherwise than expected."""
    words = [_filled(word, ids).replace("%20", " ") for word in (read.now or read.what).split()]
    done = commands.run(*words, stdin=read.body or "")
    return done.printed if done.code == read.status else {"status": done.code, "out": done.out, "err": done.err}


# Comparing

TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-f])[0-9a-f]{16,64}(?![0-9a-f])")
VOLATILE = frozenset({"processing_time_ms", "stages_ms", "total_ms", "seconds", "ready_at", "query_cache", "url_of_upload"})
TOKEN = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])")  # an answer's id
WORDED = frozenset({"comments", "notes", "checked", "not_checked", "message", "reason", "citations", "section", "disclaimer"})
BY_WORDS = frozenset({"answerable"})  # figures of the word index, which are others in PostgreSQL
VERSION = re.compile(r"(?<![\w-])[0-9a-f]{16}(?![\w])")  # of a source
BY_COMMENTS = frozenset({"verdict"})  # of the comments that cite a sentence, which are worded anew
BY_SPEED = frozenset({"slow"})  # whether a window of a lecture came late: the machine decides
ANEW = WORDED | BY_WORDS | BY_COMMENTS | BY_SPEED


@dataclass(frozen=True)
class Known:
    """Times and ids that the fixture's own answers have."""

    texts: frozenset[str]

    @classmethod
    def of(cls, answers: Json) -> "Known":
        text = json.dumps(answers, ensure_ascii=False)
        return cls(frozenset(found[0] for pattern in (TIME, DATE, ID, TOKEN) for found in pattern.finditer(text)))


SINCE_THEN = {"recognized_pages", "quotable", "confidence", "paragraph_number"}
"""Fields that later versions added to a sentence."""
SINCE_THEN |= {"page_counts", "reading", "year", "publisher"}
"""To the corrections of a book."""
SINCE_THEN |= {
    "oddities",
    "odd_pages",
    "kind_shares",
    "printed_numbers",
    "label_conflicts",
    "outline_entries",
    "outline_conflicts",
}
"""To its report."""
SINCE_THEN |= {"criterion", "priorities", "folded", "outline", "revision", "criteria"}
"""To comments and feedback."""
SINCE_THEN |= {"note", "grade_given", "written_by", "edits", "hidden"}
"""To feedback that teachers change."""
SINCE_THEN |= {"approval", "codes"}
"""To the settings of a school."""
SINCE_THEN |= {"source_text", "rubric", "due_at", "release", "class_id", "join_code", "progress", "failed_because", "in_short"}
SINCE_THEN |= {"essay_version"}
"""To assignments and their students."""
SINCE_THEN |= {"did_you_mean", "nearest"}
"""To answers."""
SINCE_THEN |= {"quotation"}
"""To evidence."""
OF_LECTURES = {"name", "numbering", "days", "expires_at", "code", "is_running", "may_change"}
"""To lectures, which have an address for "events"."""


REWORDED = {"Nothing in your books bears on this paragraph.": "Nothing was found in your books for this paragraph."}
"""What is shown beside stored feedback, in the words of the first stage and of today."""
ENTRY_ANSWERED = re.compile(r"\AThis answers: “[^”]*”\n\n")  # before an answer of the help desk since then


def comparable(value: Json, known: Known, age: timedelta = timedelta()) -> Json:
    """The same without what differs each time: durations, ids and times that are new; times that were moved are moved back, and
    numbers are rounded."""
    if isinstance(value, dict):
        told = _as_problem(value) if "request_id" in value else value
        since_then = SINCE_THEN | OF_LECTURES if "events" in told else SINCE_THEN
        return {name: comparable(inner, known, age) for name, inner in told.items() if name not in VOLATILE | since_then}
    if isinstance(value, list):
        return [comparable(inner, known, age) for inner in value]
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, str):
        value = ENTRY_ANSWERED.sub("", REWORDED.get(value, value))
        is_new_answer = TOKEN.fullmatch(value) and any(letter.isupper() for letter in value) and value not in known.texts
        return "<id>" if is_new_answer else _without_news(value, known, age)
    return value


def _as_problem(told: Mapping[str, Json]) -> dict[str, Json]:
    """Which error it is, however it is worded."""
    return {"status": told["status"], "code": told["code"]}


def _without_news(text: str, known: Known, age: timedelta) -> str:
    def time_as_it_was(found: re.Match[str]) -> str:
        if found[0] in known.texts:
            return found[0]
        then = datetime.fromisoformat(found[0]) - age
        spelt = then.isoformat(sep="T" if "T" in found[0] else " ").replace(
            "+00:00", "Z" if found[0].endswith("Z") else "+00:00"
        )
        return spelt if spelt in known.texts else "<time>"

    def date_as_it_was(found: re.Match[str]) -> str:
        then = (datetime.fromisoformat(found[0]) - age).date().isoformat()
        return next((each for each in (then, found[0]) if each in known.texts), "<date>")

    text = TIME.sub(time_as_it_was, text) if TIME.search(text) else DATE.sub(date_as_it_was, text)
    return ID.sub(lambda found: found[0] if found[0] in known.texts else "<id>", text)


def without_wording(value: Json) -> Json:
    """The same without what is worded anew by each version (rules' comments, notes, messages), and without the rest of
    ANEW. What is parsed anew has other ids, because the parser is another version."""
    if isinstance(value, dict):
        how_found = {"score", "found_by"} if "found_by" in value else frozenset[str]()  # a quotation is found by its words now
        return {name: without_wording(inner) for name, inner in value.items() if name not in ANEW | how_found}
    if isinstance(value, str):
        return VERSION.sub("<id>", value)
    return [without_wording(inner) for inner in value] if isinstance(value, list) else value


def wait_for(look: Callable[[], bool], what: str, within: float = 900.0) -> None:
    """Until it is so."""
    deadline = time.monotonic() + within
    while not look():
        assert time.monotonic() < deadline, f"Waited for {what} in vain."
        time.sleep(0.5)
