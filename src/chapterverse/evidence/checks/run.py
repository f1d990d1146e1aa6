"""All checks of one claim."""

from chapterverse.evidence.checks.extent import check_extent
from chapterverse.evidence.checks.finding import Finding
from chapterverse.evidence.checks.names import check_names
from chapterverse.evidence.checks.numbers import check_numbers
from chapterverse.evidence.checks.order import check_order
from chapterverse.evidence.checks.polarity import check_polarity
from chapterverse.evidence.checks.references import without_references
from chapterverse.evidence.said import Said


def run_checks(said: Said) -> list[Finding]:
    """What they find, the weightiest first."""
    claim = without_references(said.claim)
    found = (
        check_numbers(claim, said.sentence, said.around),
        check_order(claim, said.sentence),
        check_polarity(claim, said.sentence),
        check_names(claim, said.sentence, said.around),
        check_extent(claim, said.sentence),
    )
    return sorted((finding for finding in found if finding), key=lambda finding: -finding.weight)
