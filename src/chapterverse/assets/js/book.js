/** One book: what was understood of it, and what a teacher corrects. */
import { API, ask, get } from "./api.js";
import { byId, el } from "./dom.js";
import { EVERY, isUnderWay, progressOf, stateOf } from "./progress.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const heading = byId("name");
const path = `/books/${encodeURIComponent(heading.dataset.book)}`;
await look();

/** Again and again while it is under way: forms would be taken away from who is writing in them, so not afterwards. */
async function look() {
  await tried(async () => {
    const book = await get(path);
    show(book);
    if (isUnderWay(book)) setTimeout(look, EVERY);
  });
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
    labels(),
    removal(book),
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
  const number = new Intl.NumberFormat(document.documentElement.lang);
  return el(
    "dl",
    { class: "figures" },
    told.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, number.format(value)))),
  );
}

function warnings(report) {
  if (!report.warnings.length) return el("p", {}, say("Nothing about this file looks odd."));
  return el("section", {}, el("h2", {}, say("Worth a look")), el("ul", {}, report.warnings.map((one) => el("li", {}, one.message ?? one))));
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

function labels() {
  return form(
    say("A printed page number that is wrong"),
    [
      field(say("Page of the file, from 1"), "page", "", { type: "number", min: 1, required: true }),
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
      show(await (await ask(API + path, { method: "PATCH", json })).json());
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

function removal(book) {
  const remove = async () => {
    if (!confirm(say("Remove {title}? Its sentences are found no more, and its file is deleted.", { title: book.title }))) return;
    await tried(async () => {
      await ask(API + path, { method: "DELETE" });
      location.assign("/books");
    });
  };
  return el("p", {}, el("button", { type: "button", on: { click: remove } }, say("Remove this book")));
}
