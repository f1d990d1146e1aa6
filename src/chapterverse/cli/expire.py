"""`chapterverse expire`."""

from chapterverse import composition
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_line


def expire() -> None:
    """Forget what was kept longer than CHAPTERVERSE_KEEP_DAYS says, of every school. `serve` does so every day, too."""
    from chapterverse.usecases.retention import forget_old

    gone = forget_old(composition.night(settings()))
    print_line(
        f"Forgot feedback on {gone.feedback} essays, {gone.batches} batches of essays, {gone.conversations} conversations, "
        f"and citations of {gone.lectures} lectures."
    )
