"""Our sentences inside spaCy: `spacy.blank("en").add_pipe("chapterverse_sentences")` after importing this module.

The component calls split_sentences on the Doc's text and marks the tokens that begin a sentence. Tokenizing is spaCy's cost,
many times that of the split: code that needs spans alone calls split_sentences."""

from spacy.language import Language
from spacy.tokens import Doc

from bookreader.text.sentences import split_sentences

NAME = "chapterverse_sentences"


@Language.component(NAME, assigns=["token.is_sent_start", "doc.sents"])
def mark_sentences(doc: Doc) -> Doc:
    """Set is_sent_start on every token of a Doc that holds one paragraph. A boundary inside a token moves to the next one."""
    starts = iter([start for start, _ in split_sentences(doc.text)])
    start = next(starts, None)
    for token in doc:
        token.is_sent_start = start is not None and token.idx >= start
        while start is not None and token.idx >= start:
            start = next(starts, None)
    return doc
