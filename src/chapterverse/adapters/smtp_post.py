"""Letters by a mail server."""

import smtplib
import ssl
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from chapterverse.adapters.folder_post import letter
from chapterverse.errors import BadRequest, PostUnavailable
from chapterverse.usecases.safe_address import LOOPBACK

WITHIN = 10.0  # seconds
PORTS = {"smtp": 587, "smtps": 465}  # RFC 6409, RFC 8314


@dataclass(frozen=True)
class SmtpPost:
    """Post by SMTP. server: smtps://user:password@host:port, or smtp:// where the connection becomes a secure one (STARTTLS)
    unless the server is on this machine; sender: an address that the server sends for."""

    server: str
    sender: str

    def send(self, to: str, subject: str, text: str) -> None:
        try:
            with self._open() as server:
                server.send_message(letter(self.sender, to, subject, text))
        except (OSError, smtplib.SMTPException) as error:  # its errors quote addresses, so they are not passed on
            raise PostUnavailable("mail_not_sent") from error

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
