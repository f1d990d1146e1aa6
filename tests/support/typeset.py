"""A small typesetter for tests: a book's elements, set in a design, as PDF bytes.

    pdf = typeset(chapter("I", "The Harbour"), para("It rained."), quote("…"), design=Design(columns=2))

An element is a function that sets itself on the press. Lengths are points, places from the top left. Inside a text "·" marks
where a word may be broken, "^1" raises the 1."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, pairwise

import pymupdf

from tests.support.ink import Measure, Run, Word, ink_of, unit_width, words_of, wrap
from tests.support.press import PLAIN, Announced, Design, Element, Press, print_sheet


def para(
    text: str,
    *,
    notes: dict[str, str] | None = None,
    beside: str = "",
    left: str = "",
    initial: int = 0,
    opening: str = "",
    opening_words: int = 0,
    inset: float = 0,
    size: float = 0,
    flush: bool = False,
) -> Element:
    """A paragraph. notes: footnotes by their marks; beside: a side note; left: a number in the left margin; initial: lines that
    its first letter is high; opening: "capitals" or "small capitals" for its first line, or for opening_words; inset: points on
    both sides; flush: not indented."""

    def set_on(press: Press) -> None:
        design, em = press.design, size or press.design.size
        leading = design.leading * em / design.size
        indent = 0 if flush or initial or press.after_heading else design.indent
        press.space(design.space)
        letter = words_of(text[0], em * 1.25 * initial)[0] if initial else ()
        cap = 2 + sum(run.width for run in letter)

        def start(n: int) -> float:
            return inset + (cap if n < initial else 0) + (indent if n == 0 else 0)

        def measure(n: int) -> float:
            return design.measure - inset - start(n)

        words = words_of(text[1:] if initial else text, em, design.font)
        lines = (
            opened(words, measure, opening, opening_words, design.hyphen) if opening else wrap(words, measure, design.hyphen)
        )
        press.need(leading * min(2, len(lines)))
        for n, line in enumerate(lines):
            called = [row for mark, note in called_in(line, notes or {}).items() for row in press.note_lines(mark, note)]
            press.need(leading + press.room_of(called))
            press.line(line, start(n), leading, measure(n) if design.justified and n < len(lines) - 1 else None)
            press.note(called)
            number_line(press)
            if n == 0 and beside:
                press.aside(beside, design.width - design.right + 6, 0.7 * em)
            if n == 0 and left:
                press.sheet.inks += ink_of(words_of(left, 0.8 * em), press.left - 24, press.y)
            if n == initial - 1:
                press.sheet.inks += ink_of([letter], press.left + inset, press.y)
        press.after_heading = False

    return set_on


def opened(words: list[Word], measure: Measure, look: str, first: int, hyphen: str) -> list[list[Word]]:
    """Lines of which the first words, or all of the first line and no more, are in capitals or small capitals."""
    for n in count(first or 1):
        lines = wrap([*(raised_case(word, look) for word in words[:n]), *words[n:]], measure, hyphen)
        if first or len(lines[0]) <= n or n == len(words):
            return lines
    raise AssertionError("count ends only in the return")


def raised_case(word: Word, look: str) -> Word:
    """The word in capitals; small ones are set smaller than the letters that were capitals before. It is not broken."""
    runs = [replace(run, text=run.text.replace("·", "")) for run in word]
    if look == "capitals":
        return tuple(replace(run, text=run.text.upper()) for run in runs)
    return tuple(piece for run in runs for piece in small_capitals(run))


def small_capitals(run: Run) -> Iterator[Run]:
    head = run.text[:1] if run.text[:1].isupper() else ""
    for text, size in ((head, run.size), (run.text[len(head) :].upper(), 0.8 * run.size)):
        if text:
            yield replace(run, text=text, size=size)


def called_in(line: Sequence[Word], notes: dict[str, str]) -> dict[str, str]:
    """The notes that a line calls."""
    raised = {run.text for word in line for run in word if run.rise}
    return {mark: text for mark, text in notes.items() if mark in raised}


def number_line(press: Press) -> None:
    """Count a line of text and print its number in the margin where it is due."""
    press.sheet.lines += 1
    every = press.design.line_numbers
    if every and press.sheet.lines % every == 0:
        number = words_of(str(press.sheet.lines), 0.7 * press.design.size)
        press.sheet.inks += ink_of(number, press.left - 20, press.y)


def quote(text: str, size: float = 9) -> Element:
    """A block quotation: inset, smaller, with space around it."""

    def set_on(press: Press) -> None:
        press.space(6)
        para(text, inset=20, size=size, flush=True)(press)
        press.space(6)
        press.after_heading = False

    return set_on


def chapter(number: str | None, title: str | None, *, size: float = 18, font: str = "tiro", sink: float = 40) -> Element:
    """A new page with number and title one below the other, over all columns."""

    def set_on(press: Press) -> None:
        press.clear().opens = True
        design = press.design
        press.y += sink
        for text in filter(None, (number, title)):
            press.centred(text, size, font, design.width - design.left - design.right)
        press.announce(1, " ".join(filter(None, (number, title))))
        press.ceiling = press.y = press.y + 16
        press.after_heading = True

    return set_on


def section(title: str, level: int = 2, *, size: float = 12) -> Element:
    """A heading at the left edge of a column, with two lines of text after it at least."""

    def set_on(press: Press) -> None:
        lines = wrap(words_of(title, size, "tibo"), lambda _: press.design.measure)
        press.need(14 + 1.25 * size * len(lines) + 3 * press.design.leading)
        press.space(14)
        for line in lines:
            press.line(line, 0, 1.25 * size)
        press.announce(level, title)
        press.space(6)
        press.after_heading = True

    return set_on


def figure(text: str, height: float = 60) -> Element:
    """Room for a picture, and its caption below."""

    def set_on(press: Press) -> None:
        lines = wrap(words_of(text, 8), lambda _: press.design.measure)
        press.need(height + 20 + 9.6 * len(lines) + 2 * press.design.leading)
        press.y += height
        for line in lines:
            press.line(line, 0, 9.6)
        press.space(14)

    return set_on


def contents(title: str = "Contents", leaders: bool = True) -> Element:
    """The headings with their pages, as they come to stand, deeper ones further in; text goes on on a new page."""

    def set_on(press: Press) -> None:
        press.clear().opens = True
        design = press.design
        press.centred(title, 16, design.font, design.measure)
        press.y += 16
        press.asked = True
        for each in press.announced:
            entry = entry_of(each, design, leaders)
            press.line(entry, 12 * (each.level - 1), 1.3 * design.size)
        press.new_page()

    return set_on


def entry_of(heading: Announced, design: Design, leaders: bool) -> list[Word]:
    """A line of the contents page: the title, dots, the page's number at the right edge."""
    label = design.folios(heading.index)
    room = design.measure - 12 * (heading.level - 1)
    text = f"{heading.text} "
    taken = unit_width(design.font, f"{text} {label}") * design.size
    dots = int((room - taken) / (unit_width(design.font, " .") * design.size))
    return [(Run(f"{text}{' .' * dots if leaders else ''} {label}", design.size, design.font),)]


