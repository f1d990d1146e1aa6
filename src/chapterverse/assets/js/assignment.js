// @ts-check
/** An assignment: releasing feedback, a class's names and essays, and scores for a platform's gradebook. The rest is in the page (actions.js). */
import { refresh } from "./actions.js";
import { API, request, RequestError, requestJson, reportErrors, showStatus } from "./api.js";
import { byId, el, findAll, findById, onFilesChosen, typeInto } from "./dom.js";
import { chosenEssays, clearEssays, offerEssayFiles } from "./essay_files.js";
import { onSubmit, valuesOf } from "./forms.js";
import { formatPercent } from "./formats.js";
import "./page_viewer.js";
import { timeLeft } from "./sources.js";
import { say } from "./texts.js";
import { offerUndo } from "./undo.js";
import { forgetDraft, settle } from "./unsaved.js";
/** @import { Released, RosterEntry, SchoolClass } from "./types" */

/** @typedef {Pick<RosterEntry, "student" | "name" | "score">} Graded */

const { assignment, max: maxScore, course } = byId("assignment").dataset;
const path = `/assignments/${assignment}`;
/** @type {Graded | null} */
let chosen = null;
/** The feedback that is ticked to be released together. @type {Set<string>} */
const ticked = new Set();
const [uploadForm, names] = [findById("upload-form"), findById("names")];

byId("release").addEventListener("click", () => reportErrors(() => release(toRelease(), true)));
byId("students").addEventListener("click", ({ target }) => {
  const { release: released, feedback = "", student } = target instanceof HTMLButtonElement ? target.dataset : {};
  if (released) reportErrors(() => release([feedback], released === "true"));
  if (student) open(JSON.parse(student));
});
byId("students").addEventListener("change", () => {
  for (const box of boxes()) ticked[box.checked ? "add" : "delete"](box.value);
  showRelease();
});
document.addEventListener("refreshed", () => {
  for (const box of boxes()) box.checked = ticked.has(box.value);
  showRelease();
  showWriting();
  byId("zip").hidden = !findAll(document, "#students a").length;
});
if (course !== undefined) {
  showStatus(say("Loading the course list from your learning platform …"));
  document.addEventListener("refreshed", () => showStatus(""), { once: true });
  byId("cancel").addEventListener("click", () => byId("score-dialog", HTMLDialogElement).close());
  onSubmit("#send-score", () => chosen && send(chosen));
}
if (uploadForm) {
  offerEssayFiles();
  byId("send", HTMLButtonElement).disabled = false;
  onSubmit("#upload-form", () => upload());
}
if (names instanceof HTMLTextAreaElement) {
  onSubmit("#names-form", (form) => addNames(form, names));
  byId("print").addEventListener("click", () => print());
  onFilesChosen(byId("names-file", HTMLInputElement), async ([file]) => {
    typeInto(names, [names.value.trim(), await file.text()].filter(Boolean).join("\n"));
    names.focus();
  });
}
byId("zip").addEventListener("click", () => reportErrors(downloadAll));
byId("csv", HTMLAnchorElement).href = `${API}${path}/students.csv`;

/** The boxes of the feedback that is ready. */
const boxes = () => findAll(document, "#students [name=tick]", HTMLInputElement);

/** Adds those named to the class. @param {HTMLFormElement} form @param {HTMLTextAreaElement} names */
async function addNames(form, names) {
  const before = findAll(document, "#class-rows [data-ask]").length;
  /** @type {SchoolClass} */
  const { students, skipped, wrong } = await requestJson(`/classes/${form.dataset.class}/students`, { method: "POST", json: valuesOf(form) });
  forgetDraft(form);
  typeInto(names, wrong.join("\n")); // what has to be corrected
  await refresh();
  showStatus([students.length > before && say("Added."), skipped > 0 && say("Already in the class: {count}.", { count: skipped }), wrong.length > 0 && say("Not added, invalid e-mail address: {lines}", { lines: wrong.join("; ") })].filter(Boolean).join(" "), wrong.length > 0);
}

