"""`chapterverse expire`."""

from chapterverse import composition
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_line


def expire() -> None:
    """Forget what was kept longer than CHAPTERVERSE_KEEP_DAYS says, of every school. `serve` does so every day, too."""
    from chapterverse.usecases import kept_feedback

    gone = kept_feedback.expire(composition.keeping(settings()))
    print_line(f"Forgot {gone} of the essays with feedback on them.")