def display(*lines: str, inset: float = 20, size: float = 9, font: str = "tiro") -> Element:
    """Lines set apart, each as it is: a listing in "cour", a formula, a table. Blanks at a line's beginning set it in further;
    a tab puts what follows at the next 80 points."""

    def set_on(press: Press) -> None:
        press.need(12 + 1.2 * size * len(lines))
        press.space(6)
        for text in lines:
            indent = inset + 0.6 * size * (len(text) - len(text.lstrip(" ")))
            for n, cell in enumerate(text.strip().split("\t")):
                if n:
                    press.y -= 1.2 * size
                press.line(words_of(cell, size, font), indent + 80 * n, 1.2 * size)
        press.space(6)
        press.after_heading = False

    return set_on


def title_page(*lines: str) -> Element:
    """Large lines in the middle of a page of their own."""

    def set_on(press: Press) -> None:
        press.clear().opens = True
        press.y += 100
        for text in lines:
            press.centred(text, 22, press.design.font, press.design.measure)
            press.y += 20
        press.new_page()

    return set_on


def ruled(*rows: str, step: float = 80) -> Element:
    """A table of rows with cells between tabs, and rules around its first row and below the last one."""

    def set_on(press: Press) -> None:
        leading = 11.7
        press.need(16 + leading * len(rows))
        press.y += 8
        ends = (press.left + 7, press.left + 10 + step * max(row.count("\t") + 1 for row in rows))
        for rule in (0, 1, len(rows)):
            y = press.y + 3.5 + leading * rule
            press.sheet.strokes.append((ends[0], y, ends[1], y))
        for row in rows:
            press.y += leading
            for n, cell in enumerate(row.split("\t")):
                press.sheet.inks += ink_of(words_of(cell, 9), press.left + 10 + step * n, press.y)
        press.y += 8
        press.fresh = False

    return set_on


def drawing(letters: dict[tuple[float, float], str]) -> Element:
    """A triangle and a line across it, with words at places from its upper left corner."""

    def set_on(press: Press) -> None:
        press.need(120)
        left, top, foot = press.left + 60, press.y + 20, press.y + 110
        corners = [(left, foot), (left + 120, foot), (left + 60, top), (left, foot), (left + 80, top + 40)]
        press.sheet.strokes += [(*a, *b) for a, b in pairwise(corners)]
        for (x, y), word in letters.items():
            press.sheet.inks += ink_of(words_of(word, 9), left + x, top + y)
        press.y = foot + 16
        press.fresh = False

    return set_on


def page(*lines: str, label: str = "") -> Element:
    """A page of its own with these lines, one below the other. label: the PDF's, not printed."""

    def set_on(press: Press) -> None:
        press.clear().label = label
        for text in lines:
            press.line(words_of(text, press.design.size, press.design.font), 0, press.design.leading)

    return set_on


def scan() -> Element:
    """A page that is a picture."""

    def set_on(press: Press) -> None:
        press.clear().scanned = True
        press.sheet.opens = True
        press.new_page()

    return set_on


def typeset(*elements: Element, design: Design = PLAIN, outline: bool = False, metadata: dict[str, str] | None = None) -> bytes:
    """The book. outline: add one of all headings."""
    press = set_in(design, elements)
    if press.asked:
        press = set_in(design, elements, press.headings)
    with pymupdf.open() as document:
        for index, sheet in enumerate(press.sheets):
            if not (sheet is press.sheet and press.fresh):
                print_sheet(document, sheet, index, design)
        labels = {"style": "", "firstpagenum": 1}
        document.set_page_labels(
            [labels | {"startpage": i, "prefix": sheet.label} for i, sheet in enumerate(press.sheets) if sheet.label]
        )
        if outline:
            document.set_toc([[each.level, each.text, each.index + 1] for each in press.headings])
        document.set_metadata(metadata or {})
        return bytes(document.tobytes(no_new_id=True))


def set_in(design: Design, elements: Sequence[Element], announced: Sequence[Announced] = ()) -> Press:
    press = Press(design, announced)
    for element in elements:
        element(press)
    press.set_notes()
    return press
