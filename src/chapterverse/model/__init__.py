"""The facts everything else points at: frozen, of the standard library and numpy's array type only."""

from chapterverse.model.batches import BatchEssay, BatchKey, BatchState, EssayBatch, EssayState
from chapterverse.model.books import (
    Address,
    Book,
    BookId,
    Box,
    Chapter,
    Kind,
    Limits,
    Place,
    QualityReport,
    Sentence,
    SentenceId,
)
from chapterverse.model.search import Found, FoundBy, Granularity, Hit, Partition, Query, QueryKind, Record, Scope, Vectors
from chapterverse.model.service import ApiKey, KeyScope, StoredFile, Task, TaskKind
from chapterverse.model.shelf import BookVersion, Corrections, ShelvedBook, VersionKey, VersionState

__all__ = [
    "Address",
    "ApiKey",
    "BatchEssay",
    "BatchKey",
    "BatchState",
    "Book",
    "BookId",
    "BookVersion",
    "Box",
    "Chapter",
    "Corrections",
    "EssayBatch",
    "EssayState",
    "Found",
    "FoundBy",
    "Granularity",
    "Hit",
    "KeyScope",
    "Kind",
    "Limits",
    "Partition",
    "Place",
    "QualityReport",
    "Query",
    "QueryKind",
    "Record",
    "Scope",
    "Sentence",
    "SentenceId",
    "ShelvedBook",
    "StoredFile",
    "Task",
    "TaskKind",
    "Vectors",
    "VersionKey",
    "VersionState",
]
