"""What is looked up of an essay that is longer than there is time for."""

from chapterverse.essays.text.parse import LONGEST, looked_up, parse_essay

SHORT, LONG = "So it is.", "Silencing an opinion robs all of mankind of the truth."


def test_of_an_ordinary_essay_nothing_is_left_out() -> None:
    essay = parse_essay(f"{SHORT} {LONG}\n\n{LONG}")

    assert looked_up(essay, most_sentences=3) == (essay, ())


def test_the_longest_sentences_of_each_paragraph_are_kept_in_their_order() -> None:
    essay = parse_essay(f"{SHORT} {LONG} {SHORT} {LONG}\n\n{LONG} {SHORT}")

    kept, _ = looked_up(essay, most_sentences=3)

    assert [paragraph.sentences for paragraph in kept.paragraphs] == [(LONG, LONG), (LONG,)]
    assert [paragraph.text for paragraph in kept.paragraphs] == [paragraph.text for paragraph in essay.paragraphs]


def test_a_long_paragraph_takes_nothing_from_a_short_one() -> None:
    essay = parse_essay(f"{' '.join([LONG] * 50)}\n\n{SHORT} {SHORT}")

    kept, _ = looked_up(essay, most_sentences=4)

    assert [len(paragraph.sentences) for paragraph in kept.paragraphs] == [2, 2]


def test_each_paragraph_keeps_a_sentence_however_few_there_may_be() -> None:
    essay = parse_essay("\n\n".join([f"{LONG} {SHORT}"] * 5))

    kept, _ = looked_up(essay, most_sentences=2)

    assert [paragraph.sentences for paragraph in kept.paragraphs] == [(LONG,)] * 5


def test_what_was_left_out_is_said() -> None:
    essay = parse_essay(f"{LONG} {' '.join(['Yes.'] * 2_000)}")

    _, notes = looked_up(essay, most_sentences=300)

    assert [str(note) for note in notes] == [
        "This essay has 2,001 sentences. To answer in time, each paragraph is looked up as a whole, and at most 300 sentences "
        "on their own, the longest of each paragraph first.",
    ]


def test_of_a_paragraph_without_end_the_beginning_is_looked_up() -> None:
    essay = parse_essay(f"{SHORT}\n\n{'so ' * LONGEST}", max_words=LONGEST + 10)

    kept, notes = looked_up(essay, most_sentences=300)

    assert [len(paragraph.text) for paragraph in kept.paragraphs] == [len(SHORT), LONGEST]
    assert [str(note) for note in notes] == ["Paragraph 2 is very long: only its first 30,000 characters were looked up."]
