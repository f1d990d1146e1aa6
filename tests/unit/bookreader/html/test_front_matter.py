"""What pages say of themselves."""

import pytest

from bookreader.html.markdown import front_matter_text, number_in, parted


def test_front_matter_is_parted_from_the_text() -> None:
    facts, text = parted("---\ntitle: 'A: B'\nsidebar_position: 2.5\n---\n\n# Text\n\n---\nmore")

    assert (front_matter_text(facts, "title"), number_in(facts, "sidebar_position")) == ("A: B", 2.5)
    assert text == "\n# Text\n\n---\nmore"


@pytest.mark.parametrize("text", ["# No dashes", "", "text\n---\na: b\n---\n"])
def test_a_page_need_not_say_anything(text: str) -> None:
    assert parted(text) == ({}, text)


def test_empty_front_matter_is_none() -> None:
    assert parted("---\n---\ntext") == ({}, "text")


@pytest.mark.parametrize("inside", ["a: [", "- a\n- b", "just words"])
def test_what_is_no_yaml_of_names_and_values_is_an_error(inside: str) -> None:
    with pytest.raises(ValueError, match=r"YAML|names"):
        parted(f"---\n{inside}\n---\ntext")


def test_numbers_are_text_where_text_is_asked_for_and_lists_are_not() -> None:
    facts, _ = parted("---\ntitle: 2024\nid: [a]\nflag: true\n---\n")

    assert [front_matter_text(facts, name) for name in ("title", "id", "flag", "none")] == ["2024", None, None, None]


def test_somebody_elses_tags_give_nothing() -> None:
    facts, _ = parted("---\na: !!python/name:os.system\nb: 1\n---\n")

    assert facts == {"a": None, "b": 1}
