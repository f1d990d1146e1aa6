"""A question in other words, by a language model, which are looked for beside it: query expansion, off unless it is set.

A rewriting is no more than another query: it may find what the question does not (after Ma et al. 2023, "Query Rewriting for
Retrieval-Augmented Large Language Models"), and what was found is still measured by its cosine to the question."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from chapterverse.errors import ChapterverseError
from chapterverse.feedback.prompting import fenced
from chapterverse.language import Prompt, Schema
from chapterverse.ports import Redactor
from chapterverse.prompts import prompt
from chapterverse.usecases.answers.prompting import tag_of
from chapterverse.usecases.writing import PaidModel

NAME = "other-words-1"
MOST, LONGEST = 3, 300  # wordings, and characters of each
MOST_TOKENS = 150
SCHEMA: Schema = {
    "type": "object",
    "properties": {"wordings": {"type": "array", "items": {"type": "string"}, "description": "The question in other words."}},
    "required": ["wordings"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class OtherWords:
    """school: whose ceiling of cost it counts for; seconds: that it may take of a question's time."""

    paid: PaidModel
    redactor: Redactor
    school: str
    seconds: float = 1.5
    clock: Callable[[], float] = monotonic

    def __call__(self, question: str) -> tuple[str, ...]:
        """At most MOST; none where the model fails or says nothing of use: never an error of ours."""
        try:
            [told] = self.redactor.redact([question], ())
            blocks = {"question": told}
            tag = tag_of(blocks)
            wanted = Prompt(NAME, prompt(NAME).substitute(tag=tag), fenced(blocks, tag), 0.0, MOST_TOKENS)
            said = self.paid.answer(self.school, wanted, SCHEMA, self.clock() + self.seconds).value.get("wordings")
        except ChapterverseError:
            return ()
        wordings = [" ".join(one.split()) for one in (said if isinstance(said, list) else []) if isinstance(one, str)]
        fitting = (one for one in wordings if one and len(one) <= LONGEST and tag not in one and one != question)
        return tuple(dict.fromkeys(fitting))[:MOST]
