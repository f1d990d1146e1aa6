"""Answers as they are printed: messages in English words."""

import json
from typing import Any


def printed(answer: Any) -> Any:
    """The answer after JSON, as the command line and files write it."""
    return json.loads(json.dumps(answer, default=str))
