"""Batch prediction: the language model answers the prompts of a batch in a few jobs, one after the other, because later prompts
follow from earlier answers; then the essays are written by a model that has these answers already.

The prompts are the same as for single essays, so the digest of a prompt identifies its answer. A prompt without a usable answer
(a book was replaced, the ceiling was reached) is sent separately. The maximum cost of each prompt is reserved before its job
begins; the actual cost replaces it when the job has ended."""

import json
import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field, fields, replace
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from chapterverse.core.errors import CeilingReached, LanguageModelUnavailable, NotFound, PermanentError, StillPredicting
from chapterverse.core.names import fingerprint
from chapterverse.core.paid_model import PaidModel, max_usage
from chapterverse.core.ports import AnswerPiece, Bucket, ModelAnswer, Prompt, Schema, Usage
from chapterverse.core.requests import adapter
from chapterverse.essays.batch.context import Attempt, BatchContext, add_tasks
from chapterverse.essays.batch.files import clear_up, content_of, prediction_folder, request_of
from chapterverse.essays.batch.model import BatchKey, EssayBatch, EssayState
from chapterverse.essays.service import EssayContext, FeedbackRequest, candidates_on, work_on, writer_on
from chapterverse.essays.writing.forms import CLAIMS

if TYPE_CHECKING:
    from chapterverse.infrastructure.llm.gemini import VertexBatch

ANSWER_BYTES = 2_000  # of an answer in memory, about
AT_ONCE = 8  # essays whose evidence is searched for in parallel
SHARE = 0.5  # of the window that the job may take; after it there is time to ask essay by essay
PAUSE = 60  # seconds between two checks of the job
MAX_ROUNDS = 8  # jobs: what to search for, the comments, the whole; of these a second reading, repairs, their second reading
ENDED = "ended"  # an object in the folder of a round
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecordedPrompt:
    """A prompt and the form of its answer."""

    prompt: Prompt
    schema: Schema


def digest_of(prompt: Prompt) -> str:
    """The key that matches an answer to its prompt."""
    return fingerprint(prompt.name, prompt.instructions, prompt.material, digits=32)


