from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Kind
from bookreader.errors import BadFile
from bookreader.worker import read_source
from tests.support.sites import folder, links, read_folder, read_page, texts


def test_every_sentence_has_its_chapter_sections_link_and_neighbours() -> None:
    page = "---\ntitle: Nodes\n---\nBefore. Two.\n\n# Head\n\n## Topics\n\nA topic. It is named.\n\n#### Deep\n\nEnd."

    book = read_folder({"m/page.md": page, "textbook.yml": "title: Robots"})

    addresses = [each.address for each in book.sentences]
    assert texts(book) == ["Before.", "Two.", "A topic.", "It is named.", "End."]
    assert [address.section_path for address in addresses] == [(), (), ("Topics",), ("Topics",), ("Topics", "Deep")]
    assert [address.url for address in addresses][2:] == ["/docs/m/page#topics", "/docs/m/page#topics", "/docs/m/page#deep"]
    assert {(each.chapter.title, each.chapter.module, each.chapter.file) for each in addresses} == {("Nodes", "M", "m/page.md")}
    first, last = (True, False), (False, True)
    assert [(s.prev_id is None, s.next_id is None) for s in book.sentences] == [first, last, first, last, (True, True)]
    assert book.title == "Robots"


def test_a_heading_ends_those_of_its_level_and_below_and_a_page_without_one_is_a_chapter() -> None:
    book = read_page("# T\n\n### C\n\na\n\n## B\n\nb\n\n# Second\n\nc\n\n## D\n\nd")
    assert [each.address.section_path for each in book.sentences] == [("C",), ("B",), ("Second",), ("Second", "D")]

    book = read_page("Only text.", "02-the-nodes.md")
    assert (book.chapters[0].title, book.sentences[0].address.section_path) == ("The Nodes", ())


def test_files_that_are_no_pages_drafts_and_other_encodings_do_not_keep_the_others_out() -> None:
    others = {"b.md": b"\xff\xfe\x00", "c.md": "", "d.md": "x" * (5 * 2**20 + 1), "e.md": "---\na: [\n---\nMore."}
    book = read_folder({"a.md": "Text.", **others})

    assert texts(book) == ["Text.", "More."]
    assert [str(warning).split(":")[0] for warning in book.report.warnings] == [
        "The page b.md is not saved as UTF-8; save it as UTF-8. It was skipped.",
        "The page c.md contains no text. It was skipped.",
        "The page d.md is larger than 5 MiB; split it. It was skipped.",
        "The page e.md",
    ]

    book = read_folder({"a.md": "Text.", "_part.md": "Part.", "_parts/b.md": "Part.", "c.md": "---\ndraft: true\n---\nDraft."})
    assert texts(book) == ["Text."]
    assert book.report.warnings == ()

    html = '<meta http-equiv="content-type" content="text/html; charset={}"><p>Drücke ¶.</p>'
    declared = {"a.html": "ISO-8859-1", "b.html": "utf-8"}
    book = read_folder({name: html.format(encoding).encode("latin-1") for name, encoding in declared.items()})
    assert texts(book) == ["Drücke ¶."]
    assert [str(each).split(";")[0] for each in book.report.warnings] == ["The page b.html is not saved as UTF-8"]


