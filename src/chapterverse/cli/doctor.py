"""`chapterverse doctor`: is everything there that the other commands need?"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.outcome import told
from chapterverse.cli.session import make_home, settings
from chapterverse.cli.terminal import print_json, print_table
from chapterverse.errors import ChapterverseError

if TYPE_CHECKING:
    from chapterverse.model import BookVersion
    from chapterverse.settings import Settings

OLDEST_PYTHON = (3, 11)
LITTLE_SPACE = 2 * 2**30  # bytes; a book takes about 30 MB, a model 100
NO_SPACE = 200 * 2**20


class State(StrEnum):
    """warn: works, but look at it. fail: something will not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; message says what was found, or what to do."""

    name: str
    state: State
    message: str


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Look at all that the other commands need, and say what to do where something is amiss. Exit code 1 if anything fails."""
    settings()  # one that is wrong is said once, not by every check
    findings = look_at_all()
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        print_table(("", "", ""), [(finding.state, finding.name, finding.message) for finding in findings])
    if any(finding.state is State.FAIL for finding in findings):
        raise typer.Exit(1)


def look_at_all() -> list[Finding]:
    """Where there is no home, what would be in it is not looked at: each would only say the same again."""
    findings = [look(name, check) for name, check in CHECKS.items()]
    if any(finding.name == "home" and finding.state is State.FAIL for finding in findings):
        return findings
    return findings + [look(name, check) for name, check in CHECKS_AT_HOME.items()]


def look(name: str, check: Callable[[Settings], tuple[State, str]]) -> Finding:
    """The check's result; whatever it raises is a failure, and doctor goes on to the next."""
    try:
        return Finding(name, *check(settings()))
    except (ChapterverseError, OSError, ImportError) as error:
        return Finding(name, State.FAIL, told(error))


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
    if s.embedder == "sentence-transformers":
        import sentence_transformers as runtime
    else:
        from chapterverse.adapters.onnx_runtime import onnx_runtime

        runtime = onnx_runtime()
    return State.OK, f"{runtime.__name__} {runtime.__version__}"


def check_model(s: Settings) -> tuple[State, str]:
    """The weights are there and give a vector."""
    embedder = composition.embedder(s)
    _, dimensions = embedder.embed_queries(["Is anybody there?"]).shape
    return State.OK, f"{embedder.model}, {dimensions} dimensions"


def check_catalog(s: Settings) -> tuple[State, str]:
    """Opening it brings its tables up to date, so one that answers is at the newest version."""
    books = composition.catalog(s).books(s.school)
    failed = [book.id for book in books if not book.active]
    if failed:
        return State.WARN, f"{len(books)} books, not ready: {', '.join(failed)}. `chapterverse books show BOOK` says why."
    return State.OK, f"{len(books)} of {s.max_books} books"


def check_kept(s: Settings) -> tuple[State, str]:
    """All is there that answers and a new index are made from."""
    kept, lost = searched_versions(s)
    if lost:
        return State.FAIL, f"What was kept of {names_of(lost)} is lost: add the PDF again (`chapterverse books add FILE.pdf`)."
    return State.OK, f"{len(kept)} books"


def check_index(s: Settings) -> tuple[State, str]:
    """It answers, and holds every sentence of the books that are searched, if they are kept."""
    from chapterverse.usecases.indexing import is_whole

    services = composition.compose(s)
    kept, _ = searched_versions(s)
    amiss = [version for version in kept if not is_whole(version, services)]
    if amiss:
        return State.FAIL, f"Sentences are missing of {names_of(amiss)}: `chapterverse books reindex` rebuilds them."
    return State.OK, f"{sum(version.sentences or 0 for version in kept):,} sentences"


def searched_versions(s: Settings) -> tuple[list[BookVersion], list[BookVersion]]:
    """The versions that are searched: those of which all is kept, and those of which something is lost."""
    from chapterverse.usecases.artefacts import is_kept

    bucket = composition.compose(s).bucket
    versions = [book.active for book in composition.catalog(s).books(s.school) if book.active]
    kept = [version for version in versions if is_kept(bucket, version.key)]
    return kept, [version for version in versions if version not in kept]


def names_of(versions: list[BookVersion]) -> str:
    """Their books, as `books list` shows them."""
    return ", ".join(version.key.book for version in versions)


CHECKS = {
    "python": check_python,
    "runtime": check_runtime,
    "home": check_home,
}
CHECKS_AT_HOME = {
    "disk space": check_space,
    "model": check_model,
    "catalog": check_catalog,
    "kept": check_kept,
    "index": check_index,
}
