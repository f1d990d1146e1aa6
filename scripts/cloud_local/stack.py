"""The cloud shape on one machine: every part a real program in a process of its own, on loopback. Callers reach our programs
through Cloud Run's front end (front.py), which has the address; their containers listen elsewhere.

PDF → bucket → on_book_uploaded → queue → embedder → Chroma and PostgreSQL;     essay → api → embedder, Chroma, bucket"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from chapterverse import composition
from chapterverse.accounts.keys import keep_key, new_token
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.store import SqlKeys
from chapterverse.settings import Settings
from scripts.cloud_local.parts import Part, answers_http, free_ports, listens
from scripts.cloud_local.postgres import ADDRESS, postgres

ROOT = Path(__file__).parents[2]
PREFIX = "CHAPTERVERSE_"  # of our settings
PROJECT, UPLOADS, ARTEFACTS, RESULTS = "local", "books", "artefacts", "results"
QUEUE = f"projects/{PROJECT}/locations/local/queues/index"
TASKS_ACCOUNT = f"tasks@{PROJECT}.iam.gserviceaccount.com"
FUNCTIONS_ACCOUNT = f"function@{PROJECT}.iam.gserviceaccount.com"  # whose tokens the emulator gives to who asks
EVENTS_ACCOUNT = f"events@{PROJECT}.iam.gserviceaccount.com"
RETRY = ("--retry-seconds", 0.1, 5)  # first and longest wait: short, because a person is watching
THREADS = "96"  # of a function: more than answer at once, so that a thread is free to answer 429
WORKER = "chapterverse.worker:app()"
KIND = re.compile(r'^ +\w+ += "google\.cloud\.storage\.object\.v1\.(\w+)"$', re.MULTILINE)
PROGRAM = re.compile(r"^      (\w+) = \{\n(.*?)^      \}$", re.MULTILINE | re.DOTALL)
GRANTED = re.compile(r"^ +buckets += \{ (.*) \}", re.MULTILINE)
SERVERS = ("postgres", "chroma", "storage", "tasks")
FUNCTIONS = ("on_book_uploaded", "on_book_deleted", "api", "run_nightly_batches")
OURS = ("embedder", *FUNCTIONS)
IN_TERRAFORM = dict(zip(OURS, ("embedder", "uploaded", "deleted", "api", "nightly"), strict=True))
CALLERS = {  # accounts that Cloud Run lets in, as Terraform grants it; the api is open
    "embedder": (TASKS_ACCOUNT, FUNCTIONS_ACCOUNT),
    "on_book_uploaded": (EVENTS_ACCOUNT,),
    "on_book_deleted": (EVENTS_ACCOUNT,),
    "api": (),
    "run_nightly_batches": (TASKS_ACCOUNT,),
}
TOKENS = f"/computeMetadata/v1/instance/service-accounts/{EVENTS_ACCOUNT}/identity"
PARTS = ("postgres", "chroma", "storage", "tasks", "certs", *OURS)


@dataclass(frozen=True)
class Ports:
    """Where each part listens."""

    postgres: int
    chroma: int
    storage: int
    tasks: int
    certs: int
    embedder: int
    on_book_uploaded: int
    on_book_deleted: int
    api: int
    run_nightly_batches: int
    containers: Mapping[str, int]  # of our programs

    def url(self, part: str) -> str:
        return f"http://127.0.0.1:{getattr(self, part)}"


@dataclass(frozen=True)
class Stack:
    """The parts by name, in the order of their start; environment: what a program needs to use them, too."""

    parts: Mapping[str, Part]
    ports: Ports
    environment: Mapping[str, str]

    def url(self, part: str) -> str:
        return self.ports.url(part)

    def start(self) -> None:
        """All at once, but for those that others ask for something at their start. Raises NotStarted."""
        for first in (True, False):
            chosen = [part for name, part in self.parts.items() if (name in SERVERS) is first]
            for part in chosen:
                part.begin()
            for part in chosen:
                part.wait()

    def stop(self) -> None:
        """In the opposite order, so that each part can finish its work."""
        for part in reversed(self.parts.values()):
            part.stop()

    def settings(self) -> Settings:
        """Those of the functions, for a program that looks into what they have made."""
        ours = {name: value for name, value in self.environment.items() if name.startswith(PREFIX)}
        return Settings.model_validate({name.removeprefix(PREFIX).lower(): value for name, value in ours.items()})

    def new_key(self, school: str, scope: KeyScope = KeyScope.TEACHER) -> str:
        """An API key of that school."""
        (fingerprint, secret), keys = new_token(), composition.ports.sql(self.settings(), SqlKeys)
        keep_key(fingerprint, school, scope, "cloud-local", keys=keys, now=datetime.now(UTC), expires=None)
        return secret


@contextmanager
def stack(folder: Path, worker: str = WORKER, environment: Mapping[str, str] | None = None) -> Iterator[Stack]:
    """All parts, running, with their state in `folder`; environment: what our programs are told beside what they need."""
    built = build(folder, worker, environment or {})
    try:
        built.start()
        yield built
    finally:
        built.stop()


def build(folder: Path, worker: str, told: Mapping[str, str]) -> Stack:
    """The parts, not yet running."""
    for name in ("logs", "home", "buckets"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    free = free_ports(len(PARTS) + len(OURS))
    ports = Ports(*free[: len(PARTS)], containers=dict(zip(OURS, free[len(PARTS) :], strict=True)))
    environment = {**common(folder, ports), **told}
    remote = {**environment, "CHAPTERVERSE_EMBEDDER": "remote", "CHAPTERVERSE_EMBEDDER_URL": ports.url("embedder")}
    parts = {
        **servers(folder, ports),
        "front": front(ports, folder / "logs"),
        "embedder": embedder(ports, folder / "logs", worker, environment),
        **{name: function(name, ports, folder / "logs", remote) for name in FUNCTIONS},
    }
    return Stack(parts, ports, remote)


def common(folder: Path, ports: Ports) -> dict[str, str]:
    """What every program of ours is told; the last five are Google's own names."""
    return {
        "CHAPTERVERSE_HOME": str(folder / "home"),
        "CHAPTERVERSE_ARTEFACTS": f"gs://{ARTEFACTS}",
        "CHAPTERVERSE_UPLOADS": f"gs://{UPLOADS}",
        "CHAPTERVERSE_RESULTS": f"gs://{RESULTS}",
        "CHAPTERVERSE_CATALOG": ADDRESS.format(port=ports.postgres),
        "CHAPTERVERSE_INDEX": ports.url("chroma"),
        "CHAPTERVERSE_QUEUE": f"{QUEUE}?emulator=127.0.0.1:{ports.tasks}",
        "CHAPTERVERSE_TASKS_URL": ports.url("embedder"),
        "CHAPTERVERSE_BATCH_URL": ports.url("run_nightly_batches"),
        "CHAPTERVERSE_TASKS_ACCOUNT": TASKS_ACCOUNT,
        "CHAPTERVERSE_ALLOWED_CALLERS": f"{TASKS_ACCOUNT},{FUNCTIONS_ACCOUNT}",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "GOOGLE_CLOUD_PROJECT": PROJECT,
        "STORAGE_EMULATOR_HOST": ports.url("storage"),
        "GCE_METADATA_HOST": f"127.0.0.1:{ports.certs}",
        "GCE_METADATA_IP": f"127.0.0.1:{ports.certs}",  # google-auth calls this one first, to see whether a server answers
    }


