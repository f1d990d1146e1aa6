"""The README shows what the program prints: its examples are compared with the sample book."""

import json
import re
from pathlib import Path

import pytest

from bookreader.pdf.parse import parse_book
from chapterverse.citations.records import SentenceRecord
from chapterverse.core.book import Book, BookId
from chapterverse.library.inspect_cli import summary

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def sample() -> Book:
    return parse_book((ROOT / "samples" / "on-liberty.pdf").read_bytes(), BookId("on-liberty"))


def test_the_sample_book_is_summed_up_as_it_is_read(sample: Book) -> None:
    assert f"On Liberty: added as on-liberty, {summary(sample.report)}.\n" in README


def test_the_sentence_shown_is_one_of_the_sample_book(sample: Book) -> None:
    [shown] = re.findall(r"```json\n(.*?)```", README, re.DOTALL)

    assert json.loads(shown) in [SentenceRecord.of(sentence).model_dump(mode="json") for sentence in sample.sentences]


def test_the_evidence_shown_is_in_the_sample_book_on_the_page_named(sample: Book) -> None:
    [(text, page)] = re.findall(r"^1\. \*(.+?)\*\n    \(On Liberty, Chapter II, Page (\d+)\)", README, re.MULTILINE | re.DOTALL)
    before, shown, after = " ".join(text.split()).split("**")
    [found] = [sentence for sentence in sample.sentences if sentence.text == shown]
    by_id = {sentence.id: sentence.text for sentence in sample.sentences}

    assert {place.page_label for place in found.address.places} == {page}
    assert (before.strip(), after.strip()) == (by_id[found.prev_id], by_id[found.next_id])
