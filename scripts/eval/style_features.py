"""What a style may ask for beyond CSS: each feature changes the marked-up book before its layout, never a sentence of it."""

from collections.abc import Callable, Iterator
from itertools import count

from lxml import etree
from lxml.etree import _Element

Feature = Callable[[_Element, str], None]
ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
LONG_PARAGRAPH = 400  # characters; a shorter one has no room for a gloss or a figure beside it
LONG_NOTE = 70  # words


def paragraphs(body: _Element) -> Iterator[_Element]:
    """The book's own paragraphs, in reading order."""
    return (p for p in body.iter("p") if p.find("a") is not None)


def every(body: _Element, step: int) -> list[_Element]:
    """Every `step`-th long paragraph that stands in a section itself, not in a quotation."""
    long = [p for p in paragraphs(body) if len("".join(p.itertext())) > LONG_PARAGRAPH and p.getparent().tag == "section"]
    return long[step - 1 :: step]


def pieces(paragraph: _Element) -> list[_Element]:
    """The text runs of a paragraph's sentences: notes stand outside them."""
    return [run for link in paragraph.findall("a") for run in link]


def element(tag: str, text: str = "", **attributes: str) -> _Element:
    made = etree.Element(tag, {k.rstrip("_"): v for k, v in attributes.items()})
    made.text = text
    return made


def longest_words(paragraph: _Element, n: int) -> str:
    words = {w.strip(".,;:?!—“”’‘()").lower() for w in "".join(paragraph.itertext()).split()}
    return ", ".join(sorted(filter(str.isalpha, words), key=lambda w: (-len(w), w))[:n])


def opening_words(body: _Element, words: str) -> None:
    """The first words of each chapter in a span "opening", for small capitals or capitals."""
    for run in first_runs(body):
        cut = nth_space(run.text or "", int(words))
        opening = element("span", (run.text or "")[:cut], class_="opening")
        opening.tail = (run.text or "")[cut:]
        run.text = None
        run.insert(0, opening)


def drop_caps(body: _Element, _: str) -> None:
    """The first letter of each chapter as a link of its own, class "cap", before the rest of its sentence."""
    for run in first_runs(body):
        letters = 2 if (run.text or "")[:1] in "“‘'" else 1
        link = run.getparent()
        cap = element("a", (run.text or "")[:letters], class_="cap", href=link.get("href"))
        run.text = (run.text or "")[letters:]
        link.getparent().insert(0, cap)


def first_runs(body: _Element) -> list[_Element]:
    """The first text run after each chapter's heading, where a plain paragraph follows it."""
    openings = [h.getnext() for h in body.iter("h2") if h.getnext() is not None and h.getnext().tag == "p"]
    return [pieces(p)[0] for p in openings if pieces(p)]


def nth_space(text: str, n: int) -> int:
    position = 0
    for _ in range(n):
        position = text.find(" ", position + 1)
        if position < 0:
            return len(text)
    return position


def note_calls(body: _Element, marks: str) -> None:
    """Calls and marks of the style's own, afresh in each chapter: "numbers", or symbols to go through again and again."""
    symbols = marks.split()
    for chapter in body.findall(".//main/section"):
        for i, note in enumerate(chapter.findall(".//span[@class='fn']")):
            mark = str(i + 1) if marks == "numbers" else symbols[i % len(symbols)]
            note.addprevious(element("sup", mark, class_="call"))
            note.text = f"{mark} {note.text}"


