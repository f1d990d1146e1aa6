"""The program. Ctrl-C while its modules are being imported ends it as later, too."""


def main() -> None:
    """Run the command line; never returns."""
    try:
        from chapterverse.cli.app import main as run

        run()
    except KeyboardInterrupt as error:
        raise SystemExit(130) from error


if __name__ == "__main__":
    main()
