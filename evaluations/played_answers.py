"""Questions to documents, textbooks and a help desk, with a language model that somebody plays, without one, and beside plain
retrieval with the same model.

    CHAPTERVERSE_HOME=… python -m evaluations.played_answers FOLDER

FOLDER/questions.txt: document | question | what answers it; FOLDER/documents/DOCUMENT*: a file or a folder of pages each.
FOLDER/textbook.txt: the same of FOLDER/textbooks/, with a fourth part for text that is marked on the page, if any.
FOLDER/desk.txt: conversation | message | what answers it; FOLDER/desk/: lists of entries (JSON, CSV) and documents; messages of
one conversation stand one after the other. Each of the three may be missing.
FOLDER/claims.jsonl, if there is one: {"document", "question", "text", "source", "words"}, claims to put through contract and
check as if the model had written them, resting on those words of that source of the question. Prompts and answers go by files
as in evaluations/feedback.py. When nothing is open, FOLDER/answers.jsonl has the answers to each question, without a model
by passage, too, and FOLDER/checked.jsonl what became of each claim."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import typer

from chapterverse import composition
from chapterverse.citations.second_reading import CLAIM
from chapterverse.cli.session import sources_at
from chapterverse.core.book import BookId, Collection
from chapterverse.core.hits import Scope, Vectors
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelAnswer, Prompt
from chapterverse.essays.batch.prediction import PaidBefore, RecordedPrompt, digest_of
from chapterverse.infrastructure.embedding.batching import RememberedQueries
from chapterverse.infrastructure.redaction import PresidioRedactor
from chapterverse.library.artefacts import load_book
from chapterverse.library.intake import add_book
from chapterverse.library.scope import open_books
from chapterverse.library.services import CollectionServices
from chapterverse.questions import faq, styles
from chapterverse.questions.answers import Question
from chapterverse.questions.compose import ClaimCheck, DraftClaim, DraftGround
from chapterverse.questions.helpdesk import HelpdeskContext, begin, say
from chapterverse.questions.records import AnswerRecord, ClaimRecord, QuotedRecord
from chapterverse.questions.service import ask, sources_of
from chapterverse.questions.styles import AnswerSettings
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import QUESTIONS
from chapterverse.settings import Settings, read_settings
from evaluations.feedback import paid_by, read_answers, write_open
from scripts.eval.evidence import read_rows

FILES = {
    Collection.DOCUMENTS: ("questions.txt", "documents"),
    Collection.TEXTBOOK: ("textbook.txt", "textbooks"),
    Collection.HELPDESK: ("desk.txt", "desk"),
}
STYLES = {Collection.DOCUMENTS: styles.DOCUMENT_QA, Collection.TEXTBOOK: styles.TEXTBOOK_CHAT}
LISTS = (".json", ".csv")
WORDS, CHUNKS = 200, 3  # of a chunk, and chunks, of plain retrieval
MAX_TOKENS = 400  # of its answer
PLAIN = """\
Answer the question from the context alone, in one to three sentences. If the context does not hold the answer, say that you do
not know."""
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}


@dataclass(frozen=True, slots=True)
class Asked:
    """A line. source: a document, a textbook, or a conversation of the desk."""

    collection: Collection
    source: str
    question: str
    wanted: str
    marked: str = ""


class Unredacted(PresidioRedactor):
    """Leaves names alone: nothing leaves this machine."""

    def redact(self, texts: Sequence[str], names: Sequence[str] = ()) -> list[str]:  # noqa: ARG002
        return list(texts)


@dataclass(eq=False)
class Played:
    """Sources that are asked, with a model that has only these answers. unanswered: prompts without one, by digest.
    conversations: ids by the desk's conversation and whether a model answers."""

    settings: Settings
    folder: Path
    paid: PaidModel
    answers: dict[str, ModelAnswer]
    unanswered: dict[str, RecordedPrompt] = field(default_factory=dict)
    conversations: dict[tuple[str, bool], str] = field(default_factory=dict)

    @cache  # noqa: B019  # one object, as long as the program
    def opened(self, collection: Collection) -> tuple[CollectionServices, dict[str, BookId]]:
        """The services of the collection, and its files by name, added if they are not there yet."""
        services = composition.collection_services(self.settings, composition.compose(self.settings), collection)
        services = replace(services, embedder=RememberedQueries(services.embedder, math.inf))  # as in the web, which remembers
        limits, books = composition.limits(self.settings), dict[str, BookId]()
        for path in sorted((self.folder / FILES[collection][1]).iterdir()):
            if collection is Collection.HELPDESK and path.suffix in LISTS:
                faq.import_entries(path.read_bytes(), self.settings.school, self.desk(services), approved=True)
                continue
            for one in sources_at(str(path), limits):
                added = add_book(one.read(), one.name, self.settings.school, services, limits, title=one.title)
                books[path.name] = added.book.id
        return services, books

    def desk(self, services: CollectionServices, paid: PaidModel | None = None) -> HelpdeskContext:
        answering = AnswerSettings(services.embedder, paid=paid, seconds=math.inf)
        return replace(composition.helpdesk_context(self.settings, services, answering), redactor=Unredacted())

    def scope(self, collection: Collection, source: str) -> Scope:
        books = self.opened(collection)[1]
        ids = () if collection is Collection.HELPDESK else (next(id for name, id in books.items() if name.startswith(source)),)
        return Scope(self.settings.school, ids)

    def noting(self) -> PaidBefore:
        return PaidBefore.of(self.paid, self.answers, is_noting=True)

    def note(self, asked: dict[str, RecordedPrompt]) -> None:
        """Readings that have no answer come first: what is refused for want of one is not to be written again."""
        checks = {id: one for id, one in asked.items() if one.prompt.name == CLAIM}
        self.unanswered |= checks or asked

    def product(self, one: Asked) -> dict[str, Any]:
        model = self.noting()
        answer = self.answer(one, model)
        self.note(model.asked)
        return told(answer)

    def answer(self, one: Asked, paid: PaidModel | None) -> AnswerRecord:
        services, _ = self.opened(one.collection)
        if one.collection is Collection.HELPDESK:
            desk, which = self.desk(services, paid), (one.source, paid is not None)
            if which not in self.conversations:
                self.conversations[which] = begin(self.settings.school, "played", desk).id
            return say(self.settings.school, self.conversations[which], one.question, desk).answer
        settings, scope = AnswerSettings(services.embedder, paid=paid, seconds=math.inf), self.scope(one.collection, one.source)
        return ask(one.question, scope, services, settings, STYLES[one.collection], selected=one.marked).answer

    def plain(self, one: Asked) -> str:
        """The answer to the chunks nearest by cosine; empty as long as there is none."""
        services, source = self.opened(one.collection)[0], "" if one.collection is Collection.HELPDESK else one.source
        asked = services.embedder.embed_queries([f"{one.question} {one.marked}".strip()])[0]
        chunks = self.chunks(one.collection, source)
        best = np.argsort(-self.vectors(one.collection, source) @ asked)[:CHUNKS]
        marked = f"\n\nMarked on the page: {one.marked}" if one.marked else ""
        context = "\n\n".join(chunks[at] for at in best)
        prompt = Prompt("plain", PLAIN, f"Context:\n{context}{marked}\n\nQuestion: {one.question}", 0.0, MAX_TOKENS)
        if (id := digest_of(prompt)) not in self.answers:
            self.unanswered[id] = RecordedPrompt(prompt, SCHEMA)
        return str(self.answers[id].value["answer"]) if id in self.answers else ""

    @cache  # noqa: B019
    def chunks(self, collection: Collection, source: str) -> list[str]:
        services, _ = self.opened(collection)
        books = open_books(self.scope(collection, source), services.catalog, services.embedder.model, services.chunker.unit)
        texts = [[one.text for one in load_book(services.bucket, book.key).sentences] for book in books.values()]
        words = [word for text in texts for sentence in text for word in sentence.split()]
        return [" ".join(words[at : at + WORDS]) for at in range(0, len(words), WORDS)]

    @cache  # noqa: B019
    def vectors(self, collection: Collection, source: str) -> Vectors:
        return self.opened(collection)[0].embedder.embed_passages(self.chunks(collection, source))

    def claim(self, row: dict[str, Any]) -> dict[str, Any]:
        model, scope = self.noting(), self.scope(Collection.DOCUMENTS, row["document"])
        services, _ = self.opened(Collection.DOCUMENTS)
        sources = list(sources_of(find_chunks(row["question"], scope, services, QUESTIONS)))
        check = ClaimCheck(sources, Question(row["question"], row["question"]), model.asked_by(scope.school), math.inf)
        its = check(DraftClaim(text=row["text"], answers=True, grounds=[DraftGround(source=row["source"], words=row["words"])]))
        self.note(model.asked)
        return row | {"kept": isinstance(its, ClaimRecord), "why": "" if isinstance(its, ClaimRecord) else its}


