"""`chapterverse doctor`: check what the other commands need, one function per check."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.util import find_spec
from math import inf
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from chapterverse import composition
from chapterverse.cli.session import at_home, settings
from chapterverse.cli.terminal import HINTS, described, print_found
from chapterverse.core.book import Collection
from chapterverse.core.errors import ChapterverseError

if TYPE_CHECKING:
    from pathlib import Path

    from chapterverse.library.model import BookVersion
    from chapterverse.library.services import CollectionServices
    from chapterverse.settings import Settings

LITTLE_SPACE = 2 * 2**30  # bytes; a book takes about 30 MB, a model 100
NO_SPACE = 200 * 2**20
PROBE = "doctor"  # a school that does not exist


class State(StrEnum):
    """warn: works, but needs attention. fail: something will not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


Check = Callable[["Settings"], tuple[State, str]]


def check_settings(_: Settings) -> tuple[State, str]:
    """Whether the environment sets what is no setting."""
    from chapterverse.settings import unknown_names

    if unknown := unknown_names():
        return State.WARN, f"no such setting, so not used: {', '.join(unknown)} (docs/reference.md lists them)"
    return State.OK, "all known"


def check_home(s: Settings) -> tuple[State, str]:
    """Whether the home folder is writable."""
    at_home()
    return State.OK, str(s.home)


def check_space(s: Settings) -> tuple[State, str]:
    free = shutil.disk_usage(s.home).free
    state = State.FAIL if free < NO_SPACE else State.WARN if free < LITTLE_SPACE else State.OK
    return state, f"{free / 2**30:.1f} GiB free" + ("" if state is State.OK else ": make room, or set CHAPTERVERSE_HOME.")


def check_model(s: Settings) -> tuple[State, str]:
    """The embedding model makes vectors."""
    embedder = composition.ports.embedder(s)
    _, dimensions = embedder.embed_queries(["Is the embedder there?"]).shape
    facts = f"{embedder.model}, {dimensions} dimensions"
    if pin := getattr(embedder, "pin", ""):
        return State.WARN, f"{facts}. Set CHAPTERVERSE_EMBEDDING_MODEL={pin}: another machine may get a newer revision."
    return State.OK, facts


def check_reranker(s: Settings) -> tuple[State, str]:
    """The cross-encoder of lectures scores a sentence."""
    if (reranker := composition.ports.reranker(s.rerank)) is None:
        return State.OK, "none: a lecture's candidates keep their order"
    reranker.scores([("Is it there?", "It is here.")], inf)
    return State.OK, reranker.model


def check_language_model(s: Settings) -> tuple[State, str]:
    """The language model comments on a paragraph, in time and in the requested form."""
    from chapterverse.essays.writing.trial import try_model

    if (paid := composition.ports.paid_model(s) if s.llm else composition.ports.school_model(s)(s.school)) is None:
        return State.OK, "none: feedback has only what is sure without one"
    trial = try_model(paid, PROBE, s.max_feedback_seconds)
    took = f", a paragraph in {trial.seconds:.1f} s" if trial.usage.answer_tokens or trial.works else ""
    facts = f"{paid.name}, context {paid.context_tokens or 'unknown'}{took}"
    state = State.FAIL if not trial.works else State.WARN if trial.remarks else State.OK
    return state, " ".join([f"{facts}.", *(f"{each} {HINTS.get(each.id, '')}".strip() for each in trial.remarks)])


def check_mail(s: Settings) -> tuple[State, str]:
    """The mail server takes the login; no letter is sent."""
    setup = composition.school_setups(s).mail(s.school)
    if not (server := setup.address if setup else s.mail_server.get_secret_value()):
        return State.OK, f"none: letters are files in {s.home / 'outbox'}"
    from chapterverse.infrastructure.mail import SmtpPost

    with SmtpPost(server, s.mail_from).opened():
        return State.OK, f"{urlsplit(server).hostname} takes letters"


