/** A source that is read chapter by chapter, and asked about where it is a textbook. */
import { bring, byId } from "./dom.js";
import { chatOn } from "./chat.js";
import { goTo, leafThrough } from "./leafing.js";
import { openWhole } from "./lit_page.js";
import { offerOnSelection } from "./selecting.js";

const reader = byId("reader");
const { source, collection } = reader.dataset;
const book = location.pathname.split("/").slice(0, -1).join("/");
let lit = null;

leafThrough(book, opened);
reader.addEventListener("click", (event) => {
  const folio = event.target.closest("a.folio");
  if (!folio || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  openWhole(folio.href, folio.textContent);
});
if (byId("chat")) {
  const chat = chatOn(source, visit);
  offerOnSelection(byId("text"), chat.quote);
}
settle();
if (location.hash) light(location.hash.slice(1));

/** Where a sentence stands: on this page, or another one of the book. */
async function visit({ sentence_id, paragraph_id, text }) {
  if (!byId(paragraph_id)) await goTo(new URL(`${book}?sentence=${encodeURIComponent(sentence_id)}`, location).href, opened, paragraph_id);
  else history.replaceState(null, "", `#${paragraph_id}`);
  light(paragraph_id, text);
}

function opened(passage) {
  settle();
  if (passage) light(passage);
  else {
    scrollTo({ top: 0 });
    byId("title").focus({ preventScroll: true });
  }
}

/** What is wider than the page can be moved by the keyboard, too. */
function settle() {
  for (const wide of byId("text").querySelectorAll(".wide, pre")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}

/** Bring a passage or heading into view and light it, and in it the sentence, where the browser can. */
function light(id, sentence) {
  lit?.classList.remove("is-cited");
  CSS.highlights?.delete("cited");
  lit = byId(id);
  if (!lit) return;
  if (lit.classList.contains("passage")) lit.classList.add("is-cited");
  lit.tabIndex = -1;
  bring(lit);
  const range = sentence && rangeOf(lit, sentence);
  if (range && CSS.highlights) CSS.highlights.set("cited", new Highlight(range));
}

/** Where a text stands in an element, however its blanks and line ends are there; null where it does not. */
function rangeOf(element, text) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const places = [];
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    for (let at = 0; at < data.length; at += 1) if (/\S/.test(data[at])) places.push([walker.currentNode, at]);
  }
  const signs = places.map(([node, at]) => node.data[at]).join("");
  const wanted = text.replace(/\s+/g, "");
  const begin = signs.indexOf(wanted);
  if (begin < 0 || !wanted) return null;
  const range = new Range();
  range.setStart(...places[begin]);
  const [node, at] = places[begin + wanted.length - 1];
  range.setEnd(node, at + 1);
  return range;
}
