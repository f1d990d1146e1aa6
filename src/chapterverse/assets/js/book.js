// @ts-check
/** One book: what was recognised in its file, and a teacher's corrections. */
import { API, getJson, reportErrors, request, requestJson, showStatus, sourcePath } from "./api.js";
import { byId, el, fieldOf, onFilesChosen } from "./dom.js";
import { formatCount } from "./formats.js";
import { isProcessing, NO_CHANGE_MS, POLL_MS, sourceProgress, splitList, stateText } from "./sources.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
import { replaceBook } from "./uploads.js";
/** @import { Attributes, QualityReport, SourceDetails } from "./types" */

const MAX_SHOWN = 3;
const heading = byId("name");
const path = sourcePath("books", heading.dataset.book ?? "");
refresh();

/** Loads the book, repeatedly while it is processed; not afterwards, because that would reset the forms. @param {SourceDetails | null} [known] */
async function refresh(known = null) {
  let book = known;
  await reportErrors(async () => {
    /** @type {SourceDetails} */
    const loaded = await getJson(path);
    book = loaded;
    show(loaded);
    showStatus("");
  });
  if (book && isProcessing(book)) setTimeout(() => refresh(book), POLL_MS); // also after a lost connection
}

/**
 * Uploads a new file and waits until its processing begins. The same file as before changes nothing.
 * @param {SourceDetails} book
 * @param {File} file
 */
async function replace(book, file) {
  if (!(await replaceBook(file, book.file, "directUpload" in heading.dataset, () => reportErrors(() => replace(book, file))))) return;
  const until = performance.now() + NO_CHANGE_MS;
  const before = JSON.stringify(book.versions);
  showStatus(say("Uploaded. Waiting to be processed …"));
  for (let now = book; JSON.stringify(now.versions) === before; now = await getJson(path)) {
    if (performance.now() > until) return showStatus(say("Nothing has changed. Did you choose the same file?"));
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  showStatus("");
  await refresh();
}

/** @param {SourceDetails} book */
function show(book) {
  heading.textContent = book.title;
  document.title = `${book.title} · Chapterverse`;
  const message = book.message && ` ${book.message}`;
  byId("report").replaceChildren(
    el("p", {}, stateText(book, Boolean(book.version)), message),
    ...(book.version ? [el("p", {}, el("a", { class: "button", href: `/books/${encodeURIComponent(book.source)}/1` }, say("Read this book")))] : []),
    ...(isProcessing(book) ? [sourceProgress(book)] : []),
    ...(book.report ? [counts(book.report), warnings(book.report)] : []),
    ...(book.report && book.version ? [oddPages(book.report)] : []),
    titleForm(book),
    ...(book.chapters.length ? [chapterForm(book)] : []),
    pageNumberForm(book),
    pageCountForm(book),
    el("div", { class: "row" }, replaceButton(book), removeButton(book)),
  );
}

/** @param {QualityReport} report */
function counts(report) {
  /** @type {[string, number][]} */
  const values = [
    [say("Pages"), report.pages],
    [say("Words"), report.words],
    [say("Chapters"), report.chapters],
    [say("Sentences"), report.sentences],
    [say("Pages without text"), report.pages_without_text?.length ?? 0],
  ];
  return el("dl", { class: "key-numbers" }, values.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, formatCount(value)))));
}

/** @param {QualityReport} report */
function warnings(report) {
  const empty = report.pages_without_text?.length ? [say("PDF pages without text: {pages}", { pages: pageRanges(report.pages_without_text) })] : [];
  const texts = [...report.warnings.map((one) => one), ...empty];
  if (!texts.length) return el("p", {}, say("No problems found."));
  return el("section", {}, el("h2", {}, say("Please check")), el("ul", { class: "reading" }, texts.map((text) => el("li", {}, text))));
}

/** Pictures of the worst pages with the oddest sentence highlighted. @param {QualityReport} report */
function oddPages(report) {
  const shown = report.odd_pages.slice(0, MAX_SHOWN);
  if (!shown.length) return el("section", {});
  const figures = shown.map(({ page_index, page_label, sentence }) => {
    const position = { label: page_label, page: page_index + 1 };
    const title = page_label ? say("Page {label} (PDF page {page})", position) : say("PDF page {page}", position);
    const query = new URLSearchParams({ sentence, scale: "1" });
    const src = `${API}/pages/${encodeURIComponent(heading.dataset.book ?? "")}/${page_index}.png?${query}`;
    const href = `/books/${encodeURIComponent(heading.dataset.book ?? "")}/${page_index + 1}?${new URLSearchParams({ sentence })}`;
    return el("figure", {}, el("a", { href }, el("img", { src, alt: title, loading: "lazy" })), el("figcaption", {}, title));
  });
  return el("section", {}, el("h2", {}, say("Check these pages first")), el("div", { class: "card-grid" }, figures));
}

