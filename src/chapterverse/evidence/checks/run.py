"""All checks of one claim."""

from chapterverse.evidence.checks.extent import check_extent
from chapterverse.evidence.checks.finding import Finding
from chapterverse.evidence.checks.names import check_names
from chapterverse.evidence.checks.numbers import check_numbers
from chapterverse.evidence.checks.order import check_order
from chapterverse.evidence.checks.polarity import check_polarity
from chapterverse.evidence.said import Said


def run_checks(said: Said) -> list[Finding]:
    """What they find, the weightiest first."""
    found = (
        check_numbers(said.claim, said.sentence, said.around),
        check_order(said.claim, said.sentence),
        check_polarity(said.claim, said.sentence),
        check_names(said.claim, said.sentence, said.around),
        check_extent(said.claim, said.sentence),
    )
    return sorted((finding for finding in found if finding), key=lambda finding: -finding.weight)
