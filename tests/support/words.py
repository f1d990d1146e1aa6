"""Answers with messages in English words, as the command line and files write them."""

import json
from typing import Any

from chapterverse.messages import Message


def printed(answer: Any) -> Any:
    """The answer after JSON. Raises TypeError for anything but messages that JSON does not know."""
    return json.loads(json.dumps(answer, default=_words))


def worded(answer: Any) -> Any:
    """The answer itself with messages in words; tuples stay tuples, which JSON would not keep."""
    if isinstance(answer, dict):
        return {name: worded(value) for name, value in answer.items()}
    if isinstance(answer, list):
        return [worded(value) for value in answer]
    return str(answer) if isinstance(answer, Message) else answer


def _words(value: Any) -> str:
    if not isinstance(value, Message):
        raise TypeError(f"{type(value).__name__} is neither JSON nor a message")
    return str(value)
