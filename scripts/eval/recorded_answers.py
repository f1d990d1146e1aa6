"""Answers of documents, textbooks and help desk with a recorded language model: are they right, and refused rightly?

    python -m scripts.eval.recorded_answers [--home DIR] [--misses]
    python -m scripts.eval.recorded_answers --without [--only textbook] [--read FILE]    # without a language model

The product asks the loopback server of scripts/eval/recorded_model.py. data/recorded/questions.jsonl has the answers of a large
language model to the prompts, by digest: it read each prompt and nothing else. A prompt that is not recorded is stored in
build/recorded-answers/unknown. Lectures use no language model.

right: the answer, or a sentence that it cites, has the words of the gold answer; of the help desk, it cites the right entry.
--read writes question, gold and answer to a file, to be judged by reading (data/questions/rubric.md)."""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from threading import Thread

from werkzeug.serving import make_server

from chapterverse import composition
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.library.intake import add_book
from chapterverse.questions import helpdesk
from chapterverse.questions.answers import Answer
from chapterverse.questions.service import ChatPlan, ChatQuestion, ask_documents, chat
from chapterverse.settings import Settings, read_settings
from scripts.eval import desk
from scripts.eval.recorded_model import Record, application
from scripts.eval.written_courses import FOLDER, GRADED, TUNING, cases, has_words, stored, zipped

RECORDED = Path(__file__).parent / "data" / "recorded" / "questions.jsonl"
BUILD = Path("build") / "recorded-answers"
SAMPLE = Path(__file__).parents[2] / "samples" / "on-liberty.pdf"
SEED, SECONDS, SCHOOL = 21, 120.0, "eval"
DRAWN = {"answered": 60, "no answer": 22, "other document": 18}  # of the documents' questions
OF_DESK = 70
Ask = Callable[[], Answer]


@dataclass(frozen=True)
class Case:
    """A question. gold: words that answer it, of the help desk the question of the right entry; empty if nothing does. about:
    its document."""

    application: str
    about: str
    question: str
    selected: str
    gold: str


@dataclass(frozen=True)
class Result:
    """A case with its answer."""

    case: Case
    answer: Answer

    @property
    def right(self) -> bool:
        if self.answer.nothing:
            return False
        if self.case.application == "desk":
            return any(one.source.title == self.case.gold for one in self.answer.citations)
        cited = [one.passage.sentence.text for one in self.answer.citations]
        return has_words(self.case.gold, " ".join([claim.text for claim in self.answer.claims] + cited))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--without", action="store_true")
    parser.add_argument("--only", choices=["documents", "textbook", "desk"])
    parser.add_argument("--read", type=Path)
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    with TemporaryDirectory() as temporary:
        settings = read_settings().model_copy(update={"home": (given.home or Path(temporary)).absolute(), "school": SCHOOL})
        with recorded(settings) as (with_model, record):
            asked = questions_to(settings if given.without else with_model, given.only)
            results = [Result(case, ask()) for case, ask in asked]
    report(results)
    if not given.without:
        print(record.figures())
    if given.misses:
        for one in results:
            if (one.right != bool(one.case.gold)) if one.case.gold else not one.answer.nothing:
                print(json.dumps(row_of(one), ensure_ascii=False))
    if given.read:
        given.read.write_text("".join(json.dumps(row_of(one), ensure_ascii=False) + "\n" for one in results), "utf-8")


