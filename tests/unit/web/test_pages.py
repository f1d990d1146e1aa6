"""What a browser gets: who is let in, what a page may load, and that no other site can act for whoever is signed in."""

import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from importlib.resources import files
from pathlib import Path
from unittest.mock import Mock

import pytest
from flask import Flask, Response, g, request, stream_with_context
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import address_of, enrol, link_for
from chapterverse.core.book import BookId
from chapterverse.core.errors import PostUnavailable
from chapterverse.library.model import VersionKey
from chapterverse.messages import plain
from chapterverse.web.app import create_app
from chapterverse.web.bare import isolated
from chapterverse.web.frame import assets, own_path
from tests.support.browsers import OURS, browser_of, link_to
from tests.support.web import Site, site

TEMPLATES = sorted(Path(str(files("chapterverse"))).glob("templates/site/*.html"))
CHANGES = {"POST", "PUT", "PATCH", "DELETE"}


def ask(browser: FlaskClient, **headers: str) -> TestResponse:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return browser.post("/api/v1/essays/evidence", json={"essay": "Silencing robs."}, headers=told)


def test_who_is_not_signed_in_is_asked_to_and_a_link_signs_in_once_and_only_when_its_button_is_pressed(library: Site) -> None:
    asked = library.anybody("GET", "/essay")
    assert (asked.status_code, asked.location) == (303, "/sign-in?next=/essay")
    assert 'name="email"' in library.anybody("GET", asked.location).text
    link = link_to(library, "anna@school.example")

    assert "Set-Cookie" not in library.anybody("GET", "/sign-in/link").headers
    browser = library.app.test_client()
    cookie = browser.post("/sign-in/link", data={"link": link}, headers=OURS).headers["Set-Cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Lax", "Path=/"))
    assert browser.get("/essay").status_code == 200
    again = library.anybody("POST", "/sign-in/link", data={"link": link}, headers=OURS)
    assert again.status_code == 401
    assert all(time in again.text for time in ("20 minutes", "7 days"))


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}],
)
def test_no_other_sites_page_acts_for_who_is_signed_in_and_signed_out_is_out(library: Site, headers: dict[str, str]) -> None:
    browser = browser_of(library)

    assert ask(browser, **headers).status_code == 403
    assert browser.post("/sign-out", headers=headers).status_code == 403
    assert browser.get("/essay").status_code == 200
    left = browser.post("/sign-out", headers=OURS)
    assert left.headers["Clear-Site-Data"] == '"storage"'  # the drafts of whoever leaves
    assert browser.get("/essay").status_code == 303
    assert ask(browser).status_code == 401


def test_a_page_runs_nothing_that_stands_in_it(library: Site) -> None:
    page = browser_of(library, name="<script>alert(1)</script>").get("/essay")

    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert "<script>alert" not in page.text
    assert all("src=" in script for script in re.findall(r"<script[^>]*>", page.text))
    assert not re.search(r'\son\w+="|style="|<style', page.text)


