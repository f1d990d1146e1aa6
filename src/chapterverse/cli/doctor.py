"""What `chapterverse doctor` looks at, one thing a function: how it is, and what was found or is to be done.

`chapterverse doctor`: is everything there that the other commands need?"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from chapterverse import composition
from chapterverse.cli.session import make_home, settings
from chapterverse.cli.terminal import print_json, print_table, told
from chapterverse.core.errors import ChapterverseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapterverse.core.book import Collection
    from chapterverse.library.model import BookVersion
    from chapterverse.library.services import CollectionServices
    from chapterverse.settings import Settings

OLDEST_PYTHON = (3, 11)

LITTLE_SPACE = 2 * 2**30  # bytes; a book takes about 30 MB, a model 100

NO_SPACE = 200 * 2**20

PATIENCE = 30.0  # seconds for a language model that may have to be loaded first

YES_OR_NO = {
    "type": "object",
    "properties": {"yes": {"type": "boolean"}},
    "required": ["yes"],
    "additionalProperties": False,
}

PROBE = "doctor"  # a school that nobody is


class State(StrEnum):
    """warn: works, but look at it. fail: something will not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


Check = Callable[["Settings"], tuple[State, str]]


def check_python(_: Settings) -> tuple[State, str]:
    """The interpreter's version."""
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        return State.FAIL, f"{found}; 3.11 or newer is needed."
    return State.OK, found


def check_home(s: Settings) -> tuple[State, str]:
    """Whether files can be written where everything is kept."""
    make_home(s)
    return State.OK, str(s.home)


def check_space(s: Settings) -> tuple[State, str]:
    """Free disk space there."""
    free = shutil.disk_usage(s.home).free
    state = State.FAIL if free < NO_SPACE else State.WARN if free < LITTLE_SPACE else State.OK
    return state, f"{free / 2**30:.1f} GiB free" + ("" if state is State.OK else ": make room, or set CHAPTERVERSE_HOME.")


def check_runtime(s: Settings) -> tuple[State, str]:
    """The library that runs the model."""
    if s.embedder in {"remote", "openai"}:
        return State.OK, s.embedder_url
    if s.embedder == "sentence-transformers":
        import sentence_transformers as runtime
    else:
        from chapterverse.infrastructure.embedding.onnx import onnx_runtime

        runtime = onnx_runtime()
    return State.OK, f"{runtime.__name__} {runtime.__version__}"


def check_model(s: Settings) -> tuple[State, str]:
    """The weights are there and give a vector."""
    embedder = composition.embedder(s)
    _, dimensions = embedder.embed_queries(["Is anybody there?"]).shape
    return State.OK, f"{embedder.model}, {dimensions} dimensions"


def check_language_model(s: Settings) -> tuple[State, str]:
    """It answers a question in the form that is asked for."""
    if not s.llm:
        return State.OK, "none: feedback is written by rules"
    from chapterverse.core.language import Prompt

    model = composition.language_model(s)
    model.generate(Prompt("doctor-1", "Answer in JSON.", "Is water wet?"), YES_OR_NO, time.monotonic() + PATIENCE)
    return State.OK, model.model


def check_artefacts(s: Settings) -> tuple[State, str]:
    """What is written there can be read again, and removed."""
    bucket, name = composition.bucket(s), f"{PROBE}/{datetime.now(UTC):%Y%m%d%H%M%S%f}"
    bucket.write(name, PROBE.encode())
    held = bucket.read(name) == PROBE.encode()
    bucket.delete(name)
    where = s.artefacts or str(s.home / "artefacts")
    return (State.OK, where) if held else (State.FAIL, f"{where} does not give back what was written.")


def check_uploads(s: Settings) -> tuple[State, str]:
    """The school's files can be listed, and an address for another one signed."""
    store = composition.uploads(s)
    files = store.files(f"{s.school}/")
    store.upload_url(f"{s.school}/{PROBE}.pdf", 60)
    return State.OK, f"{s.uploads or s.home / 'uploads'}, {len(files)} files of {s.school}"


def check_queue(s: Settings) -> tuple[State, str]:
    """It takes a task; of the one that is sent, nothing comes."""
    if not s.queue:
        return State.OK, "in the process of `chapterverse serve`"
    from chapterverse.library.tasks import remove_task

    composition.queue(s).add(remove_task(nobodys_version()))
    return State.OK, s.queue


def nobodys_version() -> BookVersion:
    """One that there is not, so that removing it does nothing."""
    from chapterverse.core.book import BookId
    from chapterverse.library.model import BookVersion, VersionKey, VersionState

    long_ago = datetime(2000, 1, 1, tzinfo=UTC)
    key = VersionKey(PROBE, BookId(PROBE), PROBE, PROBE)
    return BookVersion(key, VersionState.READY, None, None, None, None, PROBE, long_ago, long_ago)


def check_keys(s: Settings) -> tuple[State, str]:
    """Whether anybody may call the HTTP interface."""
    keys = composition.keys(s).of_school(s.school)
    good = [key for key in keys if key.revoked is None and (key.expires is None or key.expires > datetime.now(UTC))]
    return State.OK, f"{len(good)} for {s.school}" + ("" if good else "; `chapterverse keys create` makes one")


