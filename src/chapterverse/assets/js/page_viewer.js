// @ts-check
/** Sentences of books between their neighbours, and the viewer or pictures of the pages that they are on. */
import { RequestError, requestPage } from "./api.js";
import { el, findById, openDialog } from "./dom.js";
import { say } from "./texts.js";
/** @import { Cited, Sentence } from "./types" */

const SCALE = 2; // pixels per point: sharp on a laptop, and on a phone after zooming
const PREFETCH_MS = 100; // pointing at a button for so long likely means a click
const AROUND = 3; // points of the page shown around the lines of a sentence
const WIDE = "(min-width: 80rem)"; // where the viewer stands beside an essay
const NARROW = "(max-width: 40rem)"; // where the viewer shows text first, as in viewer.js
const BOOKS = "books";
const A4 = { width: 595, height: 842 }; // size until the picture is loaded, so that nothing moves then

/**
 * Returns a sentence in bold between its neighbours; one that text cannot give is shown as it is printed.
 * @param {Pick<Cited, "previous" | "sentence" | "next">} cited
 * @param {string} [collection] where its book is; default: the essays' books
 */
export const inContext = ({ previous, sentence, next }, collection) =>
  el(
    "div",
    { class: "context", dir: "auto" },
    previous && `${previous} `,
    sentence.quotable ? el("strong", {}, sentence.text) : pagesOf(sentence).map((index) => printedLines(sentence, index, collection)),
    next && ` ${next}`,
    sentence.confidence !== null && el("span", { class: "soft" }, " ", say("This text comes from a scan. Check it against the book page.")),
  );

/**
 * Returns the part of a page with the sentence's lines, cut out of the picture of the page.
 * @param {Sentence} sentence
 * @param {number} index
 * @param {string} [collection]
 */
function printedLines(sentence, index, collection) {
  const boxes = sentence.boxes.filter((box) => box.page === index);
  const [left, top] = [Math.min(...boxes.map((box) => box.x0)) - AROUND, Math.min(...boxes.map((box) => box.y0)) - AROUND];
  const width = Math.max(...boxes.map((box) => box.x1)) + AROUND - left;
  const height = Math.max(...boxes.map((box) => box.y1)) + AROUND - top;
  const cut = () => {
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.maxWidth = `${(width * SCALE) / 1.5}px`;
    picture.style.width = `${(100 * picture.naturalWidth) / SCALE / width}%`;
    picture.style.translate = `${(-100 * left * SCALE) / picture.naturalWidth}% ${(-100 * top * SCALE) / picture.naturalHeight}%`;
  };
  /** @type {HTMLImageElement} */
  const picture = el("img", { src: pictureOf(sentence, index, collection), alt: sentence.text, on: { load: cut } });
  const frame = el("span", { class: "printed-lines" }, picture);
  return frame;
}

/**
 * Returns a link to the page of a citation, which opens over this page; pointing at it starts loading the pictures.
 * @param {Pick<Cited, "sentence">} cited
 * @param {string} [collection] where its book is; default: the essays' books
 * @param {string} [text]
 */
export function pageLink({ sentence }, collection, text = say("Open the page")) {
  let timer = 0;
  const prefetch = () => {
    if (matchMedia(NARROW).matches) return;
    timer = setTimeout(() => pagesOf(sentence).forEach((index) => (new Image().src = pictureOf(sentence, index, collection))), PREFETCH_MS);
  };
  const cancel = () => clearTimeout(timer);
  return viewerLink(addressOf(sentence, collection), text, { pointerenter: prefetch, focus: prefetch, pointerleave: cancel, blur: cancel });
}

/**
 * Returns a link that opens the viewer over this page; in a new tab, the viewer is a page of its own.
 * @param {string} address
 * @param {string} text
 * @param {import("./types").Attributes<HTMLAnchorElement>["on"]} [on]
 */
export function viewerLink(address, text, on = {}) {
  return el("a", { class: "chip", href: address, dataset: { viewer: true }, on }, text);
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-viewer]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  openViewer(link.href);
});

/** The address of a sentence's page in the viewer. @param {Sentence} sentence @param {string} [collection] */
function addressOf(sentence, collection) {
  const query = new URLSearchParams({ ...(collection && collection !== BOOKS && { collection }), sentence: sentence.sentence_id });
  return `/books/${encodeURIComponent(sentence.book)}/${(sentence.page_index ?? 0) + 1}?${query}`;
}

/** @type {HTMLDialogElement | null} */
let panel = null;
addEventListener("popstate", () => {
  if (history.state?.viewer) openViewer(location.href, true);
  else panel?.close();
});
document.addEventListener("keydown", (event) => event.key === "Escape" && !event.isComposing && !document.querySelector("dialog:modal") && panel?.close());

