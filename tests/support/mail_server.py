"""A mail server on this machine that keeps what it takes."""

from collections.abc import Iterator
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any, Self


class _Talk(StreamRequestHandler):
    """As much of SMTP (RFC 5321) as smtplib asks for, by a server that knows everybody but nobody@, and whose
    no-reply@ may write but has no mailbox."""

    server: "MailServer"

    def handle(self) -> None:
        self._say("220 here")
        for line in self.rfile:
            if (verb := line.split()[0].upper()) == b"DATA":
                self._say("354 go on")
                self.server.letters.append(b"".join(self._lines()))
            is_refused = b"<nobody@" in line or (verb == b"RCPT" and b"<no-reply@" in line)
            self._say("221 bye" if verb == b"QUIT" else "550 no" if is_refused else "250 well")
            if verb == b"QUIT":
                return

    def _lines(self) -> Iterator[bytes]:
        for line in self.rfile:
            if line == b".\r\n":
                return
            yield line.removeprefix(b".") if line.startswith(b"..") else line

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


class MailServer(ThreadingTCPServer):
    """Keeps what it is given, on a free port of this machine, within its block."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.letters: list[bytes] = []

    @property
    def address(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.shutdown()
        self.server_close()


def letters(folder: Path) -> list[str]:
    """Those that a FolderPost has put there."""
    return [file.read_text() for file in folder.glob("*.eml")]
