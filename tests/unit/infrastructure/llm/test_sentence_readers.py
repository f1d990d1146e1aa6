"""The trained readers of sentences as they are shipped: what they notice, long texts, and what they do without their files."""

import math
import time
from dataclasses import astuple
from importlib.util import find_spec
from math import inf
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import Pair
from chapterverse.infrastructure.llm import readers
from tests.support.refusals import refused
from tests.support.tiny_bert import tiny_classifier

TASK = "Should students wear school uniforms?"
BARE = "School uniforms also help students to do better at school."
LIVED = "When my cousin's school in Leeds got uniforms, my aunt paid 48 pounds for a blazer that he had outgrown by March."

ESSAY = [
    ["Uniforms are a hot topic.", "I think that students should not have to wear them."],
    ["First of all they are expensive.", LIVED, "She had to do it all again for his brother."],
    [BARE],
    ["For these reasons students should not have to wear uniforms."],
]
TEXT = "Schools should not make students wear uniforms, because how we dress is a part of who we are."
NEAR = Pair(TEXT, "A man's dress is the outward sign of his own nature, and no authority should prescribe it.")
FAR = Pair(TEXT, "The glacier moves about a foot in twenty-four hours.", "We drove in the stakes.", "Then we slept.")
PAIRS = [("the mind is free", "man is a thing"), ("this sentence", "a restless thing"), ("the mind " * 500, "is free")]


@pytest.fixture(scope="module")
def reader() -> readers.EssayReader:
    return readers.EssayReader()


def test_a_reason_that_is_shown_wants_less_chances_are_probabilities_and_what_is_late_is_not_read(
    reader: readers.EssayReader,
) -> None:
    found = reader.signs(TASK, ESSAY)
    lived, bare = found[1][1], found[2][0]
    assert [len(its) for its in found] == [len(its) for its in ESSAY]
    assert bare.develop > lived.develop
    assert lived.works > bare.works

    odd = [["", "\ud800", "für ☃ 漢字"], ["word " * 5_000], [], ["Yes."]]
    found = [one for its in reader.signs("task " * 500, odd) for one in its if one]
    assert len(found) == sum(map(len, odd))
    assert all(0 <= chance <= 1 for one in found for chance in astuple(one))

    long = [["The cat that lives in our street sleeps at noon, and it hunts at night."] * 60]
    [found] = reader.signs("", long, deadline=-inf)
    assert found[0] is not None
    assert found[-1] is None
    assert None not in reader.signs("", long)[0]


@pytest.mark.parametrize("sentences", [1, 30, 90, 400])
def test_each_sentence_of_a_long_essay_is_read_once(sentences: int) -> None:
    tokenizer = Tokenizer.from_file(str(readers.ESSAY_READER / readers.TOKENIZER))
    essay = [[f"Sentence number {at} says that cats sleep at noon."] for at in range(sentences)]
    found = list(readers.windows(tokenizer, TASK, essay))
    read = [window.first + row for window in found for row in range(window.skip[0], len(window.spans) - window.skip[1])]

    assert read == list(range(sentences))
    assert all(len(window.ids) <= readers.WINDOW for window in found)


def test_the_sentence_that_answers_is_likeliest_and_each_passage_is_read_by_itself() -> None:
    passage = [
        ["Late work"],
        ["Homework is due on Fridays.", "For each day that it is late, a tenth of the points is taken off."],
    ]
    [answered] = readers.AnswerReader().log_odds("What happens if I hand in my homework two days late?", [passage])
    [not_there] = readers.AnswerReader().log_odds("Who is the tutor of the second group?", [passage])
    assert len(answered) == sum(map(len, passage))
    assert answered[2] > answered[1]
    assert answered[2] > max(not_there)

    passages = [[["."], ["When do you open?"], ["At nine."]], [["."], ["\ud800"]], [["."]]]
    together = readers.AnswerReader().log_odds("opening hours", passages)
    assert together == [readers.AnswerReader(threads=1).log_odds("opening hours", [one])[0] for one in passages]
    assert [len(its) for its in together] == [3, 2, 1]


