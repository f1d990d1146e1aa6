// @ts-check
/** A source that is read chapter by chapter; a textbook can also be asked about. */
import { RequestError, requestPage, showStatus } from "./api.js";
import { byId, find, findAll, findById, focusOn } from "./dom.js";
import { openViewer } from "./page_viewer.js";
import { say } from "./texts.js";
import { offerChat, offerQuestionOnSelection } from "./textbook_chat.js";

const REPLACED = ["text", "contents"]; // ids of what changes from chapter to chapter
const reader = byId("reader");
const book = location.pathname.split("/").slice(0, -1).join("/");
/** @type {HTMLElement | null} */
let highlighted = null;
let shownAt = location.pathname + location.search; // the chapter; the viewer over it has an address of its own

document.addEventListener("click", followChapterLink);
addEventListener("popstate", () => {
  if (location.pathname + location.search !== shownAt && location.pathname.startsWith(`${book}/`)) showChapter(location.href, location.hash.slice(1));
});
reader.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a.folio") : null; // a page number
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  openViewer(link.href);
});
if (findById("chat")) {
  const { quote } = offerChat(reader.dataset.source ?? "", showSentence);
  offerQuestionOnSelection(byId("text"), quote);
}
prepareChapter();
if (location.hash) highlight(location.hash.slice(1));

/** Shows a sentence, on this page or another one of the book. @param {{ sentence_id: string, paragraph_id: string, text?: string }} sentence */
async function showSentence({ sentence_id: id, paragraph_id: paragraph, text }) {
  if (findById(paragraph)) history.replaceState(null, "", `#${paragraph}`);
  else await openChapter(new URL(`${book}?sentence=${encodeURIComponent(id)}`, location.href).href, paragraph);
  highlight(paragraph, text);
}

// From chapter to chapter without losing the conversation: the next page is fetched, and its text and contents replace those shown.

/** @param {MouseEvent} event */
function followChapterLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const isHere = link.pathname + link.search === location.pathname + location.search && link.hash;
  if (isHere || link.origin !== location.origin || !link.pathname.startsWith(`${book}/`)) return;
  event.preventDefault();
  openChapter(link.href, link.hash.slice(1));
}

/** Shows a page of the book and adds it to the browser's history. @param {string} address @param {string} passage id to scroll to; "": none */
async function openChapter(address, passage) {
  const shown = await showChapter(address, passage);
  if (shown) history.pushState(null, "", passage ? `${shown}#${passage}` : shown);
}

/** Returns the address of the page that is shown; null if it failed or the browser loads the page itself. @param {string} address @param {string} passage */
async function showChapter(address, passage) {
  showStatus(say("Opening the chapter …"));
  try {
    const { page, url } = await requestPage(address); // its scripts do not run
    const parts = REPLACED.map((id) => page.getElementById(id));
    if (parts.includes(null)) {
      location.assign(address);
      return null;
    }
    const isOpen = find(byId("contents"), "details", HTMLDetailsElement).open;
    parts.forEach((part, index) => byId(REPLACED[index]).replaceChildren(...(part?.childNodes ?? [])));
    find(byId("contents"), "details", HTMLDetailsElement).open = isOpen && !passage;
    document.title = page.title;
    shownAt = new URL(url).pathname + new URL(url).search;
    showStatus("");
    chapterShown(passage);
    return url;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showStatus(error.message, true);
    return null;
  }
}

/** @param {string} passage */
function chapterShown(passage) {
  prepareChapter();
  if (passage) return highlight(passage);
  scrollTo({ top: 0 });
  byId("title").focus({ preventScroll: true });
}

/** Lets the keyboard scroll what is wider than the page, and scrolls the contents beside it to the line of this chapter. */
function prepareChapter() {
  for (const wide of findAll(byId("text"), ".wide, pre")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
  const [line] = findAll(byId("contents"), "a[aria-current]");
  if (line) byId("contents").scrollTop = line.offsetTop - line.offsetHeight;
}

/** Scrolls to a passage or heading and highlights it, and in it the sentence where the browser can. @param {string} id @param {string} [sentence] */
function highlight(id, sentence) {
  highlighted?.classList.remove("is-cited");
  CSS.highlights?.delete("cited");
  highlighted = findById(id);
  if (!highlighted) return;
  if (highlighted.classList.contains("passage")) highlighted.classList.add("is-cited");
  highlighted.tabIndex = -1;
  focusOn(highlighted);
  const range = sentence && rangeOf(highlighted, sentence);
  if (range && CSS.highlights) CSS.highlights.set("cited", new Highlight(range));
}

/** Returns the range of a text in an element, whatever its white space there; null if it is not in it. @param {HTMLElement} element @param {string} text */
function rangeOf(element, text) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  /** @type {{ node: Text, offset: number }[]} */
  const characters = [];
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    for (let offset = 0; offset < node.data.length; offset += 1) if (/\S/.test(node.data[offset])) characters.push({ node, offset });
  }
  const wanted = text.replace(/\s+/g, "");
  const begin = characters.map(({ node, offset }) => node.data[offset]).join("").indexOf(wanted);
  if (begin < 0 || !wanted) return null;
  const [first, last] = [characters[begin], characters[begin + wanted.length - 1]];
  const range = new Range();
  range.setStart(first.node, first.offset);
  range.setEnd(last.node, last.offset + 1);
  return range;
}
