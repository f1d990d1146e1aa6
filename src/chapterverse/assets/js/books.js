// @ts-check
/** The school's books: uploading them, and the progress of each book. */
import { RequestError, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { isProcessing, sourceProgress, stateText, watchSources } from "./sources.js";
import { say } from "./texts.js";
import { acceptUploads, toCollection } from "./uploads.js";
/** @import { Source } from "./types" */

acceptUploads(byId("drop"), uploadBook, watchSources("books", show).uploaded);

/** Uploads a book; other files are refused by their name. @param {File} file @param {boolean} toThisServer */
async function uploadBook(file, toThisServer) {
  if (!/\.(pdf|epub)$/i.test(file.name)) throw new RequestError(say("Books can be PDF or EPUB files. Save or print this file as a PDF first."));
  return toCollection("books")(file, toThisServer);
}

/** @param {Source[]} books @param {number} pending */
function show(books, pending) {
  byId("books").replaceChildren(...books.map(bookItem));
  byId("none").hidden = books.length + pending > 0;
  showStatus(pending ? say("Uploaded. Waiting to be processed …") : "");
}

/** @param {Source} book */
function bookItem(book) {
  return el(
    "li",
    { class: book.state === "failed" ? "card problem" : "card" },
    el("a", { class: "title", href: `/books/${encodeURIComponent(book.source)}`, dir: "auto" }, book.title),
    el("p", { class: "soft", dir: "auto" }, [...book.authors, book.file].join(" · ")),
    el("p", {}, stateText(book, Boolean(book.version))),
    isProcessing(book) && sourceProgress(book),
    book.message && el("p", { role: "alert" }, book.message),
  );
}
