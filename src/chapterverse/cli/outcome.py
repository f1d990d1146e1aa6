"""How a command ends: one line on standard error and an exit code that means something, a traceback only if asked for."""

import errno
import logging
import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from chapterverse.cli.extras import how_to_install
from chapterverse.cli.hints import HINTS
from chapterverse.cli.terminal import print_json, printable
from chapterverse.errors import ChapterverseError
from chapterverse.messages import to_json

log = logging.getLogger(__name__)

INTERRUPTED = 130  # 128 + SIGINT, as shells count
NOBODY_READS = 141  # 128 + SIGPIPE
ASKED_JSON = "chapterverse.json"


class Commands(TyperGroup):
    """The top group: whatever a command raises becomes its exit code here, and a JSON object where --json was asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note whether JSON is wanted, which the command alone knows later."""
        ctx.meta[ASKED_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ChapterverseError as error:
            complain(error)
            if ctx.meta.get(ASKED_JSON):
                print_json(problem_json(error))
            raise typer.Exit(error.exit_code) from error
        except ModuleNotFoundError as error:
            if not how_to_install(error):
                raise
            complain(error)
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            note("Interrupted.")
            raise typer.Exit(INTERRUPTED) from error
        except typer.Abort as error:  # a question that nobody is there to answer
            note("Not confirmed: nothing was changed.")
            raise typer.Exit(INTERRUPTED) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                stop_writing()
                raise typer.Exit(NOBODY_READS) from error
            complain(error, of="The operating system refused something")
            raise typer.Exit(1) from error


def complain(error: Exception, of: str | None = None) -> None:
    """One line on standard error, with the name of what it is about; with --verbose, where the error arose, too."""
    log.info("%s", type(error).__name__, exc_info=error)
    note(f"{of}: {told(error)}" if of else told(error))


def problem_json(error: ChapterverseError) -> dict[str, Any]:
    """What went wrong, for programs: as the web answers it."""
    return {"error": {"code": error.code, "detail": str(error), **to_json(error.message)}}


def told(error: Exception) -> str:
    """Our errors are sentences; the operating system's are a number, a few words and perhaps a file; a library that is missing
    is named with the extra that brings it."""
    if isinstance(error, ModuleNotFoundError):
        return how_to_install(error) or str(error)
    if isinstance(error, ChapterverseError):
        return " ".join(filter(None, (str(error), HINTS.get(error.id))))
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return error.strerror + (f" ({error.filename})." if error.filename else ".")


def note(message: str) -> None:
    """One line on standard error."""
    print(printable(f"chapterverse: {message}"), file=sys.stderr)  # noqa: T201


def stop_writing() -> None:
    """What is still to be written at the end goes nowhere, or Python would complain of the closed pipe once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
