// @ts-check
/** The library: uploading a file once, what each file is used for, search and order, and the progress of each. */
import { reportErrors, RequestError, requestJson, showStatus, sourcePath } from "./api.js";
import { byId, el, findAll, tickedIn } from "./dom.js";
import { isProcessing, sourceProgress, stateText, watchSources } from "./sources.js";
import { say } from "./texts.js";
import { acceptUploads, sendSource } from "./uploads.js";
/** @import { LibrarySource } from "./types" */

/** Pages that show a source without pages of its own, by collection. @type {Record<string, string | undefined>} */
const READERS = { documents: "/ask/documents", textbook: "/textbook" };

/** @typedef {LibrarySource["collection"]} Use */
const search = byId("search", HTMLInputElement);
const order = byId("order", HTMLSelectElement);
/** @type {LibrarySource[]} */
let sources = [];
/** The cards that are shown, and what each was drawn from. @type {Map<string, { drawn: string, item: HTMLElement }>} */
const cards = new Map();
/** Uploaded files whose processing has not begun. @type {{ size: number, has: (id: string) => boolean }} */
let sent = new Map();

search.addEventListener("input", show);
order.addEventListener("change", show);
const { refresh, uploaded } = watchSources("/library", (/** @type {LibrarySource[]} */ found, pending) => {
  [sources, sent] = [found, pending];
  show();
});
acceptUploads(byId("drop"), upload, uploaded);

/** @param {Use} use */
function nameOf(use) {
  if (use === "books") return say("Essays");
  if (use === "documents") return say("Ask");
  if (use === "textbook") return say("Textbook");
  return use === "helpdesk" ? say("Help desk") : say("Lectures");
}

/** Uploads a file; every use that takes it searches it once it is read. @param {File} file @param {boolean} toThisServer */
async function upload(file, toThisServer) {
  if (!/\.(pdf|epub|zip)$/i.test(file.name)) throw new RequestError(say("Books must be PDF or EPUB files, or a zip of web pages. Save or print this file as a PDF first."));
  return sendSource(/\.zip$/i.test(file.name) ? "documents" : "books", file, toThisServer);
}

/** Shows the sources that match the search. */
function show() {
  const words = search.value.trim().toLowerCase();
  const matching = sources.filter((each) => [each.title, each.file, ...each.authors, ...each.topics].join(" ").toLowerCase().includes(words));
  const sorted = order.value === "added" ? matching.toSorted((one, other) => (other.created ?? "~").localeCompare(one.created ?? "~")) : matching;
  byId("none").hidden = sources.length + sent.size > 0;
  byId("no-match").hidden = !words || matching.length > 0;
  byId("finding").hidden = sources.length < 2;
  showStatus(sent.size || sources.some(({ state }) => state === "waiting") ? say("Uploaded. Waiting to be processed …") : "");
  const list = byId("books");
  const items = sorted.map(cardOf);
  for (const [at, item] of items.entries()) if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
  while (list.children.length > items.length) list.lastElementChild?.remove();
}

/** @param {LibrarySource} source */
const keyOf = ({ collection, source }) => `${collection}/${source}`;

/** Returns the source's card: the one that is there if nothing has changed. @param {LibrarySource} source */
function cardOf(source) {
  const now = JSON.stringify(source);
  const there = cards.get(keyOf(source));
  if (there?.drawn === now) return there.item;
  const item = card(source);
  cards.set(keyOf(source), { drawn: now, item });
  return item;
}

/** @param {LibrarySource} source */
function card(source) {
  const id = encodeURIComponent(source.source);
  const reader = READERS[source.collection];
  const pages = source.cover ? `/books/${id}/1${source.collection === "books" ? "" : `?collection=${source.collection}`}` : reader && source.version ? `${reader}/${id}` : null;
  const href = source.collection === "helpdesk" ? pages : `/books/${id}${source.collection === "books" ? "" : `?collection=${source.collection}`}`;
  const title = href ? el("a", { class: "title", href, dir: "auto" }, source.title) : el("span", { class: "title", dir: "auto" }, source.title);
  return el(
    "li",
    { class: source.state === "failed" ? "card source problem" : "card source" },
    el("div", { class: "cover" }, pages && el("a", { href: pages, "aria-label": say("Read {title}", { title: source.title }) }, cover(source))),
    el(
      "div",
      {},
      title,
      el("p", { class: "soft", dir: "auto" }, [...source.authors, source.department, source.file].filter(Boolean).join(" · ")),
      el("p", {}, stateOf(source)),
      isProcessing(source) && sourceProgress(source),
      source.message && el("p", { role: "alert" }, source.message),
      source.offered.length > 0 && source.version && useBoxes(source),
    ),
  );
}

/** A further use of a file that is ready does not replace it. @param {LibrarySource} source */
function stateOf(source) {
  if (!isProcessing(source) || source.uses[source.collection] !== "ready") return stateText(source, Boolean(source.version));
  const all = /** @type {Use[]} */ (Object.keys(source.uses));
  const [ready, uses] = [false, true].map((isOpen) => all.filter((use) => isProcessing({ state: source.uses[use] }) === isOpen).map(nameOf).join(", "));
  return say("Ready for: {ready}. Still preparing: {uses} …", { ready, uses });
}

/** Its first page; a source without pages has the letter that it begins with. @param {LibrarySource} source */
const cover = (source) => (source.cover ? el("img", { src: source.cover, alt: "", width: 90, height: 128, loading: "lazy" }) : el("span", { class: "initial", "aria-hidden": "true" }, source.title.slice(0, 1)));

/** What a source is used for, to tick. @param {LibrarySource} source */
function useBoxes(source) {
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const change = async ({ currentTarget: box }) => {
    const group = /** @type {HTMLElement} */ (box.closest("fieldset"));
    const others = Object.keys(source.uses).filter((use) => !source.offered.includes(/** @type {Use} */ (use)));
    const uses = [...tickedIn(group), ...others];
    if (!uses.length) {
      box.checked = true;
      return showStatus(say("Leave at least one box ticked. To delete the file, open the book and remove it."), true);
    }
    const boxes = findAll(group, "input", HTMLInputElement);
    for (const each of boxes) each.disabled = true;
    await reportErrors(async () => {
      await requestJson(`${sourcePath(source.collection, source.source)}/uses`, { method: "PUT", json: { uses } });
      cards.delete(keyOf(source)); // drawn anew, as it is stored now
      await refresh();
      showStatus(say("Saved."));
    });
    for (const each of boxes) each.disabled = false;
    return undefined;
  };
  return el(
    "fieldset",
    { class: "uses" },
    el("legend", { class: "visually-hidden" }, say("Used for: {title}", { title: source.title })),
    source.offered.map((use) =>
      el("label", { class: "use" }, el("input", { type: "checkbox", value: use, checked: use in source.uses, on: { change } }), " ", nameOf(use))),
  );
}
