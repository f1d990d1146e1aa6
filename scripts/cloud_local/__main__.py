"""`python -W ignore -m scripts.cloud_local`: the whole cloud on this machine until Ctrl-C."""

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

from scripts.cloud_local.parts import NotStarted
from scripts.cloud_local.stack import ROOT, TASKS_ACCOUNT, UPLOADS, Stack, stack

SCHOOL = "meadow"
READY = """
Ready. Its state is in {folder} and stays there; logs are in {folder}/logs.

  HTTP interface   {api}/api/v1/collections/books/sources
  embedder         {embedder}/metrics
  bucket           STORAGE_EMULATOR_HOST={storage}   gs://{bucket}
  Chroma           {chroma}
  PostgreSQL       {postgres}
  school           {school}
  API key          {key}

Two books and ten essays through it, with a table of times:

  KEY={key} {python} -m scripts.smoke {api} --essays 10

Begin the night as the Scheduler does:

  curl -X POST {night} -H "Authorization: Bearer $(curl -s -H "Metadata-Flavor: Google" \\
    "{certs}/computeMetadata/v1/instance/service-accounts/{account}/identity?audience={night}")"

Ctrl-C stops everything.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="The whole cloud on this machine, until Ctrl-C.")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "cloud-local", help="where its state is kept")
    folder = parser.parse_args().folder.resolve()
    for asked_to_end in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked_to_end, as_interrupt)
    print("Starting PostgreSQL, Chroma, a bucket, a queue, the embedder and four functions …", flush=True)
    try:
        with stack(folder) as running:
            print(described(running, folder), flush=True)
            signal.pause()
    except KeyboardInterrupt:
        print("Stopped.")
    except NotStarted as error:
        sys.exit(str(error))


def described(running: Stack, folder: Path) -> str:
    """What there is, and two lines to try it with."""
    return READY.format(
        folder=folder,
        api=running.url("api"),
        embedder=running.url("embedder"),
        storage=running.url("storage"),
        chroma=running.url("chroma"),
        night=running.url("run_nightly_batches"),
        certs=running.url("certs"),
        account=TASKS_ACCOUNT,
        postgres=running.environment["CHAPTERVERSE_CATALOG"],
        bucket=UPLOADS,
        school=SCHOOL,
        key=running.new_key(SCHOOL),
        python=sys.executable,
    )


def as_interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
