"""Very many at once: each gets an answer, or is told when to come again; none hangs, none is lost.

200, or as many as CHAPTERVERSE_CLOUD_CROWD says. The model takes its time for each batch of texts."""

import asyncio
import json
import os
from collections import Counter

from chapterverse.accounts.model import KeyScope
from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.word_worker import SLOWLY

CROWD = int(os.environ.get("CHAPTERVERSE_CLOUD_CROWD", "200"))
PATIENCE = 300  # seconds
ESSAY = f"The ship left harbour {SLOWLY}, as number 7 was told."


async def ask(port: int, path: str, token: str, body: object) -> tuple[int, bool]:
    """Status, and whether it says when to come again; on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    content = json.dumps(body)
    head = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Connection: close",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
    ]
    writer.write("\r\n".join([*head, "", content]).encode())
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1]), b"\r\nretry-after:" in answer.lower()


def ask_all_at_once(port: int, path: str, token: str, body: object) -> Counter[tuple[int, bool]]:
    async def crowd() -> list[tuple[int, bool]]:
        return await asyncio.wait_for(asyncio.gather(*(ask(port, path, token, body) for _ in range(CROWD))), PATIENCE)

    return Counter(asyncio.run(crowd()))


def test_a_crowd_at_the_interface(cloud: Cloud) -> None:
    cloud.put("crowd/ship.pdf", a_long_pdf("The ship left harbour", pages=6))
    cloud.wait_for_book("crowd", "ship")

    ends = ask_all_at_once(
        cloud.stack.ports.api, "/api/v1/essays/evidence", cloud.key("crowd", KeyScope.STUDENT), {"essay": ESSAY}
    )

    assert ends.keys() <= {(200, False), (429, True)}, ends
    assert ends[200, False] > 0
    assert ends.total() == CROWD