@dataclass(frozen=True)
class PaidBefore(PaidModel):
    """A language model, some of whose answers are there and paid for already, by digest. is_noting: nobody is asked;
    `asked` notes, by digest, what is not answered yet."""

    answers: Mapping[str, ModelAnswer] = field(default_factory=dict)
    is_noting: bool = False
    asked: dict[str, RecordedPrompt] = field(default_factory=dict)

    @classmethod
    def of(cls, paid: PaidModel, answers: Mapping[str, ModelAnswer], *, is_noting: bool = False) -> Self:
        same = {each.name: getattr(paid, each.name) for each in fields(PaidModel)}
        return cls(**same, answers=answers, is_noting=is_noting)

    def answer(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        """The answer that is there, else one from the model. Raises as PaidModel.answer does, and LanguageModelUnavailable
        if nobody is asked."""
        if known := self.answers.get(id := digest_of(prompt)):
            return known
        if not self.is_noting:
            return super().answer(school, prompt, schema, deadline)
        self.asked[id] = RecordedPrompt(prompt, schema)
        raise LanguageModelUnavailable("llm_away", retry_after=0)

    def pieces(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        """The answer that is there, in one piece; else one from the model. Raises as `answer` and PaidModel.pieces do."""
        if not self.is_noting and digest_of(prompt) not in self.answers:
            yield from super().pieces(school, prompt, schema, deadline)
        else:
            known = self.answer(school, prompt, schema, deadline)
            yield AnswerPiece(json.dumps(dict(known.value), ensure_ascii=False), known.usage)


def prompts_on(
    request: FeedbackRequest, context: EssayContext, answers: Mapping[str, ModelAnswer] = MappingProxyType({})
) -> dict[str, RecordedPrompt]:
    """The prompts that give_feedback sends to the language model and that these answers leave open, by digest: all that do not
    need another answer first. Raises as give_feedback does."""
    work = work_on(request, context)
    if work.writing.paid is None:
        return {}
    noting = PaidBefore.of(work.writing.paid, answers, is_noting=True)
    with closing(writer_on(work, noting, inf)) as writer:
        claims = writer.claims()
        open_claims = any(each.prompt.name == CLAIMS for each in [*noting.asked.values()])  # not what is asked besides
        found = None if open_claims else candidates_on(work, writer.quoted, claims)
        list(writer.write(found, work.proofread().corrections))
    return dict(noting.asked)


def essays_with_predictions(key: BatchKey, context: BatchContext) -> EssayContext:
    """context.essays, with a language model that uses the batch prediction's answers, if there are any."""
    paid = context.essays.writing.paid
    if context.predictor and paid:
        with suppress(NotFound):
            bucket, recent = context.results, context.services.recent
            known = recent.get(("predicted", key), lambda: load_answers(bucket, key), lambda its: ANSWER_BYTES * len(its))
            return replace(context.essays, writing=replace(context.essays.writing, paid=PaidBefore.of(paid, known)))
    return context.essays


def load_answers(bucket: Bucket, key: BatchKey) -> dict[str, ModelAnswer]:
    """The stored answers, by the digests of their prompts. Raises NotFound."""
    answers = json.loads(bucket.read(_answers_name(key)).decode("utf-8", "surrogatepass"))
    return adapter(dict[str, ModelAnswer]).validate_python(answers)


def _answers_name(key: BatchKey) -> str:
    return f"{prediction_folder(key)}answers.json"


Prompts = Mapping[str, RecordedPrompt]  # by digest


def predict(attempt: Attempt, context: BatchContext) -> None:
    """Run the batch prediction, then add the tasks of the essays. Raises StillPredicting while the job runs, and every other
    RetryableError."""
    try:
        batch = context.store.batch(attempt.key)
        if attempt.goes_on(batch, context.now()):
            _have_written(batch, context)
            add_tasks(batch, context)
    except NotFound:  # the batch was removed
        clear_up(attempt.key, context)


def forget_job(batch: EssayBatch, context: BatchContext) -> None:
    """Stop the batch's prediction job, if there is one."""
    if batch.job and context.predictor:
        context.predictor.forget(batch.job)


def _have_written(batch: EssayBatch, context: BatchContext) -> None:
    """Store the job's answers. If it failed or is too late, log why and go on without them."""
    paid = context.essays.writing.paid
    if context.predictor is None or paid is None:
        return
    about = {"school": batch.key.school, "job": batch.job}
    if batch.began and batch.due and context.now() >= batch.began + SHARE * (batch.due - batch.began):
        log.warning("batch prediction given up", extra=about)
        forget_job(batch, context)
        return
    try:
        order = content_of(batch.key, context).order
        _keep_answers(batch, context.predictor, replace(paid, charged=order.charged) if order else paid, context)
    except NotFound:
        raise
    except PermanentError as error:
        log.warning("batch prediction failed", extra=about | {"error": error.code})


def _keep_answers(batch: EssayBatch, predictor: "VertexBatch", paid: PaidModel, context: BatchContext) -> None:
    """Go on with the rounds where they stand; each ends with its answers in the store. Raises StillPredicting."""
    key, job, answers = batch.key, batch.job, dict[str, ModelAnswer]()
    with suppress(NotFound):
        answers = load_answers(context.results, key)
    for number in range(MAX_ROUNDS):
        folder = f"{prediction_folder(key)}{number}/"
        if context.results.names(f"{folder}{ENDED}"):
            continue
        prompts = _prompts_of_round(key, folder, paid, answers, context)
        if not prompts:
            break
        job = job or _begun(key, folder, predictor, prompts, context)
        if (found := predictor.answers(folder, job)) is None:
            raise StillPredicting("prediction_under_way", retry_after=PAUSE)
        cost = sum(paid.price.micros(answer.usage) for answer in found.values() if answer.usage != Usage())
        reserved = sum(paid.price.micros(max_usage(each.prompt)) for each in prompts.values())
        paid.settle(key.school, paid.today(), cost - reserved)
        answers |= {digest: answer for digest, answer in found.items() if digest in prompts}
        plain = json.dumps(adapter(dict[str, ModelAnswer]).dump_python(answers), ensure_ascii=False)
        context.results.write(_answers_name(key), plain.encode("utf-8", "surrogatepass"))  # as models write
        context.store.note_job(key, None)
        context.results.write(f"{folder}{ENDED}", b"")
        job = None


def _begun(key: BatchKey, folder: str, predictor: "VertexBatch", prompts: Prompts, context: BatchContext) -> str:
    """Begin the job and store its name. Raises NotFound, with the job stopped, if the batch was removed meanwhile."""
    job = predictor.ask(folder, {digest: (each.prompt, each.schema) for digest, each in prompts.items()})
    try:
        context.store.note_job(key, job)
    except NotFound:
        predictor.forget(job)
        raise
    return job


def _prompts_of_round(
    key: BatchKey, folder: str, paid: PaidModel, answers: Mapping[str, ModelAnswer], context: BatchContext
) -> Prompts:
    """The prompts that the answers so far leave open, by digest, stored at the first call. Their cost is reserved; prompts
    beyond the ceiling are left out."""
    name = f"{folder}asked.json"
    with suppress(NotFound):
        return adapter(dict[str, RecordedPrompt]).validate_json(context.results.read(name))
    waiting = [essay.number for essay in context.store.essays(key) if essay.state is EssayState.WAITING]

    def of(number: int) -> Prompts:
        entry = content_of(key, context).entries[number]
        with suppress(PermanentError):  # an essay that cannot be used; its own task reports why
            return prompts_on(request_of(key, entry, context), context.essays, answers)
        return {}

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = {digest: each for its in pool.map(of, waiting) for digest, each in its.items()}
    prompts = dict[str, RecordedPrompt]()
    for digest, each in found.items():
        with suppress(CeilingReached):
            paid.reserve(key.school, paid.price.micros(max_usage(each.prompt)))
            prompts[digest] = each
    context.results.write(name, adapter(dict[str, RecordedPrompt]).dump_json(prompts))
    return prompts
