"""A paragraph found to the citation that is shown of it."""

from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID, uuid5

from chapterverse.errors import NotFound
from chapterverse.lecture.snippet import best_sentence, snippet
from chapterverse.model import Attached, Chunk, ChunkId, Citation, Hit, LectureSession, Sentence, SentenceId, Vectors, Window
from chapterverse.usecases.corrections import corrected
from chapterverse.usecases.lectures.desk import LectureDesk
from chapterverse.usecases.lectures.opened import Opened
from chapterverse.usecases.lectures.ranking import Ranked
from chapterverse.usecases.shelf import OpenBook

OURS = UUID("5c2f6f0e-8a35-5d0b-9a53-3f0d0f9a7c11")  # a name space of our own: the same id of ours gives the same UUID
HEADING = 255  # characters (S3, "Entities")


def document_id(school: str, attached: Attached) -> UUID:
    """A book of a school as a UUID."""
    return uuid5(OURS, "\0".join((school, attached.shelf, attached.book)))


def chunk_uuid(id: ChunkId) -> UUID:
    """A paragraph as a UUID."""
    return uuid5(OURS, id)


@dataclass(frozen=True)
class Shown:
    """What was found beside a lecture, put into citations. books: those beside it."""

    session: LectureSession
    books: Opened
    desk: LectureDesk

    def text_of(self, hit: Hit) -> str:
        """Of a paragraph. Raises NotFound where it is gone meanwhile."""
        return self._chunk(hit).text

    def citation(self, window: Window, vector: Vectors, rank: int, found: Ranked) -> Citation:
        """vector: (d,), the window's. Raises NotFound where it is gone meanwhile."""
        attached, book = self.books[found.hit.record.version]
        chunk = self._chunk(found.hit)
        sentences = self.desk.services.text_of(book.key).sentences(chunk.sentences)
        best = self._best(book, sentences, window, vector)
        sentence = corrected(sentences[best], book.corrections)
        places = sentence.address.places
        return Citation(
            id=uuid5(self.session.id, f"{window.index}/{rank}/{chunk.id}"),
            session=self.session.id,
            transcript=uuid5(self.session.id, str(window.index)),
            window_index=window.index,
            rank=rank,
            document=document_id(self.session.school, attached),
            chunk=chunk_uuid(chunk.id),
            page_number=places[0].page_index + 1 if places else max(0, sentence.address.chapter.index) + 1,
            section_heading=heading_of(sentence, book),
            snippet=self._snippet(book, chunk, sentences, best),
            relevance_score=found.score,
            created=self.desk.now(),
            attached=attached,
            document_name=book.title,
            version=book.key.version,
            chunk_id=chunk.id,
            sentence_id=sentence.id,
            page_label=places[0].page_label if places else "",
        )

    def _chunk(self, hit: Hit) -> Chunk:
        _, book = self.books[hit.record.version]
        return self.desk.services.chunks_of(book.key).chunk(hit.record.id)

    def _best(self, book: OpenBook, sentences: list[Sentence], window: Window, vector: Vectors) -> int:
        """The sentence that is nearest to what was said, by the vectors kept of sentences; by words where there are none."""
        nearness = self.desk.services.sentences_of(book.key).cosines([sentence.id for sentence in sentences], vector)
        if len(nearness) < len(sentences):
            return best_sentence([sentence.text for sentence in sentences], window.text)
        return max(range(len(sentences)), key=lambda i: nearness[sentences[i].id])

    def _snippet(self, book: OpenBook, chunk: Chunk, sentences: list[Sentence], best: int) -> str:
        """Of the paragraph, and where that is too short of what stands around it."""
        before = " ".join(sentence.text for sentence in sentences[:best])
        after = " ".join(sentence.text for sentence in sentences[best + 1 :])
        figures = self.desk.figures
        if len(chunk.text) < figures.snippet_least:
            before, after = f"{self._beside(book, chunk, -1)} {before}", f"{after} {self._beside(book, chunk, 1)}"
        return snippet(before, sentences[best].text, after, figures.snippet_least, figures.snippet_most)

    def _beside(self, book: OpenBook, chunk: Chunk, step: int) -> str:
        """The paragraph before it, or after it; nothing at the ends of the book."""
        before, _, number = chunk.id.rpartition("-")
        with suppress(NotFound):
            return self.desk.services.chunks_of(book.key).chunk(ChunkId(SentenceId(f"{before}-{int(number) + step:05d}"))).text
        return ""


def heading_of(sentence: Sentence, book: OpenBook) -> str | None:
    """The nearest above it; None where there is none but the book's title."""
    address = sentence.address
    heading = address.section_path[-1] if address.section_path else address.chapter.name
    return heading[:HEADING] if heading and heading != book.title else None
