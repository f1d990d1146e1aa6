"""The text in a file of a word processor or a PDF, found behind the wall that parsing stands behind."""

import json

from chapterverse.adapters.one_answer import Wall, answer_of
from chapterverse.errors import BadRequest
from chapterverse.messages import from_json

CHILD = "chapterverse.adapters.essay_child"
WALL = Wall(seconds=30.0, megabytes=1536)


def text_in_child(data: bytes) -> str:
    """The port TextFinder within WALL; essay_child.py says how the two speak."""
    with answer_of(CHILD, {}, data, WALL) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"text": str(text)}:
                return text
            case {"refused": dict(message)}:
                raise BadRequest(from_json(message))
    raise BadRequest("file_unreadable")
