"""Framework of the command line."""


def main() -> None:
    """Run the program; never returns. Ctrl-C while its modules are being imported ends it as later, too."""
    try:
        from chapterverse.cli.app import main as run

        run()
    except KeyboardInterrupt as error:
        raise SystemExit(130) from error
