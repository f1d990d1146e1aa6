"""E-mail through an SMTP server, or into files of a folder."""

import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from urllib.parse import unquote
from uuid import uuid4

from chapterverse.core.errors import BadRequest, PostUnavailable
from chapterverse.core.names import LOOPBACK, mail_server_of

FROM = "chapterverse@localhost"


class FolderPost:
    """Post on one machine: a file per message, for its operator to read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, to: str, subject: str, text: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"{uuid4().hex}.eml"
        path.touch(mode=0o600)  # it may contain a sign-in link
        path.write_bytes(letter(FROM, to, subject, text).as_bytes(policy=SMTP))


def letter(sender: str, to: str, subject: str, text: str) -> EmailMessage:
    """A message as in RFC 5322."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message.set_content(text)
    return message


WITHIN = 10.0  # seconds
PORTS = {"smtp": 587, "smtps": 465}  # RFC 6409, RFC 8314
REFUSED: Mapping[type[Exception], str] = {  # what an admin can mend
    smtplib.SMTPAuthenticationError: "mail_login_refused",
    smtplib.SMTPSenderRefused: "mail_address_refused",
    smtplib.SMTPRecipientsRefused: "mail_address_refused",
    smtplib.SMTPNotSupportedError: "mail_without_login",
    ssl.SSLError: "mail_not_secure",
    Exception: "mail_not_sent",
}


@dataclass(frozen=True)
class SmtpPost:
    """Post by SMTP. server: smtps://user:password@host:port, or smtp:// for STARTTLS, which is not used for a server on this
    machine; sender: an address that the server accepts."""

    server: str
    sender: str

    def send(self, to: str, subject: str, text: str) -> None:
        with self.opened() as server:
            server.send_message(letter(self.sender, to, subject, text))

    @contextmanager
    def opened(self) -> Iterator[smtplib.SMTP]:
        """A connection, after the login. Raises PostUnavailable, also for what goes wrong within the block; BadRequest."""
        at, safe = mail_server_of(self.server), ssl.create_default_context()
        if at is None or not at.hostname:
            raise BadRequest("mail_server_invalid")
        kind = partial(smtplib.SMTP_SSL, context=safe) if at.scheme == "smtps" else smtplib.SMTP
        try:
            with kind(at.hostname, at.port or PORTS[at.scheme], timeout=WITHIN) as server:
                if at.scheme == "smtp" and at.hostname not in LOOPBACK:
                    server.starttls(context=safe)
                if at.username:
                    server.login(unquote(at.username), unquote(at.password or ""))
                yield server
        except (OSError, smtplib.SMTPException) as error:  # its message quotes addresses
            raise PostUnavailable(next(id for each, id in REFUSED.items() if isinstance(error, each))) from error
