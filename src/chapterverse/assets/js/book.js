// @ts-check
/** One book: how far it is read, a teacher's corrections, and another file for it. */
import { refresh } from "./actions.js";
import { API, getJson, reportErrors, request, showStatus, sourcePath } from "./api.js";
import { byId, find } from "./dom.js";
import { changesOf, onSubmit, valuesOf } from "./forms.js";
import { isProcessing, NO_CHANGE_MS, POLL_MS, sourceProgress, splitList, stateText } from "./sources.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
import { acceptUploads, sendSource } from "./uploads.js";
/** @import { SourceDetails } from "./types" */
/** @import { Values } from "./forms.js" */

/** What is sent for a form, by its name. @type {Record<string, (form: HTMLFormElement) => unknown>} */
const CORRECTIONS = {
  title: (form) => {
    const { title, authors } = valuesOf(form);
    const { topics } = changesOf(form); // else those that were found
    return { title, authors: splitList(String(authors)), ...(topics !== undefined && { topics: topics ? splitList(String(topics)) : null }) };
  },
  chapters: (form) => ({ chapters: Object.fromEntries(Object.entries(changesOf(form)).map(([index, title]) => [index, title || null])) }),
  page_labels: (form) => ({ page_labels: numberOf(valuesOf(form)) }),
  page_counts: (form) => ({ page_counts: numberOf(valuesOf(form)) }),
};
const collection = byId("replace").dataset.collection ?? "";
const path = sourcePath(collection, shown().source);
let before = ""; // the versions that the book had when another file was sent

onSubmit("form[data-correct]", async (form) => {
  await request(API + path, { method: "PATCH", json: CORRECTIONS[form.dataset.correct ?? ""](form) });
  forgetDraft(form);
  await refresh(form);
  showStatus(say("Saved."));
});
acceptUploads(byId("replace"), replace, (id) => reportErrors(() => replaced(id)));
document.addEventListener("refreshed", showProgress);
showProgress();

/** The book as the page has it. @returns {SourceDetails} */
function shown() {
  return JSON.parse(find(byId("progress"), "p").dataset.source ?? "");
}

/** @param {Values} values */
const numberOf = ({ page, number }) => ({ [Number(page) - 1]: number || null });

function showProgress() {
  const book = shown();
  find(byId("progress"), "p").textContent = [stateText(book, Boolean(book.version)), book.message].filter(Boolean).join(" ");
  if (isProcessing(book)) byId("progress").append(sourceProgress(book));
  document.title = `${book.title} · Chapterverse`;
}

/** Returns what its versions are, however the fields are ordered. @param {SourceDetails} book */
const statesOf = ({ versions }) => versions.map((one) => [one.version, one.state, one.changed]).join();

/** @param {File} file @param {boolean} toThisServer */
function replace(file, toThisServer) {
  before = statesOf(shown());
  return sendSource(collection, file, toThisServer, { replace: true, name: shown().file });
}

/** Waits until the processing of a new file begins. The same file as before changes nothing. @param {string | null} id null: it did not arrive */
async function replaced(id) {
  if (!id) return;
  const until = performance.now() + NO_CHANGE_MS;
  showStatus(say("Uploaded. Waiting to be processed …"));
  while (statesOf(await getJson(path)) === before) {
    if (performance.now() > until) return showStatus(say("Nothing has changed. Did you choose the same file?"));
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  showStatus("");
  await refresh();
}
