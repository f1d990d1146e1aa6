"""A folder of packages as an image has them: those of its extras with all that they need, linked from this environment."""

import tomllib
from collections import defaultdict
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
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
    """The folder with links to what these extras bring; a namespace that others share, too, is a folder of links."""
    wanted, owners = needed(extras), defaultdict[Path, set[bool]](set)
    files = dict[Path, Path]()
    for each in distributions():
        is_wanted = canonicalize_name(each.name) in wanted
        for path, target in files_of(each):
            files[path] = target
            for part in (path, *path.parents):
                owners[part].add(is_wanted)
    linked = set[Path]()
    for path, target in files.items():
        if owners[path] == {False}:
            continue
        whole = next(part for part in (*reversed(path.parents[:-1]), path) if owners[part] == {True})
        if whole not in linked:
            linked.add(whole)
            place = folder / whole
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(Path(*target.parts[: len(target.parts) - len(path.parts)]) / whole)
    return folder


def files_of(package: Distribution) -> list[tuple[Path, Path]]:
    """Of each file its path among the packages, and where it is."""
    return [
        (Path(file), Path(str(file.locate())))
        for file in package.files or []
        if ".." not in Path(file).parts and "__pycache__" not in str(file)
    ]
