"""The README shows what the program prints: its examples are compared with the sample book."""

import json
import re
from pathlib import Path

import pytest

from bookreader.pdf.parse import parse_book
from chapterverse.citations.records import SentenceRecord
from chapterverse.core.book import Book, BookId
from chapterverse.library.cli import summary

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
pytestmark = pytest.mark.slow  # the whole book is read


@pytest.fixture(scope="module")
def sample() -> Book:
    return parse_book((ROOT / "samples" / "on-liberty.pdf").read_bytes(), BookId("on-liberty"))


def test_the_sample_book_is_summed_up_as_it_is_read(sample: Book) -> None:
    assert f"On Liberty: added as on-liberty, {summary(sample.report)}.\n" in README


def test_the_sentence_shown_is_one_of_the_sample_book(sample: Book) -> None:
    [shown] = re.findall(r"```json\n(.*?)```", README, re.DOTALL)

    assert json.loads(shown) in [SentenceRecord.of(sentence).model_dump(mode="json") for sentence in sample.sentences]


def test_the_words_that_a_comment_quotes_are_in_the_sample_book_on_the_page_named(sample: Book) -> None:
    [page] = re.findall(r"Evidence #1 \(On Liberty, Chapter II, Page (\d+)\)", README)
    [quoted] = re.findall(r"it “([^”]+)”", " ".join(README.split()))
    [found] = [sentence for sentence in sample.sentences if quoted in sentence.text]

    assert {place.page_label for place in found.address.places} == {page}
