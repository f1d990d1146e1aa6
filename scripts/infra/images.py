"""The images, linted, built and started for real, and a book and an essay through three of them together.

    python -m scripts.infra.images --hadolint PROGRAM --compose-schema FILE     (make images)

Without container-offline in the shared folder only what needs no build is checked, and it says so. Builds take minutes.
Every figure is printed: sizes, time from start to ready, the walk."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM
from typing import Annotated

import typer
import yaml
from jsonschema import Draft7Validator

from scripts.cloud_local.parts import answers_http, free_ports
from scripts.infra.terraform import beside

ROOT = Path(__file__).parents[2]
BUILT = ("chroma", "embedder", "app")  # llm needs a GPU's base
PATIENCE = 240  # seconds, of a start or an ingest; a busy machine is slow
SECRET = re.compile(r'"secret": "([^"]+)"')


def main(hadolint: Annotated[Path, typer.Option()], compose_schema: Annotated[Path, typer.Option()]) -> None:
    lint(hadolint)
    lint_workflows(hadolint.parent)
    check_compose(compose_schema)
    program = beside("container-offline", "container-offline")
    if program is None:
        print("skipped: no image was built; set CHAPTERVERSE_SHARED to the folder of container-offline")
        return
    subprocess.run([program, "setup"], check=True, stdout=subprocess.DEVNULL)
    for name in BUILT:
        build(program, name)
    with ExitStack() as stack:
        walk(program, stack)


def lint(hadolint: Path) -> None:
    files = sorted((ROOT / "containers").glob("*/Dockerfile"))
    subprocess.run([hadolint, *files], check=True)
    print(f"hadolint: {len(files)} files")


def lint_workflows(programs: Path) -> None:
    """Their schema, and what a static analysis says: actions that are not pinned, permissions that are not needed, expressions
    in shells."""
    folder = ROOT / ".github" / "workflows"
    files = sorted(folder.glob("*.yaml"))
    subprocess.run([programs / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files], check=True)
    subprocess.run([programs / "zizmor", "--offline", "--no-progress", "--quiet", folder], check=True)
    print(f"workflows: {len(files)} files")


def check_compose(schema: Path) -> None:
    """Against the schema of compose files."""
    file = ROOT / "infra" / "compose.yaml"
    stack = {name: part for name, part in yaml.safe_load(file.read_text("utf-8")).items() if not name.startswith("x-")}
    errors = [error.message for error in Draft7Validator(json.loads(schema.read_text("utf-8"))).iter_errors(stack)]
    if errors:
        sys.exit("infra/compose.yaml: " + "; ".join(errors))
    print(f"compose: {len(stack['services'])} services")


def build(program: Path, name: str) -> None:
    """From the repository's root, as its Dockerfile says."""
    began = time.monotonic()
    file = ROOT / "containers" / name / "Dockerfile"
    done = subprocess.run([program, "build", tag(name), ROOT, "-f", file], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} was not built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    print(f"{name}: built in {time.monotonic() - began:.0f} s, {size_of(name)}", flush=True)


def size_of(name: str) -> str:
    """As buildah tells it, of what container-offline keeps."""
    home = os.environ.get("CONTAINER_OFFLINE_HOME", Path.home() / ".cache" / "container-offline")
    environment = {**os.environ, "CONTAINERS_STORAGE_CONF": f"{home}/storage.conf"}
    command = ["buildah", "images", "--format", "{{.Size}}", tag(name)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def tag(name: str) -> str:
    return f"chapterverse-{name}:check"


@dataclass(frozen=True)
class Running:
    """An image that runs; log: what it says."""

    url: str
    log: Path

    def wait(self, path: str) -> None:
        """Until it is well; ends the program where that takes too long."""
        began = time.monotonic()
        well = answers_http(self.url + path, 200)
        while not well():
            if time.monotonic() - began > PATIENCE:
                sys.exit(f"{self.log.stem} did not start:\n{self.log.read_text('utf-8')[-2000:]}")
            time.sleep(0.1)
        print(f"{self.log.stem}: well after {time.monotonic() - began:.1f} s", flush=True)


@contextmanager
def running(program: Path, name: str, port: int, *command: str) -> Iterator[Running]:
    """command: instead of the image's own."""
    log = ROOT / "build" / "images" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as out:
        process = subprocess.Popen([program, "run", tag(name), str(port), *command], stdout=out, stderr=out)
        try:
            yield Running(f"http://127.0.0.1:{port}", log)
        finally:
            process.send_signal(SIGTERM)
            process.wait(PATIENCE)


def walk(program: Path, stack: ExitStack) -> None:
    """The sample book through app, embedder and index, each in its own image, and the sample essay."""
    ports = dict(zip(BUILT, free_ports(len(BUILT)), strict=True))
    chroma = stack.enter_context(running(program, "chroma", ports["chroma"]))
    chroma.wait("/api/v2/heartbeat")
    embedder = stack.enter_context(running(program, "embedder", ports["embedder"]))
    embedder.wait("/ready")
    told = f"CHAPTERVERSE_INDEX={chroma.url} CHAPTERVERSE_EMBEDDER=remote CHAPTERVERSE_EMBEDDER_URL={embedder.url}"
    serve = f"exec chapterverse serve --host 127.0.0.1 --port {ports['app']}"
    command = ("sh", "-c", f"export {told}; chapterverse keys create --scope teacher --json && {serve}")
    app = stack.enter_context(running(program, "app", ports["app"], *command))
    app.wait("/ready")
    [secret] = SECRET.findall(app.log.read_text("utf-8"))
    subprocess.run([sys.executable, "-m", "scripts.smoke", app.url], env={**os.environ, "KEY": secret}, cwd=ROOT, check=True)


if __name__ == "__main__":
    typer.run(main)
