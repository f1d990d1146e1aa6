"""What is looked up of an essay that is longer than there is time for."""

from chapterverse.essays.text import MAX_PARAGRAPH_LENGTH, bounded_essay, parse_essay

SHORT, LONG = "So it is.", "Silencing an opinion robs all of mankind of the truth."


def test_of_an_ordinary_essay_nothing_is_left_out() -> None:
    essay = parse_essay(f"{SHORT} {LONG}\n\n{LONG}")

    assert bounded_essay(essay, max_sentences=3) == (essay, ())


def test_the_longest_sentences_of_each_paragraph_are_kept_in_their_order() -> None:
    essay = parse_essay(f"{SHORT} {LONG} {SHORT} {LONG}\n\n{LONG} {SHORT}")

    kept, _ = bounded_essay(essay, max_sentences=3)

    assert [paragraph.sentences for paragraph in kept.paragraphs] == [(LONG, LONG), (LONG,)]
    assert [paragraph.text for paragraph in kept.paragraphs] == [paragraph.text for paragraph in essay.paragraphs]


def test_a_long_paragraph_takes_nothing_from_a_short_one() -> None:
    essay = parse_essay(f"{' '.join([LONG] * 50)}\n\n{SHORT} {SHORT}")

    kept, _ = bounded_essay(essay, max_sentences=4)

    assert [len(paragraph.sentences) for paragraph in kept.paragraphs] == [2, 2]


def test_each_paragraph_keeps_a_sentence_however_few_there_may_be() -> None:
    essay = parse_essay("\n\n".join([f"{LONG} {SHORT}"] * 5))

    kept, _ = bounded_essay(essay, max_sentences=2)

    assert [paragraph.sentences for paragraph in kept.paragraphs] == [(LONG,)] * 5


def test_what_was_left_out_is_said() -> None:
    essay = parse_essay(f"{LONG} {' '.join(['Yes.'] * 2_000)}")

    _, notes = bounded_essay(essay, max_sentences=300)

    assert [str(note) for note in notes] == [
        "This essay is long (2,001 sentences). To save time, we looked up each paragraph as a whole and only 300 "
        "of its sentences individually, the longest first.",
    ]


def test_of_a_paragraph_without_end_the_beginning_is_looked_up() -> None:
    essay = parse_essay(f"{SHORT}\n\n{'so ' * MAX_PARAGRAPH_LENGTH}", max_words=MAX_PARAGRAPH_LENGTH + 10)

    kept, notes = bounded_essay(essay, max_sentences=300)

    assert [len(paragraph.text) for paragraph in kept.paragraphs] == [len(SHORT), MAX_PARAGRAPH_LENGTH]
    assert [str(note) for note in notes] == ["Paragraph 2 is very long, so only its first 30,000 characters were looked up."]
