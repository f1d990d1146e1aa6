"""What all ways in have in common: the page they begin on, and the session they end in."""

from typing import Any

from flask import Response, request

from chapterverse.usecases.sign_in import sign_out
from chapterverse.web import cookies
from chapterverse.web.parts import Parts
from chapterverse.web.site.frame import own_path, page, see_other


def sign_in_page(parts: Parts, *, sent: bool = False, refused: str = "", leave: str | None = None) -> Response:
    """All ways in. sent: a link is on its way; refused: why somebody did not come in by their school; leave: where they are
    signed out of their account there, too."""
    status = 403 if refused else 200
    schools, wanted = parts.schools.accounts.providers(), own_path(request.args.get("next", "/"))
    filled: dict[str, Any] = {"sent": sent, "refused": refused, "leave": leave, "schools": schools, "next": wanted}
    return page("sign_in", "Sign in", status=status, **filled)


def come_in(secret: str, wanted: str, parts: Parts) -> Response:
    """On to the page they wanted, with the new session of that secret in their browser; the one they had before is over.
    wanted: as a request told it."""
    sign_out(cookies.session(), parts.reception, parts.now())
    answer = see_other(own_path(wanted))
    cookies.keep(answer, secret, parts.reception.session)
    return answer
