"""Books and sentences as JSON."""

from pydantic import TypeAdapter

from bookreader.book import Book, Sentence

SENTENCE = TypeAdapter(Sentence)
BOOK = TypeAdapter(Book)
