"""Build LTI, sign-in, the schools' own sign-in providers."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.core.errors import ProviderUnavailable
from chapterverse.infrastructure.spans import traced_port

if TYPE_CHECKING:
    from collections.abc import Callable

    from chapterverse.accounts.model import Provider
    from chapterverse.accounts.oidc import OidcProvider
    from chapterverse.accounts.setup import SchoolSetups
    from chapterverse.accounts.sign_in import SchoolSignIns, SignIn
    from chapterverse.core.ports import Post
    from chapterverse.infrastructure.sealing import Seal
    from chapterverse.lti.launching import LtiTool
    from chapterverse.settings import Settings


def lti(s: Settings, address: str = "") -> LtiTool:
    """The LTI tool for Moodle, Canvas and others. address: of the pages, if the settings have none."""
    from chapterverse.assignments.store import SqlAssignments
    from chapterverse.lti.keys import FileKeys, KeySets, SecretKeys
    from chapterverse.lti.launching import LtiTool
    from chapterverse.lti.messages import LtiMessages
    from chapterverse.lti.services import PlatformServices
    from chapterverse.lti.store import SqlLti

    site, secret = (s.site_url or address).rstrip("/"), s.lti_keys.get_secret_value()
    return LtiTool(
        stores.sql(s, SqlLti),
        stores.sql(s, SqlAssignments),
        SecretKeys(secret) if secret else FileKeys(s.home / "lti-keys.json"),
        traced_port("lti", LtiMessages),
        traced_port("lti", lambda: PlatformServices(KeySets().check)),
        site,
    )


def sign_in(s: Settings, address: str = "") -> SignIn:
    """Sign-in by links. address: of the pages, if the settings have none."""
    from chapterverse.accounts.sign_in import SignIn
    from chapterverse.accounts.store import SqlPeople

    site = (s.site_url or address).rstrip("/")
    is_outbox = not s.mail_server.get_secret_value()
    return SignIn(
        stores.sql(s, SqlPeople),
        traced_port("post", lambda: post(s)),
        site=site,
        is_outbox=is_outbox,
        school_post=school_setups(s).post if is_outbox else _no_post,
    )


def _no_post(_school: str) -> Post | None:
    """The operator's mail server sends all letters."""


def school_setups(s: Settings) -> SchoolSetups:
    """What admins of schools have set up, and what the operator decides instead. Where schools share a database, their admins
    may name no hosts of private networks."""
    from chapterverse.accounts.setup import MAIL, MODEL, SchoolSetups
    from chapterverse.accounts.store import SqlSchoolSettings
    from chapterverse.infrastructure.mail import SmtpPost

    decided = {MAIL: ("MAIL_SERVER", s.mail_server.get_secret_value()), MODEL: ("LLM_MODEL", s.llm_model)}
    by_operator = {name: f"CHAPTERVERSE_{variable}" for name, (variable, value) in decided.items() if value}
    store = stores.sql(s, SqlSchoolSettings)
    setups = SchoolSetups(store, seal(s), by_operator, open_post=lambda setup: SmtpPost(setup.address, setup.sender))
    if not s.catalog.get_secret_value():
        return setups
    from chapterverse.infrastructure.sealing import refuse_private

    return replace(setups, check_host=refuse_private)


def seal(s: Settings) -> Seal | None:
    """What encrypts secrets in the database: a key of the settings, or of a file on one machine; None without either."""
    if not find_spec("joserfc"):
        return None
    from chapterverse.infrastructure.sealing import Seal
    from chapterverse.infrastructure.storage.folder import load_secret

    if key := s.setup_key.get_secret_value():
        return Seal(key.encode())
    return None if s.catalog.get_secret_value() else Seal(load_secret(s.home / "secret"))


def post(s: Settings) -> Post:
    """The mail server, or a folder for mails."""
    if server := s.mail_server.get_secret_value():
        from chapterverse.infrastructure.mail import SmtpPost

        return SmtpPost(server, s.mail_from)
    from chapterverse.infrastructure.mail import FolderPost

    return FolderPost(s.home / "outbox")


def school_sign_ins(s: Settings) -> SchoolSignIns:
    """The schools' sign-in providers, with the secrets that admins set."""
    from chapterverse.accounts.sign_in import SchoolSignIns
    from chapterverse.accounts.store import SqlAccounts

    @cache  # each caches addresses and keys; a changed registration is another provider
    def ask(provider: Provider, secret: str) -> OidcProvider:
        from chapterverse.accounts.oidc import OidcProvider

        return OidcProvider(provider, secret)

    setups = school_setups(s)

    def ask_with_secret(provider: Provider) -> OidcProvider:
        if not (secret := setups.secrets(provider.school).get(provider.id)):
            raise ProviderUnavailable("provider_secret_missing", provider=provider.id)
        return ask(provider, secret)

    accounts = stores.sql(s, SqlAccounts)
    return SchoolSignIns(accounts, ask_with_secret)


def authenticator(s: Settings, audience: str) -> Callable[[str], object]:
    """A function that verifies a service caller's Authorization header; it admits everybody if ALLOWED_CALLERS is empty."""
    from chapterverse.web.auth import ServiceAuthenticator

    callers = frozenset(filter(None, map(str.strip, s.allowed_callers.split(","))))
    behind_cloud_run = "K_SERVICE" in os.environ
    return ServiceAuthenticator(audience, callers, verified=behind_cloud_run).admit if callers else lambda _: None
