"""Cloud Tasks on one machine, for the real client: gRPC, HTTP targets, OIDC tokens. Queues and tasks live in memory.

    python -m scripts.cloud_local.tasks --port 8123 --certs-port 8124 --queue projects/p/locations/l/queues/index

Follows https://cloud.google.com/tasks/docs/reference/rpc/google.cloud.tasks.v2 as far as this project uses it. One process, one
event loop: nothing here needs a lock. A name that was used stays used as long as the process lives."""

import argparse
import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import grpc
from google.cloud import tasks_v2 as api
from google.protobuf.empty_pb2 import Empty

from scripts.cloud_local.dispatch import LocalQueue
from scripts.cloud_local.identity import Identity, serve

LARGEST = 1024 * 1024  # bytes of one task
FARTHEST = timedelta(days=30)  # schedule_time from now
TASK_ID = re.compile(r"[A-Za-z0-9_-]{1,500}")
QUEUE_NAME = re.compile(r"projects/[^/]+/locations/[^/]+/queues/[A-Za-z0-9-]{1,100}")


class Refused(Exception):
    """Answered with this gRPC status."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class CloudTasks:
    """The methods of google.cloud.tasks.v2.CloudTasks, by their names there."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._queues: dict[str, LocalQueue] = {}
        self._numbers = count(1)

    async def create_queue(self, asked: api.CreateQueueRequest) -> api.Queue:
        if not QUEUE_NAME.fullmatch(asked.queue.name) or not asked.queue.name.startswith(f"{asked.parent}/queues/"):
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "A queue is named projects/P/locations/L/queues/Q.")
        if asked.queue.name in self._queues:
            raise Refused(grpc.StatusCode.ALREADY_EXISTS, "Queue already exists")
        queue = LocalQueue(asked.queue, self._identity)
        self._queues[asked.queue.name] = queue
        return queue.described

    async def get_queue(self, asked: api.GetQueueRequest) -> api.Queue:
        return self._queue(asked.name).described

    async def list_queues(self, asked: api.ListQueuesRequest) -> api.ListQueuesResponse:
        here = [queue for name, queue in sorted(self._queues.items()) if name.startswith(f"{asked.parent}/")]
        return api.ListQueuesResponse(queues=[queue.described for queue in here])

    async def delete_queue(self, asked: api.DeleteQueueRequest) -> None:
        self._queue(asked.name).purge()
        del self._queues[asked.name]

    async def pause_queue(self, asked: api.PauseQueueRequest) -> api.Queue:
        return self._queue(asked.name).pause()

    async def resume_queue(self, asked: api.ResumeQueueRequest) -> api.Queue:
        return self._queue(asked.name).resume()

    async def purge_queue(self, asked: api.PurgeQueueRequest) -> api.Queue:
        return self._queue(asked.name).purge()

    async def create_task(self, asked: api.CreateTaskRequest) -> api.Task:
        queue, task = self._queue(asked.parent), api.Task(asked.task)
        task.name = task.name or f"{asked.parent}/tasks/{next(self._numbers):020d}"
        refuse_what_is_not_allowed(asked.parent, task)
        if task.name in queue.used:
            raise Refused(grpc.StatusCode.ALREADY_EXISTS, "Requested entity already exists")
        return queue.add(task)

    async def get_task(self, asked: api.GetTaskRequest) -> api.Task:
        return self._holder(asked.name).waiting[asked.name]

    async def list_tasks(self, asked: api.ListTasksRequest) -> api.ListTasksResponse:
        return api.ListTasksResponse(tasks=list(self._queue(asked.parent).waiting.values()))

    async def delete_task(self, asked: api.DeleteTaskRequest) -> None:
        self._holder(asked.name).remove(asked.name)

    def _queue(self, name: str) -> LocalQueue:
        if name not in self._queues:
            raise Refused(grpc.StatusCode.NOT_FOUND, "Queue does not exist.")
        return self._queues[name]

    def _holder(self, task: str) -> LocalQueue:
        queue = self._queue(task.partition("/tasks/")[0])
        if task not in queue.waiting:
            raise Refused(grpc.StatusCode.NOT_FOUND, "The task no longer exists.")
        return queue


