"""What holds for every page that there is (make web-test); a page that is added is tried as soon as it stands in the bar."""

from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus

import pytest
from playwright.sync_api import Browser, expect

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.library.corrections import correct_book
from chapterverse.library.intake import add_book
from chapterverse.library.model import Corrections
from chapterverse.library.services import parsed
from tests.browser import every_page
from tests.browser.conftest import TEXT, Running, expect_accessible
from tests.support.books import LIMITS
from tests.support.desk import answered
from tests.support.pdfs import a_pdf
from tests.support.serving import serving
from tests.support.web import Site, shelve_pdf, site

TITLE = 'Anna\'s "Great" <script>alert(1)</script> & <b>Bold</b> Book of AVeryLongWordThatNobodyWouldEverSayAloudInOneBreath'
Size = dict[str, int]
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
each_page = pytest.mark.parametrize("page", list(every_page.open_pages()), ids=lambda page: page.path)
each_language = pytest.mark.parametrize("language", ["en", "de"])


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[every_page.Reader]:
    with site(tmp_path_factory.mktemp("site")) as app, serving(app.app) as address:
        fill(app)
        yield every_page.signed_in(Running(address, app, chromium))


def fill(app: Site) -> None:
    """Something on every shelf, by a name that a careless page would run or break on."""
    shelve_pdf(app.services, a_pdf(TEXT))
    named = Corrections(title=TITLE, authors=("D'Arcy <i>O'Neill</i>",))
    correct_book("school", BookId("on-principle"), lambda _: named, app.services)
    for collection in (Collection.DOCUMENTS, Collection.HELPDESK, Collection.LECTURES):
        shelf = replace(app.parts.collections[collection], parser=parsed)
        add_book(a_pdf(TEXT), f"{TITLE.replace('/', '')}.pdf", "school", shelf, replace(LIMITS, megabytes=2048))
    answered(app.parts.helpdesk, TITLE, "The library <b>closes</b> at nine.")
    assert app.caller()("POST", "/api/v1/essays/feedback", {"essay": TEXT}).status_code == HTTPStatus.OK


@pytest.fixture(autouse=True)
def closed(chromium: Browser) -> Iterator[None]:
    """Each browser that a test opens ends with it."""
    yield
    for context in chromium.contexts:
        context.close()


@each_page
@each_language
def test_axe_core_finds_nothing(page: every_page.Open, language: str, reader: every_page.Reader) -> None:
    expect_accessible(reader.read(page, language))


@each_page
def test_a_first_view_is_quiet_and_all_of_it_ours(page: every_page.Open, reader: every_page.Reader) -> None:
    shown = reader.context(page.role).new_page()
    heard = every_page.complaints(shown, reader.address)

    reader.go(shown, page)

    assert heard == []
    assert shown.locator("main script").count() == 0


@each_page
@pytest.mark.parametrize(
    ("size", "line"),
    [(PHONE, every_page.FAST), (LAPTOP, every_page.FAST), (PHONE, every_page.SLOW)],
    ids=["phone", "laptop", "slow phone"],
)
def test_nothing_moves_while_it_loads(
    page: every_page.Open, size: Size, line: every_page.Line, reader: every_page.Reader
) -> None:
    assert reader.read(page, line=line, viewport=size).evaluate("shifts") == []


@each_page
@each_language
def test_nothing_is_cut_off_or_beside_the_screen(page: every_page.Open, language: str, reader: every_page.Reader) -> None:
    shown = reader.read(page, language)

    for width in (320, 390, 683, 1366):  # 1280 at 400 % (WCAG 2.2, 1.4.10), a phone, a laptop at 200 % and at 100 %
        shown.set_viewport_size({"width": width, "height": 640})
        assert (width, shown.evaluate(every_page.BESIDE_OR_CUT)) == (width, [])
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


@each_page
def test_tab_reaches_everything_and_what_has_the_focus_is_seen(page: every_page.Open, reader: every_page.Reader) -> None:
    shown = reader.read(page, forced_colors="active")  # where shadows and grounds are gone

    there, made = every_page.stops(shown)

    assert there - {stop for stop, _, _ in made} == set()
    assert [html for _, seen, html in made if not seen] == []
    assert len(made) < 2 * len(there) + 8  # it ends: nothing holds the focus


@each_page
def test_nothing_moves_for_who_wants_less_of_it(page: every_page.Open, reader: every_page.Reader) -> None:
    assert reader.read(page, reduced_motion="reduce").evaluate(every_page.MOVING) == []


def test_on_a_phone_the_bar_is_a_button_that_opens_it_by_the_keyboard_too(reader: every_page.Reader) -> None:
    shown = reader.read(every_page.Open("/essay", KeyScope.ADMIN), viewport=PHONE)
    expect(shown.get_by_role("link", name="Books")).to_be_hidden()

    shown.get_by_role("button", name="Menu").focus()
    shown.keyboard.press("Enter")
    expect_accessible(shown)
    shown.keyboard.press("Tab")
    expect(shown.get_by_role("navigation").get_by_role("link").first).to_be_focused()
    shown.keyboard.press("Escape")

    expect(shown.get_by_role("button", name="Menu")).to_be_focused()
    expect(shown.get_by_role("link", name="Books")).to_be_hidden()