def text_of(quoted: QuotedRecord) -> str:
    """All that is shown of it."""
    return "\n".join(one.text for one in quoted.sentences)


def told(answer: AnswerRecord) -> dict[str, Any]:
    """What a judge reads of an answer. shown, lit: its best passage; further: the others."""
    best, *others = answer.passages or (None,)
    return {
        "text": answer.text,
        "band": answer.confidence.band,
        "by": answer.by,
        "cited": [[one.sentence.text for one in claim.citations] for claim in answer.claims],
        "shown": text_of(best) if best else "",
        "lit": [one.text for one in best.sentences if one.highlighted] if best else [],
        "further": [text_of(one) for one in others if one],
        "did_you_mean": list(answer.did_you_mean),
    }


def asked_in(folder: Path) -> list[Asked]:
    """All lines of the three files."""
    return [
        Asked(collection, *(part.strip() for part in line.split(" | ")))
        for collection, (name, _) in FILES.items()
        if (folder / name).exists()
        for line in (folder / name).read_text("utf-8").splitlines()
        if line.strip()
    ]


def write_rows(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def main(folder: Path) -> None:
    settings = read_settings().model_copy(update={"school": "played"})
    settings.home.mkdir(parents=True, exist_ok=True)
    played, answered = Played(settings, folder, paid_by(folder), read_answers(folder)), list[dict[str, Any]]()
    for one in asked_in(folder):
        row = {"kind": one.collection.value, "source": one.source, "question": one.question, "wanted": one.wanted}
        both = {"product": played.product(one), "without": told(played.answer(one, None)), "plain": played.plain(one)}
        answered.append(row | {"marked": one.marked} | both)
    checked = [played.claim(row) for row in read_rows(folder / "claims.jsonl")]
    write_open(folder, played.unanswered, len(played.answers))
    if not played.unanswered:
        write_rows(folder / "answers.jsonl", answered)
        write_rows(folder / "checked.jsonl", checked)
        print(f"{len(answered)} questions; {len(checked)} claims, kept {sum(row['kept'] for row in checked)}")


if __name__ == "__main__":
    typer.run(main)