def refuse_what_is_not_allowed(queue: str, task: api.Task) -> None:
    """Raises Refused with INVALID_ARGUMENT, as the service does."""
    latest = datetime.now(UTC) + FARTHEST
    wrong = {
        "Task name must be formatted: projects/P/locations/L/queues/Q/tasks/T": not (
            task.name.startswith(f"{queue}/tasks/") and TASK_ID.fullmatch(task.name.rpartition("/")[2])
        ),
        "HttpRequest.url is required, http:// or https://": not task.http_request.url.startswith(("http://", "https://")),
        f"Task size too large, at most {LARGEST} bytes": len(api.Task.serialize(task)) > LARGEST,
        "schedule_time is too far in the future": bool(task.schedule_time and task.schedule_time > latest),
        "dispatch_deadline must be from 15 seconds to 30 minutes": bool(
            task.dispatch_deadline and not timedelta(seconds=15) <= task.dispatch_deadline <= timedelta(minutes=30)
        ),
    }
    for message, is_so in wrong.items():
        if is_so:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, message)


METHODS: dict[str, tuple[str, type, type | None]] = {
    "CreateQueue": ("create_queue", api.CreateQueueRequest, api.Queue),
    "GetQueue": ("get_queue", api.GetQueueRequest, api.Queue),
    "ListQueues": ("list_queues", api.ListQueuesRequest, api.ListQueuesResponse),
    "DeleteQueue": ("delete_queue", api.DeleteQueueRequest, None),
    "PauseQueue": ("pause_queue", api.PauseQueueRequest, api.Queue),
    "ResumeQueue": ("resume_queue", api.ResumeQueueRequest, api.Queue),
    "PurgeQueue": ("purge_queue", api.PurgeQueueRequest, api.Queue),
    "CreateTask": ("create_task", api.CreateTaskRequest, api.Task),
    "GetTask": ("get_task", api.GetTaskRequest, api.Task),
    "ListTasks": ("list_tasks", api.ListTasksRequest, api.ListTasksResponse),
    "DeleteTask": ("delete_task", api.DeleteTaskRequest, None),
}


def handler(service: CloudTasks) -> grpc.GenericRpcHandler:
    """The client package brings no servicer: its message types know how to be read and written."""
    methods = {name: _method(getattr(service, own), takes, gives) for name, (own, takes, gives) in METHODS.items()}
    return grpc.method_handlers_generic_handler("google.cloud.tasks.v2.CloudTasks", methods)


def _method(answer: Callable[[Any], Awaitable[Any]], takes: Any, gives: Any) -> grpc.RpcMethodHandler:
    async def call(asked: Any, context: grpc.aio.ServicerContext) -> Any:
        try:
            return await answer(asked)
        except Refused as refused:
            await context.abort(refused.code, str(refused))

    written = gives.serialize if gives else lambda _: Empty().SerializeToString()
    return grpc.unary_unary_rpc_method_handler(call, request_deserializer=takes.deserialize, response_serializer=written)


def queue_of(name: str, given: argparse.Namespace) -> api.CreateQueueRequest:
    """A queue to begin with, as the options want them."""
    shortest, longest = (timedelta(seconds=seconds) for seconds in given.retry_seconds)
    retry = api.RetryConfig(max_attempts=given.attempts, min_backoff=shortest, max_backoff=longest)
    limits = api.RateLimits(max_concurrent_dispatches=given.at_once)
    queue = api.Queue(name=name, retry_config=retry, rate_limits=limits)
    return api.CreateQueueRequest(parent=name.partition("/queues/")[0], queue=queue)


async def run(given: argparse.Namespace) -> None:
    """Serve until cancelled; tells its ports on one line of JSON once it answers."""
    identity = Identity.new()
    service, server = CloudTasks(identity), grpc.aio.server()
    server.add_generic_rpc_handlers((handler(service),))
    port = server.add_insecure_port(f"127.0.0.1:{given.port}")
    for name in given.queue:
        await service.create_queue(queue_of(name, given))
    await server.start()
    print(json.dumps({"port": port, "certs_port": serve(identity, given.certs_port).server_port}), flush=True)
    await server.wait_for_termination()


def main() -> None:
    parser = argparse.ArgumentParser(description="Cloud Tasks on one machine.")
    parser.add_argument("--port", type=int, default=0, help="gRPC; 0: a free one")
    parser.add_argument("--certs-port", type=int, default=0, help="HTTP: certificates at /certs, tokens as on Compute Engine")
    parser.add_argument("--queue", action="append", default=[], help="full name of a queue to begin with")
    parser.add_argument("--retry-seconds", nargs=2, type=float, default=[0.1, 10.0], help="their first and longest wait")
    parser.add_argument("--attempts", type=int, default=-1, help="at one of their tasks; -1: no end")
    parser.add_argument("--at-once", type=int, default=32, help="of their tasks")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