def check_lti(s: Settings) -> tuple[State, str]:
    """Our key signs, if there is one; each learning platform of the school shows its keys, and gives a token for ours."""
    if not find_spec("pylti1p3"):
        return State.OK, "none: the extra server connects them"
    from chapterverse.lti.launching import check

    tool, found = composition.lti(s), list[str]()
    platforms = tool.store.platforms(s.school)
    if tool.keys.exist:
        tool.keys.all()
    elif platforms:
        needed = f"set CHAPTERVERSE_LTI_KEYS, or one is made in {s.home}."
        return State.WARN, f"{len(platforms)} of {s.school}, but no key yet: {needed}"
    for platform in platforms:
        try:
            check(platform, tool)
        except ChapterverseError as error:
            found.append(f"{platform.issuer}: {error}")
    return (State.FAIL, " ".join(found)) if found else (State.OK, f"{len(platforms)} of {s.school}")


def check_artefacts(s: Settings) -> tuple[State, str]:
    """The bucket of artefacts can be written, read and deleted from."""
    bucket, name = composition.ports.bucket(s), f"{PROBE}/{datetime.now(UTC):%Y%m%d%H%M%S%f}"
    bucket.write(name, PROBE.encode())
    is_equal = bucket.read(name) == PROBE.encode()
    bucket.delete(name)
    where = s.artefacts or str(s.home / "artefacts")
    return (State.OK, where) if is_equal else (State.FAIL, f"{where} does not return what was written.")


def check_uploads(s: Settings) -> tuple[State, str]:
    """Uploads can be listed, and in a bucket an upload address signed."""
    store = composition.ports.uploads(s)
    files = store.files(f"{s.school}/")
    if s.uploads:
        store.upload_url(f"{s.school}/{PROBE}.pdf", 60, 1)
    return State.OK, f"{s.uploads or s.home / 'uploads'}, {len(files)} files of {s.school}"


def check_queue(s: Settings) -> tuple[State, str]:
    """The queue accepts a task, which does nothing."""
    if not s.queue:
        return State.OK, "in the process of `chapterverse serve`"
    from chapterverse.core.book import BookId
    from chapterverse.core.tasks import TaskKind, named_task
    from chapterverse.library.model import VersionKey

    missing = asdict(VersionKey(PROBE, BookId(PROBE), PROBE, PROBE))  # to index it does nothing
    composition.ports.queue(s).add(named_task(TaskKind.INDEX, {**missing, "began": datetime.now(UTC).isoformat(), "batch": 0}))
    return State.OK, s.queue


def check_catalog(s: Settings) -> tuple[State, str]:
    """The catalog answers, and all sources are ready."""
    counted, failed = [], []
    for collection, services in composition.all_collection_services(s, composition.compose(s)).items():
        books, max_books = services.catalog.books(s.school), composition.limits(s).of(collection)
        taken = {next((each.key.version for each in book.versions if each.state != "failed"), None) for book in books} - {None}
        counted += [f"{len(taken)} of {max_books} {collection}"] if books or collection is Collection.BOOKS else []
        if not_ready := [book.id for book in books if not book.active]:
            failed.append(f"not ready: {', '.join(not_ready)} (`chapterverse sources list --collection {collection}` says why)")
    return State.WARN if failed else State.OK, "; ".join([", ".join(counted), *failed])


def check_files(s: Settings) -> tuple[State, str]:
    """The catalog on this machine is neither empty nor cut off."""
    if is_broken(s.home / "catalog.db", s.home / "artefacts"):
        return State.FAIL, "catalog.db is damaged or empty. Restore it from a backup."
    return State.OK, "the catalog is whole"


