"""Very many at once: each gets an answer, or is told when to come again; none hangs, none is lost.

200, or as many as CHAPTERVERSE_CLOUD_CROWD says. The model takes its time for each batch of texts."""

import asyncio
import os
from collections import Counter

import httpx

from chapterverse.accounts.model import KeyScope
from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.word_worker import SLOWLY

CROWD = int(os.environ.get("CHAPTERVERSE_CLOUD_CROWD", "200"))
PATIENCE = 300  # seconds
ESSAY = f"The ship left harbour {SLOWLY}, as number 7 was told."


async def ask_all_at_once(address: str, token: str, body: object) -> Counter[tuple[int, bool]]:
    """Statuses, and whether an answer says when to come again; each on a connection of its own."""
    limits, headers = httpx.Limits(max_connections=None), {"Authorization": f"Bearer {token}", "Connection": "close"}
    async with httpx.AsyncClient(headers=headers, limits=limits, timeout=PATIENCE) as client:
        answers = await asyncio.gather(*(client.post(address, json=body) for _ in range(CROWD)))
    return Counter((answer.status_code, "Retry-After" in answer.headers) for answer in answers)


def test_a_crowd_at_the_interface(cloud: Cloud) -> None:
    cloud.put("crowd/ship.pdf", a_long_pdf("The ship left harbour", pages=6))
    cloud.wait_for_book("crowd", "ship")

    address = f"{cloud.stack.url('api')}/api/v1/essays/evidence"
    ends = asyncio.run(ask_all_at_once(address, cloud.key("crowd", KeyScope.STUDENT), {"essay": ESSAY}))

    assert ends.keys() <= {(200, False), (429, True)}, ends
    assert ends[200, False] > 0
    assert ends.total() == CROWD
