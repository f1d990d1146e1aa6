"""A book cut into what is indexed: sentences, windows, sections, passages, paragraphs, entries. Pure."""
