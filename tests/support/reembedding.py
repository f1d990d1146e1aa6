"""A town's shelf of two books on its way from one model to another."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chapterverse.core.hits import Scope, Vectors
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.text.parse import parse_essay
from chapterverse.library.intake import add_book
from chapterverse.library.model import CatalogBook
from chapterverse.library.reembedding import reembed_collection
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.versions import no_progress
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL, Town
from tests.support.word_embedder import DIMENSIONS, WordEmbedder

CALM, ROUGH = b"The sea was calm.|The wind rose.\nNobody saw the ship.", b"The sea was rough.|No ship was out."
ANOTHER_ORDER = np.random.default_rng(7).permutation(DIMENSIONS)
ESSAY = parse_essay("Nobody saw the ship when the wind rose.")


class TurnedEmbedder(WordEmbedder):
    """Another model: the same likenesses in other directions, so that its vectors and the words' say nothing of each other."""

    def __init__(self) -> None:
        super().__init__(model="turned")

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.ascontiguousarray(super().embed_passages(texts)[:, ANOTHER_ORDER])


def turning(intake: Intake) -> Intake:
    """The same that is to embed by the other model, and searches with the words' until it has."""
    services = replace(intake.services, embedder=TurnedEmbedder(), before=intake.services.embedder)
    return replace(intake, services=services)


def searched_with(services: CollectionServices, school: str = SCHOOL) -> list[str]:
    """By which model each book is searched."""
    return [book.active.key.model for book in services.catalog.books(school) if book.active]


def found(services: CollectionServices) -> list[tuple[str, float]]:
    evidence = find_evidence(ESSAY, Scope(SCHOOL), services).evidence
    return [(one.passage.sentence.text, round(one.score, 3)) for one in evidence]


def with_two_books(town: Town) -> Town:
    for text, name in ((CALM, "Calm.pdf"), (ROUGH, "Rough.pdf")):
        add_book(text, name, SCHOOL, town.intake.services, LIMITS)
    return town


def quietly(_: CatalogBook) -> object:
    return no_progress


def after(town: Town) -> dict[str, object]:
    """What there is when it is done."""
    with town.closing:
        reembed_collection(SCHOOL, turning(town.intake).services, quietly)
        return town.contents()
