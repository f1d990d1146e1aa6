"""The pages' scripts fit together: a browser tells of a name that is not there only on the page that asks for it."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

ROOT = Path(str(files("chapterverse")))
SCRIPTS = {file.stem: file.read_text("utf-8") for file in sorted(ROOT.glob("assets/js/*.js"))}
TEMPLATES = "".join(file.read_text("utf-8") for file in sorted(ROOT.glob("templates/site/*.html")))
IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|class) (\w+)", re.MULTILINE)
WORDS = re.compile(r'"[^"\n]*"|/\*.*?\*/|//.*?$', re.MULTILINE | re.DOTALL)  # what is said, and comments


def test_what_a_script_imports_is_there_and_used() -> None:
    for script, text in SCRIPTS.items():
        own = WORDS.sub("", IMPORT.sub("", text))
        assert [(script, name, of) for name, _, of in imported(script) if name not in exported(of)] == []
        assert [(script, name) for _, name, _ in imported(script) if not re.search(rf"\b{name}\b", own)] == []


def test_what_a_script_exports_another_one_imports() -> None:
    wanted = {(of, name) for script in SCRIPTS for name, _, of in imported(script)}

    assert {(script, name) for script in SCRIPTS for name in exported(script)} - wanted == set()


def test_every_script_is_on_a_page() -> None:
    on_pages = set(re.findall(r'asset\("js/(\w+)\.js"\)', TEMPLATES))
    while more := {of for each in on_pages for _, of in IMPORT.findall(SCRIPTS[each])} - on_pages:
        on_pages |= more

    assert set(SCRIPTS) - on_pages == set()


def imported(script: str) -> Iterator[tuple[str, str, str]]:
    """Each name, what it is called here, and the script that it comes from."""
    for names, of in IMPORT.findall(SCRIPTS[script]):
        for each in filter(None, map(str.strip, names.split(","))):
            name, _, here = each.partition(" as ")
            yield name, here or name, of


def exported(script: str) -> set[str]:
    return set(EXPORT.findall(SCRIPTS[script]))
