"""The help desk, for its commands."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chapterverse import composition
from chapterverse.cli.session import services_of, settings

if TYPE_CHECKING:
    from chapterverse.usecases.helpdesk.desk import Desk
    from chapterverse.usecases.services import Services


def shelf() -> Services:
    """The real things, for the help desk's sources. Raises BadRequest where there is no place for them."""
    from chapterverse.model import Collection

    return services_of(Collection.HELPDESK)


@cache
def desk() -> Desk:
    """All that it stands on. Raises as shelf."""
    return composition.helpdesk.desk(settings(), shelf(), composition.answering(settings(), shelf().embedder))
