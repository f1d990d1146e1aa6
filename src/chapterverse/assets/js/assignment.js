// @ts-check
/** An assignment: who has handed in, releasing feedback, uploading a class's essays, and scores for a platform's gradebook. */
import { API, getJson, reportErrors, request, RequestError, requestJson, showStatus } from "./api.js";
import { byId, copyElement, el, findById } from "./dom.js";
import { chosenEssays, clearEssays, offerEssayFiles } from "./essay_files.js";
import { formatDateTime, formatPercent, SEPARATOR } from "./formats.js";
import { showGlance } from "./glance.js";
import { POLL_MS, progressBar, timeLeft } from "./sources.js";
import { say } from "./texts.js";
import { offerUndo } from "./undo.js";
import { forgetDraft } from "./unsaved.js";
/** @import { Roster, RosterEntry, Released } from "./types" */

const table = byId("students", HTMLTableElement);
const { assignment, max: maxScore, course } = table.dataset;
const isCourse = course !== undefined;
const path = `/assignments/${assignment}`;
/** @type {RosterEntry | null} */
let chosen = null;
/** @type {RosterEntry[]} */
let listed = [];

/** The feedback that is ticked to be released together. @type {Set<string>} */
const ticked = new Set();
byId("release").addEventListener("click", () => reportErrors(() => release(toRelease())));
const copy = findById("copy");
copy?.addEventListener("click", () => copyLink(copy.dataset.link ?? ""));
const due = findById("due");
if (due) due.textContent = formatDateTime(due.getAttribute("datetime") ?? "");
if (isCourse) {
  byId("cancel").addEventListener("click", () => byId("score-dialog", HTMLDialogElement).close());
  byId("send-score").addEventListener("submit", (event) => {
    event.preventDefault();
    if (chosen) send(chosen);
  });
}
const uploadForm = findById("upload-form");
if (uploadForm) {
  offerEssayFiles();
  byId("send", HTMLButtonElement).disabled = false;
  uploadForm.addEventListener("submit", (event) => {
    event.preventDefault();
    reportErrors(upload);
  });
}
byId("zip").addEventListener("click", () => reportErrors(downloadAll));
byId("csv", HTMLAnchorElement).href = `${API}${path}/students.csv?separator=${SEPARATOR}`;
reportErrors(load);

/** Shows the students; while essays wait for their feedback, again and again. */
async function load() {
  if (isCourse && !listed.length) showStatus(say("Loading the course list from your learning platform …"));
  await refresh();
  const isComplete = listed.length > 0;
  if (isCourse && isComplete) showStatus("");
}

async function refresh() {
  /** @type {Roster} */
  const { students, whole } = await getJson(`${path}/students`);
  listed = students;
  const focused = document.activeElement?.closest("#students a")?.getAttribute("href");
  table.tBodies[0].replaceChildren(...(students.length ? students.map(studentRow) : [el("tr", {}, el("td", { colspan: 6 }, say("No one has handed in yet.")))]));
  if (focused) table.querySelector(/** @type {"a"} */ (`a[href="${focused}"]`))?.focus({ preventScroll: true });
  showCounts(whole);
  await showGlance(path, students);
  if (students.some((each) => each.progress === "waiting")) setTimeout(() => reportErrors(refresh), 2 * POLL_MS);
}

/** @param {boolean} isComplete */
function showCounts(isComplete) {
  const parts = [
    listed.length > 0 && say("{count} of {all} have handed in.", { count: listed.filter((each) => each.handed_in).length, all: listed.length }),
    !isComplete && say("Your learning platform could not be reached. Only students who handed in are listed."),
  ];
  byId("sheet-title").textContent = parts.filter(Boolean).join(" ") || say("Submissions");
  showWriting();
  byId("zip").hidden = !listed.some((each) => each.feedback);
  showRelease();
}

