// @ts-check
/** Sentences of books between their neighbours, and a dialog with pictures of the pages they are on. */
import { el, findById, openDialog } from "./dom.js";
import { say } from "./texts.js";
/** @import { Cited, Sentence } from "./types" */

const SCALE = 2; // pixels per point: sharp on a laptop, and on a phone after zooming
const PREFETCH_MS = 100; // pointing at a button for so long likely means a click
const AROUND = 3; // points of the page shown around the lines of a sentence
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
    sentence.confidence !== null && el("span", { class: "soft" }, " ", say("Read from a scan: compare it with the page.")),
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
 * Returns a button that opens the page of a citation; pointing at it starts loading the pictures.
 * @param {Pick<Cited, "sentence" | "citation">} cited
 * @param {string} [collection] where its book is; default: the essays' books
 */
export function pageButton({ sentence, citation }, collection) {
  let timer = 0;
  const prefetch = () => {
    timer = setTimeout(() => pagesOf(sentence).forEach((index) => (new Image().src = pictureOf(sentence, index, collection))), PREFETCH_MS);
  };
  const cancel = () => clearTimeout(timer);
  const open = () => openPage(sentence, citation.replace(/^\(|\)$/g, ""), collection);
  return el(
    "button",
    { class: "chip", type: "button", on: { click: open, pointerenter: prefetch, focus: prefetch, pointerleave: cancel, blur: cancel } },
    say("Open the page"),
  );
}

/**
 * Opens the pages that a sentence is on, with the sentence highlighted.
 * @param {Sentence} sentence
 * @param {string} title
 * @param {string} [collection] where its book is; default: the essays' books
 */
export function openPage(sentence, title, collection) {
  open(title, pagesOf(sentence).map((index) => pageFigure(sentence, index, collection)));
}

/**
 * Opens one picture of a page, without highlighting.
 * @param {string} address
 * @param {string} title
 */
export function openPicture(address, title) {
  const caption = el("figcaption", { "aria-live": "polite" }, say("Loading the page …"));
  const on = { load: () => (caption.textContent = title), error: () => (caption.textContent = say("The page cannot be shown at the moment.")) };
  open(title, [el("figure", { class: "dialog-body" }, caption, el("img", { ...A4, src: address, alt: title, on }))]);
}

/** @param {string} title @param {HTMLElement[]} figures */
function open(title, figures) {
  findById("page-viewer")?.remove();
  openDialog({ id: "page-viewer" }, "page-viewer-title", title, say("Close"), figures);
}

/** @param {Sentence} sentence */
const pagesOf = (sentence) => [...new Set(sentence.boxes.map((box) => box.page))];

/** @param {Sentence} sentence @param {number} index @param {string} [collection] */
function pictureOf(sentence, index, collection) {
  const query = new URLSearchParams({ sentence: sentence.sentence_id, scale: String(SCALE), ...(collection && { collection }) });
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
    alt: say("{page}, with the sentence marked: {sentence}", { page: label, sentence: sentence.text }),
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
  caption.textContent = gone ? say("This page does not exist any more: its book was replaced or removed.") : say("The page cannot be shown at the moment.");
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
