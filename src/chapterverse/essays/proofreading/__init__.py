"""The proofreader: its interface; what it finds follows with the package."""

from dataclasses import dataclass

from chapterverse.essays.model import Essay
from chapterverse.messages import Message


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction. span: characters of the paragraph with that index."""

    paragraph: int
    span: tuple[int, int]
    instead: str
    why: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Proofread:
    """What was found; notes: what was not checked."""

    corrections: tuple[Correction, ...] = ()
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Proofreading:
    """With what it is done. url: of a LanguageTool server."""

    url: str = ""

    def get_ready(self) -> None:
        """Load."""


def proofread(essay: Essay, by: Proofreading, language: str, up: float) -> Proofread:
    """The corrections."""
    del essay, by, language, up
    return Proofread()
