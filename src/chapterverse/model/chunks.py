"""Several sentences of a book indexed as one."""

from dataclasses import dataclass

from chapterverse.model.books import SentenceId

ChunkId = SentenceId
"""Id of what is indexed: begins with the version's, too. A sentence that is indexed alone is a chunk under its own id."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one vector stands for: its text, and the sentences that the text is, or is a part of, in reading order.

    headings: what it stands below, outermost first: the chapter, then its sections. question: what it answers,
    where it is an FAQ entry or a resolved ticket. id is made from version, unit and number:
    the same bytes cut in the same way give the same ids."""

    id: ChunkId
    text: str
    sentences: tuple[SentenceId, ...]
    headings: tuple[str, ...] = ()
    question: str = ""
