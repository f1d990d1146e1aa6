"""Schools' own sign-ins."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.tracing import traced
from chapterverse.errors import ProviderUnavailable

if TYPE_CHECKING:
    from chapterverse.adapters.oidc_provider import OidcProvider
    from chapterverse.model import Provider
    from chapterverse.settings import Settings
    from chapterverse.usecases.school_sign_in import SchoolDoors


def school_doors(s: Settings) -> SchoolDoors:
    """By which accounts people may sign in; each is asked with the secret that the settings have for it."""
    from chapterverse.usecases.school_sign_in import SchoolDoors

    @cache  # each remembers addresses and keys; one that is registered otherwise is another one
    def ask(provider: Provider) -> OidcProvider:
        from chapterverse.adapters.oidc_provider import OidcProvider

        if not (secret := s.oidc_secrets.get(provider.id)):
            raise ProviderUnavailable("provider_secret_missing", provider=provider.id)
        return OidcProvider(provider, secret.get_secret_value())

    return SchoolDoors(traced("accounts", lambda: stores.accounts(s)), ask)
