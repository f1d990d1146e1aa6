/** The shelf: PDFs in, and how far each book has come. */
import { API, ask, get, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { EVERY, isUnderWay, progressOf, stateOf } from "./progress.js";
import { say } from "./texts.js";

const drop = byId("drop");
const sent = new Set(); // books that nobody has begun with yet
let next = null;

drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("is-over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("is-over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("is-over");
  sendAll(event.dataTransfer.files);
});
byId("files").addEventListener("change", (event) => sendAll(event.target.files));
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
    book.message && el("p", { role: "alert" }, book.message),
  );
}

/** One after the other: a class's worth of books would else share the line. */
async function sendAll(files) {
  for (const file of files) await send(file);
}

async function send(file) {
  const told = el("li", {}, say("Sending {file} …", { file: file.name }));
  byId("uploads").append(told);
  try {
    const wanted = await ask(`${API}/uploads`, { method: "POST", json: { file_name: file.name } });
    const { url, method, headers, book } = await wanted.json();
    await ask("here" in drop.dataset ? pathOf(url) : url, { method, headers, body: file });
    sent.add(book);
    told.remove();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    told.className = "state trouble";
    told.textContent = `${file.name}: ${error.message}`;
  }
  await look();
}

/** This server takes the file itself, by whatever name it was reached. */
function pathOf(url) {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function tell(message, trouble = false) {
  byId("state").textContent = message;
  byId("state").classList.toggle("trouble", trouble);
}
