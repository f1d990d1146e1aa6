"""`chapterverse evaluate`, `variants make` and `calibrate`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.files import must_be_a_file
from chapterverse.cli.session import make_home, repaired_services, services, settings
from chapterverse.cli.terminal import INTERRUPTED, Json, note, print_json, print_line, print_table, progress_bar
from chapterverse.core.errors import BadRequest, RetryableError
from chapterverse.essays.cli import Books, scope_of
from chapterverse.questions.cli import QuestionCollection

if TYPE_CHECKING:
    from chapterverse.evaluation.cases import GoldSentence
    from chapterverse.evaluation.claims import ClaimFigures, JudgeAll
    from chapterverse.evaluation.measures import Figure
    from chapterverse.evaluation.retrieval import Evaluation
    from chapterverse.evaluation.variants import Case, Series
    from chapterverse.questions.judging import Calibration, Scale, ThresholdMetrics
    from chapterverse.search.plan import RetrievalPlan


class By(StrEnum):
    """What verdicts are given by."""

    WORDS = "words"
    VECTORS = "vectors"
    MODEL = "model"


def evaluate_file(data: bytes, by: By, model: str | None) -> ClaimFigures:
    """The figures of a file of claims. Raises BadRequest, EmbedderUnavailable, ModelUnavailable."""
    from chapterverse.evaluation.cases import read_claims
    from chapterverse.evaluation.claims import evaluate_claims

    return evaluate_claims(read_claims(data), judge_by(by, model))


def judge_by(by: By, model: str | None) -> JudgeAll:
    """The judge that was asked for; words need no model at all. Raises BadRequest."""
    from chapterverse.citations.verdicts import judge_all, judge_words

    if (by is By.MODEL) != bool(model):
        raise BadRequest("cli_by_model_needs_nli")
    if by is By.WORDS:
        return lambda said: [judge_words(one) for one in said]
    if not model:
        return partial(judge_all, embedder=services().embedder)
    return partial(judge_all, embedder=services().embedder, reader=composition.claim_reader(model))


def confusion_rows(figures: ClaimFigures) -> Iterator[tuple[str, str, str, str, str]]:
    """A row for each true verdict and each that was given, after those of the figures."""
    for true, taken_for in figures.confusion.items():
        for given, number in taken_for.items():
            yield (f"claims, {true}", f"taken for {given}", str(number), "", str(sum(taken_for.values())))


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
        from chapterverse.search.plan import ESSAY_BATCH

        reranked = ESSAY_BATCH.reranked if self.candidates is None else self.candidates
        return replace(ESSAY_BATCH, reranked=reranked, rerank_seconds=self.seconds or math.inf)


def evaluate_retrieval(
    variants: Path | None, essays: Path | None, gold: Path | None, book: list[str] | None, closer: Closer
) -> Evaluation:
    """Of at least one file; what could not be judged is said on standard error. Raises BadRequest, NotFound."""
    from chapterverse.evaluation import retrieval as evaluation
    from chapterverse.evaluation.cases import read_essays, read_variants

    cases = read_variants(read(variants)) if variants else [], read_essays(read(essays)) if essays else []
    numbered = read_gold_folder(gold) if gold else {}
    reranker = composition.reranker(closer.rerank or settings().rerankers.get("essays", ""))
    services = replace(repaired_services(), reranker=reranker)
    library = evaluation.open_library(scope_of(book), services, closer.plan)
    library = replace(library, key_sentences=composition.key_sentence_model(settings()))
    judged = evaluation.evaluate(*cases, numbered, library)
    for line in judged.notes:
        note(line)
    return judged


def as_object(found: Evaluation | None, judged: ClaimFigures | None) -> dict[str, Any]:
    """What was evaluated, under "variants", "essays" and "claims"."""
    return {**(found.summary() if found else {}), **({"claims": judged.summary()} if judged else {})}


def read(path: Path) -> bytes:
    """Raises BadRequest."""
    must_be_a_file(path)
    return path.read_bytes()


def read_gold_folder(folder: Path) -> dict[str, list[GoldSentence]]:
    """The numbered sentences of every book in the folder, by the slug of its name. Raises BadRequest."""
    from chapterverse.core.names import slug
    from chapterverse.evaluation.cases import GOLD_ENDING, read_gold

    files = sorted(folder.glob(f"*{GOLD_ENDING}"))
    if not files:
        raise BadRequest("cli_no_gold_file", ending=GOLD_ENDING, folder=folder)
    return {slug(file.name.removesuffix(GOLD_ENDING)): read_gold(file.read_bytes()) for file in files}


def rows(evaluation: Evaluation | None) -> Iterator[tuple[str, str, str, str, str]]:
    """A row a figure."""
    from chapterverse.evaluation.retrieval import MEASURES

    if not evaluation:
        return
    for level, figures in (evaluation.variants or {}).items():
        for measure in MEASURES:
            yield row(f"variants, {level}", measure, getattr(figures, measure))
    if essays := evaluation.essays:
        yield row("essays", "near_gold_at_1", essays.near_gold_at_1)
        yield row("essays", "nothing_auroc", essays.nothing_auroc)


def claims_rows(figures: ClaimFigures | None) -> Iterator[tuple[str, str, str, str, str]]:
    """One row for each figure, then the confusion."""
    from chapterverse.evaluation.claims import CLAIM_MEASURES

    if figures:
        for measure in CLAIM_MEASURES:
            yield row("claims", measure, getattr(figures, measure))
        yield from confusion_rows(figures)


def row(cases: str, measure: str, figure: Figure | None) -> tuple[str, str, str, str, str]:
    """E.g. ("variants, level3", "mrr", "0.507", "0.419 to 0.593", "100"); a dash where there was no case."""
    if not figure:
        return (cases, measure, "-", "-", "0")
    return (cases, measure, f"{figure.value:.3f}", f"{figure.low:.3f} to {figure.high:.3f}", str(figure.n))


app = typer.Typer(name="variants", help="Cases to evaluate the search by, made of your own books.", no_args_is_help=True)

GO_ON = "The same command goes on where this one ended."


@app.callback()
def variants() -> None:
    """Cases to evaluate the search by, made of your own books."""


@app.command()
def make(
    book: Annotated[str, typer.Option("--book", metavar="BOOK", help="A book's name, as `sources list` shows it.")],
    n: Annotated[int, typer.Option("--n", min=1, max=10_000, help="Sentences to draw (S1-19: 100).")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed draws the same sentences.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Where to write; else variants-BOOK.jsonl, here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Draw sentences of a book at random and have the language model say each in three other ways, from minor rewrite to a
    student's own words; `chapterverse evaluate --variants FILE` then shows how well they lead back.

    Each variant is checked; a sentence whose variants are not as they should be after a second try is dropped, and counted.
    The same command again does nothing twice: after an interruption it goes on, with a greater --n it adds."""
    from chapterverse.core.book import BookId
    from chapterverse.evaluation.variants import SentenceSample, open_series

    paid = composition.paid_model(settings()) if settings().llm else None
    series = open_series(SentenceSample(settings().school, BookId(book), n, seed), services(), paid)
    micros = make_all(series)
    cases = series.cases()
    file = output or Path(f"variants-{series.name}.jsonl")
    file.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases if case), "utf-8")
    tell(series, cases, micros, file, as_json)