def servers(folder: Path, ports: Ports) -> dict[str, Part]:
    """What is not ours in the cloud."""
    logs, environment = folder / "logs", {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    chroma = ["chroma", "run", "--path", folder / "chroma", "--host", "127.0.0.1", "--port", ports.chroma]
    told = {kind: ports.url(name) for name, kind in zip(FUNCTIONS, events_of_terraform(), strict=False)}
    events = [option for kind, url in told.items() for option in ("--event", f"{kind}={url}")]
    events += ["--tokens", ports.url("certs") + TOKENS]
    buckets = [word for bucket in (UPLOADS, ARTEFACTS, RESULTS) for word in ("--bucket", bucket)]
    buckets += ["--watch", UPLOADS, "--data", folder / "buckets", *RETRY]
    events += [option for grant in grants_of_terraform() for option in ("--grant", grant)]
    storage = ["scripts.cloud_local.storage", "--port", ports.storage, *buckets, *events]
    tasks = ["scripts.cloud_local.tasks", "--port", ports.tasks, "--certs-port", ports.certs, "--queue", QUEUE, *RETRY]
    return {
        "postgres": postgres(folder / "postgres", ports.postgres, logs / "postgres.log"),
        "chroma": Part(
            "Chroma", program(*chroma), answers_http(f"{ports.url('chroma')}/api/v2/heartbeat"), logs / "chroma.log"
        ),
        "storage": Part("the bucket", module(*storage), listens(ports.storage), logs / "storage.log", environment),
        "tasks": Part("the queue", module(*tasks), listens(ports.certs), logs / "tasks.log", environment),
    }


def front(ports: Ports, logs: Path) -> Part:
    """Cloud Run's front end, one for all."""
    services = [f"{getattr(ports, name)}={ports.containers[name]}={','.join(CALLERS[name])}" for name in OURS]
    options = [option for each in services for option in ("--service", each)]
    command = module("scripts.cloud_local.front", "--certs", f"{ports.url('certs')}/certs", *options)
    environment = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    return Part("Cloud Run's front end", command, listens(ports.api), logs / "front.log", environment)


def events_of_terraform() -> list[str]:
    """Kinds of the storage events that Terraform sends to on_book_uploaded and to on_book_deleted."""
    files = (ROOT / "terraform").rglob("*.tf")
    return [kind for file in sorted(files) for kind in KIND.findall(file.read_text("utf-8"))]


def grants_of_terraform() -> list[str]:
    """What each program of ours may do to which bucket: PROGRAM:BUCKET=ROLE."""
    text, names = (ROOT / "terraform" / "programs.tf").read_text("utf-8"), {"uploads": UPLOADS}
    blocks = {name: GRANTED.findall(block)[0] for name, block in PROGRAM.findall(text) if GRANTED.search(block)}
    return [
        f"{ours}:{names.get(bucket, bucket)}={role}"
        for ours, theirs in IN_TERRAFORM.items()
        for bucket, role in re.findall(r'(\w+) = "(\w+)"', blocks[theirs])
    ]


def as_program(name: str, ports: Ports) -> dict[str, str]:
    """Where the program asks for its buckets, which know it by that."""
    return {"STORAGE_EMULATOR_HOST": f"{ports.url('storage')}/as/{name}", "K_SERVICE": name}


def embedder(ports: Ports, logs: Path, worker: str, environment: Mapping[str, str]) -> Part:
    """What runs in containers/embedder."""
    command = program("gunicorn", "--config", ROOT / "containers" / "embedder" / "gunicorn.conf.py", worker)
    port = ports.containers["embedder"]
    told = {**environment, "HOST": "127.0.0.1", "PORT": str(port), **as_program("embedder", ports)}
    return Part("the embedder", command, answers_http(f"http://127.0.0.1:{port}/ready", 200), logs / "embedder.log", told)


def function(name: str, ports: Ports, logs: Path, environment: Mapping[str, str]) -> Part:
    """One entry point of functions/main.py."""
    where = ["--host", "127.0.0.1", "--port", ports.containers[name]]
    options = ["--source", ROOT / "functions" / "main.py", "--target", name, *where]
    command = program("functions-framework", *options)
    told = {"THREADS": THREADS, **environment, **as_program(name, ports)}
    return Part(name, command, answers_http(f"http://127.0.0.1:{ports.containers[name]}"), logs / f"{name}.log", told)


def program(name: str, *options: object) -> list[str]:
    """One that came with a library, run by this interpreter."""
    return [str(Path(sys.executable).with_name(name)), *map(str, options)]


def module(name: str, *options: object) -> list[str]:
    """One of this project's."""
    return [sys.executable, "-W", "ignore", "-m", name, *map(str, options)]
