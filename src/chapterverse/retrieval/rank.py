"""The order of the sentences found, and the cut to as many as are wanted."""

from collections.abc import Sequence

from chapterverse.model import Found


def rank(found: Sequence[Found]) -> list[Found]:
    """Best first by fused score, then by a query's best; what is still equal is ordered by id, so a run can be repeated."""
    return sorted(found, key=lambda one: (-one.score, -one.found_by[0].score, one.record.id))


def cut_to(ranked: Sequence[Found], limit: int) -> list[Found]:
    """At most `limit`, still best first: before anything else the best of each essay paragraph, then the next best.

    S1 expects one idea, and so one sentence, a paragraph: with limit = number of paragraphs, every paragraph that the books
    say something on keeps a sentence, and the places of those they are silent on go to the next best."""
    covered: set[int] = set()
    leading: list[int] = []
    for position, found in enumerate(ranked):
        if not found.paragraphs <= covered:
            covered |= found.paragraphs
            leading.append(position)
    others = [position for position in range(len(ranked)) if position not in leading]
    return [ranked[position] for position in sorted([*leading, *others][:limit])]
