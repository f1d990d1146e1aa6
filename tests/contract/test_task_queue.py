"""What every TaskQueue must do: hand each task over at least once, again after a failure, and one of each name."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from threading import Event
from time import monotonic, sleep

import pytest
from google.auth.transport.requests import Request
from google.cloud import tasks_v2 as api
from google.oauth2 import id_token

from chapterverse.core.errors import BookBusy, NotFound, Overloaded, QueueUnavailable
from chapterverse.core.ports import TaskQueue
from chapterverse.core.tasks import RECEIVE_SECONDS, TASK_SECONDS, Task, TaskKind
from chapterverse.infrastructure.cloud_tasks import CloudTasksQueue, open_client
from chapterverse.infrastructure.local_queue import LocalQueue
from tests.support.discovery import refused
from tests.support.emulators import emulator
from tests.support.serving import eventually
from tests.support.target import Sent, Target
from tests.support.target import target as running_target

LOCATION = "projects/p/locations/l"
CALLER = "tasks@p.iam.gserviceaccount.com"
PATIENCE = 60.0  # seconds; a busy machine is slow
NUMBERS = count(1)


@dataclass
class Worker:
    """Does the tasks: keeps them, with the attempt's number, and fails as it is told; None: it is done."""

    fails: Callable[[Task, int], Exception | None] = lambda *_: None
    done: list[tuple[Task, int]] = field(default_factory=list)

    def take(self, task: Task, attempt: int) -> None:
        self.done.append((task, attempt))
        if error := self.fails(task, attempt):
            raise error

    def wait_for(self, tasks: int) -> list[tuple[Task, int]]:
        return self.wait_until(lambda done: len(done) >= tasks)

    def wait_until(self, so: Callable[[list[tuple[Task, int]]], bool]) -> list[tuple[Task, int]]:
        eventually(lambda: so(self.done), "the tasks", every=0.01)
        return list(self.done)


@contextmanager
def local(worker: Worker, request: pytest.FixtureRequest) -> Iterator[TaskQueue]:
    queue = LocalQueue(workers=2, first_wait=0.02, longest_wait=0.1)
    queue.start(worker.take)
    yield queue
    queue.close()


@contextmanager
def cloud_tasks(worker: Worker, request: pytest.FixtureRequest) -> Iterator[TaskQueue]:
    """The service that does them answers as ours does: the status of our error, with Retry-After."""

    def answer(sent: Sent) -> tuple[int, int | None]:
        name = sent.headers["x-cloudtasks-taskname"]
        task = Task(name, TaskKind(sent.path.removeprefix("/v1/")), json.loads(sent.body))
        try:
            worker.take(task, int(sent.headers["x-cloudtasks-taskretrycount"]) + 1)
        except (BookBusy, Overloaded) as error:
            return error.status, error.retry_after
        except Exception:  # as a web framework does
            return 500, None
        return 200, None

    with running_target() as service:
        service.answer = answer
        yield new_queue(request.getfixturevalue("client"), service.url)


def new_queue(client: api.CloudTasksClient, url: str) -> CloudTasksQueue:
    retry = api.RetryConfig(min_backoff=timedelta(seconds=0.02), max_backoff=timedelta(seconds=0.1), max_attempts=-1)
    queue = api.Queue(name=f"{LOCATION}/queues/q{next(NUMBERS)}", retry_config=retry)
    return CloudTasksQueue(client, client.create_queue(parent=LOCATION, queue=queue).name, url, CALLER)


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    with emulator("scripts.cloud_local.tasks") as ports:
        yield ports


@pytest.fixture(scope="module")
def client(ports: dict[str, int]) -> api.CloudTasksClient:
    return open_client(f"127.0.0.1:{ports['port']}")


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture(params=[local, cloud_tasks], ids=lambda start: start.__name__)
def queue(request: pytest.FixtureRequest, worker: Worker) -> Iterator[TaskQueue]:
    """Each real queue, empty, with the worker behind it."""
    with request.param(worker, request) as queue:
        yield queue


def task(name: str, **body: str | int) -> Task:
    return Task(name, TaskKind.INDEX, body)


def test_a_task_is_handed_over_as_it_was_added_once_for_its_name(queue: TaskQueue, worker: Worker) -> None:
    added = task("one", school="school ü", batch=3)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(queue.add, [added] * 8))
    assert worker.wait_for(1) == [(added, 1)]
    queue.add(added)
    queue.add(task("last"))

    assert sorted(done.name for done, _ in worker.wait_for(2)) == ["last", "one"]


def test_a_task_that_fails_comes_again_after_the_wait_and_says_which_attempt(queue: TaskQueue, worker: Worker) -> None:
    asks = Overloaded("full", retry_after=1)
    errors = {1: ValueError("a bug"), 2: BookBusy("somebody has it", retry_after=0), 3: asks}
    worker.fails = lambda _, attempt: errors.get(attempt)

    queue.add(task("one"))

    assert [attempt for _, attempt in worker.wait_for(3)] == [1, 2, 3]
    began = monotonic()
    worker.wait_for(4)
    assert monotonic() - began > 0.9


