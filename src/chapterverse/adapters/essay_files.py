"""The text in a file of a word processor or a PDF, found behind the wall that parsing stands behind."""

import json

from chapterverse.adapters.one_answer import Wall, answer_of
from chapterverse.errors import BadRequest

CHILD = "chapterverse.adapters.essay_child"
WALL = Wall(seconds=30.0, megabytes=1536)
UNREADABLE = "This file cannot be read: it is damaged, or there is far too much in it. Paste the text instead."


def text_in_child(data: bytes) -> str:
    """The port TextFinder within WALL; essay_child.py says how the two speak."""
    with answer_of(CHILD, {}, data, WALL) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"text": str(text)}:
                return text
            case {"refused": str(message)}:
                raise BadRequest(message)
    raise BadRequest(UNREADABLE)
