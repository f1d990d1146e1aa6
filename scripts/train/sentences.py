"""Make the corpus that training reads, but for its vectors: books/SLUG.jsonl and shelves.json.

    python -m scripts.train.sentences --mirror FOLDER [--gold FOLDER] --to CORPUS [--only SLUG ...]

data/books.jsonl names each book's repository and commit. A clone of OWNER/NAME is MIRROR/OWNER+NAME, bare or not; where one
is missing, the command that makes it is printed. GOLD: goldbooks/pdf of the shared folder; without it its books are left out.
Sentences are split as the product splits them: where that has changed, the checkout must be of the time of the data, and
sentences are looked up by digest. Books that were judged before a rule was found are made without it: see the tables."""

import argparse
import gzip
import html
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import Protocol, TypeVar

from bookreader.text.sentences import split_sentences
from scripts.train.marked_up import gutenberg_html, standard_ebook
from scripts.train.plain_text import gutenberg_tex, gutenberg_text
from scripts.train.prose import DAY_OR_SPEAKER, Paragraph, clean, is_prose, is_sentence, without_lists

DATA = Path(__file__).with_name("data")
SENTENCES, CHARACTERS = 4000, 170  # at most of a book; about so many of a sentence
GOLD, GOLD_SENTENCES = "goldbooks", 5000  # what stands as their source; at most of one
WHOLE = 50_000  # characters; a page with fewer is not the whole book
TEXT_IS_BETTER = {"popular-delusions", "vanishing-wild-life"}  # than their HTML, which mixes notes and tables in
DAYS_KEPT = {  # made before sentences that are a day, a page or a speaker's name were left out
    *("american-womans-home", "art-clive-bell", "community-civics", "how-to-listen-to-music", "huxley-essays"),
    *("life-on-the-mississippi", "modern-medicine", "on-war", "pioneers-of-science", "railway-factory", "spencer-education"),
    *("talks-to-teachers", "ten-days", "vanishing-wild-life", "within-prison-walls", "woolman-journal", "worst-journey"),
}
WITHOUT_LINKS = {"how-to-listen-to-music", "huxley-essays", "plato-dialogues", "what-is-art"}  # made before "page 82" was kept
SPLIT_WHOLE = {"decline-and-fall"}  # made before a long book was spread by characters first, which takes less time
CHAPTERS = {  # of books that go on with appendices or advertisements
    "seven-pillars": re.compile("(?!Appendix)"),
    "railway-factory": re.compile("CHAPTER|PREFACE"),
    "introduction-to-mathematics": re.compile(
        r"(?i)(?!.*(LIBRARY|Home University|History and Geog|Literature|Social Science|Philosophy and|IN PREP|Natural Science"
        r"|Political|Bibliogr))"
    ),
}


class InChapter(Protocol):
    """What has a chapter."""

    @property
    def chapter(self) -> str: ...


Part = TypeVar("Part", bound=InChapter)


@dataclass(frozen=True)
class Source:
    """A book's repository at its commit."""

    folder: Path
    commit: str

    @classmethod
    def of(cls, book: dict[str, str], mirror: Path) -> "Source":
        return cls(mirror / book["source"].removeprefix("github:").replace("/", "+", 1), book["commit"])

    @cached_property
    def names(self) -> frozenset[str]:
        """The paths in it."""
        return frozenset(self._git("ls-tree", "-r", "-z", "--name-only", self.commit).decode().split("\0"))

    def read(self, name: str) -> bytes:
        return self._git("show", f"{self.commit}:{name}")

    def text(self, name: str) -> str:
        data = self.read(name)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")

    def _git(self, *arguments: str) -> bytes:
        folders = (self.folder, self.folder / "repo")  # a mirror may hold more than the clone
        found = next(f for folder in folders for f in (folder / ".git", folder) if (f / "objects").is_dir())
        return subprocess.run(["git", f"--git-dir={found}", *arguments], capture_output=True, check=True).stdout


def paragraphs_of(slug: str, source: Source) -> list[Paragraph]:
    """The paragraphs of a book as its source has them, with all that is no prose."""
    if "src/epub/content.opf" in source.names:
        return list(standard_ebook(source.read, slug in WITHOUT_LINKS))
    return _under_headings(list(_gutenberg(slug, source)))


def _gutenberg(slug: str, source: Source) -> Sequence[Paragraph]:
    """From TeX, HTML or plain text, the first that is there and whole."""
    number = source.folder.name.rpartition("_")[2]
    tex, page = f"{number}-t/{number}-t.tex", f"{number}-h/{number}-h.htm"
    if tex in source.names:
        return list(gutenberg_tex(source.text(tex)))
    found = list[Paragraph]()
    if page in source.names and slug not in TEXT_IS_BETTER:
        found = list(gutenberg_html(source.text(page), slug in WITHOUT_LINKS))
    if sum(len(paragraph.text) for paragraph in found) >= WHOLE:
        return found
    plain = next(name for name in (f"{number}-0.txt", f"{number}-8.txt", f"{number}.txt") if name in source.names)
    return list(gutenberg_text(source.text(plain)))


def _under_headings(found: list[Paragraph]) -> list[Paragraph]:
    """The paragraphs in chapters, where those are most of the book: what stands before the first is its title."""
    named = [paragraph for paragraph in found if paragraph.chapter]
    most = sum(len(p.text) for p in named) > 0.7 * sum(len(p.text) for p in found)
    return named if most else found