def is_broken(catalog: Path, artefacts: Path) -> bool:
    """Whether the catalog is damaged, or empty beside stored books; not if it is elsewhere or new."""
    if not catalog.exists():
        return False
    if catalog.stat().st_size == 0:
        return artefacts.exists() and any(artefacts.iterdir())
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{catalog}?mode=ro", uri=True)) as database:
        try:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
        except sqlite3.DatabaseError:
            return True
    return False


def check_stored(s: Settings) -> tuple[State, str]:
    """The stored data of all searched sources is complete."""
    lost_data = []
    for collection, services in composition.all_collection_services(s, composition.compose(s)).items():
        if versions := searched_versions(services, s)[1]:
            add = f"add the file again (`chapterverse sources add --collection {collection} FILE`)"
            lost_data.append(f"The stored data of {', '.join(version.key.book for version in versions)} is lost: {add}.")
    return (State.FAIL, " ".join(lost_data)) if lost_data else (State.OK, "all that is searched")


def check_index(s: Settings) -> tuple[State, str]:
    """The index answers, and holds every searched sentence and chunk whose data is stored."""
    from chapterverse.library.versions import is_whole

    books, total, incomplete = composition.compose(s), 0, list[str]()
    books.reach()
    for services in composition.all_collection_services(s, books).values():
        stored, _ = searched_versions(services, s)
        total += sum(version.sentences or 0 for version in stored)
        incomplete += [version.key.book for version in stored if not is_whole(version, services)]
    if incomplete:
        return State.FAIL, f"Sentences are missing of {', '.join(incomplete)}: `chapterverse index fill` rebuilds them."
    return State.OK, f"{total:,} sentences and chunks"


def searched_versions(services: CollectionServices, s: Settings) -> tuple[list[BookVersion], list[BookVersion]]:
    """The searched versions: those with all their data, and those with lost data."""
    from chapterverse.library.chunks import is_stored

    versions = [book.active for book in services.catalog.books(s.school) if book.active]
    stored = [version for version in versions if is_stored(services.bucket, version.key)]
    return stored, [version for version in versions if version not in stored]


CHECKS: dict[str, Check] = {
    "settings": check_settings,
    "home": check_home,  # which the others need: where it fails, they are left out
    "disk space": check_space,
    "model": check_model,
    "re-ranker": check_reranker,
    "language model": check_language_model,
    "mail": check_mail,
    "learning platforms": check_lti,
    "files": check_files,
    "artefacts": check_artefacts,
    "uploads": check_uploads,
    "catalog": check_catalog,
    "kept": check_stored,
    "index": check_index,
    "queue": check_queue,
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. message: what was found, or what to do."""

    name: str
    state: State
    message: str


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Check everything that the settings choose, and say what to do about problems. Exit code 1 if anything fails."""
    settings()  # reports a wrong setting once, not in every check
    results: list[CheckResult] = []
    for name, check in CHECKS.items():
        results.append(run_check(name, check))
        if check is check_home and results[-1].state is State.FAIL:
            break
    rows = [(result.state, result.name, result.message) for result in results]
    print_found(results, ("", "", ""), rows, as_json=as_json)
    if any(result.state is State.FAIL for result in results):
        raise typer.Exit(1)


def run_check(name: str, check: Check) -> CheckResult:
    """The result of the check; an exception is a failure."""
    try:
        return CheckResult(name, *check(settings()))
    except (ChapterverseError, OSError, ImportError) as error:
        reason = described(error)
    except Exception as error:  # of a library, e.g. Google's without credentials
        reason = f"{type(error).__name__}: {error}"
    for secret in sorted(secrets_in(settings()), key=len, reverse=True):
        reason = reason.replace(secret, "***")
    return CheckResult(name, State.FAIL, reason)


def secrets_in(s: Settings) -> Iterator[str]:
    """Values of secret settings, and passwords in them."""
    from pydantic import SecretStr

    for value in filter(None, (value.get_secret_value() for _, value in s if isinstance(value, SecretStr))):
        yield value
        with suppress(ValueError):
            yield from filter(None, [urlsplit(value).password])
