"""Anchors as github-slugger 2 makes them."""

import pytest

from bookreader.html.markdown import github_anchors


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
