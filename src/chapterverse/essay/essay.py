"""What an essay is, once read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph without line ends or mark-up, and its sentences in order; at least one."""

    text: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Essay:
    """At least one paragraph; headings and by-lines are not paragraphs. title is None where the text has none."""

    title: str | None
    paragraphs: tuple[Paragraph, ...]
