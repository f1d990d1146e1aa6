"""`chapterverse evaluate`, `variants make` and `calibrate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.files import must_be_a_file
from chapterverse.cli.session import make_home, repaired_services, services, settings
from chapterverse.cli.terminal import INTERRUPTED, Json, note, print_json, print_line, print_table, progress_bar
from chapterverse.core.errors import BadRequest, RetryableError
from chapterverse.essays.cli import Books, scope_of
from chapterverse.questions.cli import QuestionCollection

if TYPE_CHECKING:
    from chapterverse.evaluation.cases import GoldSentence, VariantCase
    from chapterverse.evaluation.measures import ClaimMetrics, Estimate, JudgePairs
    from chapterverse.evaluation.retrieval import Evaluation
    from chapterverse.evaluation.variants import Series
    from chapterverse.questions.judging import Calibration, Scale, ThresholdMetrics
    from chapterverse.search.plan import RetrievalPlan


class By(StrEnum):
    """What judges claims."""

    WORDS = "words"
    READER = "reader"


def evaluate_file(data: bytes, by: By) -> ClaimMetrics:
    """Metrics of a file of claims. Raises BadRequest, ModelUnavailable."""
    from chapterverse.evaluation.cases import read_claims
    from chapterverse.evaluation.measures import evaluate_claims

    return evaluate_claims(read_claims(data), judge_by(by))


def judge_by(by: By) -> JudgePairs:
    """The judge of that kind; words need no model."""
    from chapterverse.citations.verdicts import judge_by_reading, judge_words

    if by is By.WORDS:
        return lambda pairs: [judge_words(one) for one in pairs]
    return partial(judge_by_reading, read=composition.trained_reader().chances)


def confusion_rows(metrics: ClaimMetrics) -> Iterator[tuple[str, str, str, str, str]]:
    """One row for each pair of true and given verdict."""
    for true, taken_for in metrics.confusion.items():
        for given, number in taken_for.items():
            yield (f"claims, {true}", f"taken for {given}", str(number), "", str(sum(taken_for.values())))


Variants = Annotated[
    Path | None, typer.Option("--variants", metavar="FILE", help="JSON lines: book, sentence, level1, level2, level3.")
]

Essays = Annotated[
    Path | None, typer.Option("--essays", metavar="FILE", help="JSON lines: paragraphs, each with its text and evidence.")
]

Gold = Annotated[
    Path | None, typer.Option("--gold", metavar="DIR", help="Folder with BOOK.gold.jsonl.gz, for evidence named by number.")
]

Claims = Annotated[
    Path | None,
    typer.Option("--claims", metavar="FILE", help="JSON lines: book, sentence, previous, next, claims with text and verdict."),
]

JudgedBy = Annotated[By, typer.Option("--by", help="What judges the claims.")]


def evaluate(
    *,
    variants: Variants = None,
    essays: Essays = None,
    gold: Gold = None,
    claims: Claims = None,
    by: JudgedBy = By.READER,
    book: Books = None,
    as_json: Json = False,
) -> None:
    """Measure how well sentences of your books are found, by variants of them (Recall, MRR) and by essays with known evidence;
    and how well citations are judged, by claims with known verdicts (these need no books).

    In the files, book is the PDF's name without its ending; evidence is {"book", "n"} with --gold, or {"book", "sentence"}.
    Every measure has a 95 % bootstrap interval."""
    if not variants and not essays and not claims:
        raise BadRequest("cli_nothing_to_evaluate")
    judged = evaluate_file(read(claims), by) if claims else None
    found = evaluate_retrieval(variants, essays, gold, book) if variants or essays else None
    if as_json:
        from chapterverse.evaluation.retrieval import EvaluationRecord

        print_json(EvaluationRecord.of(found, judged))
        return
    heads = ("cases", "measure", "value", "95 % interval", "n")
    print_table(heads, (*rows(found), *claims_rows(judged)), "Evaluation")


def evaluate_retrieval(variants: Path | None, essays: Path | None, gold: Path | None, book: list[str] | None) -> Evaluation:
    """Evaluate at least one file; notes on skipped cases go to standard error. Raises BadRequest, NotFound."""
    from chapterverse.evaluation import retrieval as evaluation
    from chapterverse.evaluation.cases import read_essays, read_variants
    from chapterverse.search.plan import ESSAY_BATCH

    cases = read_variants(read(variants)) if variants else [], read_essays(read(essays)) if essays else []
    numbered = read_gold_folder(gold) if gold else {}
    library = evaluation.open_library(scope_of(book), repaired_services(), ESSAY_BATCH)
    judged = evaluation.evaluate(*cases, numbered, library)
    for line in judged.notes:
        note(line)
    return judged


def read(path: Path) -> bytes:
    """The file's content. Raises BadRequest."""
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
    """One row for each measure."""
    from chapterverse.evaluation.retrieval import MEASURES

    if not evaluation:
        return
    for level, metrics in (evaluation.variants or {}).items():
        for measure in MEASURES:
            yield row(f"variants, {level}", measure, getattr(metrics, measure))
    if essays := evaluation.essays:
        yield row("essays", "near_gold_at_1", essays.near_gold_at_1)
        yield row("essays", "nothing_auroc", essays.nothing_auroc)


