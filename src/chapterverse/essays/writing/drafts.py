"""What the drafts of answers still take from here; it goes with them."""

from chapterverse.core.errors import BadAnswer, CeilingReached, ChapterverseError, LanguageModelUnavailable, ModelRefused
from chapterverse.core.ports import Prompt
from chapterverse.messages import Message, message
from chapterverse.prompts import prompt

REPAIR_VERSION = 1
TAG_LENGTH = 16  # hex digits


def repair_prompt(first: Prompt, problem: str) -> Prompt:
    """The same prompt with a request to correct the problem in the first answer."""
    repair = prompt(f"feedback-repair-{REPAIR_VERSION}").substitute(problem=problem)
    return Prompt(first.name, first.instructions + repair, first.material)


def fenced(blocks: dict[str, str], tag: str) -> str:
    """The blocks, each between two lines that begin with the tag."""
    whole = "\n\n".join(f"{tag} {name} begins\n{text}\n{tag} {name} ends" for name, text in blocks.items())
    return whole.encode("utf-8", "replace").decode()  # half a surrogate pair would be refused


WHY: dict[type[ChapterverseError], Message] = {
    BadAnswer: message("llm_late_or_unusable"),
    CeilingReached: message("llm_enough_for_today"),
    LanguageModelUnavailable: message("llm_away_now"),
    ModelRefused: message("llm_would_not_answer"),
}

NOT_TO_BE_HAD = message("llm_not_asked")
