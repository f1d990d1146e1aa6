from dataclasses import replace

from chapterverse.citations.records import SentenceRecord
from chapterverse.core.book import Address, BookId, Box, Chapter, Kind, Place, Sentence, SentenceId

ON_TWO_PAGES = (
    Place(13, "xiv", (Box(72.04, 700.0, 300.06, 712.55),)),
    Place(14, "xv", (Box(72, 60, 200, 72), Box(72, 74, 100, 86))),
)


def a_sentence(chapter: Chapter, next_id: str | None = None) -> Sentence:
    address = Address(BookId("emma"), "v1", chapter, ("Part One", "Visits"), "p7", 7, 0, (0, 5), ON_TWO_PAGES)
    return Sentence(SentenceId("s1"), "Hello.", Kind.SENTENCE, address, None, SentenceId(next_id) if next_id else None)


def test_the_format_is_a_contract() -> None:
    line = SentenceRecord.of(a_sentence(Chapter(1, "II", "Of Harriet"), next_id="s2")).model_dump(mode="json")

    assert list(line.items()) == [
        ("text", "Hello."),
        ("kind", "sentence"),
        ("book", "emma"),
        ("chapter_number", "II"),
        ("chapter", "Of Harriet"),
        ("section_path", ["Part One", "Visits"]),
        ("page_index", 13),
        ("page_label", "xiv"),
        ("paragraph_id", "p7"),
        ("sentence_id", "s1"),
        ("prev_sentence_id", None),
        ("next_sentence_id", "s2"),
        (
            "boxes",
            [
                {"page": 13, "x0": 72.0, "y0": 700.0, "x1": 300.1, "y1": 712.5},
                {"page": 14, "x0": 72, "y0": 60, "x1": 200, "y1": 72},
                {"page": 14, "x0": 72, "y0": 74, "x1": 100, "y1": 86},
            ],
        ),
        ("url", None),
        ("quotable", True),
        ("confidence", None),
        ("paragraph_number", None),
    ]


def test_a_chapter_goes_by_its_title_or_number_and_what_has_no_pages_says_where_it_is_read() -> None:
    assert SentenceRecord.of(a_sentence(Chapter(1, "II", None))).model_dump(mode="json")["chapter"] == "II"

    line = SentenceRecord.of(a_sentence(Chapter(-1, None, None))).model_dump(mode="json")
    assert (line["chapter_number"], line["chapter"]) == (None, None)

    sentence = a_sentence(Chapter(0, None, "Nodes"))
    on_a_site = replace(sentence, address=replace(sentence.address, places=(), url="/docs/nodes#topics"))
    line = SentenceRecord.of(on_a_site).model_dump(mode="json")
    assert (line["url"], line["page_index"], line["page_label"], line["boxes"]) == ("/docs/nodes#topics", None, None, [])
