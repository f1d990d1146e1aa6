"""Candidates for judging: what our own retrieval finds on a shelf for paragraphs that a writer made up.

    python -m scripts.train.pool sample CORPUS SHELF [--seed 1]   # sentences of the shelf, for the writer to see what it holds
    python -m scripts.train.pool lists CORPUS SHELF               # WORK/paragraphs.txt -> WORK/pool.jsonl and WORK/lists/*.txt
    python -m scripts.train.pool targets CORPUS SHELF             # sentences to write claims for: WORK/targets.jsonl and .txt
    python -m scripts.train.pool check CORPUS SHELF               # what is written so far, counted; errors named
    python -m scripts.train.pool export CORPUS [--also CORPUS]    # everything written -> scripts/train/data

WORK is CORPUS/work/SHELF. The lists hide where a candidate comes from. Formats: scripts/train/written.py."""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from chapterverse.core.hits import Partition
from chapterverse.core.ports import Embedder
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder
from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords
from chapterverse.settings import Settings
from scripts.train.corpus import MODEL, Corpus, Shelf
from scripts.train.written import WrittenParagraph, read_claims, read_paragraphs, read_verdicts

DATA = Path(__file__).with_name("data")
BY_PARAGRAPH, BY_CLAIM, BY_STATEMENT, BY_WORDS = 10, 8, 5, 5  # nearest of each query
MOST = 36  # candidates a paragraph
A_LIST = 2  # paragraphs
AROUND = 10  # words of each neighbour that a judge sees
TARGETS = 150  # sentences a shelf that claims are written for