/** Returns the feedback that is ready: what is ticked, else all. */
function toRelease() {
  const ready = boxes().map((box) => box.value);
  const wanted = ready.filter((each) => ticked.has(each));
  return wanted.length ? wanted : ready;
}

function showRelease() {
  const [ready, count] = [boxes().length, toRelease().length];
  byId("release").hidden = !ready;
  byId("release").textContent = ready === 1 ? say("Release") : count < ready ? say("Release {count} selected", { count }) : say("Release all {count}", { count });
}

/** Shows how long the feedback on an upload takes at the pace so far, which the first ones do not tell. */
function showWriting() {
  const line = byId("writing").querySelector("p");
  if (!line) return;
  const [done, all] = [Number(line.dataset.done), Number(line.dataset.all)];
  const seconds = Math.max(1, (Date.now() - Date.parse(line.dataset.since ?? "")) / 1000);
  line.append([" · ", formatPercent(done / all), done > 2 ? ` · ${timeLeft((seconds / done) * (all - done))}` : ""].join(""));
}

/** @param {string[]} feedback @param {boolean} released */
async function release(feedback, released) {
  /** @type {Released} */
  const done = await requestJson(`${path}/release`, { method: "POST", json: { feedback, released } });
  await refresh();
  const message = released ? say("Released: {count}.", { count: done.feedback.length }) : say("Taken back: {count}.", { count: done.feedback.length });
  if (done.feedback.length) offerUndo(message, () => release(done.feedback, !released));
}

/** Uploads the essays; asks first where students have handed in others. @param {boolean} [replace] what they handed in */
async function upload(replace = false) {
  showStatus(say("Uploading …"));
  try {
    const { essays, problems } = await requestJson(`${path}/essays?replace=${replace}`, { method: "POST", ...chosenEssays() });
    clearEssays();
    byId("collect", HTMLDetailsElement).open = false;
    await refresh();
    showStatus([say("Uploaded: {count}.", { count: essays }), ...problems].join(" "), problems.length > 0);
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 409)) throw error;
    showStatus("");
    if (confirm(error.message)) await upload(true);
  }
}

/** Downloads the feedback as PDFs, and says how many there are so far: each file of a ZIP begins with the same four bytes. */
async function downloadAll() {
  const button = byId("zip", HTMLButtonElement);
  const counts = { done: 0, all: findAll(document, "#students a").length };
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

/** @param {Graded} student */
function open(student) {
  const form = byId("send-score", HTMLFormElement);
  chosen = student;
  byId("score-dialog-title").textContent = student.name;
  byId("score", HTMLInputElement).value = String(student.score?.given ?? "");
  byId("comment", HTMLTextAreaElement).value = (student.score?.comment ?? "").split("\n").slice(0, -1).join("\n"); // its last line is ours
  settle(form);
  form.dataset.draft = `score ${assignment} ${student.student}`;
  showStatus("", false, form);
  byId("score-dialog", HTMLDialogElement).showModal();
}

/** @param {Graded} student */
async function send({ student, name }) {
  const [form, score] = [byId("send-score", HTMLFormElement), byId("score", HTMLInputElement)];
  const given = score.value.trim().replace(",", ".");
  if (given && !(Number(given) >= 0 && Number(given) <= Number(maxScore))) {
    score.focus();
    throw new RequestError(say("Enter a score from 0 to {max}, or leave the field empty.", { max: maxScore }));
  }
  showStatus(say("Sending …"), false, form);
  const json = { student, given: given ? Number(given) : null, comment: byId("comment", HTMLTextAreaElement).value };
  await request(`${API}${path}/score`, { method: "PUT", json });
  forgetDraft(form);
  byId("score-dialog", HTMLDialogElement).close();
  await refresh();
  showStatus(say("Sent to the gradebook: {name}.", { name }));
}
