"""Google Cloud Tasks as the queue."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import grpc
from google.api_core import exceptions
from google.api_core.retry import Retry, if_exception_type
from google.auth.exceptions import GoogleAuthError
from google.cloud.tasks_v2 import CloudTasksClient, HttpRequest, OidcToken
from google.cloud.tasks_v2 import Task as CloudTask
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcTransport

from chapterverse.core.errors import QueueUnavailable
from chapterverse.core.tasks import Task

_PASSING = if_exception_type(exceptions.ServiceUnavailable, exceptions.DeadlineExceeded, exceptions.InternalServerError)
_RETRY = Retry(predicate=_PASSING, initial=0.1, maximum=2.0)
_REFUSED = (exceptions.NotFound, exceptions.PermissionDenied, exceptions.Unauthenticated, exceptions.FailedPrecondition)


def open_client(emulator: str = "") -> CloudTasksClient:
    """A client with the workload's own identity, or without one for an emulator at HOST:PORT."""
    if not emulator:
        return CloudTasksClient()
    return CloudTasksClient(transport=CloudTasksGrpcTransport(channel=grpc.insecure_channel(emulator)))


@dataclass(frozen=True, slots=True)
class CloudTasksQueue:
    """TaskQueue on Cloud Tasks: POST {url}/v1/{kind} with the body as JSON and a token of `identity` for the audience `url`.

    queue: "projects/P/locations/L/queues/Q". identity: e-mail of a service account; empty: no token.

    Needs roles/cloudtasks.enqueuer on the queue and roles/iam.serviceAccountUser on identity."""

    client: CloudTasksClient
    queue: str
    url: str
    identity: str = ""
    seconds: float = 20.0  # of retries for one task

    def add(self, task: Task) -> None:
        try:
            retry = _RETRY.with_timeout(self.seconds)
            self.client.create_task(parent=self.queue, task=self._as_theirs(task), retry=retry, timeout=self.seconds)
        except exceptions.AlreadyExists:
            return  # it waits or is done already
        except _REFUSED as error:
            raise QueueUnavailable("queue_refused", queue=self.queue) from error
        except (exceptions.ServerError, exceptions.ResourceExhausted, exceptions.RetryError, GoogleAuthError) as error:
            raise QueueUnavailable("queue_away") from error

    def _as_theirs(self, task: Task) -> CloudTask:
        headers = {"Content-Type": "application/json"}
        request = HttpRequest(url=f"{self.url}/v1/{task.kind}", headers=headers, body=json.dumps(dict(task.body)).encode())
        if self.identity:
            request.oidc_token = OidcToken(service_account_email=self.identity, audience=self.url)
        name, deadline = f"{self.queue}/tasks/{task.name}", timedelta(seconds=task.kind.seconds)
        theirs = CloudTask(name=name, http_request=request, dispatch_deadline=deadline)
        if task.wait:
            theirs.schedule_time = datetime.now(UTC) + timedelta(seconds=task.wait)
        return theirs
