import numpy as np

from chapterverse.lectures.context import Headings
from chapterverse.lectures.queries import Enricher, expand_concepts
from tests.support.word_embedder import WordEmbedder

WORDS = WordEmbedder()
LECTURE = "the chain rule gives the gradient of the loss"


def headings(*titles: str) -> Headings:
    return Headings(titles, WORDS.embed_passages(titles))


def test_a_query_is_the_text_and_its_keywords() -> None:
    (query,) = Enricher(max_keywords=3).enrich([LECTURE], [], WORDS)

    assert len(query.keywords) == 3
    assert query.text == " ".join([LECTURE, *query.keywords])


def test_windows_get_the_same_together_as_alone() -> None:
    texts = [LECTURE, "okay so", "a convolution shares its weights"]

    assert Enricher().enrich(texts, [], WORDS) == [Enricher().enrich([text], [], WORDS)[0] for text in texts]


def test_a_query_stays_below_its_tokens_with_all_its_keywords() -> None:
    (query,) = Enricher(tokens=40).enrich([LECTURE * 9], [], WORDS)

    assert len(query.text.split()) + 2 < 40
    assert query.text.endswith(" ".join(query.keywords))


def test_headings_near_the_keywords_are_told_but_not_asked() -> None:
    (query,) = Enricher().enrich([LECTURE], [headings("Chain rule and gradient"), headings("Cooking", "Loss")], WORDS)

    assert query.concepts[0] == "Chain rule and gradient"
    assert "Cooking" not in query.concepts
    assert "and gradient" not in query.text


def test_concepts_are_asked_where_that_is_chosen() -> None:
    (query,) = Enricher(with_concepts=True).enrich([LECTURE], [headings("Chain rule and gradient")], WORDS)

    assert query.text.endswith("Chain rule and gradient")


def test_without_keywords_or_headings_there_are_no_concepts() -> None:
    assert expand_concepts([], [headings("Loss")]) == []
    assert expand_concepts([np.ones(WORDS.dimensions, np.float32)], []) == []


def test_a_heading_of_two_books_is_named_once() -> None:
    (vector,) = WORDS.embed_passages(["loss"])

    assert expand_concepts([vector], [headings("Loss"), headings("Loss")]) == ["Loss"]
