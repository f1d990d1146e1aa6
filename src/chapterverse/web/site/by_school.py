"""Signing in by the account that a school gave (OpenID Connect): there, back, and out of it again."""

from dataclasses import dataclass
from datetime import timedelta
from hmac import compare_digest
from secrets import token_urlsafe
from urllib.parse import quote, unquote

from flask import Response, request

from chapterverse.errors import ChapterverseError, PostUnavailable, ProviderUnavailable, SignInRefused
from chapterverse.model import Provider
from chapterverse.usecases.school_sign_in import Arrival, Flow, SignsIn, let_in, provider_of
from chapterverse.usecases.sign_in import begin_session
from chapterverse.web import cookies
from chapterverse.web.limits import RateLimit
from chapterverse.web.parts import Parts
from chapterverse.web.site.coming_in import come_in, sign_in_page
from chapterverse.web.site.frame import Site, own_path, see_other

FLOW, CAME_BY = "flow", "school"  # cookies: what is under way; by which sign-in somebody came
WITHIN = timedelta(minutes=10)  # from our page to there and back
RETURNS = 240  # a minute by one provider: a class signs in at once, and each return asks the provider


def offer_school_sign_in(site: Site) -> None:
    """Addresses, of which the provider knows the second: /sign-in/school/{provider}/back."""
    door = SchoolDoor(site.parts, RateLimit(RETURNS, who="one_school"))
    site.offer("GET", "/sign-in/school/<provider>", door.begin, role=None)
    site.offer("GET", "/sign-in/school/<provider>/back", door.come_back, role=None)


@dataclass(frozen=True, slots=True)
class SchoolDoor:
    """Where people come in by an account of their school."""

    parts: Parts
    often: RateLimit

    def begin(self, provider: str) -> Response:
        """Over to the school's sign-in; what is needed on the way back stays in the browser."""
        registered = provider_of(provider, self.parts.schools)
        flow = Flow(token_urlsafe(32), registered.id, own_path(request.args.get("next", "/")))
        try:
            answer = see_other(self._ask(registered).begin(flow, self._back(registered)))
        except ProviderUnavailable:
            return sign_in_page(self.parts, refused="away")
        cookies.keep(answer, f"{flow.secret}.{flow.provider}.{quote(flow.next, safe='')}", WITHIN, FLOW)
        return answer

    def come_back(self, provider: str) -> Response:
        """In, with a session of our own as by a link; or a page that says why not."""
        try:
            answer = self._entered(provider)
        except SignInRefused as error:
            answer = sign_in_page(self.parts, refused=error.reason)
        except ProviderUnavailable:
            answer = sign_in_page(self.parts, refused="away")
        cookies.drop(answer, FLOW)
        return answer

    def _entered(self, provider: str) -> Response:
        registered = provider_of(provider, self.parts.schools)
        flow = _under_way(registered)
        self.often.take(registered.id)
        claims = self._ask(registered).finish(flow, _code(registered), self._back(registered))
        now = self.parts.now()
        person = let_in(Arrival(claims, registered), self.parts.schools, self.parts.reception, now)
        answer = come_in(begin_session(person, self.parts.reception, now), flow.next, self.parts)
        cookies.keep(answer, registered.id, self.parts.reception.session, CAME_BY)
        return answer

    def _ask(self, registered: Provider) -> SignsIn:
        return self.parts.schools.ask(registered)

    def _back(self, registered: Provider) -> str:
        """As it is registered there; what a request says of our address anybody can make up."""
        if not (site := self.parts.reception.site):
            raise PostUnavailable("school_sign_in_needs_site")
        return f"{site}/sign-in/school/{registered.id}/back"


def leave_address(parts: Parts) -> str | None:
    """Where whoever is leaving is signed out of their school's account, too: on a machine that several use, the next one would
    be in by it with one click. None where they came otherwise, or the school does not offer it."""
    if not (came_by := cookies.kept(CAME_BY)):
        return None
    try:
        return parts.schools.ask(provider_of(came_by, parts.schools)).end(f"{parts.reception.site}/sign-in")
    except ChapterverseError:  # whatever is wrong there, here they are out
        return None


def _under_way(registered: Provider) -> Flow:
    """Begun in this browser, by this provider, and answered to this (RFC 9700, 4.4 and 4.7). Raises SignInRefused."""
    secret, _, rest = cookies.kept(FLOW).partition(".")
    provider, _, wanted = rest.partition(".")
    flow = Flow(secret, registered.id, own_path(unquote(wanted)))
    told = request.args.get("state", "")
    if not secret or provider != registered.id or not compare_digest(told.encode(), flow.state.encode()):
        raise SignInRefused("stale", "sign_in_stale")
    if request.args.get("iss", registered.issuer) != registered.issuer:  # RFC 9207
        raise SignInRefused("invalid", "sign_in_of_other_provider")
    return flow


def _code(registered: Provider) -> str:
    """Raises SignInRefused where the school's sign-in let nobody in, or somebody changed their mind."""
    if code := request.args.get("code", ""):
        return code
    raise SignInRefused("refused", "school_sign_in_refused", school=registered.title)
