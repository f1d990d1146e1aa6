// @ts-check
/** The essay's page: writing or opening an essay, requesting feedback, and showing it as it arrives. */
import { API, ConnectionLost, events, getJson, newKey, reportErrors, requestJson, RequestError, showStatus, sourcesPath } from "./api.js";
import { byId, el, findById, onFilesChosen } from "./dom.js";
import { showFeedbackIn } from "./feedback.js";
import { formatCount } from "./formats.js";
import { ownRatings, printWith, textOf } from "./own_essays.js";
import { say } from "./texts.js";

/**
 * @typedef {object} Draft
 * @property {string} text
 * @property {string} [sent] the text for which feedback was requested
 * @property {string | null} [key] of the request, until all of its answer has arrived
 * @property {string | null} [versionOf] the feedback on the essay's earlier version
 * @property {Record<string, string>} [task] what the form says of the task, by the names of its fields
 */

const DRAFT = "essay"; // in the session storage
const RETRY_SECONDS = [1, 2, 4, 8, ...Array(6).fill(15)]; // before each further attempt
const TASK_FIELDS = ["task", "source", "source-book", "source-pages", "genre", "rubric"];
const essay = byId("essay", HTMLTextAreaElement);
const form = byId("submission-form", HTMLFormElement);
const resultPlace = byId("result");
const assignment = findById("submission")?.dataset.assignment ?? null;
const ratings = ownRatings(resultPlace);
const result = showFeedbackIn(resultPlace, ratings);
let draft = loadDraft();
/** The request that is under way. @type {AbortController | null} */
let current = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  requestFeedback();
});
essay.addEventListener("input", textChanged);
onFilesChosen(byId("file", HTMLInputElement), ([file]) => reportErrors(() => openFile(file)));
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return; // the browser inserts dropped text
  event.preventDefault();
  reportErrors(() => openFile(file));
});
findById("task-part")?.addEventListener("input", () => saveDraft({ task: taskFields(), key: null }));
findById("task-part")?.addEventListener("toggle", () => reportErrors(offerBooks), { once: true });
printWith(byId("print"));
byId("continue").addEventListener("click", requestFeedback);
byId("change").addEventListener("click", () => {
  current?.abort();
  showStatus("");
  showEditor(true);
  essay.focus();
});
reportErrors(start);

/** Restores the draft, or loads the essay that a new version is made of; a request that was under way is resumed. */
async function start() {
  const earlier = new URLSearchParams(location.search).get("version_of");
  if (essay.value !== essay.defaultValue) saveDraft({ text: essay.value }); // typed before this script was there
  else essay.value = draft.text || essay.defaultValue; // maybe a sample
  await restoreTask();
  if (earlier && draft.versionOf !== earlier) {
    essay.value = textOf(await getJson(`/feedback/${encodeURIComponent(earlier)}`));
    saveDraft({ text: essay.value, versionOf: earlier, key: null });
  } else if (!earlier && draft.versionOf) saveDraft({ versionOf: null });
  showCount();
  byId("version").hidden = !earlier;
  if (draft.key && draft.sent === essay.value) requestFeedback();
}

// The task, which an assignment has already

/** Returns the fields of the task that are filled in, by name. @returns {Record<string, string>} */
function taskFields() {
  if (!findById("task-part")) return {};
  const fields = new FormData(form);
  return Object.fromEntries(TASK_FIELDS.map((name) => [name, String(fields.get(name) ?? "").trim()]).filter(([, value]) => value));
}

/** Fills in the task of the draft, and opens that part of the form if there is one. */
async function restoreTask() {
  const part = findById("task-part");
  const fields = Object.entries(draft.task ?? {});
  if (!part || !fields.length) return;
  await offerBooks();
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) field.value = value;
  }
  part.setAttribute("open", "");
}

/** Lists the books whose pages may have come with the task. */
async function offerBooks() {
  const select = byId("source-book", HTMLSelectElement);
  if (select.options.length > 1) return;
  /** @type {{ sources: import("./types").Source[] }} */
  const { sources } = await getJson(sourcesPath("books"));
  select.append(...sources.filter((book) => book.state === "ready").map((book) => el("option", { value: book.source }, book.title)));
}

/** Returns the task as the server wants it. */
function taskOfRequest() {
  const { task = "", source = "", genre = null, rubric = null, "source-book": book, "source-pages": pages } = taskFields();
  return { task, genre, rubric, sources: source ? [source] : [], source_pages: book && pages ? [{ book, pages }] : [] };
}

// The draft stays in this tab until it is closed or the user signs out: on a shared computer the next user finds nothing.

/** @returns {Draft} */
function loadDraft() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
    if (stored?.who === form.dataset.who) return stored;
    sessionStorage.removeItem(DRAFT);
  } catch {
    // no storage
  }
  return { text: "" };
}

