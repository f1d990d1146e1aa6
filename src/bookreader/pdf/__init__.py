"""PDF to addressed sentences: lines, frames, headings, paragraphs, sentences with boxes."""
