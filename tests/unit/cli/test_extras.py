"""A library that is missing is named with the extra that brings it."""

import pytest

from chapterverse.cli.terminal import how_to_install


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("flask", "server"),
        ("google.auth.transport", "server"),
        ("google.cloud.storage", "cloud"),
        ("google.genai", "llm"),
        ("google.cloud.aiplatform_v1", "vertex"),
    ],
)
def test_the_extra_is_named(module: str, extra: str) -> None:
    said = how_to_install(ModuleNotFoundError(name=module))

    assert said == f'{module} is not installed: pip install "chapterverse[{extra}]"'


@pytest.mark.parametrize("name", ["numpy", "opentelemetry", "chapterverse.nothing", None])
def test_a_library_of_no_extra_is_a_defect(name: str | None) -> None:
    assert how_to_install(ModuleNotFoundError(name=name)) is None
