"""What is sent and answered about settings and measurements, field by field."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, Field

from chapterverse.accounts.model import SchoolChoices
from chapterverse.citations.records import PassageRecord
from chapterverse.essays.model import Tone
from chapterverse.essays.schemas import MOST_EVIDENCES
from chapterverse.evaluation.model import MeasurementState
from chapterverse.evaluation.retrieval import LevelFigures
from chapterverse.library.schemas import MAX_DRAWN, Name
from chapterverse.messages.fields import Words
from chapterverse.web.schemas import Request, Whole, whole

Least = Field(None, ge=0, le=1, description="Score from which something counts as found: see the calibration.")

Measurable = Literal["books", "documents", "textbook", "helpdesk"]

MEASURABLE: tuple[str, ...] = get_args(Measurable)


class SettingsRequest(Request):
    """All that a school sets for itself; what is null or left out is default again."""

    evidences: Annotated[int, Field(ge=1, le=MOST_EVIDENCES), BeforeValidator(whole)] | None = Field(
        None, description="Sentences of the books on an essay; null: as many as it has paragraphs."
    )
    tone: Tone | None = Field(None, description="kind encourages, plain is brief.")
    grade: Annotated[int, Field(ge=3, le=13), BeforeValidator(whole)] | None = Field(
        None, description="School grade that feedback is written for."
    )
    least_books: float | None = Least
    least_documents: float | None = Least
    least_textbook: float | None = Least
    least_helpdesk: float | None = Least

    @property
    def choices(self) -> SchoolChoices:
        """As they are kept."""
        return SchoolChoices(**self.model_dump())


class Setting(BaseModel):
    """value: null where the default holds. default: null where that depends on the essay, or on the calibration. changed_by,
    changed: who set it last, and when; null where nobody has."""

    value: int | float | str | None
    default: int | float | str | None
    changed_by: str | None
    changed: datetime | None


class SchoolSettings(BaseModel):
    """What a school's feedback and answers go by wherever a request does not say otherwise."""

    evidences: Setting
    tone: Setting
    grade: Setting
    least_books: Setting
    least_documents: Setting
    least_textbook: Setting
    least_helpdesk: Setting


class Told(BaseModel):
    """What a threshold does, where as many questions have no answer as have one. precision: share of what is shown that is
    right, null where nothing is; shown: share of the answered questions; silent: share of the others with nothing shown."""

    threshold: float
    precision: float | None
    shown: float
    silent: float


class Bin(BaseModel):
    """How many questions have a score from `least` on: those that are answered, and the same with their answer left out."""

    least: float
    answered: int
    others: int


class Picture(BaseModel):
    """What was measured. sure: score from which 95 of 100 are right, null where none is; least: the threshold, unless the
    school sets another one."""

    model: str
    unit: str
    questions: int
    sure: float | None
    least: float
    curve: list[Told]
    histogram: list[Bin]


class FixedThreshold(BaseModel):
    """A fixed threshold: cosine from which an answer is called so; where it is called confidence, that."""

    name: str
    least: float


class MeasurementRequest(Request):
    """How much is measured. seed: the same seed draws the same sentences."""

    n: Whole = Field(300, ge=20, le=1000, description="Questions that are made of the texts.")
    seed: Whole = Field(0, ge=0, lt=2**31)


class EvaluationRequest(Request):
    """How much is evaluated by. seed: the same seed draws the same sentences."""

    n: Whole = Field(100, ge=1, le=MAX_DRAWN, description="Sentences that are drawn.")
    seed: Whole = Field(0, ge=0, lt=2**31)


class MeasurementStatus(BaseModel):
    """One measurement and how far it has come: done, of total steps. message: why it waits, or has failed."""

    id: str
    about: str
    n: int
    seed: int
    by: str
    created: datetime
    state: MeasurementState
    done: int
    total: int
    message: Words | None


class CalibrationStatus(BaseModel):
    """Whether answers go by this picture (in_use), or by fixed thresholds (bands). default: threshold for the books, where the
    picture is not asked. measurement: the last one asked for."""

    collection: Measurable
    in_use: bool
    default: float | None
    bands: list[FixedThreshold]
    picture: Picture | None
    measurement: MeasurementStatus | None


class AcceptRequest(Request):
    """measurement: its id."""

    measurement: Name


class EvaluationRun(MeasurementStatus):
    """made_by: the language model that wrote the variants, or "rules"; drawn, dropped: sentences; sentences: of all books, that
    are looked among; levels: figures, null until they are there."""

    title: str
    made_by: str | None
    drawn: int | None
    dropped: int | None
    sentences: int | None
    levels: dict[str, LevelFigures] | None


class EvaluationRuns(BaseModel):
    """Newest first. writes: the language model that writes variants, null where words are left out instead."""

    writes: str | None
    runs: list[EvaluationRun]


class Miss(BaseModel):
    """said: the variant; rank: place of the sentence that it was made of, null where it is not among the candidates; found:
    what was found first."""

    said: str
    rank: int | None
    sought: PassageRecord | None
    found: PassageRecord | None


class EvaluationDetail(EvaluationRun):
    """With some variants whose sentence was not found first, by level."""

    misses: dict[str, list[Miss]] | None
