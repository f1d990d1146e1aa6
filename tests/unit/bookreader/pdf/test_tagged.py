"""PDFs that name their structure, made by hand: each line of text is in a block of the tree."""

import pymupdf

from bookreader.book import BookId, Kind
from bookreader.pdf.parse import parse_book
from bookreader.pdf.read import spans_in_blocks

LINES = (  # and the block of each
    (0, "When the boats came in the keeper counted them and wrote the numbers in his"),
    (0, "book, and nobody asked him."),
    (1, "Referring to the book"),
    (2, "1. Count the boats of the harbour and write down how many of them came."),
    (2, "Say where they were."),
    (3, "2. Name the keeper and the town in which he lived for all of those years."),
    (4, "The winter was long, and in the town they said that it had never been as"),
    (4, "cold before. The men had half of the boats that lay in the harbour of"),
    (4, "Whitby to mend before the spring came and the sea was calm."),
)
LAST = "The men had half of the boats that lay in the harbour of Whitby to mend before the spring came and the sea was calm."
WHOLE = ["Referring to the book", "1. Count the boats of the harbour and write down how many of them came."]


def a_tagged_pdf(blocks: list[int]) -> bytes:
    """The lines below each other, each in that block of the structure."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((0, 0), " ", fontname="helv")  # the page's font
    content = "".join(
        f"/P <</MCID {n}>> BDC BT /helv 11 Tf 72 {700 - 14 * n} Td ({text}) Tj ET EMC\n" for n, (_, text) in enumerate(LINES)
    )
    document.update_stream(page.get_contents()[0], content.encode())
    root, parents, *nodes = (document.get_new_xref() for _ in range(2 + len(set(blocks))))
    for block, node in enumerate(nodes):
        own = " ".join(str(n) for n, each in enumerate(blocks) if each == block)
        document.update_object(node, f"<</Type/StructElem/S/P/P {root} 0 R/Pg {page.xref} 0 R/K [{own}]>>")
    kids = " ".join(f"{node} 0 R" for node in nodes)
    document.update_object(root, f"<</Type/StructTreeRoot/K [{kids}]/ParentTree {parents} 0 R>>")
    document.update_object(parents, f"<</Nums [0 [{' '.join(f'{nodes[block]} 0 R' for block in blocks)}]]>>")
    document.xref_set_key(page.xref, "StructParents", "0")
    document.xref_set_key(document.pdf_catalog(), "StructTreeRoot", f"{root} 0 R")
    document.xref_set_key(document.pdf_catalog(), "MarkInfo", "<</Marked true>>")
    return bytes(document.tobytes())


def sentences(blocks: list[int]) -> list[str]:
    book = parse_book(a_tagged_pdf(blocks), BookId("tagged"))
    return [each.text for each in book.sentences if each.kind is Kind.SENTENCE]


def test_a_block_of_a_tagged_pdf_is_a_paragraph() -> None:
    found = sentences([block for block, _ in LINES])

    assert found[0].endswith("in his book, and nobody asked him.")
    assert found[1:3] == WHOLE
    assert found[-1] == LAST


def test_a_block_does_not_tear_a_sentence_that_others_began() -> None:
    *blocks, last = [block for block, _ in LINES]

    assert sentences([*blocks, last + 1])[-1] == LAST


def test_blocks_that_are_mere_lines_are_not_believed() -> None:
    assert WHOLE[0] not in sentences(list(range(len(LINES))))


def test_blocks_are_read_in_order_however_deep_they_are() -> None:
    tree = [{"lines": [{"spans": [{"text": name}]}]} for name in ("first", "second")]
    for _ in range(3000):
        tree = [{"index": 0, "std": "P", "blocks": tree}]

    assert [span["text"] for _, span in spans_in_blocks(tree)] == ["first", "second"]
