// @ts-check
/** One essay as students see it, and a teacher's review of its feedback. */
import { API, getJson, reportErrors, request, RequestError, showStatus } from "./api.js";
import { byId, el, find } from "./dom.js";
import { commentTools } from "./comment_tools.js";
import { evidenceTools } from "./evidence_tools.js";
import { showFeedbackIn } from "./feedback.js";
import { formatDate, formatDateTime } from "./formats.js";
import "./dates.js";
import { say } from "./texts.js";
import { offerUndo } from "./undo.js";
/** @import { Feedback, Roster } from "./types" */

const EDITABLE = "input, textarea, select, dialog, [contenteditable]";
const KEYS = "essay-keys"; // in the local storage: single letters act only if somebody has switched them on (WCAG 2.1.4)
const heading = byId("name");
const { assignment } = heading.dataset; // missing for an essay of no class
const previousLink = byId("previous", HTMLAnchorElement);
const nextLink = byId("next", HTMLAnchorElement);
const buttons = [byId("approve", HTMLButtonElement), byId("delete", HTMLButtonElement)];
/** @type {string | null} */
let id = heading.dataset.feedback ?? null;
/** As it is shown; null: there is none. @type {Feedback | null} */
let shown = null;
const tools = evidenceTools(change);
const result = showFeedbackIn(byId("result"), { onComment: (comment) => comments.onComment(comment), onEvidence: tools.onEvidence, onParagraph: tools.onParagraph, onCriterion: (criterion) => comments.onCriterion(criterion) });
const comments = commentTools(change, find(byId("result"), ".blocks"));
const hidden = el("section", { class: "hidden-parts", "aria-label": say("Hidden from students") });
byId("result").after(hidden);
const keys = byId("keys", HTMLInputElement);
keys.checked = localStorage.getItem(KEYS) === "on";
keys.addEventListener("change", () => localStorage.setItem(KEYS, keys.checked ? "on" : "off"));

byId("approve").addEventListener("click", () => release(!shown?.approved, !shown?.approved));
byId("delete").addEventListener("click", remove);
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target instanceof Element && event.target.closest(EDITABLE)) return;
  const letter = keys.checked ? event.key : "";
  const link = event.key === "ArrowLeft" || letter === "k" ? previousLink : event.key === "ArrowRight" || letter === "j" ? nextLink : null;
  if (link?.href) link.click();
  else if (letter === "r") byId("approve").click();
  else if (letter === "e" && comments.onKey("edit")) event.preventDefault(); // the letter would be typed into the field
  else if (letter === "h") comments.onKey("hide");
});
document.addEventListener("visibilitychange", () => document.hidden || !id || reportErrors(refresh)); // it may have changed in another window
reportErrors(async () => {
  await refresh();
  if (assignment) await showNeighbours(assignment);
});

/** @param {string} of an essay's feedback */
const addressOf = (of) => (assignment ? `/essay/assignments/${assignment}/essays/${of}` : `/essay/others/${of}`);

/** Links the essays before and after, in the order of the assignment's table. @param {string} of */
async function showNeighbours(of) {
  /** @type {Roster} */
  const { students } = await getJson(`/assignments/${of}/students`);
  const order = students.flatMap((each) => each.feedback ?? []);
  const index = order.indexOf(id ?? "");
  if (index < 0) return; // an earlier version
  byId("place").textContent = say("{place} of {all}", { place: index + 1, all: order.length });
  if (index > 0) previousLink.href = addressOf(order[index - 1]);
  if (index + 1 < order.length) nextLink.href = addressOf(order[index + 1]);
}

async function refresh() {
  /** @type {Feedback} */
  const feedback = await getJson(`/feedback/${id}`).catch((error) => {
    if (!(error instanceof RequestError) || error.status !== 404) throw error;
    const gone = say("This feedback was deleted or has expired.");
    showNothing(gone);
    throw new RequestError(gone, 404);
  });
  if (JSON.stringify(feedback) === JSON.stringify(shown)) return;
  shown = feedback;
  heading.textContent = feedback.written_by || feedback.title || say("Untitled");
  byId("review-state").textContent = feedback.approved ? say("Visible to students since {when}.", { when: formatDateTime(feedback.approved) }) : say("Students can’t see this feedback yet.");
  byId("meaning").textContent = say("Stored until {when}.", { when: formatDate(feedback.expires) });
  byId("approve").textContent = feedback.approved ? say("Take back") : say("Release");
  byId("approve").classList.toggle("primary", !feedback.approved);
  for (const format of ["pdf", "html"]) byId(format, HTMLAnchorElement).href = `${API}/feedback/${id}?format=${format}`;
  for (const button of buttons) button.disabled = false;
  tools.setFeedback(feedback);
  comments.setFeedback(feedback);
  byId("own").hidden = false;
  result.showAll({ ...feedback, note: "", grade_given: "" }); // the form above has them
  hidden.replaceChildren(...comments.hiddenComments(), ...tools.hiddenEvidence());
}

/**
 * Stores a change and shows the feedback as it is then. Returns whether it was stored.
 * @param {string} path below the feedback
 * @param {string} method
 * @param {unknown} json
 * @param {string} said then; empty: it is said elsewhere
 */
async function change(path, method, json, said = say("Saved.")) {
  let isSaved = false;
  await reportErrors(async () => {
    try {
      await request(`${API}/feedback/${id}/${path}`, { method, json });
      isSaved = true;
      if (said || byId("state").classList.contains("error")) showStatus(said);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.status === 404) await refresh(); // throws if the feedback itself is gone
      if (error.status !== 409) throw error;
      showStatus(say("Someone else has changed this in the meantime, so your change wasn’t saved."), true);
    }
    await refresh();
  });
  return isSaved;
}

/** Stores what is typed, releases the feedback or takes it back, and offers to undo that. @param {boolean} approved @param {boolean} [isAll] also what is typed where it is open */
async function release(approved, isAll) {
  const isDone = (await comments.saveTyped(isAll)) && await change("approval", "PUT", { approved, seen: Boolean(shown?.approved) });
  if (isDone) offerUndo(approved ? say("Released.") : say("Taken back."), () => release(!approved));
}

async function remove() {
  if (!confirm(say("Delete this feedback? The essay, its comments and your changes will be deleted at once, for the student too."))) return;
  await reportErrors(async () => {
    await request(`${API}/feedback/${id}`, { method: "DELETE" });
    id = null;
    showNothing(say("You have deleted this feedback."));
  });
}

/** @param {string} message */
function showNothing(message) {
  shown = null;
  byId("own").hidden = true;
  result.clear();
  hidden.replaceChildren();
  byId("review-state").textContent = message;
  byId("meaning").textContent = "";
  for (const button of buttons) button.disabled = true;
  for (const format of ["pdf", "html"]) byId(format).removeAttribute("href");
}
