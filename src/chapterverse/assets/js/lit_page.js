import { byId, el } from "./dom.js";
import { say } from "./texts.js";

const SCALE = 2; // pixels a point: sharp on a laptop, and on a phone after zooming
const MEANT = 100; // milliseconds after which what is pointed at is likely to be clicked
const A4 = { width: 595, height: 842 }; // until the picture says its own: nothing moves when it arrives

/** A button that opens the page of what is cited, whose pictures are on their way as soon as it is pointed at. collection: on which
 * shelf its book is, else the essays'. */
export function pageButton({ sentence, citation }, collection) {
  let soon = null;
  const ahead = () => (soon = setTimeout(() => pagesOf(sentence).forEach((index) => (new Image().src = addressOf(sentence, index, collection))), MEANT));
  const not = () => clearTimeout(soon);
  const open = () => openPage(sentence, citation.replace(/^\(|\)$/g, ""), collection);
  return el(
    "button",
    { class: "chip", type: "button", on: { click: open, pointerenter: ahead, focus: ahead, pointerleave: not, blur: not } },
    say("Open the page"),
  );
}

const pagesOf = (sentence) => [...new Set(sentence.boxes.map((box) => box.page))];

function addressOf(sentence, index, collection) {
  const lit = new URLSearchParams({ sentence: sentence.sentence_id, scale: SCALE, ...(collection && { collection }) });
  return `/api/v1/pages/${encodeURIComponent(sentence.book)}/${index}.png?${lit}`;
}

/** Open the pages that a sentence stands on, the sentence lit. collection: on which shelf its book is, else the essays'. */
export function openPage(sentence, title, collection) {
  show(title, pagesOf(sentence).map((index) => leaf(sentence, index, collection)));
}

/** Open the page at that address of a picture, nothing lit. */
export function openWhole(address, title) {
  const caption = el("figcaption", { "aria-live": "polite" }, say("Loading the page …"));
  const on = { load: () => (caption.textContent = title), error: () => (caption.textContent = say("The page cannot be shown just now.")) };
  show(title, [el("figure", { class: "leaf" }, caption, el("img", { ...A4, src: address, alt: title, on }))]);
}

function show(title, leaves) {
  byId("lit-page")?.remove();
  const close = () => dialog.close();
  const dialog = el(
    "dialog",
    { id: "lit-page", "aria-labelledby": "lit-page-title", on: { close: () => dialog.remove() } },
    el(
      "header",
      {},
      el("h2", { id: "lit-page-title" }, title),
      el("button", { type: "button", on: { click: close } }, say("Close")),
    ),
    leaves,
  );
  document.body.append(dialog);
  dialog.showModal();
}

function leaf(sentence, index, collection) {
  const caption = el("figcaption", { "aria-live": "polite" }, say("Loading the page …"));
  const label = index === sentence.page_index ? say("Page {label}", { label: sentence.page_label }) : say("The page after it");
  const picture = el("img", {
    ...A4,
    src: addressOf(sentence, index, collection),
    alt: say("{page}, with the sentence marked: {sentence}", { page: label, sentence: sentence.text }),
    on: {
      load: () => {
        caption.textContent = label;
        toLit(picture, sentence, index);
      },
      error: () => tellWhy(caption, picture.src),
    },
  });
  return el("figure", { class: "leaf" }, caption, picture);
}

/** A picture itself does not tell why it is not there. */
async function tellWhy(caption, address) {
  const answer = await fetch(address).catch(() => null);
  const gone = answer?.status === 404;
  caption.textContent = gone ? say("The page is not there any more: its book was replaced or removed.") : say("The page cannot be shown just now.");
}

/** Bring the sentence's first line into view: a page is higher than most screens. */
function toLit(picture, sentence, index) {
  const dialog = picture.closest("dialog");
  const box = sentence.boxes.find((one) => one.page === index);
  if (index !== sentence.page_index || !box) return;
  const pixels = picture.clientHeight / picture.naturalHeight;
  dialog.scrollTop = picture.offsetTop + box.y0 * SCALE * pixels - dialog.clientHeight / 3;
}
