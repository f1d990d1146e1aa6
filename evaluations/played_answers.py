"""Questions to documents, with a language model that somebody plays, beside plain retrieval with the same model.

    CHAPTERVERSE_HOME=… python -m evaluations.played_answers FOLDER

FOLDER/questions.txt: document | question | what answers it; FOLDER/documents/DOCUMENT*: a file or a folder of pages each.
FOLDER/claims.jsonl, if there is one: {"document", "question", "text", "source", "words"}, claims to put through contract and
check as if the model had written them, resting on those words of that source of the question. Prompts and answers go by files
as in evaluations/feedback.py. When nothing is open, FOLDER/answers.jsonl has both answers to each question and
FOLDER/checked.jsonl what became of each claim."""

import argparse
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from chapterverse import composition
from chapterverse.citations.second_reading import CLAIM
from chapterverse.cli.files import sources_at
from chapterverse.core.book import BookId, Collection
from chapterverse.core.hits import Scope, Vectors
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelAnswer, Prompt
from chapterverse.essays.writing.predicted import Noting, RecordedPrompt, digest_of
from chapterverse.library.artefacts import load_book
from chapterverse.library.intake import add_book
from chapterverse.library.scope import open_books
from chapterverse.library.services import CollectionServices
from chapterverse.questions.answers import Claim, Question
from chapterverse.questions.drafts import ClaimCheck, DraftClaim, DraftGround
from chapterverse.questions.service import ask_documents, sources_of
from chapterverse.questions.styles import AnswerSettings
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import DOCUMENT_QA
from chapterverse.settings import Settings, read_settings
from evaluations.feedback import paid_by, read_answers, write_open

WORDS, CHUNKS = 200, 3  # of a chunk, and chunks, of plain retrieval
MAX_TOKENS = 400  # of its answer
PLAIN = """\
Answer the question from the context alone, in one to three sentences. If the context does not hold the answer, say that you do
not know."""
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}


@dataclass(eq=False)
class Played:
    """Documents that are asked, with a model that has only these answers. unanswered: prompts without one, by digest."""

    settings: Settings
    services: CollectionServices
    documents: dict[str, BookId]
    paid: PaidModel
    answers: dict[str, ModelAnswer]
    unanswered: dict[str, RecordedPrompt]

    def scope(self, document: str) -> Scope:
        return Scope(self.settings.school, (next(id for name, id in self.documents.items() if name.startswith(document)),))

    def noting(self) -> Noting:
        return Noting.of(self.paid, self.answers)

    def note(self, asked: dict[str, RecordedPrompt]) -> None:
        """Readings that have no answer come first: what is refused for want of one is not to be written again."""
        checks = {id: one for id, one in asked.items() if one.prompt.name == CLAIM}
        self.unanswered |= checks or asked

    def product(self, document: str, question: str) -> dict[str, Any]:
        model = self.noting()
        settings = AnswerSettings(self.services.embedder, paid=model, seconds=math.inf)
        answer = ask_documents(question, self.scope(document), self.services, settings).answer
        self.note(model.asked)
        cited = [[one.passage.sentence.text for one in claim.citations] for claim in answer.claims]
        return {"product": answer.text, "by": answer.by, "removed": answer.removed, "cited": cited}

    def plain(self, document: str, question: str) -> dict[str, Any]:
        """The answer to the chunks nearest by cosine; empty as long as there is none."""
        [asked], chunks = self.services.embedder.embed_queries([question]), self.chunks(document)
        best = np.argsort(-self.vectors(document) @ asked)[:CHUNKS]
        context = "\n\n".join(chunks[at] for at in best)
        prompt = Prompt("plain", PLAIN, f"Context:\n{context}\n\nQuestion: {question}", 0.0, MAX_TOKENS)
        if (id := digest_of(prompt)) not in self.answers:
            self.unanswered[id] = RecordedPrompt(prompt, SCHEMA)
        return {"plain": str(self.answers[id].value["answer"]) if id in self.answers else ""}

    @cache  # noqa: B019  # one object, as long as the program
    def chunks(self, document: str) -> list[str]:
        books = open_books(
            self.scope(document), self.services.catalog, self.services.embedder.model, self.services.chunker.unit
        )
        [version] = books.values()
        words = [word for one in load_book(self.services.bucket, version.key).sentences for word in one.text.split()]
        return [" ".join(words[at : at + WORDS]) for at in range(0, len(words), WORDS)]

    @cache  # noqa: B019
    def vectors(self, document: str) -> Vectors:
        return self.services.embedder.embed_passages(self.chunks(document))

    def claim(self, row: dict[str, Any]) -> dict[str, Any]:
        model, scope = self.noting(), self.scope(row["document"])
        sources = {one.number: one for one in sources_of(find_chunks(row["question"], scope, self.services, DOCUMENT_QA))}
        check = ClaimCheck(sources, Question(row["question"], row["question"]), model.asked_by(scope.school), math.inf)
        its = check(DraftClaim(text=row["text"], answers=True, grounds=[DraftGround(source=row["source"], words=row["words"])]))
        self.note(model.asked)
        return row | {"kept": isinstance(its, Claim), "why": "" if isinstance(its, Claim) else its}


def opened(folder: Path) -> Played:
    """The documents in FOLDER, added if they are not there yet."""
    settings = read_settings().model_copy(update={"school": "played"})
    settings.home.mkdir(parents=True, exist_ok=True)
    services = composition.compose(settings, collection=Collection.DOCUMENTS)
    limits = composition.limits(settings, Collection.DOCUMENTS)
    documents = {
        path.name: add_book(one.read(), one.name, settings.school, services, limits, title=one.title).book.id
        for path in sorted((folder / "documents").iterdir())
        for one in sources_at(str(path), limits)
    }
    answers = read_answers(folder)
    return Played(settings, services, documents, paid_by(folder), answers, {})


def rows_in(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def write_rows(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    played, answered = opened(folder), list[dict[str, Any]]()
    for line in (folder / "questions.txt").read_text("utf-8").splitlines():
        document, question, wanted = (part.strip() for part in line.split(" | "))
        both = played.product(document, question) | played.plain(document, question)
        answered.append({"document": document, "question": question, "wanted": wanted} | both)
    checked = [played.claim(row) for row in rows_in(folder / "claims.jsonl")]
    write_open(folder, played.unanswered, len(played.answers))
    if not played.unanswered:
        write_rows(folder / "answers.jsonl", answered)
        write_rows(folder / "checked.jsonl", checked)
        print(f"{len(answered)} questions; {len(checked)} claims, kept {sum(row['kept'] for row in checked)}")


if __name__ == "__main__":
    main()