def sample(corpus: Corpus, name: str, seed: int, count: int = 80) -> str:
    """Sentences from all books of a shelf with the ones that follow, and the books' chapters."""
    shelf, random = corpus.shelf(name), Random(seed)
    lines = list[str]()
    for slug in corpus.shelves[name]:
        rows = [row for row, sentence in enumerate(shelf.sentences) if sentence.book == slug]
        chapters = list(dict.fromkeys(shelf.sentences[row].chapter for row in rows))
        lines.append(f"## {slug}: {'; '.join(random.sample(chapters, min(12, len(chapters))))}")
        for row in sorted(random.sample(rows, count // len(corpus.shelves[name]))):
            lines.append(f"- {shelf.sentences[row].text} {shelf.beside(row)[1]}")
    return "\n".join(lines)


def candidates(paragraph: WrittenParagraph, shelf: Shelf, embedder: Embedder, words: "ShelfWords") -> list[int]:
    """Rows of the shelf that any query for the paragraph finds, in random order, at most MOST."""
    statements = paragraph.statements_for + paragraph.statements_against
    queries = [
        (paragraph.text, BY_PARAGRAPH),
        *((c, BY_CLAIM) for c in paragraph.claims),
        *((s, BY_STATEMENT) for s in statements),
    ]
    scores = embedder.embed_queries([text for text, _ in queries]) @ shelf.vectors.T
    ranked = [list(np.argsort(-of_query, kind="stable")[:most]) for of_query, (_, most) in zip(scores, queries, strict=True)]
    ranked += [words.nearest(text, BY_WORDS) for text in [*paragraph.claims, *statements] or [paragraph.text]]
    found = dict[int, None]()
    for place in range(max(map(len, ranked))):  # the first of every list, then the second …
        found |= {int(rows[place]): None for rows in ranked if place < len(rows)}
    rows = list(found)[:MOST]
    Random(f"{paragraph.number}:{paragraph.text}").shuffle(rows)
    return rows


class ShelfWords:
    """The product's search by words over a shelf."""

    def __init__(self, shelf: Shelf, folder: Path) -> None:
        self._words, self._partition = SqliteWords(folder), Partition("school", "sentence", "model")
        self._rows = {sentence.id: row for row, sentence in enumerate(shelf.sentences)}
        self._words.write(self._partition, "version", [(s.id, s.text) for s in shelf.sentences])

    def nearest(self, text: str, k: int) -> list[int]:
        [hits] = self._words.search(self._partition, [text], k, ["version"])
        return [self._rows[hit.id] for hit in hits]


def write_lists(corpus: Corpus, name: str) -> str:
    """Find candidates for every paragraph without; returns what was done."""
    work = corpus.folder / "work" / name
    pool = {row["paragraph"]: row for row in _rows(work / "pool.jsonl")}
    paragraphs = read_paragraphs((work / "paragraphs.txt").read_text("utf-8"))
    new = [paragraph for paragraph in paragraphs if paragraph.number not in pool]
    shelf = corpus.shelf(name)
    embedder = OnnxEmbedder(MODEL, Settings().home / "models")
    lists = work / "lists"
    lists.mkdir(exist_ok=True)
    first = len(list(lists.glob("*.txt")))
    with TemporaryDirectory() as folder, (work / "pool.jsonl").open("a", encoding="utf-8") as out:
        words = ShelfWords(shelf, Path(folder))
        for start in range(0, len(new), A_LIST):
            blocks = list[str]()
            for paragraph in new[start : start + A_LIST]:
                rows = candidates(paragraph, shelf, embedder, words)
                found = [{"book": (s := shelf.sentences[row]).book, "n": s.number, "digest": s.digest} for row in rows]
                out.write(json.dumps({"paragraph": paragraph.number, "candidates": found}) + "\n")
                blocks.append(_block(paragraph, rows, shelf))
            (lists / f"{first + start // A_LIST:02}.txt").write_text("\n\n".join(blocks) + "\n", "utf-8")
    return f"{len(new)} paragraphs in {len(list(lists.glob('*.txt'))) - first} new lists"


def _block(paragraph: WrittenParagraph, rows: Sequence[int], shelf: Shelf) -> str:
    lines = [f"==== {paragraph.number:02}", paragraph.text]
    for place, row in enumerate(rows, 1):
        before, after = shelf.beside(row)
        lines.append(f"{place}. ({_end(before)}) {shelf.sentences[row].text} ({_start(after)})")
    return "\n".join(lines)


def _end(text: str) -> str:
    words = text.split()
    return text if len(words) <= AROUND else f"… {' '.join(words[-AROUND:])}"


def _start(text: str) -> str:
    words = text.split()
    return text if len(words) <= AROUND else f"{' '.join(words[:AROUND])} …"


def write_targets(corpus: Corpus, name: str) -> str:
    """Choose sentences to write claims for: half of them found useful for a paragraph, half drawn from the books."""
    work, shelf, random = corpus.folder / "work" / name, corpus.shelf(name), Random(name)
    rows = {(s.book, s.number): row for row, s in enumerate(shelf.sentences)}
    useful = sorted({rows[hit["book"], hit["n"]] for hit in _judged(work) if hit["score"] == 2})
    plain = [row for row, s in enumerate(shelf.sentences) if 8 <= len(s.text.split()) <= 45]
    chosen = random.sample(useful, min(TARGETS // 2, len(useful)))
    chosen += random.sample([row for row in plain if row not in set(chosen)], TARGETS - len(chosen))
    with (work / "targets.jsonl").open("w", encoding="utf-8") as out:
        for place, row in enumerate(chosen, 1):
            s = shelf.sentences[row]
            out.write(json.dumps({"target": place, "book": s.book, "n": s.number, "digest": s.digest}) + "\n")
    text = "\n".join(
        f"@ {place} ({_end(shelf.beside(row)[0])}) {shelf.sentences[row].text}" for place, row in enumerate(chosen, 1)
    )
    (work / "targets.txt").write_text(text + "\n", "utf-8")
    return f"{len(chosen)} sentences in targets.txt, {min(TARGETS // 2, len(useful))} of them useful for a paragraph"


def _judged(work: Path, file: str = "verdicts.txt") -> Iterator[dict[str, object]]:
    """A row for each judged candidate of a shelf: paragraph, book, n, digest, score, relation."""
    if not (work / file).exists():
        return
    pool = {row["paragraph"]: row["candidates"] for row in _rows(work / "pool.jsonl")}
    for number, verdicts in read_verdicts((work / file).read_text("utf-8")).items():
        if number not in pool:
            raise ValueError(f"{work.name}/{file}: paragraph {number} has no candidates")
        by_candidate = {verdict.candidate: verdict for verdict in verdicts}
        if beyond := set(by_candidate) - set(range(1, len(pool[number]) + 1)):
            raise ValueError(f"{work.name}/{file}: paragraph {number} has no candidates {sorted(beyond)}")
        for place, candidate in enumerate(pool[number], 1):
            verdict = by_candidate.get(place)
            yield {
                "paragraph": number,
                **candidate,
                "score": verdict.score if verdict else 0,
                "relation": verdict.relation if verdict else "",
            }


def check(corpus: Corpus, name: str) -> str:
    """Counts of what is written for a shelf. Raises ValueError with the place that is wrong."""
    work = corpus.folder / "work" / name
    paragraphs = read_paragraphs((work / "paragraphs.txt").read_text("utf-8"))
    judged = list(_judged(work))
    scores = Counter(row["score"] for row in judged)
    claims = read_claims((work / "claims.txt").read_text("utf-8")) if (work / "claims.txt").exists() else []
    done = len({row["paragraph"] for row in judged})
    return (
        f"{name}: {len(paragraphs)} paragraphs, {done} of them judged in {len(judged)} pairs:"
        f" {scores[2]} useful, {scores[1]} on topic, {scores[0]} irrelevant; {len(claims)} claims on"
        f" {len({claim.target for claim in claims})} sentences: {dict(Counter(claim.kind for claim in claims))}"
    )


def export(corpora: Sequence[Corpus], to: Path = DATA) -> str:
    """Write everything as data files; returns counts."""
    to.mkdir(exist_ok=True)
    paragraphs, judged, again, claims = list[object](), list[object](), list[object](), list[object]()
    for work in sorted(work for corpus in corpora for work in (corpus.folder / "work").iterdir()):
        if not (work / "paragraphs.txt").exists():
            continue
        written = read_paragraphs((work / "paragraphs.txt").read_text("utf-8"))
        ids = {one.number: f"{work.name}-{one.number:02}" for one in written}
        paragraphs += [{"id": ids[one.number], "shelf": work.name, **_without_number(one)} for one in written]
        judged += [{**row, "paragraph": ids[int(str(row["paragraph"]))]} for row in _judged(work)]
        again += [{**row, "paragraph": ids[int(str(row["paragraph"]))]} for row in _judged(work, "verdicts-again.txt")]
        claims += _claims_of(work)
    for name, rows in {"paragraphs": paragraphs, "judged": judged, "judged_again": again, "claims": claims}.items():
        (to / f"{name}.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return f"{len(paragraphs)} paragraphs, {len(judged)} judged pairs, {len(again)} of them twice, {len(claims)} claims"


def _without_number(paragraph: WrittenParagraph) -> dict[str, object]:
    return {name: value for name, value in asdict(paragraph).items() if name != "number"}


def _claims_of(work: Path) -> Iterator[dict[str, object]]:
    if (work / "claims.txt").exists():
        targets = {row.pop("target"): row for row in _rows(work / "targets.jsonl")}
        for claim in read_claims((work / "claims.txt").read_text("utf-8")):
            yield {**targets[claim.target], "kind": claim.kind, "way": claim.way, "claim": claim.text}


def _rows(file: Path) -> list[dict[str, object]]:
    if not file.exists():
        return []
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("command", choices=["sample", "lists", "targets", "check", "export"])
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("shelf", nargs="?", default="")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--also", type=Path, action="append", default=[])
    arguments.add_argument("--to", type=Path, default=DATA)
    given = arguments.parse_args()
    corpus = Corpus(given.corpus)
    if given.command == "export":
        print(export([corpus, *map(Corpus, given.also)], given.to))
        return
    (corpus.folder / "work" / given.shelf).mkdir(parents=True, exist_ok=True)
    if given.command == "sample":
        print(sample(corpus, given.shelf, given.seed))
    else:
        print({"lists": write_lists, "targets": write_targets, "check": check}[given.command](corpus, given.shelf))


if __name__ == "__main__":
    main()
