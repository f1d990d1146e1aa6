"""Errors of this package: what may succeed later, and what will not."""


class AssetError(Exception):
    """Base of all errors of this package."""


class NoticeInvalid(AssetError):
    """A notice or message is not signed by the platform, not for this tool, or lacks a claim. The text says which."""


class PlatformAway(AssetError):
    """The platform does not answer, or asks to try again later."""


class ServiceRefused(AssetError):
    """The platform refused a call, or its answer violates the specification. status: of HTTP, 0 if there is none."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


class AssetTooLarge(AssetError):
    """The file is larger than the tool takes."""
