"""E-mail through an SMTP server, or into files of a folder."""

import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from chapterverse.core.errors import BadRequest, PostUnavailable
from chapterverse.core.names import LOOPBACK

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
        try:
            with self._open() as server:
                server.send_message(letter(self.sender, to, subject, text))
        except (OSError, smtplib.SMTPException) as error:  # its message quotes addresses
            raise PostUnavailable(next(id for kind, id in REFUSED.items() if isinstance(error, kind))) from error

    def _open(self) -> smtplib.SMTP:
        at = urlsplit(self.server)
        if at.scheme not in PORTS or not at.hostname:
            raise BadRequest("mail_server_invalid")
        port, safe = at.port or PORTS[at.scheme], ssl.create_default_context()
        if at.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(at.hostname, port, timeout=WITHIN, context=safe)
        else:
            server = smtplib.SMTP(at.hostname, port, timeout=WITHIN)
            if at.hostname not in LOOPBACK:
                server.starttls(context=safe)
        if at.username:
            server.login(unquote(at.username), unquote(at.password or ""))
        return server
