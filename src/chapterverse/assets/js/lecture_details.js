// @ts-check
/** The open lecture's name, numbering, days and code: shown to all, changed by those who may. */
import { API, reportErrors, request, requestJson, showStatus } from "./api.js";
import { byId, copyElement, el } from "./dom.js";
import { fillForm, valuesOf } from "./forms.js";
import { say } from "./texts.js";
/** @import { LectureSession } from "./types" */

const NUMBERING = "lecture-numbers"; // in the local storage: how the last lecture was numbered
const form = byId("details", HTMLFormElement);
const link = byId("share-link", HTMLInputElement);
/** @type {LectureSession | null} */
let session = null;
/** @type {(changed: LectureSession) => void} */
let onChanged = () => {};

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", () => form.reportValidity() && reportErrors(save));
byId("share").addEventListener("click", () => reportErrors(() => changeCode("POST")));
byId("unshare").addEventListener("click", () => reportErrors(() => changeCode("DELETE")));
byId("copy").addEventListener("click", copy);

/** How a new lecture's citations are numbered: as those of the one before. @returns {LectureSession["numbering"]} */
export const usualNumbering = () => (localStorage.getItem(NUMBERING) === "lecture" ? "lecture" : "window");

/** Shows the details of a lecture. @param {LectureSession} opened @param {typeof onChanged} [changed] called after each change */
export function showDetails(opened, changed = onChanged) {
  [session, onChanged] = [opened, changed];
  const { name, code, may_change: mayChange, is_running: isRunning } = opened;
  byId("open").hidden = false;
  byId("open-name").textContent = name;
  showCondition(isRunning, mayChange);
  form.hidden = !mayChange;
  byId("share").hidden = !mayChange || Boolean(code);
  byId("shared").hidden = !code;
  if (form.contains(document.activeElement)) return; // somebody types
  fillForm(form, opened);
  byId("code").textContent = code;
  link.value = code ? `${location.origin}/lecture?code=${code}` : "";
}

/** @param {boolean} isRunning @param {boolean} [mayChange] whether it may be stopped here */
export function showCondition(isRunning, mayChange = false) {
  const text = isRunning ? say("live") : say("ended");
  const byItself = say("stops after {minutes:minute|minutes} of silence", { minutes: byId("condition").dataset.quiet });
  byId("condition").textContent = isRunning && mayChange ? `${text} · ${byItself}` : text;
}

export function hideDetails() {
  session = null;
  byId("open").hidden = true;
}

async function save() {
  if (!session) return;
  const json = valuesOf(form);
  /** @type {LectureSession} */
  let changed = await requestJson(`/sessions/${session.id}`, { method: "PUT", json });
  localStorage.setItem(NUMBERING, changed.numbering);
  if (changed.class_id && !changed.code) changed = await requestJson(`/sessions/${session.id}/code`, { method: "POST" }); // its students follow by it
  showDetails(changed);
  onChanged(changed);
  showStatus(say("Saved."));
}

/** Begins or ends sharing. @param {"POST" | "DELETE"} method */
async function changeCode(method) {
  if (!session) return;
  showDetails(await (await request(`${API}/sessions/${session.id}/code`, { method })).json());
  showStatus(method === "POST" ? say("Anyone signed in at your school can now follow with this code.") : say("The code no longer works."));
  (method === "POST" ? byId("copy") : byId("share")).focus();
}

function copy() {
  showStatus(copyElement(el("span", {}, link.value)) ? say("Copied.") : say("This browser does not allow copying. Select the text instead."));
}