@dataclass(frozen=True)
class Split:
    """A paragraph in sentences."""

    chapter: str
    sentences: Sequence[str]


def sentences_of(slug: str, found: Sequence[Paragraph]) -> list[dict[str, object]]:
    """The rows of a book: n, chapter, paragraph, text; at most SENTENCES, from chapters all over the book."""
    cleaned = [Paragraph(chapter, clean(html.unescape(text))) for chapter, text in without_lists(found)]
    prose = [paragraph for paragraph in cleaned if is_prose(paragraph.text)]
    if slug not in SPLIT_WHOLE:
        prose = spread(prose, lambda paragraph: len(paragraph.text), SENTENCES * CHARACTERS)
    split = [Split(p.chapter, list(_sentences(p.text, days=slug in DAYS_KEPT))) for p in prose]
    kept = spread([one for one in split if one.sentences], lambda one: len(one.sentences), SENTENCES)
    if slug in CHAPTERS:
        kept = [one for one in kept if CHAPTERS[slug].match(one.chapter)]
    numbered = ((number, one.chapter, text) for number, one in enumerate(kept) for text in one.sentences)
    return [{"n": n, "chapter": chapter, "paragraph": p, "text": text} for n, (p, chapter, text) in enumerate(numbered)]


def _sentences(text: str, days: bool) -> Iterator[str]:
    for begin, end in split_sentences(text):
        sentence = text[begin:end]
        if is_sentence(sentence) and (days or not DAY_OR_SPEAKER.fullmatch(sentence)):
            yield sentence


def spread(parts: Sequence[Part], size: Callable[[Part], int], most: int) -> list[Part]:
    """All parts, or whole chapters from all over the book, of a size of `most` together; of long ones the beginning."""
    chapters = [list(of_one) for _, of_one in groupby(parts, key=lambda part: part.chapter)]
    sizes = [sum(map(size, chapter)) for chapter in chapters]
    if sum(sizes) <= most:
        return list(parts)
    step = max(2, -(-sum(sizes) // most))
    beginning = max(most // max(3, min(len(chapters), 8)), 300)  # of a long chapter
    taken, room = dict[int, Sequence[Part]](), most
    for place in (place for first in range(step) for place in range(first, len(chapters), step)):
        if room < most // 60:
            break
        if sizes[place] <= room:
            taken[place] = chapters[place]
        elif sizes[place] > most // 3 or room > most // 4:
            taken[place] = _beginning(chapters[place], size, min(room, beginning))
        room -= sum(map(size, taken.get(place, ())))
    return [part for place in sorted(taken) for part in taken[place]]


def _beginning(parts: Sequence[Part], size: Callable[[Part], int], most: int) -> Sequence[Part]:
    total = 0
    for place, part in enumerate(parts):
        total += size(part)
        if total > most:
            return parts[:place]
    return parts


def gold_sentences(file: Path) -> Iterator[dict[str, object]]:
    """The rows of a book of the gold books, whose sentences are given."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for n, row in enumerate(map(json.loads, islice(lines, GOLD_SENTENCES))):
            yield {"n": n, "chapter": row.get("chapter") or "", "paragraph": row["paragraph"], "text": row["text"]}


def rows_of(book: dict[str, str], mirror: Path, gold: Path | None) -> list[dict[str, object]]:
    """The sentences of a book of books.jsonl; none of a gold book where there is no folder of them."""
    if book["source"] != GOLD:
        return sentences_of(book["slug"], paragraphs_of(book["slug"], Source.of(book, mirror)))
    return list(gold_sentences(gold / f"{book['slug']}.gold.jsonl.gz")) if gold else []


def write(file: Path, rows: Sequence[dict[str, object]]) -> None:
    """Write the rows; a file that is the same stays as old as it is, so that its vectors are not made again."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if not file.exists() or file.read_text("utf-8") != text:
        part = file.with_suffix(".part")
        part.write_text(text, "utf-8")
        part.replace(file)


def missing(books: Sequence[dict[str, str]], mirror: Path) -> list[str]:
    """The commands that clone what is not in the mirror."""
    sources = {
        book["source"].removeprefix("github:"): Source.of(book, mirror).folder for book in books if book["source"] != GOLD
    }
    return [f"git clone --bare https://github.com/{name} '{folder}'" for name, folder in sources.items() if not folder.exists()]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--mirror", type=Path, required=True)
    arguments.add_argument("--gold", type=Path)
    arguments.add_argument("--to", type=Path, required=True)
    arguments.add_argument("--only", nargs="+", metavar="SLUG")
    given = arguments.parse_args()
    books = [json.loads(line) for line in (DATA / "books.jsonl").read_text("utf-8").splitlines()]
    wanted = [book for book in books if not given.only or book["slug"] in given.only]
    if lacking := missing(wanted, given.mirror):
        sys.exit("\n".join(lacking))
    folder = given.to / "books"
    folder.mkdir(parents=True, exist_ok=True)
    for book in wanted:
        if rows := rows_of(book, given.mirror, given.gold):
            write(folder / f"{book['slug']}.jsonl", rows)
            print(f"{book['slug']}: {len(rows)} sentences", flush=True)
    there = {file.stem for file in folder.glob("*.jsonl")}
    shelves = json.loads((DATA / "shelves.json").read_text("utf-8"))
    whole = {name: slugs for name, slugs in shelves.items() if there.issuperset(slugs)}
    (given.to / "shelves.json").write_text(json.dumps(whole, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