def test_what_a_page_loads_is_there_and_stays_and_much_text_is_compressed_for_those_who_take_it(library: Site) -> None:
    page = gzip.decompress(browser_of(library).get("/essay", headers={"Accept-Encoding": "gzip"}).data).decode()
    plain = library.anybody("GET", "/api/v1/openapi.json")
    packed = library.anybody("GET", "/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})

    loaded = set(re.findall(r'(?:src|href)="(/assets/[^"]+)"', page))

    assert len(loaded) >= 3
    for address in loaded:
        answer = library.anybody("GET", address, headers={"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.headers["Content-Encoding"]) == (200, "gzip")
        assert "immutable" in answer.headers["Cache-Control"]
    assert library.anybody("GET", "/assets/x/../settings.py").status_code == 404
    assert (plain.headers.get("Content-Encoding"), packed.headers["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in plain.headers["Vary"]


def test_what_a_page_loads_at_first_is_small() -> None:
    sizes = {template.stem: sum(len(assets()[name].gzipped) for name in loaded_by(template)) for template in TEMPLATES}

    assert {name: size for name, size in sizes.items() if size > 80 * 1024} == {}  # issue 19


def loaded_by(template: Path) -> set[str]:
    """The style sheets and scripts of a page and its frame, with what the scripts import, in the largest language."""
    text = template.read_text("utf-8") + (template.parent / "frame.html").read_text("utf-8")
    found, new = set[str](), set(re.findall(r'asset\("([^"]+)"\)', text)) | {"js/texts/de.js"}
    while new := new - found:
        found |= new
        scripts = (assets()[name].data.decode() for name in new if name.endswith(".js"))
        new = {f"js/{each}" for script in scripts for each in re.findall(r'from "\./(\w+\.js)"', script)}
    return found


def test_a_page_speaks_the_language_that_is_asked_for_or_chosen(library: Site) -> None:
    browser = library.app.test_client()

    assert "E-Mail-Adresse" in browser.get("/sign-in", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}).text
    assert "E-mail address" in browser.get("/sign-in", headers={"Accept-Language": "fr"}).text
    browser.post("/language", data={"language": "de", "next": "/sign-in"}, headers=OURS)
    assert '<html lang="de">' in browser.get("/sign-in").text


def test_what_went_wrong_is_said_in_the_language_of_the_page_whatever_was_filled_in(library: Site) -> None:
    german, sent = {"Accept-Language": "de"} | OURS, {"email": "anna@school.example"}

    answers = (library.anybody("POST", "/sign-in", data=sent, headers=german) for _ in range(50))
    refused = next(answer for answer in answers if answer.status_code == 429)

    assert re.search(r"pro Adresse: 6 Anfragen in der Minute", refused.text)


def test_a_book_that_failed_is_not_counted_as_read_or_still_being_read(library: Site) -> None:
    key, catalog = VersionKey("school", BookId("emma"), "0123456789abcdef", "words"), library.services.catalog
    browser = browser_of(library, role=KeyScope.TEACHER)

    catalog.begin(key, "emma.pdf")
    for path in ("/", "/ask"):
        assert "1 book still being processed" in browser.get(path).text
        assert "No books yet" not in browser.get(path).text
    catalog.failed(key, "no_text", plain("Run text recognition over it first."))
    assert "still being processed" not in browser.get("/").text
    assert "All books (1)" in browser.get("/").text  # the one that can be read


def test_one_caller_cannot_try_many_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chapterverse.accounts.pages.FORMS_PER_MINUTE", 5)
    with site(tmp_path) as running:
        emails = (f"person{number}@school.example" for number in range(10))
        answers = [running.anybody("POST", "/sign-in", data={"email": email}, headers=OURS).status_code for email in emails]

    assert answers[:5] == [200] * 5
    assert 429 in answers


def test_whoever_asks_cannot_say_where_a_link_leads(library: Site, tmp_path: Path) -> None:
    for away in ("//evil.example", "/\\evil.example", "https://evil.example", "", "/\t/evil.example", "x"):
        assert own_path(away) == "/"
    assert own_path("/essay?a=b") == "/essay?a=b"
    link_to(library, "anna@school.example")

    for wanted in ("//evil.example", f"/{'x' * 600}"):
        data = {"email": "anna@school.example", "next": wanted}
        library.anybody("POST", "/sign-in", data=data, headers=OURS, base_url="https://evil.example")

    letters = [file.read_text() for file in (tmp_path / "outbox").glob("*.eml")]
    assert len(letters) == 2
    assert all("https://school.example/sign-in/link" in letter for letter in letters)
    assert not any(each in "".join(letters) for each in ("evil", "next"))


def test_a_known_address_and_an_unknown_one_get_the_same_answer_before_a_letter_is_sent(library: Site) -> None:
    put_off: list[Callable[[], None]] = []
    school = library.parts.sign_in
    enrol("school", "anna@school.example", "Anna", KeyScope.STUDENT, sign_in=school, now=library.parts.now())

    away = Mock(send=Mock(side_effect=PostUnavailable("mail_not_sent")))

    app = create_app(replace(library.parts, sign_in=replace(school, post=away), later=put_off.append))
    sent = [{"email": f"{name}@school.example"} for name in ("anna", "nobody")]
    answers = [app.test_client().post("/sign-in", data=each, headers=OURS) for each in sent]
    for work in put_off:
        work()

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].text == answers[1].text
    assert len(put_off) == 2


@pytest.mark.parametrize("path", ["/sign-in", "/essay", "/lecture", "/settings/people"])
def test_a_page_is_kept_by_nobody_and_may_do_little(library: Site, path: str) -> None:
    headers = browser_of(library, role=KeyScope.ADMIN).get(path).headers

    assert (headers["Cache-Control"], headers["X-Content-Type-Options"]) == ("no-store", "nosniff")
    assert (headers["Referrer-Policy"], headers["Cross-Origin-Opener-Policy"]) == ("same-origin", "same-origin")
    assert headers["Strict-Transport-Security"].startswith("max-age=")
    assert ("microphone=(self)" in headers["Permissions-Policy"]) is (path == "/lecture")
    assert "camera=()" in headers["Permissions-Policy"]


def test_whoever_had_a_session_has_a_new_one_after_a_link(library: Site) -> None:
    browser, thief = browser_of(library), library.app.test_client()
    before = browser.get_cookie("chapterverse")

    now, sign_in = library.parts.now(), library.parts.sign_in
    anna = sign_in.people.find("school", "anna@school.example")
    browser.post("/sign-in/link", data={"link": link_for(anna, sign_in, now)}, headers=OURS)

    thief.set_cookie("chapterverse", before.value)
    assert thief.get("/essay").status_code == 303
    assert browser.get("/essay").status_code == 200

    assert ask(browser, Origin="http://localhost").status_code == 200


def test_every_change_that_a_session_can_make_is_kept_from_other_sites(library: Site) -> None:
    browser = browser_of(library, role=KeyScope.ADMIN)
    rules = [(rule, method) for rule in library.app.url_map.iter_rules() for method in rule.methods or () if method in CHANGES]

    assert len(rules) > 40
    for rule, method in rules:
        path = re.sub("<[^>]+>", "1", re.sub(r"<any\((\w+)[^>]*>", r"\1", rule.rule))
        if path.startswith("/api/v1/files") or ("upload" in path and method == "PUT"):
            continue  # by a signed address, without the session
        if path in ("/lti/login", "/lti/launch"):
            continue  # from a learning platform's page, by the standard, and bound by state and nonce instead
        if path == "/lti/notices":
            continue  # from a learning platform's server, each signed; a session has no part in it
        asked = browser.open(path, method=method, json={}, headers={"Sec-Fetch-Site": "cross-site"})
        assert (path, method, asked.status_code) == (path, method, 403)


HTML = {"Accept": "text/html,application/xhtml+xml"}


def test_a_page_that_is_not_there_has_the_navigation_and_a_program_gets_a_problem(library: Site) -> None:
    browser = browser_of(library, role=KeyScope.TEACHER)

    shown = browser.get("/essays", headers=HTML)

    assert (shown.status_code, shown.mimetype) == (404, "text/html")
    assert "<h1>Page not found</h1>" in shown.text
    assert 'href="/books"' in shown.text
    assert library.anybody("GET", "/essays", headers=HTML).status_code == 404
    assert browser.get("/api/v1/nothing", headers=HTML).mimetype == "application/problem+json"
    assert browser.get("/essays", headers={"Accept": "*/*"}).mimetype == "application/problem+json"


@pytest.mark.parametrize(
    ("role", "path", "needed"),
    [
        (KeyScope.STUDENT, "/books", "This page is for teachers"),
        (KeyScope.STUDENT, "/settings/people", "This page is for admins"),
        (KeyScope.TEACHER, "/settings/people", "This page is for admins"),
        (KeyScope.STUDENT, "/essay/assignments", "This page is for teachers"),
        (KeyScope.STUDENT, "/essay/others/abc", "This page is for teachers"),
        (KeyScope.STUDENT, "/essay/assignments/abc/essays/abc", "This page is for teachers"),
        (KeyScope.STUDENT, "/books/none", "This page is for teachers"),
    ],
)
def test_a_page_for_others_says_which_role_may_see_it(library: Site, role: KeyScope, path: str, needed: str) -> None:
    refused = browser_of(library, role=role).get(path)

    assert refused.status_code == 403
    assert f"<h1>{needed}</h1>" in refused.text
    assert "signed in as" in refused.text
    assert 'href="/ask"' in refused.text


def test_a_session_that_ended_is_named_and_the_letter_leads_back(library: Site, tmp_path: Path) -> None:
    browser, sign_in = browser_of(library), library.parts.sign_in
    assert browser.get_cookie("chapterverse").max_age > sign_in.session.total_seconds()
    sign_in.people.forget(library.parts.now() + timedelta(days=1))

    asked = browser.get("/essay?a=b")

    assert asked.location == "/sign-in?next=/essay%3Fa%3Db&ended=1"
    shown = browser.get(asked.location).text
    assert "Your session has ended" in shown
    assert '<input type="hidden" name="next" value="/essay?a=b">' in shown
    browser.post("/sign-in", data={"email": "anna@school.example", "next": "/essay?a=b"}, headers=OURS)
    [letter] = (tmp_path / "outbox").glob("*.eml")
    assert b"&next=%2Fessay%3Fa%3Db" in message_from_bytes(letter.read_bytes()).get_payload(decode=True)


def test_a_link_can_be_put_in_by_hand_and_over_the_net_the_cookie_is_for_https_and_this_host_alone(library: Site) -> None:
    whole = address_of(link_to(library, "anna@school.example"), "https://school.example")
    data = {"link": "", "typed": f" {whole} "}

    entered = library.anybody("POST", "/sign-in/link", data=data, headers=OURS, base_url="https://school.example")

    assert entered.status_code == 303
    assert entered.headers["Set-Cookie"].startswith("__Host-chapterverse=")
    assert "Secure" in entered.headers["Set-Cookie"]


def test_a_streamed_answer_passes_through_another_app_also_after_one_that_was_not_read_to_its_end_or_failed() -> None:
    inner, outer = Flask("inner"), Flask("outer")

    @inner.get("/told")
    def told() -> Response:
        def parts() -> Iterator[str]:
            yield f"{request.path} "
            yield g.name
            if request.args:
                raise RuntimeError("too late")

        g.name = "inner"
        return Response(stream_with_context(parts()))

    outer.before_request(lambda: setattr(g, "name", "outer"))
    outer.add_url_rule("/<path:path>", "all", lambda path: Response.from_app(isolated(inner), request.environ))
    outer.after_request(lambda response: response.headers.set("X-Name", g.name) or response)
    client = outer.test_client()
    client.get("/told", buffered=False).close()

    answer = client.get("/told")
    assert (answer.text, answer.headers["X-Name"]) == ("/told inner", "outer")
    answer = client.get("/told?late=1", buffered=False)
    with pytest.raises(RuntimeError, match="too late"):
        _ = answer.data
