"""The trained reader of essays as it is shipped: what it notices, long essays, and what it does without its files."""

from dataclasses import astuple
from math import inf
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.llm.essay_reader import ESSAY_READER, GRAPH, TOKENIZER, WINDOW, EssayReader, EssayTokenizer

TASK = "Should students wear school uniforms?"
BARE = "School uniforms also help students to do better at school."
LIVED = "When my cousin's school in Leeds got uniforms, my aunt paid 48 pounds for a blazer that he had outgrown by March."
ESSAY = [
    ["Uniforms are a hot topic.", "I think that students should not have to wear them."],
    ["First of all they are expensive.", LIVED, "She had to do it all again for his brother."],
    [BARE],
    ["For these reasons students should not have to wear uniforms."],
]


@pytest.fixture(scope="module")
def reader() -> EssayReader:
    return EssayReader()


@pytest.fixture(scope="module")
def tokens() -> EssayTokenizer:
    return EssayTokenizer(Tokenizer.from_file(str(ESSAY_READER / TOKENIZER)))


def test_a_bare_reason_wants_more_than_one_that_is_shown_and_what_happened_works_better(reader: EssayReader) -> None:
    found = reader.signs(TASK, ESSAY)
    lived, bare = found[1][1], found[2][0]

    assert [len(its) for its in found] == [len(its) for its in ESSAY]
    assert lived is not None
    assert bare is not None
    assert bare.develop > lived.develop
    assert lived.works > bare.works


def test_chances_are_probabilities_whatever_is_read(reader: EssayReader) -> None:
    odd = [["", "\ud800", "für ☃ 漢字"], ["word " * 5_000], [], ["Yes."]]

    found = [one for its in reader.signs("task " * 500, odd) for one in its if one]

    assert len(found) == sum(map(len, odd))
    assert all(0 <= chance <= 1 for one in found for chance in astuple(one))


@pytest.mark.parametrize("sentences", [1, 30, 90, 400])
def test_each_sentence_of_a_long_essay_is_read_once(tokens: EssayTokenizer, sentences: int) -> None:
    windows = list(tokens.windows(TASK, [[f"Sentence number {at} says that cats sleep at noon."] for at in range(sentences)]))
    read = [window.first + row for window in windows for row in range(window.skip[0], len(window.spans) - window.skip[1])]

    assert read == list(range(sentences))
    assert all(len(window.ids) <= WINDOW for window in windows)


def test_what_is_late_is_not_read(reader: EssayReader) -> None:
    long = [["The cat that lives in our street sleeps at noon, and it hunts at night."] * 200]

    [found] = reader.signs("", long, deadline=-inf)

    assert found[0] is not None
    assert found[-1] is None
    assert None not in reader.signs("", long)[0]


@pytest.mark.parametrize("missing", [GRAPH, TOKENIZER])
def test_a_file_that_is_missing_is_an_error(missing: str, tmp_path: Path) -> None:
    for name in {GRAPH, TOKENIZER} - {missing}:
        (tmp_path / name).write_bytes((ESSAY_READER / name).read_bytes())

    with pytest.raises(ModelUnavailable):
        EssayReader(tmp_path).signs("", ESSAY)


def test_no_sentence_is_no_work() -> None:
    assert EssayReader(Path("nowhere")).signs("", []) == []