def check_catalog(s: Settings) -> tuple[State, str]:
    """Opening it brings its tables up to date, so one that answers is at the newest version."""
    counted, failed = [], []
    for collection, shelf in all_shelves(s).items():
        books, most = shelf.catalog.books(s.school), composition.limits(s, collection).books
        counted += [f"{len(books)} of {most} {collection}"] if books or collection == composition.BOOKS else []
        if not_ready := [book.id for book in books if not book.active]:
            failed.append(f"not ready: {', '.join(not_ready)} (`chapterverse sources list --collection {collection}` says why)")
    return State.WARN if failed else State.OK, "; ".join([", ".join(counted), *failed])


def check_kept(s: Settings) -> tuple[State, str]:
    """All is there that answers and a new index are made from."""
    lost = {collection: searched_versions(shelf, s)[1] for collection, shelf in all_shelves(s).items()}
    said = [
        f"The stored data of {names_of(versions)} is lost: add the file again "
        f"(`chapterverse sources add --collection {collection} FILE`)."
        for collection, versions in lost.items()
        if versions
    ]
    return (State.FAIL, " ".join(said)) if said else (State.OK, "all that is searched")


def check_index(s: Settings) -> tuple[State, str]:
    """It answers, and holds every sentence and chunk that is searched, if they are kept."""
    from chapterverse.library.indexing import is_whole

    composition.index(s).count(nobodys_version().key.partition, PROBE)
    held, said = 0, []
    for collection, shelf in all_shelves(s).items():
        kept, _ = searched_versions(shelf, s)
        held += sum(version.sentences or 0 for version in kept)
        if amiss := [version for version in kept if not is_whole(version, shelf)]:
            said.append(f"Sentences are missing of {names_of(amiss)}: {how_to_rebuild(collection)} rebuilds them.")
    return (State.FAIL, " ".join(said)) if said else (State.OK, f"{held:,} sentences and chunks")


def how_to_rebuild(collection: Collection) -> str:
    """The command."""
    return f"`chapterverse sources reindex --collection {collection}`"


def all_shelves(s: Settings) -> Mapping[Collection, CollectionServices]:
    """The real things of every collection."""
    return composition.shelves(s, composition.compose(s))


def searched_versions(shelf: CollectionServices, s: Settings) -> tuple[list[BookVersion], list[BookVersion]]:
    """The versions that are searched: those of which all is kept, and those of which something is lost."""
    from chapterverse.library.chunks import is_stored

    versions = [book.active for book in shelf.catalog.books(s.school) if book.active]
    kept = [version for version in versions if is_stored(shelf.bucket, version.key)]
    return kept, [version for version in versions if version not in kept]


def names_of(versions: list[BookVersion]) -> str:
    """Their books, as lists show them."""
    return ", ".join(version.key.book for version in versions)


CHECKS: dict[str, Check] = {
    "python": check_python,
    "runtime": check_runtime,
    "home": check_home,
}

CHECKS_AT_HOME: dict[str, Check] = {  # where the settings keep anything at home
    "disk space": check_space,
    "model": check_model,
    "language model": check_language_model,
    "artefacts": check_artefacts,
    "uploads": check_uploads,
    "catalog": check_catalog,
    "keys": check_keys,
    "kept": check_kept,
    "index": check_index,
    "queue": check_queue,
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing looked at; message says what was found, or what to do."""

    name: str
    state: State
    message: str


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Look at all that the settings choose, and say what to do where something is amiss. Exit code 1 if anything fails."""
    settings()  # one that is wrong is said once, not by every check
    findings = look_at_all()
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        print_table(("", "", ""), [(finding.state, finding.name, finding.message) for finding in findings])
    if any(finding.state is State.FAIL for finding in findings):
        raise typer.Exit(1)


def look_at_all() -> list[CheckResult]:
    """Where there is no home, what would be in it is not looked at: each would only say the same again."""
    findings = [look(name, check) for name, check in CHECKS.items()]
    if any(finding.name == "home" and finding.state is State.FAIL for finding in findings):
        return findings
    return findings + [look(name, check) for name, check in CHECKS_AT_HOME.items()]


def look(name: str, check: Check) -> CheckResult:
    """The check's result; whatever it raises is a failure, and doctor goes on to the next."""
    try:
        return CheckResult(name, *check(settings()))
    except (ChapterverseError, OSError, ImportError) as error:
        said = told(error)
    except Exception as error:  # a library's own, e.g. of Google's without credentials
        said = f"{type(error).__name__}: {error}"
    return CheckResult(name, State.FAIL, without_secrets(said, settings()))


def without_secrets(message: str, s: Settings) -> str:
    """The message with nothing in it that a setting keeps secret."""
    for secret in sorted(secrets_in(s), key=len, reverse=True):
        message = message.replace(secret, "***")
    return message


def secrets_in(s: Settings) -> Iterator[str]:
    """Secret values, and the passwords of secret addresses."""
    from pydantic import SecretStr

    values = (
        value.get_secret_value()
        for value in (getattr(s, name) for name in type(s).model_fields)
        if isinstance(value, SecretStr)
    )
    for value in filter(None, values):
        yield value
        if password := urlsplit(value).password:
            yield password
