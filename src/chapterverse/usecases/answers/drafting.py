"""The claims of a language model that stand, each as soon as it is written and checked."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from chapterverse.errors import ChapterverseError
from chapterverse.language import Piece, Usage
from chapterverse.messages import Message
from chapterverse.usecases.answers.answer import Claim
from chapterverse.usecases.answers.answering import Answering
from chapterverse.usecases.answers.checks import Check
from chapterverse.usecases.answers.drafts import SCHEMA, claims_in
from chapterverse.usecases.answers.prompting import ask
from chapterverse.usecases.answers.sources import Asked, Source
from chapterverse.usecases.answers.style import AnswerStyle
from chapterverse.usecases.drafting import NOT_TO_BE_HAD, WHY
from chapterverse.usecases.writing import PaidModel


@dataclass(frozen=True, slots=True)
class Drafted:
    """What came of asking. removed: claims that did not pass; failed: why it said no more, in words for a reader, without a
    full stop."""

    claims: tuple[Claim, ...] = ()
    removed: int = 0
    usage: Usage = field(default_factory=Usage)
    failed: Message | None = None

    @property
    def declined(self) -> bool:
        """Whether it found that the sources do not answer."""
        return not (self.claims or self.removed or self.failed)


@dataclass
class Drafting:
    """One question put to a language model; what has come of it so far."""

    style: AnswerStyle
    school: str
    answering: Answering
    paid: PaidModel
    _heard: list[Piece] = field(default_factory=list)
    _claims: list[Claim] = field(default_factory=list)
    _removed: int = 0

    def __call__(self, asked: Asked, sources: Sequence[Source]) -> Generator[Claim, None, Drafted]:
        """Each claim that stands, and what came of it all. Never an error of ours: a failing model costs only its words."""
        failed = None
        try:
            yield from self._checked(redacted(asked, self.answering), sources)
        except ChapterverseError as error:
            failed = WHY.get(type(error), NOT_TO_BE_HAD)
        usage = sum((piece.usage for piece in self._heard if piece.usage), Usage())
        return Drafted(tuple(self._claims), self._removed, usage, failed)

    def _checked(self, asked: Asked, sources: Sequence[Source]) -> Iterator[Claim]:
        prompt, tag = ask(asked, sources, self.style)
        check = Check({one.number: one for one in sources}, asked.question, tag, self.answering.judge)
        deadline = self.answering.clock() + self.answering.seconds
        pieces = self.paid.pieces(self.school, prompt, SCHEMA, deadline)
        for draft in claims_in(self._texts(pieces), sources):
            if claim := check(draft):
                self._claims.append(claim)
                yield claim
            else:
                self._removed += 1

    def _texts(self, pieces: Iterator[Piece]) -> Iterator[str]:
        for piece in pieces:
            self._heard.append(piece)
            yield piece.text


def redacted(asked: Asked, answering: Answering) -> Asked:
    """As a language model may be told it. Raises as the port does: what cannot be redacted is not told."""
    if answering.redactor is None:
        return asked
    question, selected, *said = answering.redactor.redact([asked.question, asked.selected, *asked.said], asked.names)
    return replace(asked, question=question, selected=selected, said=tuple(said))
