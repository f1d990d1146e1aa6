"""A question that stands alone, written by a language model."""

from chapterverse.errors import ChapterverseError
from chapterverse.feedback.prompting import fenced
from chapterverse.language import Prompt, Schema
from chapterverse.prompts import prompt
from chapterverse.usecases.answers.answering import Answering
from chapterverse.usecases.answers.prompting import tag_of
from chapterverse.usecases.answers.sources import Asked

NAME = "standalone-1"
LONGEST = 300  # characters; a longer one is no query
MOST_TOKENS = 100
SCHEMA: Schema = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "The question, understood without the conversation."}},
    "required": ["query"],
    "additionalProperties": False,
}


def rewritten(asked: Asked, school: str, answering: Answering) -> str:
    """asked.query, or what a language model makes of the question after what was said; never an error of ours."""
    if answering.paid is None or not asked.said:
        return asked.query
    blocks = {"conversation": "\n".join(asked.said), "question": asked.question}
    tag = tag_of(blocks)
    wanted = Prompt(NAME, prompt(NAME).substitute(tag=tag), fenced(blocks, tag), 0.0, MOST_TOKENS)
    try:
        told = answering.paid.answer(school, wanted, SCHEMA, answering.clock() + answering.seconds / 2).value.get("query")
    except ChapterverseError:
        return asked.query
    fits = isinstance(told, str) and told.strip() and len(told) <= LONGEST and tag not in told
    return " ".join(str(told).split()) if fits else asked.query