@pytest.mark.parametrize(
    ("pages", "reason"), [({"textbook.yml": "a: b"}, "no_pages"), ({"a.md": ""}, "no_text"), ({"a.md": b"\xff"}, "no_text")]
)
def test_a_folder_without_a_page_that_can_be_read_is_refused(pages: dict[str, str | bytes], reason: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_folder(pages)

    assert refused.value.reason == reason


def test_the_same_folder_gives_the_same_ids_progress_counts_pages_and_words_have_a_limit() -> None:
    pages = {"a.md": "One. Two.", "b.md": "Three."}
    seen: list[tuple[int, int]] = []
    book = read_source(folder(pages), BookId("book"), progress=lambda done, total: seen.append((done, total)))
    assert book == read_folder(pages)
    assert seen == [(1, 2), (2, 2)]

    with pytest.raises(BadFile, match="3 words; the limit is 2"):
        read_source(folder({"a.md": "One two three."}), BookId("book"), replace(DEFAULT_LIMITS, words=2))


@given(st.text(alphabet="ab .#*`~<>{}()[]|:-_=!?$\\\n\"'1&;/é日", max_size=200))
def test_whatever_a_page_holds_its_sentences_are_places_in_their_paragraphs(text: str) -> None:
    book = read_folder({"sure.md": "Sure.", "a.md": text, "b.html": text})

    assert len({each.id for each in book.sentences}) == len(book.sentences)
    assert all(each.text.strip() and each.kind is Kind.SENTENCE and not each.address.places for each in book.sentences)
    for one, other in pairwise(book.sentences):
        if one.address.paragraph_id == other.address.paragraph_id:
            assert (one.next_id, other.prev_id) == (other.id, one.id)
            assert one.address.span[1] <= other.address.span[0]


def order(book: Book) -> list[str | None]:
    return [chapter.file for chapter in book.chapters]


def test_docusaurus_goes_by_positions_then_by_names() -> None:
    in_order = ["zeta.md", "2-two.md", "module/index.md", "module/b.md", "10-ten.md", "beta.md"]
    positions = {"zeta.md": "---\nsidebar_position: 1\n---\nText.", "module/_category_.json": '{"position": 3}'}

    assert order(read_folder(dict.fromkeys(sorted(in_order), "Text.") | positions)) == in_order


def test_a_module_is_called_as_its_folder_or_page_says_and_neither_what_is_around_all_nor_docs_is_one() -> None:
    book = read_folder(
        {
            "01-a/_category_.yml": "label: 'Module 1: Start'",
            "01-a/page.md": "Text.",
            "02-b/index.md": "# The Second\n\nText.",
            "03-long-name/deep/page.md": "Text.",
        }
    )
    assert [chapter.module for chapter in book.chapters] == ["Module 1: Start", "The Second", "Long Name > Deep"]

    book = read_folder(dict.fromkeys(["b-main/docs/a.md", "b-main/docs/m/b.md", "b-main/docusaurus.config.js"], "Text."))
    assert [(each.file, each.module) for each in book.chapters] == [("a.md", None), ("m/b.md", "M")]
    assert order(read_folder({"README.md": "Text.", "docs/a.md": "Text.", "docs/b.md": "Text."})) == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("intro.md", "/docs/intro"),
        ("01-module/02-the-nodes.mdx", "/docs/module/the-nodes"),
        ("01 - Module One/3. Chapter.md", "/docs/Module%20One/Chapter"),
        ("7.0-news.md", "/docs/7.0-news"),
        ("2021-11-notes.md", "/docs/2021-11-notes"),
        ("index.md", "/docs/"),
        ("module/README.md", "/docs/module/"),
        ("module/module.md", "/docs/module/"),
        ("module/index.html", "/docs/module/index.html"),
    ],
)
def test_docusaurus_routes(path: str, url: str) -> None:
    assert links(read_page("Text.", path)) == [url]


@pytest.mark.parametrize(
    ("facts", "url"),
    [
        ("id: nodes", "/docs/module/nodes"),
        ("slug: nodes", "/docs/module/nodes"),
        ("slug: ../nodes", "/docs/nodes"),
        ("slug: /", "/docs/"),
        ("slug: /robots/nodes\nid: x", "/docs/robots/nodes"),
    ],
)
def test_a_docusaurus_page_can_say_its_address(facts: str, url: str) -> None:
    assert links(read_page(f"---\n{facts}\n---\nText.", "01-module/02-page.md")) == [url]


def test_a_folder_can_say_how_its_site_is_made() -> None:
    book = read_folder({"01-a.md": "## A a\n\nText.", "textbook.yml": "base_url: https://x.org/b\ntitle: T\nauthors: [A B, C]"})

    assert links(book) == ["https://x.org/b/a#a-a"]
    assert (book.title, book.authors) == ("T", ("A B", "C"))
