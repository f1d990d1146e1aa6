"""Answers of a batch prediction, found again by their prompts."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace

from chapterverse.errors import NotFound
from chapterverse.language import Answer, Prompt, Schema, Usage
from chapterverse.model import BatchKey
from chapterverse.names import fingerprint
from chapterverse.ports import Bucket
from chapterverse.usecases.overnight.kept import prediction_folder
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.school_choices import style_for
from chapterverse.usecases.writing import PaidModel, Writing


@dataclass(frozen=True, slots=True)
class Predicted:
    """Answers by their prompts' digests; nbytes: about."""

    answers: Mapping[str, Answer]
    nbytes: int


@dataclass(frozen=True)
class PaidBefore(PaidModel):
    """A language model some of whose answers are there, and paid for, already."""

    answers: Mapping[str, Answer] = field(default_factory=dict)

    def answer(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Answer:
        """What is not there is asked for, as by day. Raises likewise."""
        return self.answers.get(digest_of(prompt)) or super().answer(school, prompt, schema, deadline)


def writing_for(key: BatchKey, night: Night) -> Writing:
    """That of the night, as the school wants it, with what a batch prediction has written for the batch, if one has."""
    writing = replace(night.writing, style=style_for(key.school, night.writing.style, night.services))
    paid = writing.paid
    if night.predictor and paid:
        with suppress(NotFound):
            predicted = night.services.recent.get(("predicted", key), lambda: load_answers(night.results, key))
            before = PaidBefore(paid.model, paid.ledger, paid.price, paid.ceiling, paid.today, predicted.answers)
            return replace(writing, paid=before)
    return writing


def digest_of(prompt: Prompt) -> str:
    """What an answer is found again by."""
    return fingerprint(prompt.name, prompt.instructions, prompt.material, digits=32)


def save_answers(bucket: Bucket, key: BatchKey, answers: Mapping[str, Answer]) -> None:
    """Keep them, by their prompts' digests."""
    plain = {digest: {"value": dict(answer.value), "usage": asdict(answer.usage)} for digest, answer in answers.items()}
    bucket.write(_answers_name(key), json.dumps(plain, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def load_answers(bucket: Bucket, key: BatchKey) -> Predicted:
    """Raises NotFound."""
    data = bucket.read(_answers_name(key))
    plain = json.loads(data.decode("utf-8", "surrogatepass"))
    answers = {digest: Answer(each["value"], Usage(**each["usage"])) for digest, each in plain.items()}
    return Predicted(answers, len(data))


def _answers_name(key: BatchKey) -> str:
    return f"{prediction_folder(key)}answers.json"
