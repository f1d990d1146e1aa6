// @ts-check
/** Creating or changing an assignment. */
import { getJson, newKey, RequestError, requestJson } from "./api.js";
import { byId, find } from "./dom.js";
import { onSubmit, valuesOf } from "./forms.js";
import { showRubric } from "./rubric.js";
import { say } from "./texts.js";
import { forgetDraft, isChanged } from "./unsaved.js";
/** @import { Assignment } from "./types" */

const form = byId("assignment-form", HTMLFormElement);
const { assignment } = form.dataset;
/** Kept with what is typed: sent again, because the answer was lost, it does not make a second assignment. */
const key = find(form, "[name=key]", HTMLInputElement);
const due = find(form, "[name=due]", HTMLInputElement);
const classes = form.querySelector(/** @type {"select"} */ ("[name=class_id]"));
const path = assignment ? `/assignments/${assignment}` : "/assignments";
/** The assignment as it is stored, as far as this page knows. @type {unknown} */
let known = assignment && getJson(path).catch(() => null);

if (due.dataset.due && !due.value) due.value = localTime(new Date(due.dataset.due));
classes?.addEventListener("change", showNewClass);
byId("save", HTMLButtonElement).disabled = false;
onSubmit("#assignment-form", save);
showNewClass();
showRubric(form);
form.addEventListener("input", showPast);
showPast();

function showNewClass() {
  if (classes) byId("new-class").hidden = classes.value !== "";
}

/** Tells who sets a new assignment; an old one may stay as it is. */
function showPast() {
  byId("past").textContent = !assignment && due.value && new Date(due.value) < new Date() ? say("This time has already passed.") : "";
}

/** The time as the input writes it: without its zone. @param {Date} date */
function localTime(date) {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Throws RequestError if somebody else has changed the assignment since this page knew it; saved again, this page's words replace theirs. */
async function refuseStale() {
  const [before, now] = [await known, await getJson(path)];
  known = now;
  if (JSON.stringify(now) !== JSON.stringify(before)) throw new RequestError(say("Someone else has changed this assignment in the meantime. Save again to overwrite their changes."));
}

async function save() {
  if (!key.value) {
    key.value = newKey();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const { key: sent, ...json } = valuesOf(form, (field) => !field.name.endsWith("_limit") || isChanged(field)); // others may have set a limit since
  if (assignment) await refuseStale();
  /** @type {Assignment} */
  const stored = await requestJson(path, assignment ? { method: "PUT", json } : { method: "POST", json: { ...json, key: sent } });
  key.value = "";
  forgetDraft(form);
  location.assign(`/essay/assignments/${stored.id}`);
}
