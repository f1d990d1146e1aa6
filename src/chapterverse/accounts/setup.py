"""What a school's admin sets up on the page: mail server, language model, secrets of sign-in services, language of letters.

Each is one row of the school's settings; those with secrets are encrypted whole. A setting of the operator comes first: then
what is stored here is not used, cannot be changed, and the page says so."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

from pydantic import Field, StringConstraints

from chapterverse.accounts.keys import refuse_no_school
from chapterverse.accounts.model import StoredSetting
from chapterverse.accounts.store import SqlSchoolSettings
from chapterverse.core.errors import BadRequest, Forbidden
from chapterverse.core.names import is_key, is_safe, is_web_address, parts_of
from chapterverse.core.requests import Request

if TYPE_CHECKING:
    from chapterverse.core.ports import Post
    from chapterverse.infrastructure.sealing import Seal

MAIL, MODEL, SECRETS, LANGUAGE = "setup_mail", "setup_model", "setup_sign_in", "setup_language"  # names of settings
SEALED = (MAIL, MODEL, SECRETS)  # those that are encrypted
SCHEMES = ("smtps", "smtp")
Stripped = Annotated[str, StringConstraints(strip_whitespace=True)]
Price = Annotated[float, Field(ge=0, le=1_000_000, strict=False)]


class MailSetup(Request):
    """A mail server. server: smtps://HOST, or smtp://HOST:587 with STARTTLS; sender: an e-mail address that it accepts.
    password: empty to leave the stored one of this server."""

    server: Stripped = Field(max_length=500)
    sender: Stripped = Field(max_length=320, pattern=r"^[^@\s]+@[^@\s]+$")
    user: Stripped = Field("", max_length=320)
    password: str = Field("", max_length=500)

    @property
    def address(self) -> str:
        """The server's address with user and password."""
        if not self.user:
            return self.server
        scheme, _, host = self.server.partition("://")
        return f"{scheme}://{quote(self.user, safe='')}:{quote(self.password, safe='')}@{host}"


class ModelSetup(Request):
    """A server with OpenAI's chat API. url: ends in /v1; checker: another model there that reads a second time; key: empty to
    leave the stored one of this address; prices: of a million tokens; per_day: the cost ceiling of a day, above which no model
    writes."""

    url: Stripped = Field(max_length=500)
    model: Stripped = Field(min_length=1, max_length=200)
    checker: Stripped = Field("", max_length=200)
    key: Stripped = Field("", max_length=500)
    prompt_price: Price = 0.0
    answer_price: Price = 0.0
    per_day: Price = 5.0


def _no_post(_setup: MailSetup) -> "Post":
    raise BadRequest("setup_no_key")


