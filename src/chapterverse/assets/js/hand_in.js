// @ts-check
/** Handing in an essay for an assignment: one request, which stores it. Its feedback is written afterwards. */
import { getJson, reportErrors, requestJson, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { essay, form } from "./editor.js";
import { formatDateTime, formatTime } from "./formats.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { Submission } from "./types" */

const place = byId("submission");
const POLL_MS = 2000;
const path = `/assignments/${place.dataset.assignment}/essay`;
const isHeld = "held" in place.dataset; // until the teacher releases the feedback
const button = byId("hand-in", HTMLButtonElement);
/** The text as it was handed in last; null: none was. @type {string | null} */
let sent = "at" in place.dataset ? essay.defaultValue : null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  reportErrors(handIn);
});
form.addEventListener("input", showButton);
showButton();
if (sent !== null) reportErrors(follow);

function showButton() {
  const isSame = essay.value === sent;
  button.disabled = isSame;
  button.textContent = isSame ? say("Handed in") : sent === null ? say("Hand in") : say("Hand in a new version");
}

async function handIn() {
  const text = essay.value;
  button.disabled = true;
  showStatus(say("Handing in …"));
  try {
    /** @type {Submission} */
    const done = await requestJson(path, { method: "PUT", json: { essay: text } });
    sent = text;
    if (essay.value === text) forgetDraft(form);
    showStatus("");
    show(done);
  } finally {
    showButton();
  }
  await follow();
}

/** Shows what became of the essay that was handed in, until its feedback can be read. */
async function follow() {
  /** @type {Submission} */
  const submission = await getJson(path);
  show(submission);
  if (!isHeld && !submission.feedback && !submission.failed_because) setTimeout(() => reportErrors(follow), POLL_MS);
}

/** @param {Submission} submission */
function show({ handed_in: at, feedback, failed_because: problem }) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const time = isToday ? say("Handed in at {time}.", { time: formatTime(at) }) : say("Handed in on {day}.", { day: formatDateTime(at) });
  const next = isHeld ? say("Feedback appears when your teacher releases it.") : say("Your feedback is being written. You may close this page.");
  const link = feedback && el("a", { class: "button primary", href: `/essay/mine/${feedback}` }, say("Read your feedback"));
  byId("submission-state").replaceChildren(el("strong", {}, "✓ ", time), " ", problem ?? link ?? next);
}
