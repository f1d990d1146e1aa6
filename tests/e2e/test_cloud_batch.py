"""A class's essays in the cloud: handed in over HTTP, begun by the Scheduler's call, done behind the queue, then forgotten."""

import json
from typing import Any

import pytest

from tests.support.batches import lines
from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.serving import eventually

ESSAYS = 6
TEXTS = [f"The ship left harbour number {number}. My uncle sings." for number in range(1, ESSAYS)]


def jsonl() -> str:
    """The last one cannot be used."""
    return "".join(json.dumps({"id": f"s{number}", "text": text}) + "\n" for number, text in enumerate([*TEXTS, ""], start=1))


def test_a_scheduled_batch_is_done(cloud: Cloud) -> None:
    cloud.put("night/ship.pdf", a_long_pdf("The ship left harbour", pages=3))
    cloud.wait_for_book("night", "ship")

    handed_in = cloud.call("POST", "/api/v1/batches", "night", content=jsonl(), headers={"Content-Type": "text/plain"})
    assert handed_in.status_code == 415
    handed_in = cloud.call(
        "POST", "/api/v1/batches", "night", content=jsonl(), headers={"Content-Type": "application/x-ndjson"}
    )
    batch = handed_in.json()["batch"]
    assert (handed_in.json()["state"], handed_in.json()["left"]) == ("waiting", ESSAYS - 1)

    headers = {"Authorization": f"Bearer {cloud.identity_token('run_nightly_batches')}"}  # as the Scheduler calls
    called = cloud.http.post(cloud.stack.url("run_nightly_batches"), json={}, headers=headers).raise_for_status()
    assert batch in called.json()["begun"]

    done = eventually(lambda: in_state(cloud, batch, "done"), "the batch to be done")
    assert (done["done"], [one["id"] for one in done["unfinished"]]) == (ESSAYS - 1, [f"s{ESSAYS}"])
    found = lines(cloud.call("GET", f"/api/v1/batches/{batch}/results", "night").content)
    assert [bool(one.get("evidence")) for one in found] == [*[True] * (ESSAYS - 1), False]

    assert cloud.call("DELETE", f"/api/v1/batches/{batch}", "night").status_code == 204
    assert [blob.name for blob in cloud.results("night")] == []


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer nonsense"}])
def test_only_the_scheduler_begins_batches(cloud: Cloud, header: dict[str, str]) -> None:
    assert cloud.http.post(cloud.stack.url("run_nightly_batches"), headers=header).status_code == 401


def in_state(cloud: Cloud, batch: str, state: str) -> dict[str, Any] | None:
    answer: dict[str, Any] = cloud.call("GET", f"/api/v1/batches/{batch}", "night").json()
    return answer if answer["state"] == state else None
