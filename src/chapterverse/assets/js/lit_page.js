import { byId, el } from "./dom.js";
import { say } from "./texts.js";

const SCALE = 2; // pixels a point: sharp on a laptop, and on a phone after zooming

/** Open the pages that a sentence stands on, the sentence lit. collection: on which shelf its book is, else the essays'. */
export function openPage(sentence, title, collection) {
  byId("lit-page")?.remove();
  const indices = new Set(sentence.boxes.map((box) => box.page));
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
    [...indices].map((index) => leaf(sentence, index, collection)),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function leaf(sentence, index, collection) {
  const lit = new URLSearchParams({ sentence: sentence.sentence_id, scale: SCALE, ...(collection && { collection }) });
  const caption = el("figcaption", { "aria-live": "polite" }, say("Loading the page …"));
  const label = index === sentence.page_index ? say("Page {label}", { label: sentence.page_label }) : say("The page after it");
  const picture = el("img", {
    src: `/api/v1/pages/${encodeURIComponent(sentence.book)}/${index}.png?${lit}`,
    alt: say("{page}, with the sentence marked: {sentence}", { page: label, sentence: sentence.text }),
    on: {
      load: () => {
        caption.textContent = label;
        toLit(picture, sentence, index);
      },
      error: () => (caption.textContent = say("The page cannot be shown just now.")),
    },
  });
  return el("figure", { class: "leaf" }, caption, picture);
}

/** Bring the sentence's first line into view: a page is higher than most screens. */
function toLit(picture, sentence, index) {
  const dialog = picture.closest("dialog");
  const box = sentence.boxes.find((one) => one.page === index);
  if (index !== sentence.page_index || !box) return;
  const pixels = picture.clientHeight / picture.naturalHeight;
  dialog.scrollTop = picture.offsetTop + box.y0 * SCALE * pixels - dialog.clientHeight / 3;
}
