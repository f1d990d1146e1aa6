"""What the reader of answers learns from: questions to documents and FAQ lists (data/answers), the passages that the product
finds for them, and the sentences of these that answer.

    python -m scripts.train.found_passages FILE   # write them, a question a line
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from chapterverse import composition
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.core.ports import Embedder
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.questions.answers import paragraphs_of
from chapterverse.questions.helpdesk import entry_paragraphs
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import QUESTIONS
from chapterverse.settings import Settings, read_settings
from scripts.eval.written_courses import has_words, typeset, zipped

ANSWERS = Path(__file__).with_name("data") / "answers"
SCHOOL, HELD_OUT, ENTRIES = "train", 5, 8
NOWHERE = "-"


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Sentences by paragraph, as the reader reads them, a heading first. right: whether each sentence after it answers."""

    paragraphs: Sequence[Sequence[str]]
    right: Sequence[bool]


@dataclass(frozen=True, slots=True)
class FoundQuestion:
    """A question with the passages found for it, best first. source: the document or list; is_answered: by that."""

    source: str
    question: str
    is_answered: bool
    passages: Sequence[FoundPassage]

    @property
    def kind(self) -> str:
        return "documents" if self.source.startswith("D") else "FAQ lists"

    @property
    def is_held_out(self) -> bool:
        return is_held_out(self.source)


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question of data/answers. places: words of each place that answers; of a list, the key of the entry; may be empty."""

    source: str
    question: str
    places: Sequence[str]

    @property
    def is_held_out(self) -> bool:
        return is_held_out(self.source)


def is_held_out(source: str) -> bool:
    """Whether no reader learns from the document or list."""
    return sum(source.encode()) % HELD_OUT == 0


def documents() -> dict[str, str]:
    """The Markdown of each document, by name."""
    blocks = re.split(r"^=== (\w+)\n", (ANSWERS / "documents.txt").read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(blocks[1::2], blocks[2::2], strict=True))


def document_questions() -> Iterator[WrittenQuestion]:
    for line in (ANSWERS / "questions.txt").read_text("utf-8").splitlines():
        source, _, rest = line.partition(" | ")
        question, _, answer = rest.rpartition(" => ")
        yield WrittenQuestion(source, question, [] if answer == NOWHERE else [one.strip() for one in answer.split(";;")])


def lists() -> dict[str, list[tuple[str, str, str]]]:
    """Key, question and answer of the entries of each list, by its name."""
    rows = [line.split(" | ", 3) for line in (ANSWERS / "entries.txt").read_text("utf-8").splitlines()]
    return {
        name: [(key, question, answer) for _, key, question, answer in its] for name, its in groupby(rows, lambda row: row[0])
    }


def list_questions() -> Iterator[WrittenQuestion]:
    for line in (ANSWERS / "entry_questions.txt").read_text("utf-8").splitlines():
        source, key, question = line.split(" | ", 2)
        yield WrittenQuestion(source, question, [] if key == NOWHERE else [key])


def find_all(to: Path) -> None:
    """Write a line for each question."""
    with TemporaryDirectory() as home, to.open("w", encoding="utf-8") as file:
        settings = read_settings().model_copy(update={"home": Path(home), "school": SCHOOL})
        services = composition.collection_services(settings, composition.compose(settings), Collection.DOCUMENTS)
        for one in (*_in_documents(settings, services), *_in_lists(services.embedder)):
            file.write(json.dumps(asdict(one)) + "\n")


def read_found(path: Path) -> Iterator[FoundQuestion]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield FoundQuestion(**row | {"passages": [FoundPassage(**one) for one in row["passages"]]})


def found_chunks(
    questions: Iterable[WrittenQuestion], settings: Settings, services: CollectionServices
) -> Iterator[tuple[WrittenQuestion, list[FoundChunk]]]:
    """Each question with what is found for it in its document, which is stored for that; half of them are typeset as PDF."""
    texts, limits = documents(), composition.limits(settings)
    for name, its in groupby(questions, key=lambda one: one.source):
        is_pdf = sum(name.encode()) % 2 == 0
        data, file = (typeset(texts[name]), f"{name}.pdf") if is_pdf else (zipped(name, texts[name]), f"{name}.zip")
        book = add_book(data, file, settings.school, services, limits).book.id
        for one in its:
            yield one, find_chunks(one.question, Scope(settings.school, (book,)), services, QUESTIONS)


def _in_documents(settings: Settings, services: CollectionServices) -> Iterator[FoundQuestion]:
    for one, found in found_chunks(document_questions(), settings, services):
        passages = [
            FoundPassage(
                paragraphs_of(each.sentences, each.headings(each.sentences[0])),
                [any(has_words(words, its.text) for words in one.places) for its in each.sentences],
            )
            for each in found
        ]
        yield FoundQuestion(one.source, one.question, bool(one.places), passages)


def _in_lists(embedder: Embedder) -> Iterator[FoundQuestion]:
    """With the entries whose vectors are nearest."""
    every = lists()
    for name, its in groupby(list_questions(), key=lambda one: one.source):
        entries = every[name]
        vectors = embedder.embed_passages([f"{question}\n{answer}" for _, question, answer in entries])
        for one in its:
            [wanted] = embedder.embed_queries([one.question])
            nearest = [entries[at] for at in np.argsort(-(vectors @ wanted))[:ENTRIES]]
            passages = [
                FoundPassage(entry_paragraphs(asked, answer), [key in one.places] * 2) for key, asked, answer in nearest
            ]
            yield FoundQuestion(one.source, one.question, bool(one.places), passages)


if __name__ == "__main__":
    find_all(Path(sys.argv[1]))