@pytest.fixture(scope="module")
def trained() -> readers.TrainedReader:
    return readers.TrainedReader()


def test_a_pair_on_the_point_is_likelier_useful_in_any_company_and_a_late_one_not_read(trained: readers.TrainedReader) -> None:
    near, far = trained.chances([NEAR, FAR])
    assert near.useful > far.useful

    [alone] = trained.chances([NEAR])
    among = trained.chances([FAR] * 40 + [NEAR] + [FAR] * 5)
    assert among[40] == alone
    assert len(set(among)) == 2

    odd = [Pair("", ""), Pair("word " * 2_000, "word " * 2_000, "before " * 99, "after " * 99), Pair("\ud800", "für ☃ 漢字")]
    found = [one for one in trained.chances(odd) if one]
    assert len(found) == len(odd)
    assert all(0 <= chance <= 1 for one in found for chance in (one.useful, one.supports, one.contradicts))

    found = trained.chances([NEAR] * (readers.ROUND + 3), deadline=-inf)
    assert all(found[: readers.ROUND])
    assert found[readers.ROUND :] == [None] * 3


@pytest.mark.parametrize("missing", [readers.GRAPH, readers.TOKENIZER])
def test_a_file_that_is_missing_is_an_error_where_there_is_something_to_read(missing: str, tmp_path: Path) -> None:
    for folder in (readers.READER, readers.ESSAY_READER):
        (tmp_path / folder.name).mkdir()
        for name in {readers.GRAPH, readers.TOKENIZER} - {missing}:
            (tmp_path / folder.name / name).symlink_to(folder / name)
    of_essays, of_pairs = (
        readers.EssayReader(tmp_path / readers.ESSAY_READER.name, "r"),
        readers.TrainedReader(tmp_path / readers.READER.name),
    )

    with pytest.raises(ModelUnavailable):
        of_essays.signs("", ESSAY)
    with pytest.raises(ModelUnavailable):
        of_pairs.chances([NEAR])
    assert (of_essays.signs("", []), of_pairs.chances([])) == ([], [])


@pytest.fixture
def reranker(tmp_path: Path) -> readers.CrossEncoderReranker:
    return readers.CrossEncoderReranker(str(tiny_classifier(tmp_path / "tiny-reranker", ("relevance",))))


@pytest.mark.torch
def test_a_pair_has_the_same_score_in_any_company_however_long_it_is(reranker: readers.CrossEncoderReranker) -> None:
    together = reranker.scores(PAIRS, math.inf)

    assert together == pytest.approx([reranker.scores([pair], math.inf)[0] for pair in PAIRS], abs=1e-5)
    assert len(set(together)) == len(PAIRS)


@pytest.mark.torch
def test_after_the_deadline_or_without_pairs_nothing_is_begun(reranker: readers.CrossEncoderReranker) -> None:
    assert reranker.scores(PAIRS, time.monotonic() - 1) == [None] * len(PAIRS)
    assert reranker.scores([], math.inf) == []


@pytest.mark.torch
def test_a_model_for_something_else_and_a_folder_without_one_are_refused(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path / "mood", ("bad", "good"))

    with refused(ModelUnavailable, "model_not_reranker"):
        readers.CrossEncoderReranker(str(folder)).scores(PAIRS, math.inf)
    with pytest.raises(ModelUnavailable, match="cannot load"):
        readers.CrossEncoderReranker(str(tmp_path)).scores(PAIRS, math.inf)


def test_without_the_extra_the_operator_is_told_how_to_get_it(reranker: readers.CrossEncoderReranker) -> None:
    if find_spec("sentence_transformers"):
        pytest.skip("the extra gpu is installed")
    with pytest.raises(ModelUnavailable, match=r"chapterverse\[gpu\]"):
        reranker.scores(PAIRS, math.inf)