/**
 * Opens the viewer beside an essay on wide screens, else over this page. Its address stands in the browser's, so it can be shared; Back closes it.
 * @param {string} address
 * @param {boolean} [isInHistory] whether the browser is at the address already
 */
export async function openViewer(address, isInHistory = false) {
  try {
    const { page, url } = await requestPage(address);
    const viewer = page.querySelector("article.viewer");
    const style = page.querySelector('link[href$="viewer.css"]')?.getAttribute("href");
    if (!(viewer instanceof HTMLElement)) return location.assign(address);
    if (style && !document.querySelector(`link[href="${style}"]`)) await loaded(el("link", { rel: "stylesheet", href: style }));
    const { startViewer } = await import("./viewer.js");
    if (!isInHistory) history[panel ? "replaceState" : "pushState"]({ viewer: true }, "", url);
    panel?.remove();
    const dialog = el("dialog", { class: "panel", "aria-label": viewer.querySelector("h1")?.textContent });
    const close = el("button", { type: "button", on: { click: () => dialog.close() } }, say("Close"));
    dialog.append(el("header", { role: "none" }, close), viewer); // no banner of the page beside it
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (panel === dialog) panel = null;
      if (history.state?.viewer) history.back();
    });
    document.body.append(dialog);
    panel = dialog;
    if (document.querySelector(".feedback") && matchMedia(WIDE).matches) dialog.show();
    else dialog.showModal();
    return startViewer(viewer, (to) => history.replaceState(history.state, "", to));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const text = error.status === 404 ? say("This page is gone because its book was replaced or removed.") : error.message;
    return openDialog({ class: "narrow-dialog" }, "no-page", say("We can’t show this page right now."), say("Close"), el("p", { class: "dialog-body" }, text));
  }
}

/** Adds a style sheet and waits for it. @param {HTMLLinkElement} link */
const loaded = (link) =>
  new Promise((done) => {
    for (const event of ["load", "error"]) link.addEventListener(event, done, { once: true });
    document.head.append(link);
  });

/**
 * Opens the pages that a sentence is on, with the sentence highlighted: for sources that students do not browse.
 * @param {Sentence} sentence
 * @param {string} title
 * @param {string} [collection] where its book is; default: the essays' books
 */
export function openPage(sentence, title, collection) {
  const figures = pagesOf(sentence).map((index) => pageFigure(sentence, index, collection));
  findById("page-viewer")?.remove();
  openDialog({ id: "page-viewer" }, "page-viewer-title", title, say("Close"), figures);
}

/** @param {Sentence} sentence */
const pagesOf = (sentence) => [...new Set(sentence.boxes.map((box) => box.page))];

/** @param {Sentence} sentence @param {number} index @param {string} [collection] */
function pictureOf(sentence, index, collection) {
  // in the server's order, so that the browser has the picture already
  const query = new URLSearchParams({ sentence: sentence.sentence_id, ...(collection && collection !== BOOKS && { collection }), scale: String(SCALE) });
  return `/api/v1/pages/${encodeURIComponent(sentence.book)}/${index}.png?${query}`;
}

/** @param {Sentence} sentence @param {number} index @param {string} [collection] */
function pageFigure(sentence, index, collection) {
  const caption = el("figcaption", { "aria-live": "polite" }, say("Loading the page …"));
  const first = sentence.page_label ? say("Page {label}", { label: sentence.page_label }) : say("The page");
  const label = index === sentence.page_index ? first : say("The next page");
  /** @type {HTMLImageElement} */
  const picture = el("img", {
    ...A4,
    src: pictureOf(sentence, index, collection),
    alt: say("{page}, with this sentence highlighted: {sentence}", { page: label, sentence: sentence.text }),
    on: {
      load: () => {
        caption.textContent = label;
        scrollToSentence(picture, sentence, index);
      },
      error: () => explainMissing(caption, picture.src),
    },
  });
  return el("figure", { class: "dialog-body" }, caption, picture);
}

/**
 * Says why a picture is missing: its error event does not tell, so the picture is requested again.
 * @param {HTMLElement} caption
 * @param {string} address
 */
async function explainMissing(caption, address) {
  const response = await fetch(address).catch(() => null);
  const gone = response?.status === 404;
  caption.textContent = gone ? say("This page is gone because its book was replaced or removed.") : say("We can’t show this page right now.");
}

/**
 * Scrolls the dialog to the sentence's first line: a page is higher than most screens.
 * @param {HTMLImageElement} picture
 * @param {Sentence} sentence
 * @param {number} index
 */
function scrollToSentence(picture, sentence, index) {
  const dialog = picture.closest("dialog");
  const box = sentence.boxes.find((one) => one.page === index);
  if (index !== sentence.page_index || !box || !dialog) return;
  const pixels = picture.clientHeight / picture.naturalHeight;
  dialog.scrollTop = picture.offsetTop + box.y0 * SCALE * pixels - dialog.clientHeight / 3;
}
