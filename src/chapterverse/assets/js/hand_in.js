// @ts-check
/** Handing in an essay for an assignment: one request, which stores it. Its feedback is written afterwards. */
import { API, ConnectionLost, events, getJson, reportErrors, RequestError, requestJson, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { essay, form, showEditor } from "./editor.js";
import { showFeedbackIn } from "./feedback.js";
import { formatDateTime, formatTime } from "./formats.js";
import { say } from "./texts.js";
import { forgetDraft, write } from "./unsaved.js";
/** @import { Submission } from "./types" */

const place = byId("submission");
const POLL_MS = 2000;
const path = `/assignments/${place.dataset.assignment}/essay`;
const UNDER_WAY = `hand-in ${path}`; // in the session storage: the text whose answer has not arrived, and what was handed in before it
const isHeld = "held" in place.dataset; // until the teacher releases the feedback
const button = byId("hand-in", HTMLButtonElement);
let current = new AbortController();
/** The text as it was handed in last; null: none was. @type {string | null} */
let sent = "since" in form.dataset ? essay.defaultValue : null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  reportErrors(handIn);
});
form.addEventListener("input", showButton);
byId("change").addEventListener("click", () => showEditor(true));
showButton();
const left = JSON.parse(sessionStorage.getItem(UNDER_WAY) ?? "null"); // with the page
sessionStorage.removeItem(UNDER_WAY);
if (left?.text === sent && essay.value === sent) {
  form.querySelector(".restored button")?.dispatchEvent(new Event("click")); // takes what was typed while this was handed in
  if (essay.value === sent) forgetDraft(form);
}
if (left && essay.value === left.text && sent === left.before) reportErrors(handIn);
else if (sent !== null) reportErrors(async () => stays(await getJson(path)));

function showButton() {
  const isSame = essay.value === sent;
  button.disabled = isSame;
  button.textContent = isSame ? say("Handed in") : sent === null ? say("Hand in") : say("Hand in a new version");
}

async function handIn() {
  const text = essay.value;
  button.disabled = true;
  showStatus(say("Handing in …"));
  write(sessionStorage, UNDER_WAY, JSON.stringify({ text, before: sent }));
  /** @type {Submission} */
  const done = await requestJson(path, { method: "PUT", json: { essay: text } })
    .catch((error) => {
      if (!(error instanceof ConnectionLost)) sessionStorage.removeItem(UNDER_WAY); // it has been refused
      throw error;
    })
    .finally(() => (button.disabled = false));
  sessionStorage.removeItem(UNDER_WAY);
  sent = text;
  form.dataset.since = done.handed_in;
  if (essay.value === text) forgetDraft(form);
  else form.dispatchEvent(new Event("input", { bubbles: true })); // it was typed meanwhile, and is kept as newer
  showStatus("");
  showButton();
  await stays(done);
}

/** Shows the comments as they are written to who stays; where that cannot be, looks now and then whether they are there. @param {Submission} submission */
async function stays(submission) {
  show(submission);
  current.abort();
  if (isHeld || submission.feedback || submission.failed_because) return;
  current = new AbortController();
  try {
    const result = showFeedbackIn(byId("result"));
    for await (const [name, data] of events(`${API}${path}/feedback`, {}, "done", current)) {
      byId("result").hidden = false;
      if (name === "evidence") {
        showEditor(essay.value !== sent); // who writes on is left there
        result.showEvidence(data);
      } else if (name === "comment") result.addComment(data);
      else result.showAll(data);
    }
    show(await getJson(path));
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return; // of an earlier version
    if (!(error instanceof RequestError)) throw error;
    setTimeout(() => reportErrors(follow), POLL_MS);
  }
}

/** Looks until the feedback can be read, also after the connection was lost. */
async function follow() {
  try {
    const submission = await getJson(path);
    show(submission);
    if (submission.feedback || submission.failed_because) return;
  } catch (error) {
    if (!(error instanceof RequestError && error.isTemporary)) throw error;
    byId("submission-state").lastChild?.replaceWith(say("The connection was lost. Trying again …"));
  }
  setTimeout(() => reportErrors(follow), POLL_MS);
}

/** @param {Submission} submission */
function show({ handed_in: at, feedback, failed_because: problem }) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const time = isToday ? say("Handed in at {time}.", { time: formatTime(at) }) : say("Handed in on {day}.", { day: formatDateTime(at) });
  const next = isHeld ? say("You’ll see your feedback once your teacher releases it.") : say("Your feedback is being written. You can close this page.");
  const link = feedback && el("a", { class: "button primary", href: `/essay/mine/${feedback}` }, say("Read your feedback"));
  byId("submission-state").replaceChildren(el("strong", {}, "✓ ", time), " ", problem ?? link ?? next);
}
