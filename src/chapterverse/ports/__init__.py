"""What the use cases need of the world. A port exists only where there are two real implementations of it."""

from chapterverse.ports.accounts import AccountStore
from chapterverse.ports.batches import BatchStore
from chapterverse.ports.books import Bucket, Catalog, Embedder, LexicalIndex, TaskQueue, Uploads, VectorIndex
from chapterverse.ports.language import LanguageModel, Ledger, Redactor, Reranker
from chapterverse.ports.lti import KeyRing, LtiStore, ToolKey
from chapterverse.ports.people import (
    AnswerLog,
    ConversationStore,
    FaqStore,
    FeedbackStore,
    Guard,
    KeyStore,
    LectureStore,
    PeopleStore,
    Post,
    SchoolRecords,
)
from chapterverse.ports.settings import ChoiceStore, MeasurementStore

__all__ = [
    "AccountStore",
    "AnswerLog",
    "BatchStore",
    "Bucket",
    "Catalog",
    "ChoiceStore",
    "ConversationStore",
    "Embedder",
    "FaqStore",
    "FeedbackStore",
    "Guard",
    "KeyRing",
    "KeyStore",
    "LanguageModel",
    "LectureStore",
    "Ledger",
    "LexicalIndex",
    "LtiStore",
    "MeasurementStore",
    "PeopleStore",
    "Post",
    "Redactor",
    "Reranker",
    "SchoolRecords",
    "TaskQueue",
    "ToolKey",
    "Uploads",
    "VectorIndex",
]
