"""What is asked of every page, put to the browser that shows it."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

from chapterverse.accounts.model import KeyScope
from chapterverse.web.frame import LINKS, SETTINGS, Link
from tests.browser.conftest import PATIENT, Running

LISTEN = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(one => one.hadRecentInput || window.shifts.push(
    [one.value, ...one.sources.map(({node}) => node && (node.id || node.className || node.nodeName))])
)).observe({type: "layout-shift", buffered: true});
document.addEventListener("securitypolicyviolation", event =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
TABBABLE = """() => {
    const all = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
    const seen = [...document.querySelectorAll(all)]
        .filter(one => one.tabIndex >= 0 && !one.matches(":disabled") && one.checkVisibility());
    seen.forEach((one, number) => one.dataset.stop = number);
    const radios = new Set(); // one of a group is a stop; the arrows reach the others
    return seen.filter(one => one.type !== "radio" || !radios.has(one.name) && radios.add(one.name))
        .map(one => one.dataset.stop);
}"""
FOCUSED = """() => {
    const here = document.activeElement;
    if (!here || here === document.body) return null;
    const shown = [here, here.closest("label, .button")].filter(Boolean).map(one => getComputedStyle(one));
    const seen = shown.some(style => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
    return [here.dataset.stop ?? here.id, seen, here.outerHTML.slice(0, 120)];
}"""
BESIDE_OR_CUT = """() => [...document.querySelectorAll("body *")].filter(one => {
    const {right, width} = one.getBoundingClientRect();
    if (!width || !one.checkVisibility({opacityProperty: true})) return false;
    if (one.closest(".visually-hidden, .skip, .tip, svg")) return false;
    for (let above = one.parentElement; above; above = above.parentElement) // in a box that scrolls of itself
        if (["auto", "scroll"].includes(getComputedStyle(above).overflowX)) return false;
    const hides = ["hidden", "clip"].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1;
    return right > innerWidth + 1 || hides;
}).map(one => one.outerHTML.slice(0, 160))"""
MOVING = """() => {
    const seconds = text => Math.max(...text.split(",").map(parseFloat));
    const style = [...document.querySelectorAll("*")].map(one => [one, getComputedStyle(one)]);
    const animated = css => css.animationName !== "none" && seconds(css.animationDuration) >= .01;
    const moves = css => seconds(css.transitionDuration) >= .01 || animated(css) || css.scrollBehavior === "smooth";
    const running = document.getAnimations().filter(one => one.playState === "running" && one.effect.target);
    return [...style.filter(([, css]) => moves(css)).map(([one]) => one.outerHTML.slice(0, 80)),
        ...running.map(one => String(one.animationName))];
}"""
Line = dict[str, bool | int]
FAST: Line = {}
# poor 3G: ms, bytes a second
SLOW: Line = {"offline": False, "latency": 300, "downloadThroughput": 60_000, "uploadThroughput": 30_000}


@dataclass(frozen=True, slots=True)
class Open:
    """A page for people of that role."""

    path: str
    role: KeyScope | None


def open_pages() -> Iterator[Open]:
    """All that the bar leads to and their subpages, the first page of all, a book's own, and the viewer."""
    yield Open("/sign-in", None)
    yield Open("/books/on-principle", KeyScope.TEACHER)
    yield Open("/books/on-principle/1", KeyScope.TEACHER)
    yield Open("/essay", KeyScope.STUDENT)
    yield Open("/lecture", KeyScope.STUDENT)
    yield from (Open(link.path, link.role) for link in _with_subpages((*LINKS, SETTINGS)))


def _with_subpages(links: tuple[Link, ...]) -> Iterator[Link]:
    for link in links:
        yield link
        yield from _with_subpages(link.subpages)


@dataclass(frozen=True)
class Reader:
    """Somebody who is signed in, and a browser that opens any page as them, each time with nothing kept."""

    address: str
    browser: Browser
    cookies: dict[KeyScope, list[object]]

    def context(self, role: KeyScope | None, language: str = "en", **more: object) -> BrowserContext:
        context = self.browser.new_context(locale=language, **more)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENT)
        if role:
            context.add_cookies(self.cookies[role])  # type: ignore[arg-type]
        return context

    def read(self, page: Open, language: str = "en", line: Line = FAST, **more: object) -> Page:
        """The page with what it fetches, in a browser of its own."""
        shown = self.context(page.role, language, **more).new_page()
        shown.add_init_script(LISTEN)
        if line:
            network = shown.context.new_cdp_session(shown)  # the browser's own protocol
            network.send("Network.enable")
            network.send("Network.emulateNetworkConditions", line)
        self.go(shown, page)
        return shown

    def go(self, shown: Page, page: Open) -> None:
        shown.goto(self.address + page.path)
        shown.wait_for_load_state("networkidle")


def signed_in(running: Running) -> Reader:
    """One person of each role."""
    name = "Ånna <b>O'Neill</b>"
    pages = {role: running.signed_in("/", role, email=f"{role}@school.example", name=name) for role in KeyScope}
    return Reader(running.address, running.browser, {role: list(page.context.cookies()) for role, page in pages.items()})


def complaints(shown: Page, address: str) -> list[str]:
    """What is said on the console and asked of other sites, from now on."""
    heard: list[str] = []
    shown.on("console", lambda said: said.type in ("error", "warning") and heard.append(said.text))
    shown.on("pageerror", lambda error: heard.append(str(error)))
    ours = (_origin(address), "blob:", "data:")
    shown.on("request", lambda asked: _origin(asked.url) not in ours and heard.append(asked.url))
    return heard


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


def stops(shown: Page) -> tuple[set[str], list[tuple[str, bool, str]]]:
    """What can be reached by Tab as the page says, and each stop that Tab makes until it leaves the page."""
    there = set(shown.evaluate(TABBABLE))
    made: list[tuple[str, bool, str]] = []
    for _ in range(3 * len(there) + 10):
        shown.keyboard.press("Tab")
        at = shown.evaluate(FOCUSED)
        if at is None:
            break
        made.append(tuple(at))
    return there, made