def test_a_task_that_fails_holds_up_no_other(queue: TaskQueue, worker: Worker) -> None:
    worker.fails = lambda task, _: NotFound("poison") if task.name == "poison" else None
    queue.add(task("poison"))
    worker.wait_for(2)
    queue.add(task("good"))

    worker.wait_until(lambda done: (task("good"), 1) in done)


def test_google_knows_who_calls(client: api.CloudTasksClient, ports: dict[str, int], target: Target) -> None:
    new_queue(client, target.url).add(task("one"))
    [sent] = target.wait_for(1)
    token = sent.headers["authorization"].removeprefix("Bearer ")

    claims = id_token.verify_token(
        token, Request(), audience=target.url, certs_url=f"http://127.0.0.1:{ports['certs_port']}/certs"
    )

    assert claims["email"] == CALLER


def test_the_service_is_told_how_long_a_delivery_may_take_longer_for_a_file(client: api.CloudTasksClient) -> None:
    queue = client.create_queue(parent=LOCATION, queue=api.Queue(name=f"{LOCATION}/queues/q{next(NUMBERS)}")).name
    client.pause_queue(name=queue)
    waiting = CloudTasksQueue(client, queue, "http://127.0.0.1:9")

    for kind in (TaskKind.INDEX, TaskKind.RECEIVE):
        waiting.add(Task(str(kind), kind, {}))

    tasks = list(client.list_tasks(parent=queue))
    assert {each.dispatch_deadline for each in tasks} == {timedelta(seconds=TASK_SECONDS), timedelta(seconds=RECEIVE_SECONDS)}
    told = [json.loads(api.Task.to_json(each, use_integers_for_enums=False)) for each in tasks]
    assert [refused("cloudtasks.Task", each) for each in told] == [[], []]


def test_a_queue_that_is_not_there_or_does_not_answer_is_unavailable(client: api.CloudTasksClient) -> None:
    away = open_client("127.0.0.1:9")

    for queue in (CloudTasksQueue(client, f"{LOCATION}/queues/nobody", ""), CloudTasksQueue(away, "q", "", seconds=0.5)):
        with pytest.raises(QueueUnavailable):
            queue.add(task("one"))


def test_what_was_added_before_the_start_is_done(worker: Worker) -> None:
    queue = LocalQueue()
    queue.add(task("one"))
    with pytest.raises(TimeoutError, match="1 tasks wait"):
        queue.wait_until_idle(0.01)

    queue.start(worker.take)
    queue.wait_until_idle(PATIENCE)
    queue.close()

    assert worker.done == [(task("one"), 1)]


def test_closing_waits_for_what_is_being_done_and_takes_nothing_more() -> None:
    begun, may_end, ended = Event(), Event(), []

    def work(task: Task, attempt: int) -> None:
        begun.set()
        may_end.wait(PATIENCE)
        ended.append(task.name)

    queue = LocalQueue()
    queue.start(work)
    queue.add(task("one"))
    queue.add(task("two"))
    begun.wait(PATIENCE)
    with ThreadPoolExecutor(1) as threads:
        closing = threads.submit(queue.close)
        sleep(0.05)
        assert not closing.done()
        may_end.set()
        closing.result(PATIENCE)

    assert ended == ["one"]
    with pytest.raises(QueueUnavailable):
        queue.add(task("three"))


def test_schools_take_turns_and_so_do_the_people_of_each(worker: Worker) -> None:
    queue = LocalQueue()
    for number in range(3):
        queue.add(replace(task(f"m{number}", school="meadow"), person="ada"))
    queue.add(replace(task("m-late", school="meadow"), person="ben"))
    queue.add(replace(task("h0", school="harbour"), person="cy"))

    queue.start(worker.take)
    queue.wait_until_idle(PATIENCE)
    queue.close()

    assert [done.name for done, _ in worker.done] == ["m0", "h0", "m-late", "m1", "m2"]


def test_one_school_never_holds_all_threads(worker: Worker) -> None:
    queue, go, begun = LocalQueue(workers=2), Event(), list[str]()

    def work(task: Task, attempt: int) -> None:
        begun.append(task.school)
        worker.take(task, attempt)
        go.wait(PATIENCE)

    queue.start(work)
    for number in range(4):
        queue.add(Task(f"flood-{number}", TaskKind.RECEIVE, {"name": f"meadow/{number}.zip"}))
    worker.wait_for(1)

    queue.add(Task("book", TaskKind.RECEIVE, {"name": "harbour/book.pdf"}))
    worker.wait_for(2)
    before = list(begun)
    go.set()
    queue.wait_until_idle(PATIENCE)
    queue.close()

    assert before == ["meadow", "harbour"]
    assert len(begun) == 5


def test_what_a_task_adds_is_of_the_same_person(worker: Worker) -> None:
    queue = LocalQueue()

    def work(task_: Task, attempt: int) -> None:
        worker.take(task_, attempt)
        if task_.name == "file":
            queue.add(task("batch", school="meadow"))
            queue.add(task("other", school="harbour"))

    queue.start(work)
    queue.add(Task("file", TaskKind.RECEIVE, {"name": "meadow/a.pdf"}, person="ada"))
    queue.wait_until_idle(PATIENCE)
    queue.close()

    assert {done.name: done.person for done, _ in worker.done} == {"file": "ada", "batch": "ada", "other": ""}