@dataclass(frozen=True, slots=True)
class SchoolSetups:
    """What the schools' admins have set up. seal: None if this installation has no key to encrypt with. by_operator: names of
    the operator's settings, by what they decide: MAIL, MODEL. check_host: refuses hosts that an admin may not name; None on one
    machine, whose admin is its operator: any host will do, and http:// too. open_post: a client of a mail server."""

    store: SqlSchoolSettings
    seal: "Seal | None" = None
    by_operator: Mapping[str, str] = field(default_factory=dict)
    check_host: Callable[[str], None] | None = None
    open_post: Callable[[MailSetup], "Post"] = _no_post

    def mail(self, school: str) -> MailSetup | None:
        """The school's mail server; None without one. Raises CatalogUnavailable."""
        read = None if MAIL in self.by_operator else self._read(school, MAIL)
        return MailSetup(**read) if read else None

    def model(self, school: str) -> ModelSetup | None:
        """The school's language model; None without one. Raises CatalogUnavailable."""
        read = None if MODEL in self.by_operator else self._read(school, MODEL)
        return ModelSetup(**read) if read else None

    def secrets(self, school: str) -> Mapping[str, str]:
        """The client secrets of the school's sign-in services, by id. Raises CatalogUnavailable."""
        return self._read(school, SECRETS) or {}

    def post(self, school: str) -> "Post | None":
        """The client of the school's mail server; None without one. Raises CatalogUnavailable."""
        setup = self.mail(school)
        return self.open_post(setup) if setup else None

    def has_mail(self) -> bool:
        """Whether any school has a mail server of its own."""
        return bool(self.store.by_school(MAIL))

    def stored(self, school: str, name: str) -> StoredSetting | None:
        """The row of that name, for who changed it and when; None if it is not set."""
        found = self.store.of_school(school).get(name)
        return found if found and found.value is not None else None

    def keep_mail(self, school: str, setup: MailSetup, by: str, at: datetime, letter: tuple[str, str, str]) -> None:
        """Store a mail server that takes a letter (to whom, subject, text). An empty password leaves the stored one. Raises
        BadRequest, Forbidden, PostUnavailable."""
        self._refuse_operators(MAIL)
        parts = parts_of(setup.server)
        if parts is None or parts.scheme not in SCHEMES or parts.username:
            raise BadRequest("mail_setup_invalid")
        self.refuse_private(setup.server)
        before = self.mail(school)
        password = setup.password or (before.password if before and before.server == setup.server else "")
        setup = setup.model_copy(update={"password": password})
        self.open_post(setup).send(*letter)
        self._keep(school, MAIL, setup.model_dump(), by, at)

    def keep_model(self, school: str, setup: ModelSetup, by: str, at: datetime) -> None:
        """Store a language model. An empty key leaves the stored one. Raises BadRequest, Forbidden."""
        self._refuse_operators(MODEL)
        if not (is_safe(setup.url) if self.check_host else is_web_address(setup.url)):
            raise BadRequest("not_https", url=setup.url)
        self.refuse_private(setup.url)
        if not is_key(setup.key):
            raise BadRequest("llm_key_not_a_key")
        before = self.model(school)
        key = setup.key or (before.key if before and before.url == setup.url else "")
        self._keep(school, MODEL, {**setup.model_dump(), "key": key}, by, at)

    def keep_secret(self, school: str, provider: str, secret: str | None, by: str, at: datetime) -> None:
        """Store the client secret of a sign-in service; None: remove it. Raises BadRequest."""
        others = {name: each for name, each in self.secrets(school).items() if name != provider}
        self._keep(school, SECRETS, others | ({provider: secret} if secret else {}), by, at)

    def remove(self, school: str, name: str, by: str, at: datetime) -> None:
        """Remove what is stored under the name. Raises Forbidden if the operator decides it."""
        self._refuse_operators(name)
        self.store.change(school, {name: None}, by, at)

    def language(self, school: str) -> str | None:
        """Code of the language of letters to people who have not chosen one; None: that of the page."""
        found = self.stored(school, LANGUAGE)
        return str(found.value) if found else None

    def _refuse_operators(self, name: str) -> None:
        if name in self.by_operator:
            raise Forbidden("setup_by_operator")

    def refuse_private(self, *addresses: str) -> None:
        """Raises BadRequest for an address whose host an admin may not name."""
        for address in addresses:
            if self.check_host and (parts := parts_of(address)):
                self.check_host(parts.hostname or "")

    def _read(self, school: str, name: str) -> dict[str, Any] | None:
        """The row's content; None if it is not set, or sealed with another key: then it has to be entered again."""
        found = self.stored(school, name)
        if not (found and self.seal):
            return None
        try:
            read: dict[str, Any] = json.loads(self.seal.open(str(found.value), school, name))
        except BadRequest:
            return None
        return read

    def _keep(self, school: str, name: str, content: Mapping[str, Any], by: str, at: datetime) -> None:
        refuse_no_school(school)
        if not self.seal:
            raise BadRequest("setup_no_key")
        self.store.change(school, {name: self.seal.seal(json.dumps(content), school, name)}, by, at)
