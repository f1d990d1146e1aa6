"""The words of a version as numbers, in reading order: where a text quotes a book is found by comparing them.

    {school}/{book}/{version}/words.npz    words uint32, ends uint32 (of each sentence), ids: of the indexed sentences

Made when a version is added; 0.5 MB for a book of 5,000 sentences. Case, accents and punctuation do not count."""

import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.ports import Bucket
from chapterverse.library.artefacts import damage_as_loss, indexed, load_book, version_folder
from chapterverse.library.model import VersionKey
from chapterverse.library.services import CollectionServices

Words = NDArray[np.uint32]
_WORD = re.compile(r"[^\W_]+(?:['’ʼ][^\W_]+)*")
_APOSTROPHE = re.compile(r"['’ʼ]")


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word of the text stands, [start, end); a hyphen divides words, an apostrophe does not."""
    return [found.span() for found in _WORD.finditer(text)]


def plain_word(word: str) -> str:
    """The word without case, accents, apostrophes and ligatures."""
    if word.isascii():
        return word.replace("'", "").lower()
    letters = unicodedata.normalize("NFKD", _APOSTROPHE.sub("", word).casefold()).replace("æ", "ae").replace("œ", "oe")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def numbers_of(text: str) -> list[int]:
    """A number for each word of the text, the same for the same word."""
    return [crc32(plain_word(text[start:end]).encode()) for start, end in word_spans(text)]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """words: (n,), of all indexed sentences; ends: (m,), the end of each sentence in them; ids: (m,)."""

    words: Words
    ends: Words
    ids: NDArray[np.bytes_]

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self.words.nbytes + self.ends.nbytes + self.ids.nbytes

    def sentence_of(self, word: int) -> int:
        """The row of the sentence in which the word with this index stands."""
        return int(np.searchsorted(self.ends, word, side="right"))

    def start(self, row: int) -> int:
        """The index of the sentence's first word."""
        return int(self.ends[row - 1]) if row else 0

    def id(self, row: int) -> SentenceId:
        """The id of the sentence in this row."""
        return SentenceId(self.ids[row].decode())


def fingerprint(sentences: Sequence[Sentence]) -> Fingerprint:
    """The fingerprint of these sentences, which are the indexed ones in reading order."""
    numbers = [numbers_of(sentence.text) for sentence in sentences]
    words = np.fromiter((number for each in numbers for number in each), np.uint32)
    ends = np.cumsum([len(each) for each in numbers], dtype=np.uint32)
    return Fingerprint(words, ends, np.array([sentence.id.encode() for sentence in sentences], np.bytes_))


def fingerprint_name(key: VersionKey) -> str:
    """Name of the stored fingerprint."""
    return f"{version_folder(key)}words.npz"


def store_fingerprint(bucket: Bucket, key: VersionKey, sentences: Sequence[Sentence]) -> Fingerprint:
    """Make and store the fingerprint of a version. sentences: as for `fingerprint`."""
    made, file = fingerprint(sentences), io.BytesIO()
    np.savez(file, words=made.words, ends=made.ends, ids=made.ids)
    bucket.write(fingerprint_name(key), file.getvalue())
    return made


def load_fingerprint(bucket: Bucket, key: VersionKey) -> Fingerprint:
    """The stored fingerprint; made and stored if it is missing or damaged. Raises NotFound."""
    try:
        data = bucket.read(fingerprint_name(key))
        with damage_as_loss(), np.load(io.BytesIO(data), allow_pickle=False) as stored:
            return Fingerprint(stored["words"], stored["ends"], stored["ids"])
    except NotFound:
        return store_fingerprint(bucket, key, indexed(load_book(bucket, key)))


def fingerprint_of(key: VersionKey, services: CollectionServices) -> Fingerprint:
    """The fingerprint of a version, kept in memory. Raises NotFound."""
    return services.recent.get(("words", key), lambda: load_fingerprint(services.bucket, key))
