/** The shelf: PDFs in, and how far each book has come. */
import { get, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { receive } from "./dropping.js";
import { EVERY, isUnderWay, progressOf, stateOf } from "./progress.js";
import { tell } from "./status.js";
import { heard, say } from "./texts.js";

const sent = new Set(); // books that nobody has begun with yet
let next = null;

receive(byId("drop"), "books", async (book) => {
  if (book) sent.add(book);
  await look();
});
look();

async function look() {
  clearTimeout(next);
  try {
    const { books } = await get("/books");
    byId("books").replaceChildren(...books.map(row));
    for (const book of books) sent.delete(book.book);
    byId("none").hidden = books.length + sent.size > 0;
    tell(sent.size ? say("What you sent has arrived and waits for its turn …") : "");
    if (sent.size || books.some(isUnderWay)) next = setTimeout(look, EVERY);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    tell(error.message, true);
    next = setTimeout(look, 5 * EVERY);
  }
}

function row(book) {
  return el(
    "li",
    { class: book.state === "failed" ? "card otherwise" : "card" },
    el("a", { class: "title", href: `/books/${encodeURIComponent(book.book)}`, dir: "auto" }, book.title),
    el("p", { class: "soft", dir: "auto" }, [...book.authors, book.file].join(" · ")),
    el("p", {}, stateOf(book)),
    isUnderWay(book) && progressOf(book),
    book.message && el("p", { role: "alert" }, heard(book.message)),
  );
}
