/** One book: what was understood of it, and what a teacher corrects. */
import { API, answerTo, ask, get } from "./api.js";
import { byId, el } from "./dom.js";
import { replaceBy } from "./dropping.js";
import { countOf } from "./formats.js";
import { EVERY, isUnderWay, PATIENCE, progressOf, stateOf } from "./progress.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const heading = byId("name");
const path = `/books/${encodeURIComponent(heading.dataset.book)}`;
await look();

/** Again and again while it is under way: forms would be taken away from who is writing in them, so not afterwards. */
async function look(known = null) {
  let book = known;
  await tried(async () => {
    book = await get(path);
    show(book);
    tell("");
  });
  if (book && isUnderWay(book)) setTimeout(() => look(book), EVERY); // a line that was lost comes back
}

/** A new file is begun with at some moment after it was sent; the same one as before never is. */
async function replace(book, file) {
  if (!(await replaceBy(file, book.file, "here" in heading.dataset, () => tried(() => replace(book, file))))) return;
  const until = performance.now() + PATIENCE;
  const known = JSON.stringify(book.versions);
  tell(say("What you sent has arrived and waits for its turn …"));
  for (let now = book; JSON.stringify(now.versions) === known; now = await get(path)) {
    if (performance.now() > until) return tell(say("Nothing has changed: is it the same file as before?"));
    await new Promise((done) => setTimeout(done, EVERY));
  }
  tell("");
  await look();
}

function show(book) {
  heading.textContent = book.title;
  document.title = `${book.title} · Chapterverse`;
  byId("report").replaceChildren(
    el("p", {}, stateOf(book), book.message && ` ${book.message}`),
    ...(isUnderWay(book) ? [progressOf(book)] : []),
    ...(book.report ? [figures(book.report), warnings(book.report)] : []),
    names(book),
    ...(book.chapters.length ? [chapters(book)] : []),
    labels(book),
    ending(book),
  );
}

function figures(report) {
  const told = [
    [say("Pages"), report.pages],
    [say("Words"), report.words],
    [say("Chapters"), report.chapters],
    [say("Sentences"), report.sentences],
    [say("Pages without text"), report.pages_without_text?.length ?? 0],
  ];
  return el(
    "dl",
    { class: "figures" },
    told.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, countOf(value)))),
  );
}

function warnings(report) {
  const empty = report.pages_without_text?.length ? [say("Pages of the file without text, from 1: {pages}", { pages: ranges(report.pages_without_text) })] : [];
  const told = [...report.warnings.map((one) => (one.message ?? one)), ...empty];
  if (!told.length) return el("p", {}, say("Nothing about this file looks odd."));
  return el("section", {}, el("h2", {}, say("Worth a look")), el("ul", { class: "reading" }, told.map((one) => el("li", {}, one))));
}

/** [0, 1, 2, 6] as "1–3, 7". */
function ranges(indices) {
  const runs = [];
  for (const index of indices) {
    const last = runs.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1}–${to + 1}`)).join(", ");
}

function names(book) {
  return form(
    say("Title and authors"),
    [
      field(say("Title"), "title", book.title, { required: true }),
      field(say("Authors, one after another with semicolons"), "authors", book.authors.join("; ")),
    ],
    (given) => ({ title: given.get("title").trim(), authors: given.get("authors").split(";").map((one) => one.trim()).filter(Boolean) }),
  );
}

function chapters(book) {
  const known = new Map(book.chapters.map((chapter) => [String(chapter.index), chapter.title ?? ""]));
  const fields = book.chapters.map((chapter) => {
    const name = chapter.number ? say("Chapter {number}", { number: chapter.number }) : say("Without a number");
    return field(name, String(chapter.index), chapter.title ?? "");
  });
  return form(say("Chapters"), fields, (given) => ({
    chapters: Object.fromEntries([...given].map(([index, title]) => [index, title.trim() || null]).filter(([index, title]) => (title ?? "") !== known.get(index))),
  }));
}

function labels({ report }) {
  return form(
    say("A printed page number that is wrong"),
    [
      field(say("Page of the file, from 1"), "page", "", { type: "number", min: 1, max: report?.pages, required: true }),
      field(say("What is printed on it; empty takes a correction back"), "label", ""),
    ],
    (given) => ({ page_labels: { [Number(given.get("page")) - 1]: given.get("label").trim() || null } }),
  );
}

function form(title, fields, changeOf) {
  const save = async (event) => {
    event.preventDefault();
    const json = changeOf(new FormData(event.target));
    await tried(async () => {
      show(await answerTo(path, { method: "PATCH", json }));
      tell(say("Saved."));
    });
  };
  return el(
    "details",
    { class: "card" },
    el("summary", {}, title),
    el("form", { class: "stack", on: { submit: save } }, fields, el("div", { class: "row" }, el("button", { class: "primary" }, say("Save")))),
  );
}

function field(text, name, value, more = {}) {
  return el("label", {}, text, el("input", { name, value, maxlength: 300, ...more }));
}

function ending(book) {
  const chosen = ({ target }) => {
    const [given] = target.files;
    target.value = ""; // else the same file cannot be chosen again
    if (given) tried(() => replace(book, given));
  };
  const file = el("input", { class: "unseen", type: "file", accept: "application/pdf,.pdf", on: { change: chosen } });
  return el("div", { class: "row" }, el("label", { class: "button" }, say("Replace it with a new file"), file), removal(book));
}

function removal(book) {
  const remove = async () => {
    if (!confirm(say("Remove {title}? Its sentences are found no more, and its file is deleted.", { title: book.title }))) return;
    await tried(async () => {
      await ask(API + path, { method: "DELETE" });
      location.assign("/books");
    });
  };
  return el("button", { type: "button", on: { click: remove } }, say("Remove this book"));
}