/** @param {Partial<Draft>} changes */
function saveDraft(changes) {
  draft = { ...draft, ...changes };
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify({ ...draft, who: form.dataset.who }));
  } catch {
    // full or unavailable: a reload then loses the text
  }
}

function textChanged() {
  saveDraft({ text: essay.value });
  showCount();
}

/** Shows the text of a file; the server extracts it and stores nothing. @param {File} file */
async function openFile(file) {
  showStatus(say("The file is being read …"));
  const body = new FormData();
  body.append("file", file);
  essay.value = (await requestJson("/essays/text", { method: "POST", body })).text;
  textChanged();
  showEditor(true);
  essay.focus();
  essay.setSelectionRange(0, 0);
  showStatus(say("This is the text from your file. Check it, then get feedback."));
}

function showCount() {
  const words = essay.value.split(/\s+/).filter(Boolean).length;
  byId("count").textContent = say("{words} / {max} words", { words: formatCount(words), max: formatCount(Number(form.dataset.words)) });
}

/** Requests feedback. The same text again has the same key, until the whole answer has arrived: it counts as one request. */
async function requestFeedback() {
  current?.abort();
  const mine = new AbortController();
  current = mine;
  const key = draft.key && draft.sent === essay.value ? draft.key : newKey();
  saveDraft({ text: essay.value, sent: essay.value, key });
  result.clear();
  ratings.setFeedback(null);
  resultPlace.hidden = byId("continue").hidden = true;
  showStatus(say("Searching your books …"));
  const body = { essay: essay.value, assignment, key, version_of: draft.versionOf, ...taskOfRequest() };
  try {
    for await (const [name, data] of feedbackEvents(body, mine)) {
      if (mine !== current) return;
      showEvent(name, data);
    }
  } catch (error) {
    if (mine !== current || (error instanceof Error && error.name === "AbortError")) return;
    if (!(error instanceof RequestError)) throw error;
    showError(error);
  }
}

/**
 * Yields each event of the feedback once, however often the connection is lost. Throws RequestError after the last attempt.
 * @param {unknown} body
 * @param {AbortController} controller
 * @returns {AsyncGenerator<[name: string, data: any], void>}
 */
async function* feedbackEvents(body, controller) {
  /** @type {string | undefined} */
  let after;
  let attempts = 0;
  for (;;) {
    try {
      for await (const [name, data, id] of events(`${API}/essays/feedback`, body, "done", { signal: controller.signal, after })) {
        [after, attempts] = [id ?? after, 0];
        yield [name, data];
      }
      return;
    } catch (error) {
      if (!(error instanceof ConnectionLost) || attempts === RETRY_SECONDS.length) throw error;
      if (controller === current) showStatus(say("The connection was lost. Trying again …"), true);
      await pauseOrOnline(RETRY_SECONDS[attempts] * 1000);
      attempts += 1;
    }
  }
}

/** Waits so long, or until the browser is online again. @param {number} milliseconds @returns {Promise<void>} */
function pauseOrOnline(milliseconds) {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    const proceed = () => {
      clearTimeout(timer);
      done();
    };
    addEventListener("online", proceed, { once: true });
  });
}

/** @param {RequestError} error */
function showError(error) {
  if (error.status) saveDraft({ key: null });
  byId("continue").hidden = Boolean(error.status);
  if (resultPlace.hidden || error.status) showEditor(true);
  showStatus(error.message, true);
}

/** @param {string} name @param {any} data */
function showEvent(name, data) {
  switch (name) {
    case "evidence":
      showEditor(false);
      resultPlace.hidden = false;
      result.showEvidence(data);
      return showStatus(say("Reading your essay …"));
    case "citations":
      result.showVerdicts(data.verdicts);
      result.showRevision(data.revision);
      result.showArgument(data.outline);
      result.showCriteria(data.criteria);
      return result.showPriorities(data);
    case "done":
      announceStored(data);
      showEnd(data.id ? say("Done. Saved under My essays.") : "");
      return ratings.setFeedback(data.id);
    case "answer": // it waits for the teacher's approval
      announceStored(data);
      return showEnd(say("Your teacher will look at it first. Then you will find it under My essays."));
    default:
      showStatus(say("Reading your essay …"));
      return result.showReview(/** @type {"content" | "expressions" | "features"} */ (name), data);
  }
}

/** Tells assignment_submission.js which feedback can be submitted. @param {{ id?: string | null }} detail */
const announceStored = (detail) => document.dispatchEvent(new CustomEvent("feedback-stored", { detail }));

/** @param {string} message */
function showEnd(message) {
  saveDraft({ key: null });
  showStatus(message);
}

/** Shows either the editor or the marked essay. @param {boolean} isEditing */
function showEditor(isEditing) {
  form.hidden = !isEditing;
  byId("result-actions").hidden = isEditing;
}
