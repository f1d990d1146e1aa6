// @ts-check
/** The school's books: uploading PDFs, and the progress of each book. */
import { RequestError, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { isProcessing, sourceProgress, stateText, watchSources } from "./sources.js";
import { say } from "./texts.js";
import { acceptUploads, toCollection } from "./uploads.js";
/** @import { Source } from "./types" */

acceptUploads(byId("drop"), uploadPdf, watchSources("books", show).uploaded);

/** Uploads a PDF; other files are refused by their name. @param {File} file @param {boolean} toThisServer */
async function uploadPdf(file, toThisServer) {
  if (!file.name.toLowerCase().endsWith(".pdf")) throw new RequestError(say("Only PDFs can be added as books. Save or print the file as a PDF first."));
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
    { class: book.state === "failed" ? "card otherwise" : "card" },
    el("a", { class: "title", href: `/books/${encodeURIComponent(book.source)}`, dir: "auto" }, book.title),
    el("p", { class: "soft", dir: "auto" }, [...book.authors, book.file].join(" · ")),
    el("p", {}, stateText(book, Boolean(book.version))),
    isProcessing(book) && sourceProgress(book),
    book.message && el("p", { role: "alert" }, book.message),
  );
}
