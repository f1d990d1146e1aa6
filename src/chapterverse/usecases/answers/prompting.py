"""What a language model is asked: our instructions, and sources, conversation and question fenced off as material."""

from collections.abc import Sequence
from hashlib import sha256

from chapterverse.feedback.prompting import TAG_LENGTH, fenced
from chapterverse.language import Prompt
from chapterverse.prompts import prompt
from chapterverse.usecases.answers.sources import Asked, Source
from chapterverse.usecases.answers.style import AnswerStyle


def ask(asked: Asked, sources: Sequence[Source], style: AnswerStyle) -> tuple[Prompt, str]:
    """The prompt of the style on this question, and the tag that fences its material."""
    blocks = _blocks(asked, sources, style)
    tag = tag_of(blocks)
    instructions = prompt(style.prompt).substitute(tag=tag)
    return Prompt(style.prompt, instructions, fenced(blocks, tag), style.temperature, style.most_tokens), tag


def tag_of(blocks: dict[str, str]) -> str:
    """A digest of all that it fences, so that none of it can hold it and close the fence itself."""
    return sha256("\n".join(blocks.values()).encode("utf-8", "replace")).hexdigest()[:TAG_LENGTH]


def _blocks(asked: Asked, sources: Sequence[Source], style: AnswerStyle) -> dict[str, str]:
    blocks = {
        "sources": "\n\n".join(map(style.source_line, sources)),
        "conversation": "\n".join(asked.said),
        "selected text": asked.selected,
        "question": asked.question,
    }
    return {name: text for name, text in blocks.items() if text}
