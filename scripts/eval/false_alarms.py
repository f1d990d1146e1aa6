"""How often a judge says that a book says otherwise: on evidence that bears essays out, and on claims made to be told apart.

    python scripts/eval/false_alarms.py [SHARED] [--home HOME]     (all-MiniLM-L6-v2; HOME keeps the model)

Essays: each paragraph's first three pieces of evidence, against its key sentence nearest to them by words."""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from shared import shared_folder

from chapterverse.citations.model import ClaimPair, VerdictKind
from chapterverse.citations.verdicts import judge_conservatively, judge_vectors, judge_words, likenesses
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder

PIECES = 3  # of evidence, of each paragraph
ENDING = ".gold.jsonl.gz"
JUDGES = {
    "words": lambda said, _: judge_words(said),
    "vectors": judge_vectors,
    "both, as in feedback": judge_conservatively,
}


def of_essays(shared: Path) -> Iterator[tuple[str, ClaimPair]]:
    """What the evidence does for the essay, by those who marked it, and the two sentences."""
    books = {path.name.removesuffix(ENDING): sentences_of(path) for path in (shared / "goldbooks" / "pdf").glob(f"*{ENDING}")}
    for line in (shared / "retrieval" / "essays.jsonl").read_text("utf-8").splitlines():
        for paragraph in json.loads(line)["paragraphs"]:
            for evidence in paragraph["evidence"][:PIECES]:
                sentence = books[evidence["book"]][evidence["n"]]
                claims = paragraph["key_sentences"] or [paragraph["text"]]
                yield evidence["relation"], ClaimPair(max(claims, key=lambda claim: shared_words(claim, sentence)), sentence)


def sentences_of(path: Path) -> dict[int, str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {row["n"]: row["text"] for row in map(json.loads, lines) if "n" in row}


def shared_words(one: str, other: str) -> int:
    return len(set(one.lower().split()) & set(other.lower().split()))


def of_claims(shared: Path) -> Iterator[tuple[str, ClaimPair]]:
    for line in (shared / "retrieval" / "claims.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        around = row["previous"] or "", row["next"] or ""
        yield from ((claim["verdict"], ClaimPair(claim["text"], row["sentence"], *around)) for claim in row["claims"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--home", type=Path, default=Path("build/verdicts"))
    given = parser.parse_args()
    shared = shared_folder(given.shared, "retrieval").parent
    embedder = OnnxEmbedder("all-MiniLM-L6-v2", given.home / "models")
    print("| judge | pairs that | called contradictions |\n| --- | --- | --- |")
    for name, pairs in (("essays", list(of_essays(shared))), ("claims", list(of_claims(shared)))):
        near = likenesses([said for _, said in pairs], embedder)
        for judge_name, judge in JUDGES.items():
            verdicts = [judge(said, likeness).kind for (_, said), likeness in zip(pairs, near, strict=True)]
            for relation in sorted({relation for relation, _ in pairs}):
                these = [verdict for (each, _), verdict in zip(pairs, verdicts, strict=True) if each == relation]
                print(f"| {judge_name} | {name}: {relation} | {these.count(VerdictKind.CONTRADICTS)} of {len(these)} |")


if __name__ == "__main__":
    main()
