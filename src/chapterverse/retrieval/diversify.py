"""No sentence twice in other words (S1, "Diversity")."""

from collections.abc import Sequence
from dataclasses import replace

from chapterverse.model import Found
from chapterverse.retrieval.fuse import best_first


def keep_diverse(ranked: Sequence[Found], max_similarity: float) -> list[Found]:
    """Drops a sentence whose cosine to one already kept is above max_similarity (0.9 in S1; 0.9 itself is kept).

    ranked: best first, so the better of two alike stays; it takes over the queries that found the other one, because what it
    says bears on those too. Its score stays its own. Time grows with n²; n is at most a few hundred."""
    kept: list[Found] = []
    for found in ranked:
        alike = [i for i, other in enumerate(kept) if float(other.vector @ found.vector) > max_similarity]
        if alike:
            nearest = max(alike, key=lambda i: float(kept[i].vector @ found.vector))
            kept[nearest] = with_queries_of(kept[nearest], found)
        else:
            kept.append(found)
    return kept


def with_queries_of(kept: Found, dropped: Found) -> Found:
    """The sentence kept, found also by the queries of the one dropped, each once with its better score."""
    merged = {one.query: one for one in reversed(best_first([*kept.found_by, *dropped.found_by]))}
    return replace(kept, found_by=best_first(merged.values()))
