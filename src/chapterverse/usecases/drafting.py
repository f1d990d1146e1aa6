"""One dimension's comments by the language model: asked, repaired once if need be, checked."""

from dataclasses import dataclass, field

from chapterverse.errors import BadAnswer, CeilingReached, ChapterverseError, LanguageModelUnavailable, ModelRefused
from chapterverse.feedback.checks import Check, Checked
from chapterverse.feedback.comments import Dimension, Judge, Subject, sources_in
from chapterverse.feedback.draft import SCHEMA, draft_in
from chapterverse.feedback.prompting import ask, ask_again, tag_of
from chapterverse.language import Prompt, Usage
from chapterverse.usecases.writing import PaidModel, Writing

WHY: dict[type[ChapterverseError], str] = {
    BadAnswer: "The language model's answer came too late or could not be used",
    CeilingReached: "The language model has written as much as it may today",
    LanguageModelUnavailable: "The language model does not answer just now",
    ModelRefused: "The language model would not answer",
}
NOT_TO_BE_HAD = "The language model could not be asked"


@dataclass(frozen=True, slots=True)
class Drafted:
    """What the language model said that stands; failed: why it said nothing, in words for a reader, without a full stop."""

    checked: Checked
    usage: Usage = field(default_factory=Usage)
    micros: int = 0
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class Drafter:
    """Asks the language model about one essay, until the deadline, a moment of writing.clock."""

    subject: Subject
    judge: Judge
    school: str
    writing: Writing
    paid: PaidModel
    deadline: float

    def __call__(self, dimension: Dimension) -> Drafted:
        """Never an error of ours: a failing model costs only its words."""
        check = Check(
            self.subject,
            dimension,
            self.judge,
            tag_of(self.subject, self.writing.style.rubric),
            sources_in(self.subject),
        )
        try:
            return self._patient(ask(dimension, self.subject, self.writing.style), check)
        except ChapterverseError as error:
            return Drafted(Checked((), 0), failed=WHY.get(type(error), NOT_TO_BE_HAD))

    def _patient(self, prompt: Prompt, check: Check) -> Drafted:
        """With one repair, if there is time for it."""
        try:
            return self._answered(prompt, check)
        except BadAnswer as error:
            if self.writing.clock() >= self.deadline:
                raise
            return self._answered(ask_again(prompt, str(error)), check)

    def _answered(self, prompt: Prompt, check: Check) -> Drafted:
        answer = self.paid.answer(self.school, prompt, SCHEMA, self.deadline)
        return Drafted(check(draft_in(answer)), answer.usage, self.paid.price.micros(answer.usage))
