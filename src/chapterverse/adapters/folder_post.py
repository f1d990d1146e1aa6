"""Letters that go no further than a folder of this machine, a file each."""

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from uuid import uuid4

FROM = "chapterverse@localhost"


class FolderPost:
    """Post on one machine: whoever runs it reads the letters there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, to: str, subject: str, text: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"{uuid4().hex}.eml"
        path.touch(mode=0o600)  # a link in it signs somebody in
        path.write_bytes(letter(FROM, to, subject, text).as_bytes(policy=SMTP))


def letter(sender: str, to: str, subject: str, text: str) -> EmailMessage:
    """As it is sent (RFC 5322)."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message.set_content(text)
    return message
