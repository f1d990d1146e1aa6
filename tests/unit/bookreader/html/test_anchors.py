"""Anchors as github-slugger 2 and Python-Markdown 3 make them."""

import pytest

from bookreader.html.markdown import github_anchors, toc_anchors


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What is ROS 2?", "what-is-ros-2"),
        ("C++ & C#", "c--c"),
        ("snake_case and `code`", "snake_case-and-code"),
        ("Über uns", "über-uns"),
        ("日本語 テスト", "日本語-テスト"),
        ("a  b", "a--b"),
        ("It’s 100 % “sure” — really…", "its-100--sure--really"),
        ("1.2 Version 3.0", "12-version-30"),
        ("😄 emoji", "-emoji"),
    ],
)
def test_docusaurus_keeps_letters_digits_and_every_blank(heading: str, anchor: str) -> None:
    assert github_anchors()(heading) == anchor


def test_docusaurus_numbers_headings_of_one_name_and_skips_what_is_taken() -> None:
    anchor = github_anchors()

    assert [anchor(each) for each in ("Foo", "Foo 1", "Foo", "foo", "Foo 1")] == ["foo", "foo-1", "foo-2", "foo-3", "foo-1-1"]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What is ROS 2?", "what-is-ros-2"),
        ("C++ & C#", "c-c"),
        ("snake_case", "snake_case"),
        ("Über Größe", "uber-groe"),
        ("a -  b", "a-b"),
        ("日本語", "_1"),
    ],
)
def test_mkdocs_keeps_what_has_an_ascii_form_and_one_dash_for_a_run(heading: str, anchor: str) -> None:
    assert toc_anchors()(heading) == anchor


def test_mkdocs_counts_headings_of_one_name_up() -> None:
    anchor = toc_anchors()

    assert [anchor(each) for each in ("Foo", "Foo", "Foo_1", "日", "本")] == ["foo", "foo_1", "foo_2", "_1", "_2"]
