"""What share of the quotations shown is the book's own sentence: read back off JSON, Markdown and HTML, and compared with the
parsed book as it is kept.

    CHAPTERVERSE_HOME=.demo python -m scripts.eval.quotes samples/essay.md [ESSAY…]

Needs books in that home (`make demo`). It ends with 1 unless every share is 1."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import typer
from selectolax.lexbor import LexborHTMLParser

from chapterverse import composition
from chapterverse.core.hits import Scope
from chapterverse.essays.model import Feedback
from chapterverse.essays.records import FeedbackResponse
from chapterverse.essays.render import feedback_html, feedback_markdown
from chapterverse.essays.service import FeedbackRequest, feedback_on
from chapterverse.library.artefacts import load_book
from chapterverse.library.services import CollectionServices
from chapterverse.settings import read_settings

Quotations = Iterator[tuple[int, str]]
USED = re.compile(r"^(?P<number>\d+)\. \*.*?(?<!\\)\*\*(?P<quote>.*?)(?<!\\)\*\*.*$", re.MULTILINE)
ESCAPED = re.compile(r"\\(.)")


def in_json(feedback: Feedback) -> Quotations:
    told = FeedbackResponse.of_feedback(feedback).model_dump(mode="json")
    yield from ((one["number"], one["sentence"]["text"]) for one in told["evidence"])


def in_markdown(feedback: Feedback) -> Quotations:
    for found in USED.finditer(feedback_markdown(feedback)):
        yield int(found["number"]), ESCAPED.sub(r"\1", found["quote"])


def in_html(feedback: Feedback) -> Quotations:
    for evidence in LexborHTMLParser(feedback_html(feedback)).css("div.evidence"):
        number = evidence.css(".source")[0].text().partition("#")[2].split()[0]
        yield int(number), " ".join(evidence.css(".sentence")[0].text().split())


FORMS: dict[str, Callable[[Feedback], Quotations]] = {"JSON": in_json, "Markdown": in_markdown, "HTML": in_html}


def books_say(feedback: Feedback, services: CollectionServices, school: str) -> dict[int, str]:
    """The sentence behind each number, from the parsed book as it lies in the bucket."""
    wanted = {one.passage.sentence.id: one.number for one in feedback.evidence.evidence}
    versions = {id.partition("-")[0] for id in wanted}
    keys = [book.active.key for book in services.catalog.books(school) if book.active and book.active.key.version in versions]
    kept = (sentence for key in keys for sentence in load_book(services.bucket, key).sentences)
    return {wanted[sentence.id]: sentence.text for sentence in kept if sentence.id in wanted}


def main(essays: list[Path]) -> None:
    settings = read_settings()
    services = composition.compose(settings)
    context = composition.essay_context(settings, services)
    shown, equal = dict.fromkeys(FORMS, 0), dict.fromkeys(FORMS, 0)
    for essay in essays:
        feedback = feedback_on(FeedbackRequest(essay.read_text("utf-8"), Scope(settings.school)), context)
        sentences = books_say(feedback, services, settings.school)
        for form, read in FORMS.items():
            same = [quote == sentences[number] for number, quote in read(feedback)]
            shown[form] += len(same)
            equal[form] += sum(same)
    print("| read off the | quotations | equal to the book | share |\n| --- | --- | --- | --- |")
    for form, count in shown.items():
        print(f"| {form} | {count} | {equal[form]} | {equal[form] / max(count, 1):.3f} |")
    sys.exit(0 if shown == equal and all(shown.values()) else 1)


if __name__ == "__main__":
    typer.run(main)
