"""What the prose points at is there: files, headings, paths, names of the code, commands of the Makefile."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

import chapterverse

ROOT = Path(__file__).parents[2]
PACKAGE = Path(chapterverse.__file__).parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "samples" / "SOURCES.md"])
ROOMS = {path.stem for path in [*PACKAGE.iterdir(), *(PACKAGE / "ingestion").glob("*.py")]} - {"__init__", "__pycache__"}
NAME = re.compile(r"`((?:[a-z_]\w*\.)+(?!(?:py|md|pdf)`)[A-Za-z_]\w*)`")
FILE = re.compile(r"(?<![\w./-])((?:[\w.-]+/)*[\w-]+\.(?:py|md|toml|lock)|samples/[\w.-]+\w)(?![\w/])")  # one of ours
ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def exists(name: str) -> bool:
    """Whether a dotted name is one of the package, or of its ingestion: a module, or something in one (in a class, too)."""
    return any(resolves(f"{package}.{name}") for package in ("chapterverse", "chapterverse.library.pdf"))


def resolves(name: str) -> bool:
    """Whether pkgutil can follow the name."""
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, anchor = target.partition("#")
        if "://" not in target:
            goal = page.parent / path if path else page
            assert goal.exists(), target
            assert not anchor or anchor in anchors(goal), target


@every_page
def test_files_named_are_there(page: Path) -> None:
    homes = (ROOT, ROOT / "docs", page.parent, PACKAGE, PACKAGE / "ingestion")
    named = FILE.findall(page.read_text("utf-8"))

    assert [file for file in named if not any((home / file).exists() for home in homes)] == []


@every_page
def test_names_of_the_code_exist(page: Path) -> None:
    named = [name for name in NAME.findall(page.read_text("utf-8")) if name.split(".")[0] in ROOMS]

    assert [name for name in named if not exists(name)] == []


@every_page
def test_make_has_every_target_named(page: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)

    assert set(re.findall(r"(?:`|^    )make ([a-z][a-z-]*)", page.read_text("utf-8"), re.MULTILINE)) <= set(targets)


def test_decisions_are_numbered_without_gaps_and_have_the_four_parts() -> None:
    assert [path.name[:4] for path in ADRS] == [f"{number:04d}" for number in range(1, len(ADRS) + 1)]
    for path in ADRS:
        text = path.read_text("utf-8")
        assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == ["Status", "Context", "Decision", "Consequences"], path.name
        assert len(text.splitlines()) < 60, path.name
