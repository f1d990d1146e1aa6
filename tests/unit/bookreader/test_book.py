"""Names that are far too long: each sentence repeats those of its place, so a small file could become gigabytes."""

from bookreader.book import LONGEST_NAME, LONGEST_URL
from bookreader.pdf.labels import label_pages
from tests.support.marks import a_line, a_page
from tests.support.sites import read_folder


def test_long_headings_and_paths_are_cut_off() -> None:
    heading = "word " * 1000
    book = read_folder(
        {f"{'d' * 3000}/a.md": f"# {heading}\n\n## {heading}\n\nShips sail. Tides turn.", "b.md": "# B\n\nBees fly."}
    )

    assert {"Ships sail.", "Tides turn.", "Bees fly."} <= {each.text for each in book.sentences}
    for address in (sentence.address for sentence in book.sentences):
        names = [*address.section_path, address.chapter.title, address.chapter.file, book.title]
        assert max(len(name or "") for name in names) <= LONGEST_NAME
        assert len(address.url or "") <= LONGEST_URL
        assert address.chapter in book.chapters


def test_a_label_that_no_page_could_have_is_none() -> None:
    pages = [a_page(a_line("It rained."), label=label) for label in ("m" * 2_000_000, "7")]

    assert label_pages(pages).of_page == ("1", "7")
