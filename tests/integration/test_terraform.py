"""terraform/ and the program it deploys say the same: read as text, without Terraform."""

import re
from pathlib import Path

from chapterverse.composition.ports import BATCH_AT_ONCE, BATCH_ESSAY_SECONDS
from chapterverse.core.recent import MEMORY_BYTES
from chapterverse.core.tasks import RECEIVE_SECONDS, TASK_ATTEMPTS, TASK_SECONDS
from chapterverse.essays.writing.writer import COUNTED
from chapterverse.infrastructure.sql import CONNECTIONS
from chapterverse.library.model import SCHOOL_LIMITS
from chapterverse.settings import Settings
from chapterverse.worker import OTHER_SECONDS, Metrics
from scripts.infra.terraform import FOLDER, ROOT

FUNCTIONS = (ROOT / "functions" / "main.py").read_text("utf-8")
FIGURE = re.compile(r"^    (\w+) += optional\(number, ([\d.]+)\)$", re.MULTILINE)


def text_of(*parts: str) -> str:
    return FOLDER.joinpath(*parts).read_text("utf-8")


def test_the_figures_are_the_applications_own() -> None:
    told = dict(FIGURE.findall(text_of("variables.tf").split('variable "settings"')[1].split('variable "scale"')[0]))

    assert told
    defaults = {name: float(Settings.model_fields[name].default) for name in told}
    assert {name: float(value) for name, value in told.items()} == defaults


def test_the_constants_are_the_applications_own() -> None:
    [block] = re.findall(r"application = \{\n(.*?)\n  \}", text_of("sizing.tf"), re.DOTALL)

    assert {name: int(value) for name, value in re.findall(r"(\w+) += (\d+)", block)} == {
        "batch_at_once": BATCH_AT_ONCE,
        "max_book_bytes": SCHOOL_LIMITS.bytes,
        "memory_megabytes": MEMORY_BYTES // 2**20,
        "parse_megabytes": SCHOOL_LIMITS.megabytes,
        "parse_seconds": SCHOOL_LIMITS.seconds,
        "pool": sum(CONNECTIONS.values()),
        "receive_seconds": RECEIVE_SECONDS,
        "task_attempts": TASK_ATTEMPTS,
        "task_seconds": TASK_SECONDS,
    }


def test_what_waits_for_another_waits_longer() -> None:
    for_the_rest = 180  # seconds of a function beside its parser
    assert SCHOOL_LIMITS.seconds + for_the_rest < 540  # a function that an event calls ends then
    assert SCHOOL_LIMITS.seconds + for_the_rest < TASK_SECONDS < RECEIVE_SECONDS <= 1800  # Cloud Tasks waits no longer
    assert RECEIVE_SECONDS - SCHOOL_LIMITS.seconds - OTHER_SECONDS >= 600 * 2  # pages of a scan, at most 2 s each (cloud.md)
    assert BATCH_ESSAY_SECONDS < TASK_SECONDS  # an essay of a batch is a task
    assert TASK_ATTEMPTS <= 100  # the queue delivers no more often
    [event_hours] = re.findall(r"^EVENT_SECONDS = (\d+) \* 3600", FUNCTIONS, re.MULTILINE)
    assert int(event_hours) < 24  # Eventarc gives an event up then


def test_eventarc_waits_as_long_as_a_file_may_take() -> None:
    """By itself it waits ten seconds, and Terraform's trigger cannot be told (terraform-provider-google, 17701)."""
    page = (ROOT / "docs" / "first-deployment.md").read_text("utf-8")
    [events], [deadline] = re.findall(r"for event in (.+); do", page), re.findall(r"--ack-deadline=(\d+)", page)

    assert events.split() == re.findall(r'(\w+) += "google\.cloud\.storage', text_of("modules", "events", "main.tf"))
    assert SCHOOL_LIMITS.seconds + 180 < int(deadline) <= 600  # Pub/Sub waits no longer


def test_an_embedder_takes_as_many_requests_as_it_has_threads() -> None:
    threads = (ROOT / "containers" / "embedder" / "gunicorn.conf.py").read_text("utf-8")
    [spare] = re.findall(r"^threads = _at_once \+ _at_once // 2 \+ (\d+)", threads, re.MULTILINE)

    assert f"spare         = {spare}\n" in text_of("sizing.tf")


def module_of(logger: str) -> Path:
    return ROOT / "src" / Path(*logger.split(".")).with_suffix(".py")


def test_figures_are_made_of_loggers_messages_and_fields_that_there_are() -> None:
    logs = text_of("modules", "watching", "logs.tf")
    code = FUNCTIONS + "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))

    for logger in re.findall(r'logger += "([\w.]+)"', logs):
        assert module_of(logger).exists() or f'getLogger("{logger}")' in code, logger
    for message in re.findall(r'jsonPayload\.message=\\"([^"\\]+)\\"', logs):
        assert f'"{message}"' in code, message
    with_fields = re.findall(r'logger += "([\w.]+)", value += "(\w+)"', logs)
    assert len(with_fields) >= 5
    for logger, field in with_fields:
        assert field in COUNTED or f'"{field}": ' in module_of(logger).read_text("utf-8"), (logger, field)


def test_the_dashboard_shows_figures_of_the_embedder_that_it_has() -> None:
    shown = set(re.findall(r"(chapterverse_embedder_\w+?)/", text_of("modules", "watching", "dashboard.tf")))

    assert shown
    assert shown <= {metric.name for metric in Metrics().registry.collect()}


def test_every_figure_made_of_the_log_is_shown_or_alerted_on() -> None:
    made = set(re.findall(r"^    (\w+) += \{ description", text_of("modules", "watching", "logs.tf"), re.MULTILINE))
    used = text_of("modules", "watching", "dashboard.tf") + text_of("modules", "watching", "main.tf")

    unseen = {"feedback_prompt_tokens", "feedback_answer_tokens"}
    assert made == set(re.findall(r'local\.(?:user|logged)\["(\w+)"\]', used)) | unseen
