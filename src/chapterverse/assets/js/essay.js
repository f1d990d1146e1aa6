// @ts-check
/** The page for feedback on an essay that is handed in nowhere: requesting it, and showing it as it arrives. */
import { API, ConnectionLost, events, newKey, RequestError, showStatus } from "./api.js";
import { byId } from "./dom.js";
import { essay, form, showEditor } from "./editor.js";
import { showFeedbackIn } from "./feedback.js";
import { valuesOf } from "./forms.js";
import { ownRatings } from "./ratings.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";

const SENT = "essay-sent"; // in the session storage: the text and the key of the request whose answer has not arrived
const RETRY_SECONDS = [1, 2, 4, 8, ...Array(6).fill(15)]; // before each further attempt
const resultPlace = byId("result");
const ratings = ownRatings(resultPlace);
const result = showFeedbackIn(resultPlace, ratings);
/** The request that is under way. @type {AbortController | null} */
let current = null;

byId("hand-in", HTMLButtonElement).disabled = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  requestFeedback();
});
byId("continue").addEventListener("click", requestFeedback);
byId("change").addEventListener("click", () => {
  current?.abort();
  showStatus("");
  showEditor(true);
  essay.focus();
});
if (sentKey()) requestFeedback();

/** Returns the key of the request for this text that was under way. @returns {string | null} */
function sentKey() {
  const [text, key] = JSON.parse(sessionStorage.getItem(SENT) ?? "[]");
  return essay.value && text === essay.value ? key : null;
}

/** Returns the request as the server wants it. @param {string} key */
function bodyWith(key) {
  const { task, source, rubric } = valuesOf(form);
  return { essay: essay.value, key, version_of: form.dataset.version ?? null, task, rubric: rubric || null, sources: source ? [source] : [] };
}

/** Requests feedback. The same text again has the same key, until the whole answer has arrived: it counts as one request. */
async function requestFeedback() {
  current?.abort();
  const mine = new AbortController();
  current = mine;
  const key = sentKey() ?? newKey();
  sessionStorage.setItem(SENT, JSON.stringify([essay.value, key]));
  result.clear();
  ratings.setFeedback(null);
  resultPlace.hidden = byId("continue").hidden = true;
  showStatus(say("Searching your books …"));
  try {
    for await (const [name, data] of feedbackEvents(bodyWith(key), mine)) {
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

/** Waits so long, or until the browser is online again. @param {number} milliseconds */
const pauseOrOnline = (milliseconds) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
    addEventListener("online", done, { once: true });
  });

/** @param {RequestError} error */
function showError(error) {
  if (error.status) sessionStorage.removeItem(SENT);
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
    case "comment":
      return result.addComment(data);
    case "done":
      ratings.setFeedback(data.id);
      result.showAll(data);
      if (data.id && sentKey()) forgetDraft(form); // the school has it
      return showEnd(data.id ? say("Done and saved.") : "");
    case "answer": // it waits for the teacher's approval; until then only the draft shows what was written
      return showEnd(say("Your teacher will read the feedback first. Then you’ll find it under My essays."));
  }
}

/** @param {string} message */
function showEnd(message) {
  sessionStorage.removeItem(SENT);
  showStatus(message);
}