/** Shows how far the feedback on an upload is, and how long the rest takes at the pace so far. */
function showWriting() {
  const waiting = listed.filter((each) => each.progress === "waiting");
  const times = waiting.map((each) => each.handed_in);
  const together = listed.filter((each) => each.handed_in && times.includes(each.handed_in));
  const done = together.length - waiting.length;
  const seconds = Math.max(1, (Date.now() - Math.min(...together.map((each) => Date.parse(each.handed_in ?? "")))) / 1000);
  byId("writing").hidden = !waiting.length;
  if (!waiting.length) return;
  const counts = { done, all: together.length };
  const parts = [say("Feedback is being written: {done} of {all}", counts), formatPercent(done / together.length), done > 0 && timeLeft((seconds / done) * waiting.length)];
  byId("writing").replaceChildren(el("p", {}, parts.filter(Boolean).join(" · ")), progressBar(say("Feedback on the essays"), { done, total: together.length }));
}

/** Returns the students whose feedback is ready: those that are ticked, else all. */
function toRelease() {
  const ready = listed.filter((each) => each.progress === "ready");
  const chosen = ready.filter((each) => each.feedback && ticked.has(each.feedback));
  return chosen.length ? chosen : ready;
}

function showRelease() {
  const ready = listed.filter((each) => each.progress === "ready").length;
  const count = toRelease().length;
  byId("release").hidden = !ready;
  byId("release").textContent = count < ready ? say("Release {count} selected", { count }) : say("Release all {count}", { count });
}

/** @param {RosterEntry} student */
function studentRow(student) {
  const need = student.in_short?.need;
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, studentCell(student)),
    el("td", { class: "wide-only" }, student.handed_in ? el("time", { datetime: student.handed_in }, formatDateTime(student.handed_in)) : say("not yet")),
    el("td", {}, feedbackCell(student)),
    el("td", { class: "wide-only" }, need, student.in_short && el("span", { class: "soft below" }, say("{count} comments", { count: student.in_short.comments }))),
    el("td", { class: "wide-only" }, student.feedback && String(student.essay_version), answeredText(student), student.grade_given && el("span", { class: "below", dir: "auto" }, `${say("Grade")}: ${student.grade_given}`)),
    isCourse && el("td", {}, gradebookCell(student)),
  );
}

/** Returns the name, as a link to the essay, with a box to tick while the feedback is ready. @param {RosterEntry} student */
function studentCell({ name, email, feedback, progress, in_short: short }) {
  const need = short?.need;
  const href = `/essay/assignments/${assignment}/essays/${feedback}`;
  const link = feedback ? el("a", { href, "aria-label": say("Open the essay of {name}", { name }) }, name) : name;
  return el("div", { class: "student" }, progress === "ready" && feedback ? tickBox(name, feedback) : el("span", { class: "no-tick" }), el("span", {}, link, email && el("span", { class: "soft below" }, email), need && el("span", { class: "soft narrow-only" }, need)));
}

/** @param {string} name @param {string} feedback */
function tickBox(name, feedback) {
  const tick = () => {
    if (box.checked) ticked.add(feedback);
    else ticked.delete(feedback);
    showRelease();
  };
  /** @type {HTMLInputElement} */
  const box = el("input", { type: "checkbox", "aria-label": say("Select {name}’s feedback", { name }), on: { change: tick } });
  box.checked = ticked.has(feedback);
  return box;
}

/** Returns how many of the comments to read first on the version before are answered. @param {RosterEntry} student */
function answeredText({ in_short: short }) {
  return short && short.earlier > 0 && el("span", { class: "soft below" }, say("{count} of {all} comments addressed", { count: short.resolved, all: short.earlier }));
}

/** @param {RosterEntry} student */
function feedbackCell(student) {
  const { name, progress: state, feedback } = student;
  if (state === "missing") return "";
  const isReleased = state === "released" || state === "visible";
  const label = isReleased ? say("Take back {name}’s feedback", { name }) : say("Release {name}’s feedback", { name });
  const button = feedback && el("button", { type: "button", class: "small", "aria-label": label, on: { click: () => reportErrors(() => release([student], !isReleased)) } }, isReleased ? say("Take back") : say("Release"));
  return [
    el("div", { class: "row state-row" }, el("span", { class: `progress-of ${state}` }, stateName(state)), button),
    student.failed_because && el("span", { class: "soft below" }, student.failed_because),
  ];
}

