"""One queue of Cloud Tasks: when a task is sent, what is sent, and what becomes of it.

Sources: https://cloud.google.com/tasks/docs/reference/rest/v2/projects.locations.queues (RateLimits, RetryConfig) and
https://cloud.google.com/tasks/docs/creating-http-target-tasks#handler (headers)."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from google.cloud import tasks_v2 as api

from scripts.cloud_local.identity import Identity

DEADLINE = timedelta(minutes=10)
RATE = 500.0  # dispatches a second, and at once
BURST = 100
ATTEMPTS = 100
ANEW = httpx.Limits(max_connections=None, max_keepalive_connections=0)
SHORTEST, LONGEST, DOUBLINGS = 0.1, 3600.0, 16  # back-off in seconds


def backoff(retry: api.RetryConfig, failures: int) -> float:
    """Seconds after so many failures, from 1: doubles max_doublings times, then grows by the last step, up to max_backoff."""
    doubled = min(failures - 1, retry.max_doublings)
    seconds = retry.min_backoff.total_seconds() * 2.0**doubled * max(1, failures - retry.max_doublings)
    return min(seconds, retry.max_backoff.total_seconds())


def with_defaults(queue: api.Queue) -> api.Queue:
    """What the service fills in where nothing is said."""
    whole = api.Queue(queue)
    whole.state = api.Queue.State.RUNNING
    limits, retry = whole.rate_limits, whole.retry_config
    limits.max_dispatches_per_second = limits.max_dispatches_per_second or RATE
    limits.max_burst_size = limits.max_burst_size or BURST
    limits.max_concurrent_dispatches = limits.max_concurrent_dispatches or 1000
    retry.max_attempts = retry.max_attempts or ATTEMPTS
    retry.min_backoff = retry.min_backoff or timedelta(seconds=SHORTEST)
    retry.max_backoff = retry.max_backoff or timedelta(seconds=LONGEST)
    retry.max_doublings = retry.max_doublings or DOUBLINGS
    return whole


class LocalQueue:
    """Tasks by full name. waiting: not done yet; used: every name ever taken."""

    def __init__(self, queue: api.Queue, identity: Identity) -> None:
        self.described = with_defaults(queue)
        self.waiting: dict[str, api.Task] = {}
        self.used: set[str] = set()
        self._identity = identity
        self._running = asyncio.Event()
        self._running.set()
        self._slots = asyncio.Semaphore(self.described.rate_limits.max_concurrent_dispatches)
        self._next_slot = 0.0
        self._courses: dict[str, asyncio.Task[None]] = {}
        # No connection is kept: one to a target that was killed would look like a failure of the next.
        self._http = httpx.AsyncClient(trust_env=False, limits=ANEW)

    def add(self, task: api.Task) -> api.Task:
        now = datetime.now(UTC)
        task.create_time = now
        task.schedule_time = max(task.schedule_time or now, now)
        task.dispatch_deadline = task.dispatch_deadline or DEADLINE
        self.used.add(task.name)
        self.waiting[task.name] = task
        self._courses[task.name] = asyncio.create_task(self._course(task))
        return task

    def remove(self, name: str) -> None:
        del self.waiting[name]
        self._courses.pop(name).cancel()

    def pause(self) -> api.Queue:
        self._running.clear()
        self.described.state = api.Queue.State.PAUSED
        return self.described

    def resume(self) -> api.Queue:
        self._running.set()
        self.described.state = api.Queue.State.RUNNING
        return self.described

    def purge(self) -> api.Queue:
        for name in list(self.waiting):
            self.remove(name)
        return self.described

    async def _course(self, task: api.Task) -> None:
        """All the attempts at one task, until one succeeds or there have been enough."""
        executed, status = 0, 0
        retry = self.described.retry_config
        while True:
            await asyncio.sleep((task.schedule_time - datetime.now(UTC)).total_seconds())
            async with self._slots:
                await self._turn()
                status, asked_to_wait = await self._send(task, executed, status)
            task.dispatch_count += 1
            if 200 <= status < 300 or self._given_up(task):
                break
            task.response_count += bool(status)
            executed += bool(status) and status < 500
            delay = max(backoff(retry, task.dispatch_count), asked_to_wait)
            task.schedule_time = datetime.now(UTC) + timedelta(seconds=delay)
        del self.waiting[task.name], self._courses[task.name]

    async def _turn(self) -> None:
        """Wait while paused, and for the rate: on the average so many a second, at most a burst at once."""
        limits = self.described.rate_limits
        step = 1 / limits.max_dispatches_per_second
        now = time.monotonic()
        self._next_slot = max(self._next_slot, now - limits.max_burst_size * step) + step
        await asyncio.sleep(self._next_slot - now)
        await self._running.wait()

    async def _send(self, task: api.Task, executed: int, previous: int) -> tuple[int, float]:
        """Status of the answer, 0 for none, and the seconds it asks to wait."""
        asked = task.http_request
        try:
            answer = await self._http.request(
                api.HttpMethod(asked.http_method or api.HttpMethod.POST).name,
                asked.url,
                content=asked.body,
                headers=self._headers(task, executed, previous),
                timeout=task.dispatch_deadline.total_seconds(),
            )
        except httpx.HTTPError:
            return 0, 0.0
        throttled = answer.status_code in {429, 503}
        return answer.status_code, _seconds(answer.headers.get("Retry-After", "")) if throttled else 0.0

    def _headers(self, task: api.Task, executed: int, previous: int) -> dict[str, str]:
        asked = task.http_request
        headers = {
            **asked.headers,
            "User-Agent": "Google-Cloud-Tasks",
            "X-CloudTasks-QueueName": self.described.name.rpartition("/")[2],
            "X-CloudTasks-TaskName": task.name.rpartition("/")[2],
            "X-CloudTasks-TaskRetryCount": str(task.dispatch_count),
            "X-CloudTasks-TaskExecutionCount": str(executed),
            "X-CloudTasks-TaskETA": f"{task.schedule_time.timestamp():.6f}",
        }
        if previous:
            headers["X-CloudTasks-TaskPreviousResponse"] = str(previous)
        if oidc := asked.oidc_token.service_account_email:
            token = self._identity.token(oidc, asked.oidc_token.audience or asked.url)
            headers["Authorization"] = f"Bearer {token}"
        return headers

    def _given_up(self, task: api.Task) -> bool:
        retry = self.described.retry_config
        age: Any = datetime.now(UTC) - task.create_time
        enough = 0 < retry.max_attempts <= task.dispatch_count
        return enough and (not retry.max_retry_duration or age >= retry.max_retry_duration)


def _seconds(retry_after: str) -> float:
    return float(retry_after) if retry_after.strip().isdigit() else 0.0