/** Page indices [0, 1, 2, 6] as page numbers "1–3, 7". @param {number[]} indices */
function pageRanges(indices) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const index of indices) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1}–${to + 1}`)).join(", ");
}

/** @param {SourceDetails} book */
function titleForm(book) {
  return correctionForm(
    say("Title and authors"),
    [
      inputField(say("Title"), "title", book.title, { required: true }),
      inputField(say("Authors, separated by semicolons"), "authors", book.authors.join("; ")),
      inputField(say("Year, for citations"), "year", book.corrections.year ?? "", { maxlength: 40 }),
      inputField(say("Publisher, for citations"), "publisher", book.corrections.publisher ?? "", { maxlength: 255 }),
    ],
    (fields) => ({
      title: fieldOf(fields, "title").trim(),
      authors: splitList(fieldOf(fields, "authors")),
      year: fieldOf(fields, "year").trim() || null,
      publisher: fieldOf(fields, "publisher").trim() || null,
    }),
  );
}

/** @param {SourceDetails} book */
function chapterForm(book) {
  const inputs = book.chapters.map((chapter) => {
    const name = chapter.number ? say("Chapter {number}", { number: chapter.number }) : say("Without a number");
    return inputField(name, String(chapter.index), chapter.title ?? "");
  });
  return correctionForm(say("Chapters"), inputs, (fields) => {
    const changed = book.chapters.map(({ index, title }) => ({ index, before: title ?? "", now: fieldOf(fields, String(index)).trim() })).filter(({ before, now }) => now !== before);
    return { chapters: Object.fromEntries(changed.map(({ index, now }) => [index, now || null])) };
  });
}

/** @param {SourceDetails} book */
function pageNumberForm({ report }) {
  return correctionForm(
    say("Correct page numbers"),
    [
      inputField(say("PDF page"), "page", "", { type: "number", min: 1, max: report?.pages, required: true }),
      inputField(say("Printed page number (leave empty to undo)"), "label", ""),
    ],
    (fields) => ({ page_labels: { [Number(fields.get("page")) - 1]: fieldOf(fields, "label").trim() || null } }),
  );
}

/** @param {SourceDetails} book */
function pageCountForm({ report }) {
  return correctionForm(
    say("Renumber from a page"),
    [
      inputField(say("From this PDF page on"), "page", "", { type: "number", min: 1, max: report?.pages, required: true }),
      inputField(say("Start at (for example 1 or xiv; leave empty to undo)"), "first", "", { pattern: "\\s*(\\d+|[ivxlcdm]+|[IVXLCDM]+)?\\s*" }),
    ],
    (fields) => ({ page_counts: { [Number(fields.get("page")) - 1]: fieldOf(fields, "first").trim() || null } }),
  );
}

/**
 * Returns a form that corrects the book.
 * @param {string} title
 * @param {HTMLElement[]} inputs
 * @param {(fields: FormData) => unknown} correctionOf what is sent
 */
function correctionForm(title, inputs, correctionOf) {
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const json = correctionOf(new FormData(form));
    await reportErrors(async () => {
      const book = await requestJson(path, { method: "PATCH", json });
      forgetDraft(form);
      show(book);
      showStatus(say("Saved."));
    });
  };
  return el(
    "details",
    { class: "card" },
    el("summary", {}, title),
    el("form", { class: "stack", dataset: { draft: `${path} ${title}` }, on: { submit } }, inputs, el("div", { class: "row" }, el("button", { class: "primary" }, say("Save")))),
  );
}

/** @param {string} text @param {string} name @param {string} value @param {Attributes<HTMLInputElement>} [attributes] */
const inputField = (text, name, value, attributes = {}) => el("label", {}, text, el("input", { name, value, maxlength: 300, ...attributes }));

/** @param {SourceDetails} book */
function replaceButton(book) {
  const input = el("input", { class: "visually-hidden", type: "file", accept: "application/pdf,.pdf,.epub" });
  onFilesChosen(input, ([file]) => reportErrors(() => replace(book, file)));
  return el("label", { class: "button" }, say("Replace with a new file"), input);
}

/** @param {SourceDetails} book */
function removeButton(book) {
  const remove = async () => {
    if (!confirm(say("Remove {title}? Its sentences will no longer be cited, and the file will be deleted.", { title: book.title }))) return;
    await reportErrors(async () => {
      await request(API + sourcePath("books", book.source), { method: "DELETE" });
      location.assign("/books");
    });
  };
  return el("button", { type: "button", on: { click: remove } }, say("Remove this book"));
}
