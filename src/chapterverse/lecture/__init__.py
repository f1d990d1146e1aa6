"""A lecture as it is spoken: segments to windows, windows to queries, paragraphs to snippets. Pure."""
