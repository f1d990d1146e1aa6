"""HTTP requests and responses of a school's settings, calibrations and evaluations."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from chapterverse.essays.model import Tone
from chapterverse.essays.schemas import MAX_EVIDENCES
from chapterverse.evaluation.measurements import Miss
from chapterverse.evaluation.model import MeasurementState
from chapterverse.evaluation.picture import Picture
from chapterverse.evaluation.retrieval import LevelMetrics
from chapterverse.library.schemas import MAX_SAMPLE, Name
from chapterverse.messages.fields import Words
from chapterverse.web.operations import Request, Whole, whole

MinScore = Field(None, ge=0, le=1, description="Score from which something counts as found: see the calibration.")
Measurable = Literal["books", "documents", "textbook", "helpdesk"]
MEASURABLE: tuple[str, ...] = get_args(Measurable)


class SettingsRequest(Request):
    """All settings of a school; null, or left out, means the default."""

    evidences: Annotated[int, Field(ge=1, le=MAX_EVIDENCES), BeforeValidator(whole)] | None = Field(
        None, description="Sentences of the books for an essay; null: one for each paragraph."
    )
    tone: Tone | None = Field(None, description="kind encourages, plain is brief.")
    grade: Annotated[int, Field(ge=3, le=13), BeforeValidator(whole)] | None = Field(
        None, description="School grade that feedback is written for."
    )
    approval: bool | None = Field(None, description="Students see feedback only after a teacher has released it.")
    codes: bool | None = Field(None, description="Students may join classes and sign in by a code, without an e-mail address.")
    least_books: float | None = MinScore
    least_documents: float | None = MinScore
    least_textbook: float | None = MinScore
    least_helpdesk: float | None = MinScore


class Setting(BaseModel):
    """value: null for the default. default: null if it depends on the essay or the calibration. changed_by, changed: who set it
    last and when, null if never."""

    value: bool | int | float | str | None
    default: bool | int | float | str | None
    changed_by: str | None
    changed: datetime | None


class SettingsResponse(BaseModel):
    """Settings for feedback and answers, used where a request has none of its own."""

    evidences: Setting
    tone: Setting
    grade: Setting
    approval: Setting
    codes: Setting
    least_books: Setting
    least_documents: Setting
    least_textbook: Setting
    least_helpdesk: Setting


class FixedThreshold(BaseModel):
    """A threshold without a calibration. name: of the confidence band, or "confidence". least: cosine from which an answer is
    in the band, or the confidence."""

    name: str
    least: float


class MeasurementRequest(Request):
    """A calibration. seed: the same seed draws the same sentences."""

    n: Whole = Field(300, ge=20, le=1000, description="Questions to make of the texts.")
    seed: Whole = Field(0, ge=0, lt=2**31)


class EvaluationRequest(Request):
    """An evaluation. seed: the same seed draws the same sentences."""

    n: Whole = Field(100, ge=1, le=MAX_SAMPLE, description="Sentences to draw.")
    seed: Whole = Field(0, ge=0, lt=2**31)


class MeasurementStatus(BaseModel):
    """One measurement and its progress: done of total steps. message: why it waits or failed."""

    model_config = ConfigDict(from_attributes=True)

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
    """in_use: answers use this calibration, otherwise the fixed `bands`. default: threshold for books, which use no
    calibration. measurement: the last one ordered."""

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
    """made_by: the language model that wrote the variants, or "rules". drawn, dropped: sentences of the sample. sentences: of
    all books, which are searched. levels: metrics. All null until they are known."""

    title: str
    made_by: str | None
    drawn: int | None
    dropped: int | None
    sentences: int | None
    levels: dict[str, LevelMetrics] | None


class EvaluationRuns(BaseModel):
    """Newest first. writes: the language model that writes variants, null if words are left out instead."""

    writes: str | None
    runs: list[EvaluationRun]


class EvaluationDetail(EvaluationRun):
    """misses: some variants of each level whose sentence was not found first."""

    misses: dict[str, list[Miss]] | None
