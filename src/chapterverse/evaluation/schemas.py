"""What is sent and answered, field by field. Requests are strict; answers are what usecases/*_json.py and model.py say."""

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.library.schemas import MOST_DRAWN
from chapterverse.web.schemas import Request, Whole


class VariantsRequest(Request):
    """Sentences of a book that variants are to be made of."""

    n: Whole = Field(100, ge=1, le=MOST_DRAWN, description="How many to draw.")
    seed: Whole = Field(0, ge=0, lt=2**31, description="The same seed draws the same sentences.")


class Variants(BaseModel):
    """How far the variants are: of the sentences drawn, how many have theirs, were dropped, and have not had their turn."""

    book: str
    drawn: int
    made: int
    dropped: int
    left: int


class EvaluationQuery(BaseModel):
    """What is evaluated by: the variants of the sentences drawn so."""

    model_config = ConfigDict(frozen=True)

    n: int = Field(100, ge=1, le=MOST_DRAWN, description="How many were drawn.")
    seed: int = Field(0, ge=0, lt=2**31, description="By which seed.")


class Figure(BaseModel):
    """A measure with the ends of its 95 % bootstrap interval, and the number of cases it is taken over."""

    model_config = ConfigDict(from_attributes=True)

    value: float
    low: float
    high: float
    n: int


class LevelFigures(BaseModel):
    """How often a variant's sentence is among the first found, and the mean of 1 / its place."""

    model_config = ConfigDict(from_attributes=True)

    recall_at_1: Figure
    recall_at_3: Figure
    recall_at_5: Figure
    recall_at_10: Figure
    mrr: Figure


class Evaluation(Variants):
    """How well the search finds a book's sentences among all books, by minor rewrites (level1), full paraphrases (level2) and
    the claim as a student would put it (level3)."""

    level1: LevelFigures
    level2: LevelFigures
    level3: LevelFigures
