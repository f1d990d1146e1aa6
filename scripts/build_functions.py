"""The functions' requirements.txt and the archive that is deployed: one for all entry points.

    python -m scripts.build_functions [--out build/functions.zip] [--extra vertex]     (make functions)

requirements.txt pins what the entry points can reach, at the versions of requirements.lock. It is derived from what is
installed, without asking an index. The same sources give the same archive, byte for byte, so a deployment shows whether
anything changed."""

import argparse
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import requires
from itertools import chain
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as canonical

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "functions" / "requirements.txt"
HEAD = "# Written by `make functions` from pyproject.toml and requirements.lock.\n"

EXTRAS = ("cloud", "helpdesk", "llm", "ocr", "server")
NOT_REACHED = {  # by an entry point of the functions
    "boto3": "events come from Cloud Storage",
    "botocore": "events come from Cloud Storage",
    "gunicorn": "functions-framework brings it",
    "huggingface-hub": "the model runs in the embedder",
    "onnx": "the model runs in the embedder",
    "onnxruntime": "the model runs in the embedder",
    "prometheus-client": "the embedder's",
    "safetensors": "the model runs in the embedder",
    "tokenizers": "the model runs in the embedder",
    "weasyprint": "functions have no Pango; MuPDF prints there",
}
CHROMA_CLIENT = "chromadb-client"  # cannot be installed beside chromadb, so what it needs (1.5.9) is listed here
CHROMA_CLIENT_NEEDS = (
    "httpx",
    "jsonschema",
    "numpy",
    "opentelemetry-api",
    "opentelemetry-exporter-otlp-proto-grpc",
    "opentelemetry-sdk",
    "orjson",
    "overrides",
    "pybase64",
    "pydantic",
    "pydantic-settings",
    "pyyaml",
    "tenacity",
    "typing-extensions",
)
DEPLOYED_ON = {
    **default_environment(),
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "x86_64",
    "platform_python_implementation": "CPython",
    "platform_system": "Linux",
    "python_full_version": "3.11.14",
    "python_version": "3.11",
    "sys_platform": "linux",
}


def requirements(more: Sequence[str] = ()) -> str:
    """The text of requirements.txt. more: further extras."""
    pins = locked()
    names = {*closure([*direct(more), *map(Requirement, CHROMA_CLIENT_NEEDS)])}
    lines = [*(f"{name}=={pins[name]}" for name in names), f"{CHROMA_CLIENT}=={pins['chromadb']}"]
    return HEAD + "\n".join(sorted(lines)) + "\n"


def locked() -> dict[str, str]:
    """Versions by canonical name, of those that hold where functions run."""
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    pins = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonical(pin.name): str(pin.specifier).removeprefix("==") for pin in pins if applies(pin, set())}


def direct(more: Sequence[str]) -> list[Requirement]:
    """What the project asks for, without what the functions do not reach."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = map(Requirement, chain(project["dependencies"], *(extras[name] for name in (*EXTRAS, *more))))
    return [each for each in asked if canonical(each.name) not in NOT_REACHED]


def closure(asked: list[Requirement]) -> Iterator[str]:
    """Canonical names of all that these need, by what is installed."""
    waiting, seen = list(asked), set()
    while waiting:
        each = waiting.pop()
        wanted = (canonical(each.name), frozenset(each.extras))
        if wanted not in seen:
            seen.add(wanted)
            yield wanted[0]
            waiting += [need for need in map(Requirement, requires(each.name) or []) if applies(need, each.extras)]


def applies(requirement: Requirement, extras: set[str]) -> bool:
    """Whether a package with these extras needs it where functions run."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**DEPLOYED_ON, "extra": extra}) for extra in ["", *extras])


def files(pinned: bytes) -> Iterator[tuple[str, bytes]]:
    """The archive's, by name: entry points, requirements, and the package."""
    yield "main.py", (ROOT / "functions" / "main.py").read_bytes()
    yield "requirements.txt", pinned
    package = ROOT / "src" / "chapterverse"
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            yield str(path.relative_to(package.parent)), path.read_bytes()


def write_archive(out: Path, more: Sequence[str] = ()) -> None:
    """Without times or owners, which would differ from build to build. more: extras beyond those of requirements.txt."""
    pinned = requirements(more).encode() if more else REQUIREMENTS.read_bytes()
    out.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in files(pinned):
            entry = ZipInfo(name)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "functions.zip")
    parser.add_argument(
        "--extra",
        action="append",
        default=[],
        help="vertex: an embedder at an endpoint of Vertex AI",
    )
    given = parser.parse_args()
    REQUIREMENTS.write_text(requirements(), "utf-8")
    write_archive(given.out, given.extra)
    size = given.out.stat().st_size / 1024
    print(f"{given.out}: {size:.0f} KiB, {requirements(given.extra).count('==')} requirements")


if __name__ == "__main__":
    main()
