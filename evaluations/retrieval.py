"""How well the search finds the sentences of cases in files, on the books of CHAPTERVERSE_HOME (S1-19, S1-20).

    python -m evaluations.retrieval [--variants FILE…] [--essays FILE --gold FOLDER]

    variants   JSON lines {"book", "sentence", "level1", "level2", "level3"}: a sentence in three other wordings
    essays     JSON lines {"paragraphs": [{"text", "evidence": [{"book", "n"}]}]}: sentences that support a paragraph
    gold       {book}.gold.jsonl.gz, JSON lines {"n", "text"}: the numbered sentences of a book, in reading order

`book` is the stem of the PDF's file name. Metrics of essays over their paragraphs: near_gold_at_1, the best sentence found for
a paragraph with gold is listed, or next to a listed one; nothing_auroc, how well a paragraph's support tells those with gold
from those without."""

import argparse
import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from bookreader.text.sentences import split_sentences
from chapterverse.composition import compose
from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Hit, Query, Scope
from chapterverse.core.names import slug
from chapterverse.essays.evidence import queries_on
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.search.engine import fuse, rank, support
from chapterverse.search.evaluation import Estimate, OpenLibrary, Variant, evaluate, mean_estimate, open_library, words_of
from chapterverse.search.plan import ESSAY_BATCH, RetrievalPlan
from chapterverse.settings import read_settings
from evaluations.measures import auroc_estimate

GOLD_ENDING = ".gold.jsonl.gz"
Line = TypeVar("Line", bound=BaseModel)
Place = tuple[str, str]
"""A sentence as cases name it: slug of the book's name, words_of(text)."""


class GoldSentence(BaseModel):
    """A numbered sentence of a book."""

    model_config = ConfigDict(frozen=True)
    n: int
    text: str = ""


class GoldEvidence(GoldSentence):
    """A sentence that supports a paragraph, by its number in the gold file."""

    book: str


class GoldParagraph(BaseModel):
    """A paragraph of an essay. evidence: empty if the books have nothing on it."""

    model_config = ConfigDict(frozen=True)
    text: str = Field(min_length=1)
    evidence: tuple[GoldEvidence, ...] = ()


class GoldEssay(BaseModel):
    """An essay with known evidence."""

    model_config = ConfigDict(frozen=True)
    paragraphs: tuple[GoldParagraph, ...] = Field(min_length=1)


def read_lines(data: bytes, line: type[Line]) -> list[Line]:
    """The lines of a file. Raises pydantic's ValidationError for one that is not as expected."""
    return [line.model_validate_json(text) for text in data.splitlines() if text.strip()]


GoldBooks = Mapping[str, Sequence[GoldSentence]]
"""By the slug of the book's name, in reading order."""


def read_gold(folder: Path) -> dict[str, list[GoldSentence]]:
    """The numbered sentences of every book in the folder."""
    files = sorted(folder.glob(f"*{GOLD_ENDING}"))
    return {
        slug(file.name.removesuffix(GOLD_ENDING)): read_lines(gzip.decompress(file.read_bytes()), GoldSentence)
        for file in files
    }


def near(evidence: GoldEvidence, gold: GoldBooks) -> Iterator[Place]:
    """The sentence meant and its two neighbours."""
    book = slug(evidence.book)
    yield from ((book, words_of(one.text)) for one in gold.get(book, ()) if abs(one.n - evidence.n) <= 1)


@dataclass(frozen=True, slots=True)
class ParagraphResult:
    """A searched paragraph. support: -1 if nothing was found. best: the best sentence, None without one."""

    gold: GoldParagraph
    support: float
    best: SentenceId | None


def judge_essay(gold: GoldEssay, library: OpenLibrary) -> Iterator[ParagraphResult]:
    """The result of each paragraph; the essay is searched as a whole, like a student's."""
    paragraphs = (Paragraph(one.text, tuple(one.text[a:b] for a, b in split_sentences(one.text))) for one in gold.paragraphs)
    essay = Essay(None, tuple(paragraphs))
    embedded = queries_on(essay, library.plan, library.services.embedder)
    hits = library.candidates(embedded)
    supports = support(embedded.queries, hits)
    for number, paragraph in enumerate(gold.paragraphs):
        yield ParagraphResult(paragraph, supports.get(number, -1.0), best_of(number, embedded.queries, hits, library.plan))


def best_of(paragraph: int, queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> SentenceId | None:
    """The first sentence in the paragraph's own ranking; None if its queries found nothing."""
    own = [(query, own_hits) for query, own_hits in zip(queries, hits, strict=True) if query.paragraph == paragraph]
    best_hits = [own_hits[: plan.hits_per_query] for _, own_hits in own]
    ranked = rank(fuse([query for query, _ in own], best_hits, plan.key_sentence_weight))
    return ranked[0].record.id if ranked else None


def essay_metrics(
    judged: Sequence[ParagraphResult], gold: GoldBooks, places: Mapping[SentenceId, Place]
) -> dict[str, Estimate]:
    """judged: at least one with evidence and one without. places: of the school's sentences."""
    is_near = [
        one.best is not None and places[one.best] in {place for evidence in one.gold.evidence for place in near(evidence, gold)}
        for one in judged
        if one.gold.evidence
    ]
    answerable = np.array([one.support for one in judged if one.gold.evidence], np.float64)
    unanswerable = np.array([one.support for one in judged if not one.gold.evidence], np.float64)
    found = mean_estimate(np.array(is_near, np.float64))
    return {"near_gold_at_1": found, "nothing_auroc": auroc_estimate(answerable, unanswerable)}


def row(cases: str, measure: str, one: Estimate) -> str:
    return f"{cases:40} {measure:16} {one.value:.3f} ({one.low:.3f} to {one.high:.3f}), n = {one.n}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", type=Path, nargs="*", default=[])
    parser.add_argument("--essays", type=Path)
    parser.add_argument("--gold", type=Path)
    given = parser.parse_args()
    settings = read_settings()
    library = open_library(Scope(settings.school), compose(settings), ESSAY_BATCH)
    for file in given.variants:
        cases = [each for each in read_lines(file.read_bytes(), Variant) if slug(each.book) in library.known]
        for level, metrics in evaluate(cases, library).items():
            print(*(row(f"{file.stem}, {level}", measure, one) for measure, one in metrics.items()), sep="\n")
    if given.essays:
        essays, gold = read_lines(given.essays.read_bytes(), GoldEssay), read_gold(given.gold)
        judged = [
            one
            for essay in essays
            for one in judge_essay(essay, library)
            if not one.gold.evidence or any(slug(each.book) in library.known for each in one.gold.evidence)
        ]
        places = {id: (name, words) for name, every in library.known.items() for words, id in every}
        print(*(row("essays", measure, one) for measure, one in essay_metrics(judged, gold, places).items()), sep="\n")


if __name__ == "__main__":
    main()
