"""A judgement finds its sentence by digest, wherever it stands now, and is left out where the text is another."""

import json
from pathlib import Path

import pytest

from scripts.train.corpus import BookSentence, Corpus
from scripts.train.examples import RELATIONS, UNLABELLED, Training

TEXTS = ("He came.", "Custom rules us.", "It is old.")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    (tmp_path / "books").mkdir()
    rows = [{"n": n, "chapter": "I", "paragraph": 0, "text": text} for n, text in enumerate(TEXTS)]
    (tmp_path / "books" / "habits.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "shelves.json").write_text('{"one": ["habits"]}', "utf-8")
    return Corpus(tmp_path)


def training(corpus: Corpus, folder: Path, *texts: str) -> Training:
    digests = [BookSentence("habits", 9, "I", 0, text).digest for text in texts]
    of_book = {"book": "habits", "n": 9}
    judged = [
        of_book | {"paragraph": "one-01", "digest": digest, "score": score, "relation": "example" if score else ""}
        for score, digest in enumerate(digests)
    ]
    claims = [of_book | {"digest": digests[0], "kind": "contradicts", "way": "negation", "claim": "He did not."}]
    paragraphs = [{"id": "one-01", "shelf": "one", "text": "We do as we always did.", "claims": []}]
    for name, rows in {"judged": judged, "claims": claims, "paragraphs": paragraphs}.items():
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return Training(corpus, folder)


def test_a_judged_sentence_stands_between_its_neighbours_with_its_labels(corpus: Corpus, tmp_path: Path) -> None:
    data = training(corpus, tmp_path, *TEXTS)

    irrelevant, on_topic, useful = data.judged(["one"])
    assert (on_topic.pair.before, on_topic.pair.sentence, on_topic.pair.after) == TEXTS
    assert (irrelevant.useful, irrelevant.relation) == (0, RELATIONS.index("nothing"))
    assert (on_topic.useful, on_topic.relation) == (1, UNLABELLED)
    assert (useful.useful, useful.relation) == (2, RELATIONS.index("supports"))
    [claim] = data.claims(data.books_of(["one"]))
    assert (claim.pair.text, claim.useful, claim.relation) == ("He did not.", 2, RELATIONS.index("contradicts"))


def test_a_sentence_that_reads_otherwise_now_is_left_out_and_counted(corpus: Corpus, tmp_path: Path) -> None:
    data = training(corpus, tmp_path, "He came yesterday.", TEXTS[1])

    assert [one.pair.sentence for one in data.judged(["one"])] == [TEXTS[1]]
    assert len(data.missing) == 1
