// @ts-check
/** An assignment's students: who has submitted, and scores for the gradebook. */
import { API, getJson, reportErrors, request, RequestError, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { formatDateTime } from "./formats.js";
import { say } from "./texts.js";
/** @import { Roster, RosterEntry } from "./types" */

const table = byId("students", HTMLTableElement);
const dialog = byId("score-dialog", HTMLDialogElement);
const score = byId("score", HTMLInputElement);
const comment = byId("comment", HTMLTextAreaElement);
const path = `/assignments/${table.dataset.assignment}`;
const maxScore = table.dataset.max;
/** @type {RosterEntry | null} */
let chosen = null;

byId("cancel").addEventListener("click", () => dialog.close());
byId("send").addEventListener("submit", (event) => {
  event.preventDefault();
  if (chosen) send(chosen);
});
reportErrors(load);

async function load() {
  showStatus(say("Loading the course list from your learning platform …"));
  /** @type {Roster} */
  const { students, whole: isComplete } = await getJson(`${path}/students`);
  table.tBodies[0].replaceChildren(...students.map(studentRow));
  if (!students.length) showStatus(say("No one has handed in yet."));
  else if (!isComplete) showStatus(say("Your learning platform could not be reached. Only students who handed in are listed."));
  else showStatus(say("{count} of {all} have handed in.", { count: students.filter((each) => each.handed_in).length, all: students.length }));
}

/** @param {RosterEntry} student */
function studentRow(student) {
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, student.name, student.email && el("span", { class: "soft below" }, student.email)),
    el("td", {}, submissionCell(student)),
    el("td", {}, gradebookCell(student)),
  );
}

/** @param {RosterEntry} student */
function submissionCell({ name, handed_in: submitted, feedback, approved }) {
  if (!submitted) return say("not yet");
  const link = el("a", { href: `/essay/classes/others/${feedback}`, "aria-label": say("Open the essay of {name}", { name }) }, say("Open"));
  return [
    el("time", { datetime: submitted, class: "below" }, formatDateTime(submitted)),
    feedback ? link : el("span", { class: "soft" }, say("no longer stored")),
    feedback && !approved && el("span", { class: "soft below" }, say("waiting for approval")),
  ];
}

/** @param {RosterEntry} student */
function gradebookCell(student) {
  if (!student.handed_in) return "";
  const sent = student.score;
  const label = say("Send {name}’s score or comment", { name: student.name });
  return [
    sent && el("span", { class: "below" }, sent.given === null ? say("comment sent") : say("{given} of {most} sent", sent)),
    el("button", { type: "button", "aria-label": label, on: { click: () => open(student) } }, sent ? say("Send again") : say("Send …")),
  ];
}

/** @param {RosterEntry} student */
function open(student) {
  chosen = student;
  byId("score-dialog-title").textContent = student.name;
  score.value = String(student.score?.given ?? "");
  comment.value = (student.score?.comment ?? "").split("\n").slice(0, -1).join("\n"); // its last line is ours
  showResult("");
  dialog.showModal();
}

/** @param {RosterEntry} student */
async function send(student) {
  const given = score.value.trim().replace(",", ".");
  if (given && !(Number(given) >= 0 && Number(given) <= Number(maxScore))) {
    showResult(say("Give a score from 0 to {max}, or none.", { max: maxScore }), true);
    score.focus();
    return;
  }
  showResult(say("Sending …"));
  try {
    const json = { student: student.student, given: given ? Number(given) : null, comment: comment.value };
    await request(`${API}${path}/score`, { method: "PUT", json });
    dialog.close();
    await reportErrors(load);
    showStatus(say("Sent to the gradebook: {name}.", { name: student.name }));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showResult(error.message, true);
  }
}

/** @param {string} message @param {boolean} [isError] */
function showResult(message, isError = false) {
  byId("score-state").textContent = message;
  byId("score-state").classList.toggle("error", isError);
}