def run_over_notes(body: _Element, words: str) -> None:
    """The second half of a long note at the foot some `words` later, most often the next page, as where a note runs over."""
    everything = list(paragraphs(body))
    for note in body.findall(".//main//span[@class='fn']"):
        said = (note.text or "").split()
        target = paragraph_after(everything, note.getparent(), int(words))
        if len(said) > LONG_NOTE and target is not None:
            note.text = " ".join(said[: len(said) // 2])
            target.insert(0, element("span", " ".join(said[len(said) // 2 :]), class_="fn over"))


def paragraph_after(everything: list[_Element], paragraph: _Element, words: int) -> _Element | None:
    """The first paragraph that begins at least so many words after this one does."""
    passed = 0
    for later in everything[everything.index(paragraph) :]:
        if passed >= words:
            return later
        passed += len("".join(later.itertext()).split())
    return None


def notes_at_chapter_end(body: _Element, title: str) -> None:
    """Footnotes become numbered calls and a list under a small heading at the end of their chapter."""
    for chapter in body.findall(".//main/section"):
        notes = chapter.findall(".//span[@class='fn']")
        if not notes:
            continue
        chapter.append(element("h4", title, class_="notes-head"))
        for number, note in enumerate(notes, 1):
            chapter.append(element("div", f"{number}. {note.text}", class_="note"))
            note.text, note.tag = str(number), "sup"
            note.set("class", "call")


def notes_after_paragraph(body: _Element, _: str) -> None:
    """Footnotes become numbered calls and small lines just below their paragraph."""
    numbers = count(1)
    for paragraph in list(paragraphs(body)):
        after = paragraph
        for note in paragraph.findall("span[@class='fn']"):
            number = next(numbers)
            line = element("div", f"{number} {note.text}", class_="note")
            after.addnext(line)
            after, note.text, note.tag = line, str(number), "sup"


def glosses(body: _Element, step: str) -> None:
    """A marginal gloss beside every `step`-th paragraph."""
    for paragraph in every(body, int(step)):
        paragraph.addprevious(element("div", f"Here of {longest_words(paragraph, 3)}", class_="gloss"))


def figures(body: _Element, step: str) -> None:
    """A drawn box and its caption after every `step`-th paragraph."""
    for number, paragraph in enumerate(every(body, int(step)), 1):
        figure = element("div", class_="figure")
        drawing = etree.SubElement(figure, "div", {"class": "drawing"})
        drawing.append(element("div", f"{number * 7} %", class_="inner"))
        said = f"Figure {number}. How {longest_words(paragraph, 2)} bear on each other. After a drawing."
        figure.append(element("div", said, class_="caption"))
        paragraph.addnext(figure)


def tables(body: _Element, step: str) -> None:
    """A small table with a caption above it after every `step`-th paragraph."""
    for number, paragraph in enumerate(every(body, int(step)), 1):
        table = element("table")
        table.append(element("caption", f"Table {number}: Instances by year and county"))
        table.append(table_row("th", "Year", "North", "South"))
        table.extend([table_row("td", str(1840 + 10 * row), str(31 * number + row), f"{1.7 * row:.1f}") for row in range(1, 4)])
        paragraph.addnext(table)


def table_row(tag: str, *cells: str) -> _Element:
    row = element("tr")
    row.extend([element(tag, cell) for cell in cells])
    return row


def asterisms(body: _Element, step: str) -> None:
    """A line of asterisks, or the style's own ornament, after every `step`-th paragraph."""
    for paragraph in every(body, int(step)):
        paragraph.addnext(element("div", "* * *", class_="asterism"))


def parts(body: _Element, chapters: str) -> None:
    """A page that says only "Part the First" and a title before every so many chapters."""
    titles = ["Of Beginnings", "The Matter Considered", "Applications", "The Later Argument", "Conclusions"]
    for number, chapter in enumerate(body.findall(".//main/section")[:: int(chapters)]):
        part = element("section", class_="part")
        part.append(element("h1", f"Part the {ORDINALS[number].title()}", class_="part-number"))
        part.append(element("div", titles[number % len(titles)], class_="part-title"))
        chapter.addprevious(part)


def watermark(body: _Element, text: str) -> None:
    """The same words on every page; the style says where and how."""
    body.insert(0, element("div", text, class_="watermark"))


FEATURES: dict[str, Feature] = {
    "caps": drop_caps,
    "opening": opening_words,
    "calls": note_calls,
    "run-over": run_over_notes,  # after the calls: the second half has none
    "endnotes": notes_at_chapter_end,
    "inline-notes": notes_after_paragraph,
    "glosses": glosses,
    "figures": figures,
    "tables": tables,
    "asterisms": asterisms,
    "parts": parts,
    "watermark": watermark,
}
