import numpy as np

from chapterverse.core.hits import QueryKind
from chapterverse.essays.evidence import build_queries, central, texts_to_embed
from chapterverse.essays.model import Essay, Paragraph
from tests.support.made import unit

ESSAY = Essay("Title", (Paragraph("A. B. C.", ("A.", "B.", "C.")), Paragraph("D.", ("D.",))))
VECTORS = unit([1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0.1, 0], [1, 0.2, 0])  # of the paragraphs, then A. to C.


def test_each_paragraph_is_a_query_followed_by_its_key_sentences() -> None:
    looked_up = build_queries(ESSAY, VECTORS, key_sentences=2)

    assert [(query.text, query.kind, query.paragraph) for query in looked_up.queries] == [
        ("A. B. C.", QueryKind.PARAGRAPH, 0),
        ("B.", QueryKind.KEY_SENTENCE, 0),
        ("C.", QueryKind.KEY_SENTENCE, 0),
        ("D.", QueryKind.PARAGRAPH, 1),
    ]


def test_each_query_has_the_vector_of_its_own_text() -> None:
    looked_up = build_queries(ESSAY, VECTORS, key_sentences=2)

    texts = texts_to_embed(ESSAY)
    assert np.array_equal(looked_up.vectors, VECTORS[[texts.index(query.text) for query in looked_up.queries]])


def test_key_sentences_are_the_nearest_the_earlier_of_equal_ones_in_the_paragraphs_order() -> None:
    sentences = unit([0, 1], [1, 0.5], [1, 0.5], [1, 0])

    assert [central(unit([1, 0])[0], sentences, limit) for limit in (0, 1, 2, 9)] == [[], [3], [1, 3], [0, 1, 2, 3]]
