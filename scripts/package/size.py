"""Packages and MB of the wheel with each extra, each measured in a new environment.

    python -m scripts.package.size [EXTRA …]     (make eval NAME=size; "" is the base, several are joined by commas)

The versions are those of requirements.lock. MB are 10^6 bytes of all files in site-packages, compiled modules included; pip
is not counted."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
EXTRAS = ("", "chroma", "server", "helpdesk", "llm", "cloud", "ocr", "all")
INSTALLERS = {"pip", "setuptools"}


@dataclass(frozen=True)
class Installed:
    """A new environment with the wheel in it. packages and megabytes are without pip."""

    folder: Path
    packages: int
    megabytes: float

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"


def build_wheel(folder: Path) -> Path:
    """Build the wheel into the folder; its path."""
    run(sys.executable, "-m", "pip", "-qq", "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    [wheel] = folder.glob("chapterverse-*.whl")
    return wheel


@contextmanager
def installed(wheel: Path, extra: str = "") -> Iterator[Installed]:
    """An environment with the wheel and these extras, which is removed afterwards. extra: "" or names joined by commas."""
    with TemporaryDirectory(prefix="chapterverse-") as folder:
        home = Path(folder)
        run(sys.executable, "-m", "venv", home)
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        run(home / "bin" / "pip", "-qq", "install", "--constraint", ROOT / "requirements.lock", wanted)
        [site] = home.glob("lib/python3*/site-packages")
        yield measure(home, site)


def measure(folder: Path, site: Path) -> Installed:
    """Count what is in site-packages."""
    names = {found.name.lower() for found in distributions(path=[str(site)])} - INSTALLERS
    ignored = {path for name in INSTALLERS for path in site.glob(f"{name}*")}
    files = (file for top in site.iterdir() if top not in ignored for file in (top, *top.rglob("*")) if file.is_file())
    return Installed(folder, len(names), sum(file.stat().st_size for file in files) / 1e6)


def run(*command: object) -> None:
    """Run it outside the repository; its output is shown. Raises CalledProcessError."""
    subprocess.run([str(part) for part in command], cwd="/", check=True)


def main() -> None:
    extras = sys.argv[1:] or EXTRAS
    with TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB\n\n| extra | packages | MB |\n| --- | --- | --- |")
        for extra in extras:
            with installed(wheel, extra) as there:
                print(f"| {extra or '(base)'} | {there.packages} | {there.megabytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
