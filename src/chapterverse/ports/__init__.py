"""What the use cases need of the world. A port exists only where there are two real implementations of it."""

from chapterverse.ports.books import Bucket, Catalog, Embedder, LexicalIndex, TaskQueue, Uploads, VectorIndex
from chapterverse.ports.language import LanguageModel, Ledger, Likelihood, Redactor, Reranker
from chapterverse.ports.people import (
    AnswerLog,
    BatchStore,
    ConversationStore,
    FaqStore,
    FeedbackStore,
    KeyStore,
    LectureStore,
    PeopleStore,
    Post,
    SchoolRecords,
)

__all__ = [
    "AnswerLog",
    "BatchStore",
    "Bucket",
    "Catalog",
    "ConversationStore",
    "Embedder",
    "FaqStore",
    "FeedbackStore",
    "KeyStore",
    "LanguageModel",
    "LectureStore",
    "Ledger",
    "LexicalIndex",
    "Likelihood",
    "PeopleStore",
    "Post",
    "Redactor",
    "Reranker",
    "SchoolRecords",
    "TaskQueue",
    "Uploads",
    "VectorIndex",
]
