"""A folder of packages as an image has them: those of its extras with all that they need, linked from this environment."""

import tomllib
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def needed(extras: frozenset[str]) -> set[str]:
    """Names of the distributions that installing the project with these extras brings; without those that are not here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    todo = [Requirement(each) for each in project["dependencies"]]
    todo += [Requirement(each) for extra in extras for each in project["optional-dependencies"][extra]]
    done, names = set[tuple[str, frozenset[str]]](), set[str]()
    while todo:
        wanted = todo.pop()
        asked = frozenset(wanted.extras)
        if wanted.name == project["name"]:
            todo += [Requirement(each) for extra in asked for each in project["optional-dependencies"][extra]]
        elif (wanted.name, asked) not in done:
            done.add((wanted.name, asked))
            try:
                found = distribution(wanted.name)
            except PackageNotFoundError:  # torch, which the image's base has
                continue
            names.add(canonicalize_name(wanted.name))
            todo += [each for each in map(Requirement, found.requires or []) if applies(each, asked)]
    return names


def applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""})


def link_packages(extras: frozenset[str], folder: Path) -> Path:
    """The folder with links to all files that these extras bring."""
    wanted = needed(extras)
    for each in distributions():
        for file in each.files or [] if canonicalize_name(each.name) in wanted else []:
            place = folder / file
            if ".." not in file.parts and "__pycache__" not in file.parts:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(str(file.locate()))
    return folder
