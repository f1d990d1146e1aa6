"""How well the search finds the sentences of cases in files, on the books of CHAPTERVERSE_HOME (S1-19, S1-20).

    python -m evaluations.retrieval [--variants FILE…] [--essays FILE --gold FOLDER]

Metrics of essays over their paragraphs: near_gold_at_1, the best sentence found for a paragraph with gold is listed, or next to
a listed one; nothing_auroc, how well a paragraph's support separates those with gold from those without."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bookreader.text.sentences import split_sentences
from chapterverse.composition import compose
from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Hit, Query, Scope
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.essays.queries import queries_on
from chapterverse.evaluation.search import Estimate, OpenLibrary, evaluate, mean_estimate, open_library
from chapterverse.search.fusion import fuse, rank, support
from chapterverse.search.plan import ESSAY_BATCH, RetrievalPlan
from chapterverse.settings import Settings
from evaluations.cases import (
    GoldBooks,
    GoldEssay,
    GoldParagraph,
    KnownBooks,
    read_essays,
    read_gold_folder,
    read_variants,
)
from evaluations.measures import auroc_estimate


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
    ranked = rank(fuse([query for query, _ in own], best_hits, plan.query_weights))
    return ranked[0].record.id if ranked else None


def can_be_judged(paragraph: GoldParagraph, books: KnownBooks) -> bool:
    """Whether at least one book of its evidence is present, or it has no evidence."""
    return not paragraph.evidence or any(books.holds(evidence.book) for evidence in paragraph.evidence)


def is_near(judged: ParagraphResult, gold: GoldBooks, books: KnownBooks) -> bool:
    """Whether the best sentence is listed as evidence, or next to one that is."""
    listed = (evidence for evidence in judged.gold.evidence if books.holds(evidence.book))
    near = {place for evidence in listed for place in books.near(evidence, gold)}
    return judged.best is not None and books.places.get(judged.best) in near


def essay_metrics(judged: Sequence[ParagraphResult], gold: GoldBooks, books: KnownBooks) -> dict[str, Estimate]:
    """judged: at least one with evidence and one without."""
    near = np.array([is_near(one, gold, books) for one in judged if one.gold.evidence], np.float64)
    answerable = np.array([one.support for one in judged if one.gold.evidence], np.float64)
    unanswerable = np.array([one.support for one in judged if not one.gold.evidence], np.float64)
    return {"near_gold_at_1": mean_estimate(near), "nothing_auroc": auroc_estimate(answerable, unanswerable)}


def row(cases: str, measure: str, one: Estimate) -> str:
    return f"{cases:40} {measure:16} {one.value:.3f} ({one.low:.3f} to {one.high:.3f}), n = {one.n}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", type=Path, nargs="*", default=[])
    parser.add_argument("--essays", type=Path)
    parser.add_argument("--gold", type=Path)
    given = parser.parse_args()
    settings = Settings()
    library = open_library(Scope(settings.school), compose(settings), ESSAY_BATCH)
    known = KnownBooks(library.known, {id: (name, words) for name, all_ in library.known.items() for words, id in all_})
    for file in given.variants:
        cases = [each for each in read_variants(file.read_bytes()) if known.holds(each.book)]
        for level, metrics in evaluate(cases, library).items():
            print(*(row(f"{file.stem}, {level}", measure, one) for measure, one in metrics.items()), sep="\n")
    if given.essays:
        essays, gold = read_essays(given.essays.read_bytes()), read_gold_folder(given.gold) if given.gold else {}
        judged = [one for essay in essays for one in judge_essay(essay, library) if can_be_judged(one.gold, known)]
        print(*(row("essays", measure, one) for measure, one in essay_metrics(judged, gold, known).items()), sep="\n")


if __name__ == "__main__":
    main()
