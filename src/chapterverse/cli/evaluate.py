"""`chapterverse evaluate`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.claims import By, confusion_rows, evaluate_file
from chapterverse.cli.essays import Books, scope_of
from chapterverse.cli.files import must_be_a_file
from chapterverse.cli.outcome import note
from chapterverse.cli.session import repaired_services, settings
from chapterverse.cli.terminal import Json, print_json, print_table
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.evaluation.cases import GoldSentence
    from chapterverse.evaluation.measures import Figure
    from chapterverse.retrieval.plan import RetrievalPlan
    from chapterverse.usecases.claims_evaluation import ClaimFigures
    from chapterverse.usecases.evaluation import Evaluation

Variants = Annotated[
    Path | None, typer.Option("--variants", metavar="FILE", help="JSON lines: book, sentence, level1, level2, level3.")
]
Essays = Annotated[
    Path | None, typer.Option("--essays", metavar="FILE", help="JSON lines: paragraphs, each with its text and evidence.")
]
Gold = Annotated[
    Path | None, typer.Option("--gold", metavar="DIR", help="BOOK.gold.jsonl.gz, for evidence that is named by number.")
]
Claims = Annotated[
    Path | None,
    typer.Option("--claims", metavar="FILE", help="JSON lines: book, sentence, previous, next, claims with text and verdict."),
]
JudgedBy = Annotated[By, typer.Option("--by", help="What judges the claims.")]
Nli = Annotated[str | None, typer.Option("--nli", metavar="MODEL", help="With --by model: a cross-encoder, name or folder.")]

Rerank = Annotated[
    str | None,
    typer.Option(
        "--rerank", metavar="NAME", help="What has a closer look at the candidates: see the setting CHAPTERVERSE_RERANK."
    ),
]
RerankSeconds = Annotated[
    float | None,
    typer.Option(
        "--rerank-seconds", min=0.01, metavar="S", help="Its time for a variant or an essay; else there is no end of it."
    ),
]
RerankCandidates = Annotated[
    int | None, typer.Option("--rerank-candidates", min=2, metavar="N", help="First candidates of a query that it looks at.")
]


def evaluate(
    *,
    variants: Variants = None,
    essays: Essays = None,
    gold: Gold = None,
    claims: Claims = None,
    by: JudgedBy = By.VECTORS,
    nli: Nli = None,
    rerank: Rerank = None,
    rerank_seconds: RerankSeconds = None,
    rerank_candidates: RerankCandidates = None,
    book: Books = None,
    as_json: Json = False,
) -> None:
    """How well the sentences of your books are found: by variants of them (Recall, MRR), and for essays with known evidence;
    and whether citations are judged rightly, by claims whose verdict is known (these need no books).

    In the files, book is the PDF's name without its ending; evidence is {"book", "n"} with --gold, or {"book", "sentence"}.
    Every figure comes with its 95 % bootstrap interval."""
    if not variants and not essays and not claims:
        raise BadRequest("cli_nothing_to_evaluate")
    judged = evaluate_file(read(claims), by, nli) if claims else None
    closer = Closer(rerank, rerank_seconds, rerank_candidates)
    found = evaluate_retrieval(variants, essays, gold, book, closer) if variants or essays else None
    print_json(as_object(found, judged)) if as_json else print_table(
        ("cases", "measure", "figure", "95 % interval", "n"), (*rows(found), *claims_rows(judged)), "Evaluation"
    )


@dataclass(frozen=True)
class Closer:
    """How candidates are looked at closer; None: as the settings say, but for the time, which there is enough of."""

    rerank: str | None
    seconds: float | None
    candidates: int | None

    @property
    def plan(self) -> RetrievalPlan:
        """For essays, with these."""
        from chapterverse.retrieval.plan import ESSAY_BATCH

        reranked = ESSAY_BATCH.reranked if self.candidates is None else self.candidates
        return replace(ESSAY_BATCH, reranked=reranked, rerank_seconds=self.seconds or math.inf)


def evaluate_retrieval(
    variants: Path | None, essays: Path | None, gold: Path | None, book: list[str] | None, closer: Closer
) -> Evaluation:
    """Of at least one file; what could not be judged is said on standard error. Raises BadRequest, NotFound."""
    from chapterverse.evaluation.cases import read_essays, read_variants
    from chapterverse.usecases import evaluation

    cases = read_variants(read(variants)) if variants else [], read_essays(read(essays)) if essays else []
    numbered = read_gold_folder(gold) if gold else {}
    reranker = composition.reranker(closer.rerank or settings().rerank)
    services = replace(repaired_services(), reranker=reranker)
    library = evaluation.open_library(scope_of(book), services, closer.plan)
    judged = evaluation.evaluate(*cases, numbered, library)
    for line in judged.notes:
        note(line)
    return judged


def as_object(found: Evaluation | None, judged: ClaimFigures | None) -> dict[str, Any]:
    """What was evaluated, under "variants", "essays" and "claims"."""
    from chapterverse.usecases.claims_evaluation import claims_json
    from chapterverse.usecases.evaluation_json import evaluation_json

    return {**(evaluation_json(found) if found else {}), **({"claims": claims_json(judged)} if judged else {})}


def read(path: Path) -> bytes:
    """Raises BadRequest."""
    must_be_a_file(path)
    return path.read_bytes()


def read_gold_folder(folder: Path) -> dict[str, list[GoldSentence]]:
    """The numbered sentences of every book in the folder, by the slug of its name. Raises BadRequest."""
    from chapterverse.evaluation.cases import GOLD_ENDING, read_gold
    from chapterverse.names import slug

    files = sorted(folder.glob(f"*{GOLD_ENDING}"))
    if not files:
        raise BadRequest("cli_no_gold_file", ending=GOLD_ENDING, folder=folder)
    return {slug(file.name.removesuffix(GOLD_ENDING)): read_gold(file.read_bytes()) for file in files}


def rows(evaluation: Evaluation | None) -> Iterator[tuple[str, str, str, str, str]]:
    """A row a figure."""
    from chapterverse.usecases.evaluation_json import MEASURES

    if not evaluation:
        return
    for level, figures in (evaluation.variants or {}).items():
        for measure in MEASURES:
            yield row(f"variants, {level}", measure, getattr(figures, measure))
    if essays := evaluation.essays:
        yield row("essays", "near_gold_at_1", essays.near_gold_at_1)
        yield row("essays", "nothing_auroc", essays.nothing_auroc)


def claims_rows(figures: ClaimFigures | None) -> Iterator[tuple[str, str, str, str, str]]:
    """A row a figure, then the confusion."""
    if figures:
        for measure in ("balanced_accuracy", "contradiction_recall", "contradiction_precision"):
            yield row("claims", measure, getattr(figures, measure))
        yield from confusion_rows(figures)


def row(cases: str, measure: str, figure: Figure | None) -> tuple[str, str, str, str, str]:
    """E.g. ("variants, level3", "mrr", "0.507", "0.419 to 0.593", "100"); a dash where there was no case."""
    if not figure:
        return (cases, measure, "-", "-", "0")
    return (cases, measure, f"{figure.value:.3f}", f"{figure.low:.3f} to {figure.high:.3f}", str(figure.n))
