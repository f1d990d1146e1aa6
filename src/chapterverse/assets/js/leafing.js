/** From chapter to chapter without losing what was asked: the next page is fetched, and its text and contents put in the place of
 * these. Where that cannot be, the browser goes there as usual. */
import { ask, Trouble } from "./api.js";
import { byId } from "./dom.js";
import { tell } from "./status.js";
import { say } from "./texts.js";

const CHANGED = ["text", "contents"];

/** Links of the reader's own book lead there so. opened: told after each page. */
export function leafThrough(book, opened) {
  const own = (link) => link.origin === location.origin && link.pathname.startsWith(`${book}/`);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (!own(link) || (link.pathname + link.search === location.pathname + location.search && link.hash)) return;
    event.preventDefault();
    goTo(link.href, opened);
  });
  addEventListener("popstate", () => show(location.href, opened));
}

/** Open an address of the book, and remember it as where the reader is. passage: its id, which is brought into view. */
export async function goTo(address, opened, passage = new URL(address).hash.slice(1)) {
  const shown = await show(address, opened, passage);
  if (shown) history.pushState(null, "", passage ? `${shown}#${passage}` : shown);
}

async function show(address, opened, passage = new URL(address).hash.slice(1)) {
  tell(say("Opening the chapter …"));
  try {
    const answer = await ask(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html"); // our own page: its scripts are not run again
    if (!CHANGED.every((id) => page.getElementById(id))) return location.assign(address);
    const open = byId("contents").querySelector("details").open;
    for (const id of CHANGED) byId(id).replaceChildren(...page.getElementById(id).childNodes);
    byId("contents").querySelector("details").open = open && !passage;
    document.title = page.title;
    tell("");
    opened(passage);
    return answer.url;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    tell(error.message, true);
    return null;
  }
}