def claims_rows(metrics: ClaimMetrics | None) -> Iterator[tuple[str, str, str, str, str]]:
    """One row for each measure, then the confusion."""
    from chapterverse.evaluation.measures import CLAIM_MEASURES

    if metrics:
        for measure in CLAIM_MEASURES:
            yield row("claims", measure, getattr(metrics, measure))
        yield from confusion_rows(metrics)


def row(cases: str, measure: str, estimate: Estimate | None) -> tuple[str, str, str, str, str]:
    """E.g. ("variants, level3", "mrr", "0.507", "0.419 to 0.593", "100"); dashes without a case."""
    if not estimate:
        return (cases, measure, "-", "-", "0")
    return (cases, measure, f"{estimate.value:.3f}", f"{estimate.low:.3f} to {estimate.high:.3f}", str(estimate.n))


app = typer.Typer(name="variants", help="Variants of your books' sentences, to evaluate the search.", no_args_is_help=True)
CONTINUE = "Run the same command again to continue."


@app.callback()
def variants() -> None:
    """Variants of your books' sentences, to evaluate the search."""


@app.command()
def make(
    book: Annotated[str, typer.Option("--book", metavar="BOOK", help="Id of a book, from `sources list`.")],
    n: Annotated[int, typer.Option("--n", min=1, max=10_000, help="Sentences to draw (S1-19: 100).")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed draws the same sentences.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Output file; variants-BOOK.jsonl by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Draw sentences of a book at random and let the language model write three variants of each, from a minor rewrite to a
    student's own words. Then use `chapterverse evaluate --variants FILE`.

    Each variant is checked; a sentence whose variants fail twice is dropped. Run the command again to continue after an
    interruption, or with a larger --n to add sentences; nothing is done twice."""
    from chapterverse.core.book import BookId
    from chapterverse.evaluation.variants import SentenceSample, open_series

    paid = composition.paid_model(settings()) if settings().llm else None
    series = open_series(SentenceSample(settings().school, BookId(book), n, seed), services(), paid)
    micros = make_all(series)
    cases = series.cases()
    file = output or Path(f"variants-{series.name}.jsonl")
    file.write_text("".join(case.model_dump_json() + "\n" for case in cases if case), "utf-8")
    print_series(series, cases, micros, file, as_json)


def make_all(series: Series) -> int:
    """Make all variants with a progress bar; returns the cost in millionths. After an interruption the user is told how to
    continue."""
    total, micros = len(series.sampled), 0
    done = total - series.left()
    try:
        with progress_bar(series.title) as progress:
            progress("variants", done, total)
            for cost in series.make():
                done, micros = done + 1, micros + cost
                progress("variants", done, total)
    except KeyboardInterrupt as error:
        note(f"Interrupted. {CONTINUE}")
        raise typer.Exit(INTERRUPTED) from error
    except RetryableError:
        note(f"{done} of {total} sentences are done. {CONTINUE}")
        raise
    return micros


@dataclass(frozen=True)
class SeriesRecord:
    """What `variants make` did, for `--json`. drawn, made, dropped, left: numbers of sentences."""

    book: str
    file: str
    drawn: int
    made: int
    dropped: int
    left: int
    cost_micros: int


def print_series(series: Series, cases: list[VariantCase | None], micros: int, file: Path, as_json: bool) -> None:
    """Print the result, and the next step."""
    made = sum(case is not None for case in cases)
    done = SeriesRecord(series.key.book, str(file), len(cases), made, len(cases) - made, series.left(), micros)
    if as_json:
        print_json(done)
        return
    late = f" {done.left} answers were late. {CONTINUE}" if done.left else ""
    print_line(f"{series.title}: {made} sentences with variants in {file}, {done.dropped} dropped.{late}")
    if made:
        print_line(f"Next: chapterverse evaluate --variants {file}")
    elif cases:
        print_line("No variant of the language model passed the checks: set a larger model by CHAPTERVERSE_LLM_MODEL.")


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
        QuestionCollection, typer.Argument(help="documents, textbook or helpdesk.")
    ] = QuestionCollection.DOCUMENTS,
    questions: Annotated[int, typer.Option(min=20, help="Number of questions to make of its texts.")] = 300,
    accept: Annotated[bool, typer.Option("--accept", help="Use the result for this school from now on.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure the score from which 95 of 100 answers on your own texts are right; compare it with the specification."""
    from chapterverse.core.book import Collection
    from chapterverse.evaluation import calibration
    from chapterverse.questions.judging import accept as accept_calibration
    from chapterverse.questions.log import rated_cases

    make_home(settings())
    services = composition.compose(settings(), collection=Collection(collection))
    school, seeds = settings().school, SEEDS[collection]
    cases = rated_cases(school, composition.answer_log(settings()))
    found = calibration.calibrate(school, services, plan_of(collection), thresholds=list(seeds), number=questions, cases=cases)
    if accept:
        accept_calibration(school, found, services)
    if as_json:
        print_json(calibration.CalibrationRecord.of(found, accepted=accept))
        return
    heads = ("score", "from", "right", "answered: shown", "others: silent", "")
    rows = [*rows_of("confidence", found.confidence, {}), *rows_of("cosine", found.cosine, seeds)]
    print_table(heads, rows, title=title_of(found))
    print_line(
        "Accepted: answers of this school use it from now on." if accept else "Nothing was changed; use --accept to do so."
    )


def plan_of(collection: QuestionCollection) -> RetrievalPlan:
    """The collection's retrieval plan."""
    from chapterverse.core.book import Collection
    from chapterverse.evaluation.measurements import PLANS

    return PLANS[Collection(collection)]


def title_of(found: Calibration) -> str:
    """The table's title."""
    return f"{found.questions} made questions, {found.model}, {found.unit}; each asked once more without its answer"


def rows_of(score: str, scale: Scale, seeds: Mapping[float, str]) -> Iterator[tuple[str, ...]]:
    """One row for each threshold, the highest first. score: its name."""
    for each in scale.metrics:
        yield (score, f"{each.threshold:.3f}", *shares_of(each), "; ".join(names_of(each.threshold, scale, seeds)))
    if scale.confident is None:
        yield (score, "", "", "", "", "none is right in 95 of 100 cases")


def shares_of(metrics: ThresholdMetrics) -> tuple[str, str, str]:
    """Three numbers; the precision is empty if nothing is shown."""
    right = "" if metrics.precision is None else f"{metrics.precision:.3f}"
    return right, f"{metrics.shown:.3f}", f"{metrics.silent:.3f}"


def names_of(threshold: float, scale: Scale, seeds: Mapping[float, str]) -> Iterator[str]:
    """Names of a threshold."""
    if threshold == scale.confident:
        yield "calibrated: sure"
    if threshold == scale.possible:
        yield "calibrated: possible"
    if threshold in seeds:
        yield seeds[threshold]
