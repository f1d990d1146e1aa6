/** The shelf: PDFs in, and how far each book has come. */
import { Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { receive, toCollection } from "./dropping.js";
import { isUnderWay, progressOf, stateOf } from "./progress.js";
import { tell } from "./status.js";
import { say } from "./texts.js";
import { watch } from "./watching.js";

receive(byId("drop"), pdf, watch("/books", show).arrived);

/** Delivers a PDF: what is no PDF by its name is refused in words that a teacher understands. */
async function pdf(file, here) {
  if (!file.name.toLowerCase().endsWith(".pdf")) throw new Trouble(say("Only PDFs can become books. Save or print it as a PDF first."));
  return toCollection("books")(file, here);
}

function show(books, coming) {
  byId("books").replaceChildren(...books.map(row));
  byId("none").hidden = books.length + coming > 0;
  tell(coming ? say("What you sent has arrived and waits for its turn …") : "");
}

function row(book) {
  return el(
    "li",
    { class: book.state === "failed" ? "card otherwise" : "card" },
    el("a", { class: "title", href: `/books/${encodeURIComponent(book.book)}`, dir: "auto" }, book.title),
    el("p", { class: "soft", dir: "auto" }, [...book.authors, book.file].join(" · ")),
    el("p", {}, stateOf(book)),
    isUnderWay(book) && progressOf(book),
    book.message && el("p", { role: "alert" }, book.message),
  );
}
