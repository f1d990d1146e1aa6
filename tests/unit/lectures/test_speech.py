"""Sentences of what was said; "|" stands where one ends."""

import pytest

from chapterverse.lectures.windows import ends_sentence

SAID = [
    "The rain stopped.| Was it over?| It was!| They left.|",
    "we saw dr. Lin and Dr. Ames and Prof. Odum today.| so what?|",
    "Boats, nets, etc. And then the sea.| It rose.|",
    "I think... The sea is rising… We wait.|",
    "all in lower case.| no capitals at all.| still three sentences.|",
    "He moved to the U.S. Senate and stayed in the U.S.| The end.|",
    "Look at Fig. 3 and p. 12 now.| J. S. Mill wrote it.|",
    "1. The first point is this.| It was in 1859.| Then came 3.5 more.| Don't.| Go.|",
    'He said "no."| She said (why not?)| Then [laughs] nothing.|',
    "Is it so ?| It is .|",
    "a word with no mark and another",
]


@pytest.mark.parametrize("marked", SAID)
def test_sentences_end_where_a_listener_would_say(marked: str) -> None:
    assert cut(marked.replace("|", "")) == marked


def cut(text: str) -> str:
    words, sentence, out = text.split(), list[str](), list[str]()
    for word, following in zip(words, [*words[1:], "The"], strict=True):
        sentence.append(word)
        ends = ends_sentence(sentence) if ends_sentence(sentence) is not None else ends_sentence(sentence, following)
        out.append(word + "|" if ends else word)
        sentence = [] if ends else sentence
    return " ".join(out)


def test_only_after_what_may_be_short_for_something_the_next_word_is_waited_for() -> None:
    assert [ends_sentence(["a", word]) for word in ("theorem.", "why?", "stop!", "done.)")] == [True] * 4
    assert [ends_sentence(["a", word]) for word in ("U.S.", "St.", "x.", "no.")] == [None] * 4
