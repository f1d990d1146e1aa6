"""The function `api` in this process, everything logged that anybody logs: python -m tests.support.loud_api KEY < essay

It asks for the essay's evidence, then prints the answer's status and every record with all that it holds."""

import json
import logging
import sys
from pathlib import Path

from functions_framework import create_app

MAIN = Path(__file__).parents[2] / "functions" / "main.py"


class Keep(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


if __name__ == "__main__":
    app, keep = create_app("api", str(MAIN)), Keep()
    for logger in (logging.getLogger(), logging.getLogger("chapterverse")):
        logger.setLevel(logging.DEBUG)
    logging.getLogger().addHandler(keep)
    answer = app.test_client().post(
        "/api/v1/essays/evidence",
        data=json.dumps({"essay": sys.stdin.read()}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {sys.argv[1]}"},
    )
    print(answer.status_code)  # noqa: T201
    for record in keep.records:
        print(vars(record))  # noqa: T201
