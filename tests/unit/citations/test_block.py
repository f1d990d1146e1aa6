from textwrap import dedent

from chapterverse.citations.model import Evidence
from chapterverse.citations.passages import evidence_block
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence


def test_the_block_has_the_header_the_numbering_and_the_line_breaks_of_the_design() -> None:
    middle = Passage("On Liberty", a_sentence("It stands."), a_sentence("Before."), a_sentence("After."), "")
    first = Passage("On Liberty", a_sentence("It begins.", pages=("12", "13")), None, a_sentence("After."), "")
    last = Passage("Walden", a_sentence("It ends."), a_sentence("Before."), None, "")
    alone = Passage("Walden", a_sentence("It is alone."), None, None, "")

    block = evidence_block([Evidence(n, one, 0.8, ()) for n, one in enumerate([middle, first, last, alone], start=1)])

    assert block == dedent("""\
        Retrieved Evidence:
        1. "It stands."
            (On Liberty, Chapter II, Page 35)
            Previous: Before.
            Next: After.
        2. "It begins."
            (On Liberty, Chapter II, Pages 12–13)
            Next: After.
        3. "It ends."
            (Walden, Chapter II, Page 35)
            Previous: Before.
        4. "It is alone."
            (Walden, Chapter II, Page 35)""")


def test_without_evidence_the_block_is_its_header() -> None:
    assert evidence_block([]) == "Retrieved Evidence:"
