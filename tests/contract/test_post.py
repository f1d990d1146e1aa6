"""What every Post must do: a mail server's letters are read where it takes them."""

from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from chapterverse.core.errors import BadRequest, PostUnavailable
from chapterverse.core.ports import Post
from chapterverse.infrastructure.mail import FolderPost, SmtpPost
from tests.support.mail_server import MailServer
from tests.support.refusals import refused

Read = Callable[[], list[EmailMessage]]


@pytest.fixture(params=["folder", "smtp"])
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Post, Read]]:
    if request.param == "folder":
        yield FolderPost(tmp_path / "outbox"), lambda: [_letter(file.read_bytes()) for file in (tmp_path / "outbox").iterdir()]
        return
    with MailServer() as server:
        yield SmtpPost(server.address, "office@school.example"), lambda: [_letter(each) for each in server.letters]


def test_a_letter_arrives_as_it_was_written(post: tuple[Post, Read]) -> None:
    sends, read = post

    sends.send("anna@school.example", "Grüße", "Hello Anna,\n\nhttps://school.example/sign-in/link#link=abc-_0\n")

    [letter] = read()
    assert (letter["To"], letter["Subject"]) == ("anna@school.example", "Grüße")
    assert "https://school.example/sign-in/link#link=abc-_0" in letter.get_content()


@pytest.mark.parametrize("to", ["a@b.example\nBcc: all@b.example", "a@b.example\r\nSubject: x"])
def test_an_address_adds_no_lines_to_the_head(post: tuple[Post, Read], to: str) -> None:
    with pytest.raises(ValueError, match=r"linefeed|newline"):
        post[0].send(to, "Your link", "text")


def test_a_server_that_is_away_is_said_to_be_and_an_address_of_none_is_refused() -> None:
    for server in ("mail.school.example", "smtps://me:pa/ss@mail.school.example"):
        with refused(BadRequest, "mail_server_invalid"):
            SmtpPost(server, "office@school.example").send("a@b.example", "Your link", "text")
    with refused(PostUnavailable, "mail_not_sent"):
        SmtpPost("smtp://127.0.0.1:9", "office@school.example").send("a@b.example", "Your link", "text")


@pytest.mark.parametrize(("scheme", "id"), [("smtps://", "mail_not_secure"), ("smtp://me:secret@", "mail_without_login")])
def test_a_server_without_encryption_or_login_is_said_to_be(scheme: str, id: str) -> None:
    with MailServer() as server, refused(PostUnavailable, id):
        SmtpPost(server.address.replace("smtp://", scheme), "a@b.example").send("a@b.example", "Your link", "text")


@pytest.mark.parametrize(("sender", "to"), [("nobody@b.example", "a@b.example"), ("a@b.example", "nobody@b.example")])
def test_an_address_that_a_server_refuses_is_said_to_be(sender: str, to: str) -> None:
    with MailServer() as server, refused(PostUnavailable, "mail_address_refused"):
        SmtpPost(server.address, sender).send(to, "Your link", "text")


def _letter(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=policy.default)
