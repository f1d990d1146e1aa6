// @ts-check
/** Classes: uploading the essays of a class, the progress of each class, and essays that students submitted themselves. */
import { API, getJson, reportErrors, request, RequestError, showStatus, sourcesPath } from "./api.js";
import { isRunning, nameOf, OTHERS, progressText, saveOrder } from "./batches.js";
import { byId, el, onFilesChosen, tickedIn } from "./dom.js";
import { formatDateTime, formatShortDate, nameOrder } from "./formats.js";
import { POLL_MS } from "./sources.js";
import { say } from "./texts.js";
import { acceptDrops } from "./uploads.js";
/** @import { BatchSummary, FeedbackSummary, Source } from "./types" */

const PAGE_SIZE = 50; // other essays per request
const ESSAY_ENDINGS = [".txt", ".md", ".markdown", ".docx", ".odt", ".pdf"];
/** Media types of files that hold a whole class, by ending. @type {Record<string, string | undefined>} */
const CLASS_TYPES = { ".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson", ".csv": "text/csv", ".zip": "application/zip" };
const MAX_NAMES = 8; // names of chosen files that are shown
const form = byId("submission-form", HTMLFormElement);
/** @type {File[]} */
let chosen = [];
let knownBatches = new Set();
/** When the last listed essay was created. @type {string | null} */
let last = null;
/** @type {string[]} */
const listed = [];

for (const id of ["files", "folder"]) {
  onFilesChosen(byId(id, HTMLInputElement), (files) => choose(files, id === "folder" ? files[0]?.webkitRelativePath.split("/")[0] : ""));
}
acceptDrops(byId("drop"), async ({ items }) => {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const [first] = entries;
  choose((await Promise.all(entries.map(filesIn))).flat(), entries.length === 1 && first.isDirectory ? first.name : "");
});
byId("book-choice").addEventListener("toggle", () => reportErrors(offerBooks), { once: true });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  reportErrors(send);
});
byId("older").addEventListener("click", () => reportErrors(loadOlder));
reportErrors(async () => {
  await Promise.all([refresh(), loadOlder()]);
  for (const id of ["uploaded-classes", "others"]) byId(id).hidden = false; // together, so that nothing moves
});

// Uploading a class

/**
 * Returns the files below a dropped entry, which may be a folder.
 * @param {FileSystemEntry} entry
 * @returns {Promise<File[]>}
 */
async function filesIn(entry) {
  if (entry.isFile) return [await new Promise((done, failed) => /** @type {FileSystemFileEntry} */ (entry).file(done, failed))];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // browsers give a hundred at a time
    if (!some.length) return (await Promise.all(found.map(filesIn))).flat();
    found.push(...some);
  }
}

/**
 * Adds files with one essay each to those chosen before; a table or a zip replaces them.
 * @param {File[]} files
 * @param {string} folder its name; "": none
 */
function choose(files, folder) {
  const visible = files.filter((file) => !/^(\.|~\$)/.test(file.name)); // without hidden files and Word's lock files
  const ofClass = visible.filter((file) => endingOf(file) in CLASS_TYPES);
  const essays = visible.filter((file) => ESSAY_ENDINGS.includes(endingOf(file)));
  const others = visible.filter((file) => !ofClass.includes(file) && !essays.includes(file));
  if (ofClass.length > 1 || (ofClass.length && essays.length)) return showStatus(say("Choose either one table or zip, or one file per essay: one class at a time."), true);
  const all = ofClass.length ? ofClass : [...chosen.filter((file) => !(endingOf(file) in CLASS_TYPES)), ...essays];
  chosen = [...new Map(all.map((file) => [pathOf(file), file])).values()].sort((a, b) => nameOrder.compare(a.name, b.name));
  const name = folder || ofClass[0]?.name.replace(/\.[^.]*$/, "");
  if (name) byId("name", HTMLInputElement).value ||= name;
  showStatus("");
  showChosen(others);
}

/** @param {File[]} others files that cannot hold an essay */
function showChosen(others) {
  const names = chosen.slice(0, MAX_NAMES).map((file) => file.name).join(", ");
  const more = chosen.length > MAX_NAMES ? " …" : "";
  const clear = el("button", { type: "button", class: "quiet", on: { click: clearChosen } }, say("Choose others"));
  byId("chosen").replaceChildren(
    ...(chosen.length ? [el("p", { dir: "auto" }, say("Files chosen: {count}", { count: chosen.length }), ` – ${names}${more} `, clear)] : []),
    ...(others.length ? [el("p", { class: "state error", dir: "auto" }, say("Skipped, not supported: {names}", { names: others.map((file) => file.name).join(", ") }))] : []),
  );
}

function clearChosen() {
  chosen = [];
  showChosen([]);
  byId("files").focus();
}

async function offerBooks() {
  /** @type {{ sources: Source[] }} */
  const { sources } = await getJson(sourcesPath("books"));
  const ready = sources.filter((book) => book.state === "ready");
  const boxes = ready.map((book) => el("label", { class: "choice" }, el("input", { type: "checkbox", value: book.source }), el("span", { dir: "auto" }, book.title)));
  byId("books").append(...(boxes.length ? boxes : [el("p", {}, say("No books yet."))]));
}

