"""Imports all that a program selects by its settings, and prints what is not there: `python selected.py PROGRAM`.

Run where only an image's packages are (tests/integration/test_image_extras.py). Imports within functions of what was loaded
count: an index's client was once imported at the first batch, by an embedder that had said that it was ready."""

import ast
import importlib
import inspect
import os
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

CHOOSES = ("chapterverse.composition", "chapterverse.cli")  # import by settings or by a command, which the programs below do


def entry_points(path: str) -> ModuleType:
    """functions/main.py as functions-framework loads it."""
    spec = spec_from_file_location("main", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def select(program: str, functions: str) -> Iterator[str]:
    """Make what the program's first request makes; gives what cannot be imported for it."""
    from chapterverse import composition
    from chapterverse.composition import ports
    from chapterverse.core.errors import ChapterverseError
    from chapterverse.settings import read_settings

    if program == "embedder":
        from chapterverse import worker

        makers = [worker.app, lambda: ports.index(read_settings())]
    elif program == "admin":
        chosen = [composition.app_context, composition.intake, composition.school_stores, ports.embedder]
        chosen += [ports.index, ports.uploads, ports.queue]
        makers = [lambda make=make: make(read_settings()) for make in chosen]
    else:
        main = entry_points(functions)
        made = {"api": main._web, "nightly": main._batches}.get(program, main._intake)
        makers = [made._port, lambda: ports.index(read_settings()), lambda: ports.embedder(read_settings(), is_bulk=True)]
    for make in makers:
        try:
            make()
        except ChapterverseError:  # nobody answers here
            continue
        except ImportError as error:
            yield f"{error.name} ({error})"


def imported_within(module: ModuleType) -> Iterator[str]:
    """Modules that its functions import."""
    tree = ast.parse(inspect.getsource(module))
    guarded = {id(each) for node in ast.walk(tree) if isinstance(node, ast.Try | ast.If) for each in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def missing() -> set[str]:
    """Of all modules of ours that are loaded, and of those that they load: what cannot be imported, and by whom."""
    lacking, seen = set[str](), set[str]()
    while new := {name for name in sys.modules if name.startswith(("chapterverse.", "bookreader."))} - seen:
        seen |= new
        for name in sorted(new):
            if name.startswith(CHOOSES):
                continue
            for wanted in imported_within(sys.modules[name]):
                try:
                    importlib.import_module(wanted)
                except ImportError as error:
                    lacking.add(f"{error.name} ({name})")
    return lacking


if __name__ == "__main__":
    lacking = {*select(sys.argv[1], sys.argv[2])} | missing()
    sys.stdout.write("".join(f"{each}\n" for each in sorted(lacking)))
    sys.stdout.flush()
    os._exit(0)  # an embedder goes on trying to reach what is not there
