"""An essay as its writer meant it: title, paragraphs, sentences, out of plain text or Markdown."""

from chapterverse.essay.essay import Essay, Paragraph
from chapterverse.essay.parse import parse_essay

__all__ = ["Essay", "Paragraph", "parse_essay"]