async function send() {
  const upload = uploadOf(byId("pasted", HTMLTextAreaElement).value.trim());
  const start = String(new FormData(form).get("start"));
  const query = new URLSearchParams({ name: byId("name", HTMLInputElement).value.trim(), start, books: tickedIn(byId("books")).join(",") });
  const button = byId("send", HTMLButtonElement);
  showStatus(say("Uploading …"));
  button.disabled = true;
  try {
    const response = await request(`${API}/batches?${query}`, { method: "POST", ...upload });
    const { batch } = await response.json();
    location.assign(`/essay/classes/${batch}${knownBatches.has(batch) ? "?known" : ""}`);
  } finally {
    button.disabled = false;
  }
}

/** Returns the request for the chosen files or the pasted essays. @param {string} pasted @returns {{ body: BodyInit, headers?: Record<string, string> }} */
function uploadOf(pasted) {
  if (chosen.length && pasted) throw new RequestError(say("There are both files and pasted essays. Upload one or the other."));
  if (!chosen.length && !pasted) throw new RequestError(say("There are no essays yet. Choose files, or paste the essays."));
  if (pasted) return uploadOfText(pasted);
  const type = CLASS_TYPES[endingOf(chosen[0])];
  return type ? { body: chosen[0], headers: { "Content-Type": type } } : { body: formOf(chosen) };
}

/** Pasted text may also be JSON lines or a table. @param {string} text */
function uploadOfText(text) {
  if (text.startsWith("{")) return { body: text, headers: { "Content-Type": "application/x-ndjson" } };
  const columns = text.split("\n", 1)[0].toLowerCase().split(/[,;\t]/).map((name) => name.trim().replaceAll('"', ""));
  if (columns.length > 1 && columns.some((name) => ["text", "essay", "aufsatz"].includes(name))) return { body: text, headers: { "Content-Type": "text/csv" } };
  const essays = text.split(/^(?====)/m).map((essay) => /^(?:=+([^\n]*)\n?)?([^]*)$/.exec(essay) ?? []);
  return { body: formOf(essays.map(([, student, words = ""], index) => new File([words], `${fileNameOf(student) || index + 1}.txt`))) };
}

/** @param {string | undefined} student */
const fileNameOf = (student) => student?.replace(/=+\s*$/, "").trim().replaceAll("/", "-");

/** @param {File[]} files */
function formOf(files) {
  const data = new FormData();
  for (const file of files) data.append("file", file, pathOf(file));
  return data;
}

/** @param {File} file */
const pathOf = (file) => file.webkitRelativePath || file.name;

/** @param {File} file */
const endingOf = (file) => /\.[^.]*$/.exec(file.name.toLowerCase())?.[0] ?? "";

// The lists

async function refresh() {
  /** @type {{ batches: BatchSummary[] }} */
  const { batches } = await getJson("/batches");
  knownBatches = new Set(batches.map((one) => one.batch));
  byId("none").hidden = batches.length > 0;
  const focused = document.activeElement?.closest("#batches a")?.getAttribute("href");
  byId("batches").replaceChildren(...batches.map(batchItem));
  if (focused) byId("batches").querySelector(/** @type {"a"} */ (`a[href="${focused}"]`))?.focus({ preventScroll: true });
  if (batches.some(isRunning)) setTimeout(() => reportErrors(refresh).then(retryAfterError), 2 * POLL_MS);
}

function retryAfterError() {
  if (byId("state").classList.contains("error")) setTimeout(() => reportErrors(refresh).then(retryAfterError), 5 * POLL_MS);
}

/** @param {BatchSummary} batch */
function batchItem(batch) {
  const name = nameOf(batch);
  return el(
    "li",
    { class: batch.failed ? "card problem" : "card" },
    el("a", { class: "title", href: `/essay/classes/${batch.batch}`, dir: "auto" }, name),
    el("p", { class: "soft" }, say("Uploaded on {when}", { when: formatDateTime(batch.created) })),
    el("p", {}, progressText(batch)),
    isRunning(batch) && el("progress", { value: batch.done + batch.failed, max: batch.essays, "aria-label": say("Progress of {title}", { title: name }) }),
  );
}

async function loadOlder() {
  const query = new URLSearchParams({ alone: "true", limit: String(PAGE_SIZE), ...(last && { before: last }) });
  /** @type {{ feedback: FeedbackSummary[] }} */
  const { feedback } = await getJson(`/feedback?${query}`);
  last = feedback.at(-1)?.created ?? last;
  byId("older").hidden = feedback.length < PAGE_SIZE;
  byId("other-rows").append(...feedback.map(essayRow));
  listed.push(...feedback.map((one) => one.id));
  saveOrder(OTHERS, listed);
  if (!listed.length) byId("other-rows").replaceChildren(el("tr", {}, el("td", { colspan: 4 }, say("None."))));
}

/** @param {FeedbackSummary} feedback */
function essayRow(feedback) {
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, el("a", { href: `/essay/classes/others/${feedback.id}` }, feedback.title || feedback.begins || say("Without a title"))),
    el("td", {}, formatDateTime(feedback.created)),
    el("td", {}, feedback.approved ? formatShortDate(feedback.approved) : say("Not yet")),
    el("td", {}, formatShortDate(feedback.expires)),
  );
}