/** @param {RosterEntry["progress"]} state */
function stateName(state) {
  if (state === "waiting") return say("not ready yet");
  if (state === "failed") return say("failed");
  if (state === "ready") return say("ready to release");
  if (state === "visible") return say("visible");
  return state === "released" ? say("released") : say("no longer stored");
}

/** @param {RosterEntry[]} students @param {boolean} [released] */
async function release(students, released = true) {
  await releaseFeedback(students.flatMap((each) => each.feedback ?? []), released);
}

/** @param {string[]} feedback @param {boolean} released */
async function releaseFeedback(feedback, released) {
  /** @type {Released} */
  const done = await requestJson(`${path}/release`, { method: "POST", json: { feedback, released } });
  await refresh();
  const message = released ? say("Released: {count}.", { count: done.feedback.length }) : say("Taken back: {count}.", { count: done.feedback.length });
  if (done.feedback.length) offerUndo(message, () => releaseFeedback(done.feedback, !released));
}

async function upload() {
  const button = byId("send", HTMLButtonElement);
  const essays = chosenEssays();
  showStatus(say("Uploading …"));
  button.disabled = true;
  try {
    const response = await request(`${API}${path}/essays`, { method: "POST", ...essays });
    const { essays: count, problems } = await response.json();
    clearEssays();
    byId("collect", HTMLDetailsElement).open = false;
    await refresh();
    showStatus([say("Uploaded: {count}.", { count }), ...problems].join(" "), problems.length > 0);
  } finally {
    button.disabled = false;
  }
}

/** Downloads the feedback as PDFs, and says how many there are so far: each file of a ZIP begins with the same four bytes. */
async function downloadAll() {
  const button = byId("zip", HTMLButtonElement);
  const counts = { done: 0, all: listed.filter((each) => each.feedback).length };
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  button.disabled = true;
  try {
    showStatus(say("Preparing the PDFs: {done} of {all}", counts));
    const reader = (await request(`${API}${path}/feedback.zip`)).body?.getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      parts.push(part.value);
      counts.done += new TextDecoder("latin1").decode(part.value).split("PK\x03\x04").length - 1;
      showStatus(say("Preparing the PDFs: {done} of {all}", { ...counts, done: Math.max(0, counts.done - 1) })); // one is the table
    }
    const href = URL.createObjectURL(new Blob(parts));
    el("a", { href, download: `${document.querySelector("h1")?.textContent}.zip` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    showStatus(say("Downloaded."));
  } finally {
    button.disabled = false;
  }
}

/** @param {string} link */
function copyLink(link) {
  showStatus(copyElement(el("span", {}, link)) ? say("Link copied.") : link);
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
  const score = byId("score", HTMLInputElement);
  score.value = String(student.score?.given ?? "");
  byId("comment", HTMLTextAreaElement).value = (student.score?.comment ?? "").split("\n").slice(0, -1).join("\n"); // its last line is ours
  const form = byId("send-score", HTMLFormElement);
  forgetDraft(form);
  form.dataset.draft = `score ${assignment} ${student.student}`;
  showResult("");
  byId("score-dialog", HTMLDialogElement).showModal();
}

/** @param {RosterEntry} student */
async function send(student) {
  const score = byId("score", HTMLInputElement);
  const given = score.value.trim().replace(",", ".");
  if (given && !(Number(given) >= 0 && Number(given) <= Number(maxScore))) {
    showResult(say("Give a score from 0 to {max}, or none.", { max: maxScore }), true);
    score.focus();
    return;
  }
  showResult(say("Sending …"));
  try {
    const json = { student: student.student, given: given ? Number(given) : null, comment: byId("comment", HTMLTextAreaElement).value };
    await request(`${API}${path}/score`, { method: "PUT", json });
    forgetDraft(byId("send-score", HTMLFormElement));
    byId("score-dialog", HTMLDialogElement).close();
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
