"""The documentation matches the repository: links, files, names, make targets, commands, settings, requirement ids, length."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

import chapterverse
from chapterverse.cli.app import app
from chapterverse.settings import Settings
from evaluations.__main__ import PLANS
from scripts import compliance
from scripts.reference import reference

ROOT = Path(__file__).parents[2]
PACKAGE = Path(chapterverse.__file__).parent
READER = PACKAGE.with_name("bookreader")
OWN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
PAGES = [*OWN, ROOT / "samples" / "SOURCES.md", *sorted(ROOT.glob("terraform/*.md")), *sorted(ROOT.glob("infra/*.md"))]
CODE = [ROOT / "Makefile"] + [
    path
    for folder in ("src", "scripts", "evaluations", "functions", "containers", "terraform", "tests")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".js", ".tf", ".hcl", ".json", ".html", ".md"}
]
COMPONENTS = {READER.name, *(path.stem for path in PACKAGE.iterdir())} - {"__init__", "__pycache__"}
NAME = re.compile(r"`((?:[a-z_]\w*\.)+(?!(?:py|md|pdf)`)[A-Za-z_]\w*)`")
IN_COMPONENT = re.compile(r"`([a-z_]+/[a-z_/]*[a-z_])((?:\.(?!py`|md`)\w+)?)`")  # `library/intake.receive`, `essays/batch`
FILE = re.compile(r"(?<![\w./-])((?:[\w.-]+/)*[\w-]+\.(?:py|md|toml|lock)|samples/[\w.-]+\w)(?![\w/])")
# names that recur in components
PATTERNS = {"model.py", "service.py", "store.py", "api.py", "schemas.py", "cli.py", "pages.py", "ports.py"}
COMMANDS: Any = typer.main.get_command(app)
SPEC_IDS = {
    found
    for path in (ROOT / "docs" / "specs").glob("S*.md")
    for found in re.findall(r"^- \*\*(S\d-\d+)\*\*", path.read_text("utf-8"), re.M)
}


def relative(page: Path) -> str:
    return str(page.relative_to(ROOT))


every_page = pytest.mark.parametrize("page", PAGES, ids=relative)


@cache
def code() -> list[str]:
    """The text of every file that may refer to the documentation."""
    return [path.read_text("utf-8") for path in CODE]


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def resolves(name: str) -> bool:
    """Whether a dotted name below the package is a folder, a module, or a name that a module defines; nothing is imported."""
    parts = name.removeprefix(f"{READER.name}.").split(".")
    package = READER if name.startswith(READER.name) else PACKAGE
    for length in range(len(parts), 0, -1):
        path = package.joinpath(*parts[:length])
        module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if module.exists():
            text = module.read_text("utf-8")
            return all(re.search(rf"^\s*(?:def|class) {part}\b|^\s*{part}\b.*[:=]", text, re.M) for part in parts[length:])
    return False


def commands_in(text: str) -> Iterator[list[str]]:
    """Words of each `chapterverse …` in a code block or inline code, without the program's name and without comments."""
    lines = re.findall(r"^ +(?:docker compose \S+ \S+ exec app )?chapterverse (.+)$", text, re.MULTILINE)
    inline = re.findall(r"`chapterverse ([^`]+)`", text)
    jobs = [args.replace(",", " ") for args in re.findall(r"--args=([\w,-]+)", text)]
    for line in [*lines, *inline, *jobs]:
        yield re.split(r"\s+#|\s+\\$|\s+\|", line)[0].split()


def unknown_in(line: list[str]) -> list[str]:
    """What the program does not know of a command line: its first unknown command, or its unknown options."""
    known = COMMANDS
    left = list(line)
    while isinstance(known, TyperGroup) and left:
        word = left.pop(0)
        if word not in known.commands:
            return [] if word.startswith("--") else [word]
        known = known.commands[word]
    options = {option for parameter in known.params for option in parameter.opts} | {"--help"}
    return [word for word in left if word.startswith("--") and word.split("=")[0] not in options]


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
    homes = (ROOT, ROOT / "docs", page.parent, PACKAGE, PACKAGE.parent)
    named = set(FILE.findall(page.read_text("utf-8"))) - PATTERNS

    assert [file for file in named if not any((home / file).exists() for home in homes)] == []


@every_page
def test_names_of_the_code_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    named = [*NAME.findall(text), *("".join(found).replace("/", ".") for found in IN_COMPONENT.findall(text))]

    assert [name for name in named if name.split(".")[0] in COMPONENTS and not resolves(name)] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "quality"], ids=relative)
def test_make_has_every_target_named(page: Path) -> None:
    """Those of docs/quality.md were there at their commits: evaluations/ledger.py checks that."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)

    assert set(re.findall(r"(?:`|^    )make ([a-z][a-z-]*)", page.read_text("utf-8"), re.MULTILINE)) <= {*targets, *PLANS}


@every_page
def test_commands_given_exist_with_their_options(page: Path) -> None:
    wrong = {" ".join(line): unknown for line in commands_in(page.read_text("utf-8")) if (unknown := unknown_in(line))}

    assert wrong == {}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "infra" / "compose.yaml", *ROOT.glob("terraform/**/*.tf")], ids=relative)
def test_settings_named_exist(page: Path) -> None:
    named = set(re.findall(r"CHAPTERVERSE_([A-Z_]+[A-Z])\b", page.read_text("utf-8")))

    assert named <= {name.upper() for name in Settings.model_fields}


def test_every_page_can_be_reached_from_the_front_page() -> None:
    front = ROOT / "docs" / "README.md"
    reached, waiting = set[Path](), [front]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        links = re.findall(r"\]\(([^)\s#]+\.md)", page.read_text("utf-8"))
        waiting += {(page.parent / link).resolve() for link in links if "://" not in link} - reached

    assert [page for page in OWN if page.name not in {"README.md", "CONTRIBUTING.md"} and page not in reached] == []


def test_pages_that_code_refers_to_exist() -> None:
    named = {name for text in code() for name in re.findall(r"\bdocs/[\w/-]+\.md\b", text)}
    examples = {
        name for name in named if re.fullmatch(r"docs/(a|b|m|guide|week\w*|module|index|left)(/[\w-]+)*\.md", name)
    }  # sites in tests

    assert sorted(name for name in named - examples if not (ROOT / name).exists()) == []


def test_requirements_cited_are_in_the_specs() -> None:
    texts = [*code(), *(page.read_text("utf-8") for page in OWN)]
    cited = {found for text in texts for found in re.findall(r"\bS[1-5]-\d+\b", text)}

    assert cited - SPEC_IDS == set()


def test_the_reference_is_as_generated() -> None:
    assert (ROOT / "docs" / "reference.md").read_text("utf-8") == reference(), "make docs"


def test_every_row_on_the_law_names_what_holds_it() -> None:
    assert compliance.main() == 0