def make_all(series: Series) -> int:
    """With a bar; what ends it early loses nothing, and the user is told so. What it cost, in millionths."""
    drawn, micros = len(series.drawn), 0
    done = drawn - series.left()
    try:
        with progress_bar(series.title) as progress:
            progress("variants", done, drawn)
            for cost in series.make():
                done, micros = done + 1, micros + cost
                progress("variants", done, drawn)
    except KeyboardInterrupt as error:
        note(f"Interrupted. {GO_ON}")
        raise typer.Exit(INTERRUPTED) from error
    except RetryableError:
        note(f"{done} of {drawn} sentences are done. {GO_ON}")
        raise
    return micros


def tell(series: Series, cases: list[Case | None], micros: int, file: Path, as_json: bool) -> None:
    """What was done, and what to do next."""
    made = sum(case is not None for case in cases)
    if as_json:
        told = {
            "book": series.key.book,
            "file": str(file),
            "drawn": len(cases),
            "made": made,
            "dropped": len(cases) - made,
            "left": series.left(),
        }
        print_json({**told, "cost_micros": micros})
        return
    late = f" {series.left()} answers were late. {GO_ON}" if series.left() else ""
    print_line(f"{series.title}: {made} sentences with variants in {file}, {len(cases) - made} dropped.{late}")
    if made:
        print_line(f"Next: chapterverse evaluate --variants {file}")
    elif cases:
        print_line("The language model wrote none that can be used: name a larger one by CHAPTERVERSE_LLM_MODEL.")