@contextmanager
def recorded(settings: Settings) -> Iterator[tuple[Settings, Record]]:
    """The settings with the recorded model, which answers as long as the context is open."""
    BUILD.mkdir(parents=True, exist_ok=True)
    if RECORDED.exists():
        copyfile(RECORDED, BUILD / "answers.jsonl")
    (BUILD / "calls.jsonl").write_text("", "utf-8")
    record = Record(BUILD)
    server = make_server("127.0.0.1", 0, application(record), threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield settings.model_copy(update={"llm": "openai", "llm_url": url, "llm_model": "recorded"}), record
    finally:
        server.shutdown()


def questions_to(settings: Settings, only: str | None) -> Iterator[tuple[Case, Ask]]:
    for name, asked in (("documents", of_documents), ("textbook", of_textbooks), ("desk", of_desk)):
        if only in (None, name):
            yield from asked(settings)


def of_documents(settings: Settings) -> Iterator[tuple[Case, Ask]]:
    services, books = stored(settings)
    answers = replace(composition.answer_settings(settings, services.embedder), seconds=SECONDS)
    all_ = list(cases((*TUNING, *GRADED)))
    for kind, number in DRAWN.items():
        for one in random.Random(SEED).sample([case for case in all_ if case.kind == kind], number):
            scope = Scope(SCHOOL, (books[one.document],))
            case = Case("documents", one.document, one.question, "", one.answer)
            yield case, lambda one=one, scope=scope: ask_documents(one.question, scope, services, answers).answer  # type: ignore[misc]


def of_textbooks(settings: Settings) -> Iterator[tuple[Case, Ask]]:
    services = composition.compose(settings, collection=Collection.TEXTBOOK)
    answers = replace(composition.answer_settings(settings, services.embedder), seconds=SECONDS)
    limits = composition.limits(settings, Collection.TEXTBOOK)
    text = (FOLDER / "textbook" / "rivers-and-soils.md").read_text("utf-8")
    files = {"rivers": ("rivers.zip", zipped("rivers-and-soils", text)), "liberty": (SAMPLE.name, SAMPLE.read_bytes())}
    books = {name: add_book(data, file, SCHOOL, services, limits).book.id for name, (file, data) in files.items()}
    for line in (FOLDER / "textbook" / "questions.txt").read_text("utf-8").splitlines():
        about, question, selected, gold = (part.strip() for part in f"{line} ".split(" |"))
        asked, scope = ChatQuestion(question, selected), Scope(SCHOOL, (books[about],))
        case = Case("textbook", about, question, selected, gold)
        yield case, lambda asked=asked, scope=scope: chat(asked, scope, services, ChatPlan(), answers).answer  # type: ignore[misc]


def of_desk(settings: Settings) -> Iterator[tuple[Case, Ask]]:
    all_ = desk.entries()
    there = [one for one in all_ if one.name not in desk.left_out(all_)]
    context = desk.open_desk(settings.home, "desk", there, settings)
    context = replace(context, answer_settings=replace(context.answer_settings, seconds=SECONDS))
    titles: Mapping[str, str] = {one.name: one.question for one in there}
    for wanted, question in random.Random(SEED).sample(desk.asked(), OF_DESK):
        case = Case("desk", wanted, question, "", titles.get(wanted, ""))

        def ask(question: str = question) -> Answer:
            conversation = helpdesk.begin("desk", "somebody", context)
            return helpdesk.say("desk", conversation.id, question, context).answer

        yield case, ask


def report(results: Sequence[Result]) -> None:
    """Shares by application and in all."""
    for name in (*dict.fromkeys(one.case.application for one in results), None):
        its = [one for one in results if name in (None, one.case.application)]
        answerable, others = [one for one in its if one.case.gold], [one for one in its if not one.case.gold]
        shown = [one for one in answerable if not one.answer.nothing]
        count = Counter(
            right=sum(one.right for one in answerable),
            shown=len(shown),
            refused=sum(one.answer.nothing for one in others),
            claims=sum(len(one.answer.claims) for one in its),
            removed=sum(one.answer.removed for one in its),
            bare=sum(not claim.citations for one in its for claim in one.answer.claims),
        )
        print(
            f"{name or 'all'}: {len(answerable)} answerable, right {share(count['right'], len(answerable))}, "
            f"of those answered {share(count['right'], count['shown'])}; {len(others)} others, "
            f"refused {share(count['refused'], len(others))}; claims {count['claims']}, removed {count['removed']}, "
            f"without a source {count['bare']}; by the language model {sum(one.answer.by == 'recorded' for one in its)}"
        )


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {part / whole:.3f}" if whole else "-"


def row_of(one: Result) -> dict[str, object]:
    answer = one.answer
    score = answer.confidence.judgement.score if answer.confidence.judgement else None
    cited = [each.passage.sentence.text for each in answer.citations] if answer.by != "extract" else []
    found = {"nothing": answer.nothing, "by": answer.by, "score": score, "removed": answer.removed, "meant": answer.siblings}
    return {**asdict(one.case), "answer": answer.text, **found, "cited": cited, "right": one.right}


if __name__ == "__main__":
    main()
