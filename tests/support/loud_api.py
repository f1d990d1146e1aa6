"""The function `api` in this process, with all that anybody logs: python -m tests.support.loud_api KEY < essay

It asks for the essay's evidence, then prints the answer's status and each record with all that it holds."""

import logging
import sys
from logging.handlers import BufferingHandler
from pathlib import Path

from functions_framework import create_app

MAIN = Path(__file__).parents[2] / "functions" / "main.py"


if __name__ == "__main__":
    client, listed = create_app("api", str(MAIN)).test_client(), BufferingHandler(10**6)
    logging.basicConfig(level=logging.DEBUG, handlers=[listed], force=True)
    logging.getLogger("chapterverse").setLevel(logging.DEBUG)
    key, essay = {"Authorization": f"Bearer {sys.argv[1]}"}, {"essay": sys.stdin.read()}
    answer = client.post("/api/v1/essays/evidence", json=essay, headers=key)
    print(answer.status_code, *(vars(record) for record in listed.buffer), sep="\n")  # noqa: T201
