"""Pages of an assignment of the platform itself, for browsers: a student hands in, a grader sees each file with its report."""

from collections.abc import Callable, Mapping, Sequence
from html import escape

import requests
from flask import Flask, Response, redirect, request

from tests.support.lti_platform.model import SUBMISSION, HandedIn, LtiPlatform

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><header>English 10b · {who}</header><main><h1>{title}</h1>{parts}</main></html>"""
FORM = """<section><h2>New submission</h2><form method="post" action="/assignment?user={user}">
<label for="essay">Your essay</label><textarea id="essay" name="essay" rows="8"></textarea>
<p><button>Submit assignment</button></p></form></section>"""
COURSE = """<form method="post" action="{it.tool}/lti/login" target="tool">{fields}<button>Open the tool</button></form>
<iframe name="tool" title="Tool" style="width: 100%; height: 38rem; background: #fff"></iframe>"""
SECONDS = 60.0  # that the tool may take for a notice


def offer_pages(app: Flask, platform: Callable[[], LtiPlatform]) -> None:
    """Add the routes."""

    @app.get("/assignment")
    def assignment() -> str:
        """A student's view."""
        it, user = platform(), request.args["user"]
        own = [file for file in it.handed_in.values() if file.user == user]
        return _page(it, user, _table(it, user, own) + FORM.format(user=escape(user)))

    @app.post("/assignment")
    def hand_in() -> Response:
        """A text is typed in, of which the tool gets a notice."""
        it, user = platform(), request.args["user"]
        essay = "".join(f"<p>{escape(part)}</p>" for part in request.form["essay"].split("\n\n"))
        _deliver(it, it.hand_in(user, [("Text entry", "text/html", essay.encode())]))
        return redirect(f"/assignment?user={user}", 303)

    @app.get("/grader")
    def grader() -> str:
        """A teacher's view."""
        it, user = platform(), request.args["user"]
        return _page(it, user, _table(it, user, list(it.handed_in.values())))


def course_page(it: LtiPlatform, user: str, link: str) -> str:
    """A page of the course with the tool in a frame."""
    sent = fields(it.initiation(user, link))
    return PAGE.format(title="English", who=escape(it.users[user].name), parts=COURSE.format(it=it, fields=sent))


def fields(values: Mapping[str, str]) -> str:
    """Hidden fields of a form."""
    return "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in values.items())


def _page(it: LtiPlatform, user: str, parts: str) -> str:
    title = escape((it.processor or {"title": "Essay"})["title"])
    return PAGE.format(title=title, who=escape(it.users[user].name), parts=parts)


def _table(it: LtiPlatform, user: str, files: Sequence[HandedIn]) -> str:
    teaches = any(role.endswith("#Instructor") for role in it.users[user].roles)
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("Student", "File", "Report", "Open"))
    rows = "".join(_row(it, user, file, teaches=teaches) for file in files)
    return f"<section><h2>Submissions</h2><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></section>"


def _row(it: LtiPlatform, user: str, file: HandedIn, *, teaches: bool) -> str:
    report = file.report or {"processingProgress": "No report yet"}
    is_done = report["processingProgress"] == "Processed"
    if not teaches and not (is_done and report["visibleToOwner"]):
        said, opens = "", ""
    else:
        told = (report.get("title", ""), report["processingProgress"], report.get("result", ""), report.get("comment", ""))
        said, opens = escape(" · ".join(filter(None, told))), _opens(it, user, file) if is_done else ""
    cells = (escape(it.users[file.user].name), escape(f"{file.name}, {file.at:%H:%M}"), said, opens)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _opens(it: LtiPlatform, user: str, file: HandedIn) -> str:
    sent = fields(it.initiation(user, f"report/{file.id}"))
    return f'<form method="post" action="{it.tool}/lti/login" target="_blank">{sent}<button>View report</button></form>'


def _deliver(it: LtiPlatform, notice: str) -> None:
    """Send a notice to the tool; a tool that refuses is an error of the page."""
    requests.post(it.handlers[SUBMISSION], json={"notices": [{"jwt": notice}]}, timeout=SECONDS).raise_for_status()
