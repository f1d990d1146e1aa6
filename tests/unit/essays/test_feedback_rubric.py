import pytest

from chapterverse.essays.rubric import BUILT_IN, MAX_CRITERIA, MAX_CRITERION_LENGTH, read_rubric, rubric_block
from chapterverse.essays.task import Criterion


@pytest.mark.parametrize(
    ("line", "criterion"),
    [
        ("Gives reasons", Criterion("Gives reasons")),
        ("- Gives reasons (20%)", Criterion("Gives reasons", 20)),
        ("2) Gives reasons (3 points).", Criterion("Gives reasons", 3)),
        ("* Gives reasons (weight 2)", Criterion("Gives reasons", 2)),
        ("Gives reasons - 30%", Criterion("Gives reasons", 30)),
        ("Gives reasons: 4 points", Criterion("Gives reasons", 4)),
        ("Conventions: grammar, spelling; 10", Criterion("Conventions: grammar, spelling", 10)),
        ("Uses pages 10-12", Criterion("Uses pages 10-12")),
        ("Written in (about) 2020", Criterion("Written in (about) 2020")),
    ],
)
def test_a_line_is_a_criterion_with_its_weight(line: str, criterion: Criterion) -> None:
    assert read_rubric(line) == (criterion,)


def test_the_weightiest_comes_first_and_empty_lines_are_none() -> None:
    assert [one.text for one in read_rubric("a (1)\n\nb (3)\nc (2)\n")] == ["b", "c", "a"]


def test_a_rubric_has_an_end() -> None:
    rubric = read_rubric("\n".join(["x" * 1000] * 100))

    assert (len(rubric), len(rubric[0].text)) == (MAX_CRITERIA, MAX_CRITERION_LENGTH)


def test_a_heading_above_the_lines_is_no_criterion() -> None:
    assert read_rubric("Grading criteria:\nGives reasons") == read_rubric("Gives reasons")
    assert read_rubric("Rubric") == (Criterion("Rubric"),)


def test_a_prompt_is_told_of_weights_where_they_differ() -> None:
    assert rubric_block(read_rubric("a\nb")) == "1. a\n2. b"
    assert rubric_block(read_rubric("a (1)\nb (3)")) == "1. b (weight 3)\n2. a (weight 1)"


@pytest.mark.parametrize(
    "table",
    [
        "Criterion\tStrong\tWeak\nUses evidence (2)\tFrom two books\tNone\nSpelling\tFew slips\t\n",
        "| Criteria | Strong | Weak |\n|---|---|---|\n| Uses evidence (2) | From two books | None |\n"
        "| Spelling | Few slips | |\n",
    ],
    ids=["spreadsheet", "Markdown"],
)
def test_the_other_columns_of_a_table_describe_levels(table: str) -> None:
    assert read_rubric(table) == (
        Criterion("Uses evidence", 2, ("Strong: From two books", "Weak: None")),
        Criterion("Spelling", 1, ("Strong: Few slips",)),
    )


SLIPS = ("Few slips", "Many slips")


def test_a_level_that_is_named_by_a_number_is_a_description_without_it() -> None:
    assert read_rubric("\t4\t1 point\nSpelling\tFew slips\tMany slips") == (
        Criterion("Spelling", 1, ("Few slips", "Many slips")),
    )


def test_a_tab_in_a_list_makes_no_table() -> None:
    assert [one.text for one in read_rubric("Is\tbrave\nIs kind")] == ["Is brave", "Is kind"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_some_rubrics_are_there_by_name(name: str) -> None:
    assert 3 < len(read_rubric(name)) <= MAX_CRITERIA
