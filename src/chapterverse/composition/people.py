"""Where people sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from chapterverse.ports import Post
    from chapterverse.settings import Settings
    from chapterverse.usecases.sign_in import Reception


def reception(s: Settings, address: str = "") -> Reception:
    """Who may sign in, and how links reach them; address: of the pages, where the settings name none."""
    from chapterverse.usecases.sign_in import Reception

    site = (s.site_url or address).rstrip("/")
    is_outbox = not s.mail_server.get_secret_value()
    return Reception(
        traced("people", lambda: stores.people(s)), traced("post", lambda: post(s)), site=site, is_outbox=is_outbox
    )


def post(s: Settings) -> Post:
    """A mail server, or a folder."""
    if server := s.mail_server.get_secret_value():
        from chapterverse.adapters.smtp_post import SmtpPost

        return SmtpPost(server, s.mail_from)
    from chapterverse.adapters.folder_post import FolderPost

    return FolderPost(s.home / "outbox")