SEEDS: Mapping[QuestionCollection, Mapping[float, str]] = {
    QuestionCollection.DOCUMENTS: {
        0.79: "S2's 0.70 as it computes it: 1/(1 + L2²)",
        0.70: "S2: an answer",
        0.50: "S2: may contain",
    },
    QuestionCollection.TEXTBOOK: {0.70: "S4: an answer"},
    QuestionCollection.HELPDESK: {0.65: "S5: an answer"},
}


def calibrate(
    collection: Annotated[
        QuestionCollection, typer.Argument(help="Whose answers: documents, textbook or helpdesk.")
    ] = QuestionCollection.DOCUMENTS,
    questions: Annotated[int, typer.Option(min=20, help="Questions that are made of its own texts.")] = 300,
    accept: Annotated[bool, typer.Option("--accept", help="Use what is found for this school from now on.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """From which score on an answer is in your texts in 95 of 100 cases, beside the thresholds of the specification."""
    from chapterverse.core.book import Collection
    from chapterverse.evaluation import calibration
    from chapterverse.questions.judging import accept as accept_calibration

    make_home(settings())
    services = composition.compose(settings(), collection=Collection(collection))
    school, seeds = settings().school, SEEDS[collection]
    found = calibration.calibrate(school, services, plan_of(collection), thresholds=list(seeds), number=questions)
    if accept:
        accept_calibration(school, found, services)
    if as_json:
        print_json(calibration_summary(found) | {"accepted": accept})
        return
    heads = ("score", "from", "right", "answered: shown", "others: silent", "")
    rows = [*rows_of("confidence", found.confidence, {}), *rows_of("cosine", found.cosine, seeds)]
    print_table(heads, rows, title=title_of(found))
    print_line("Accepted: answers of this school go by it from now on." if accept else "Nothing was changed: --accept does so.")


def calibration_summary(found: Calibration) -> dict[str, Any]:
    """Without the single questions."""
    told = asdict(found)
    for score in ("cosine", "confidence"):
        del told[score]["asked"]
    return told


def plan_of(collection: QuestionCollection) -> RetrievalPlan:
    """How it is looked up."""
    from chapterverse.core.book import Collection
    from chapterverse.evaluation.measurements import PLANS

    return PLANS[Collection(collection)]


def title_of(found: Calibration) -> str:
    """What was asked."""
    return f"{found.questions} made questions, {found.model}, {found.unit}; each asked once more without its answer"


def rows_of(score: str, scale: Scale, seeds: Mapping[float, str]) -> Iterator[tuple[str, ...]]:
    """A row a threshold, the highest first. score: what it is a threshold of."""
    for told in scale.told:
        yield (score, f"{told.threshold:.3f}", *shares_of(told), "; ".join(names_of(told.threshold, scale, seeds)))
    if scale.sure is None:
        yield (score, "", "", "", "", "none is right in 95 of 100 cases")


def shares_of(told: ThresholdMetrics) -> tuple[str, str, str]:
    """Three numbers; the first is missing where nothing is shown."""
    right = "" if told.precision is None else f"{told.precision:.3f}"
    return right, f"{told.shown:.3f}", f"{told.silent:.3f}"


def names_of(threshold: float, scale: Scale, seeds: Mapping[float, str]) -> Iterator[str]:
    """Whose threshold it is."""
    if threshold == scale.sure:
        yield "calibrated: sure"
    if threshold == scale.maybe:
        yield "calibrated: possible"
    if threshold in seeds:
        yield seeds[threshold]
