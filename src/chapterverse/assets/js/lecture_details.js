// @ts-check
/** The open lecture's name, class and code: shown to all, changed by those who may. */
import { reportErrors, requestJson, showStatus } from "./api.js";
import { byId, copyElement, el } from "./dom.js";
import { fillForm, valuesOf } from "./forms.js";
import { say } from "./texts.js";
import { forgetDraft, settle } from "./unsaved.js";
/** @import { LectureSession } from "./types" */

const form = byId("details", HTMLFormElement);
const link = byId("share-link", HTMLInputElement);
/** @type {LectureSession | null} */
let session = null;
/** @type {(changed: LectureSession) => void} */
let onChanged = () => {};

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", () => form.reportValidity() && reportErrors(() => save()));
form.addEventListener("input", ({ target }) => target === form && reportErrors(() => save())); // what was typed and not stored is there again
byId("share").addEventListener("click", () => reportErrors(() => share(true)));
byId("unshare").addEventListener("click", () => reportErrors(() => share(false)));
byId("copy").addEventListener("click", copy);

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
  settle(form);
  form.dataset.draft = `lecture ${opened.id}`;
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

/** Stores what the form says. @param {boolean | null} shared whether others follow the lecture, a class that is chosen by its code, too; null: as it is */
async function save(shared = valuesOf(form).class_id && !session?.code ? true : null) {
  if (!session) return;
  /** @type {LectureSession} */
  const changed = await requestJson(`/sessions/${session.id}`, { method: "PUT", json: { ...valuesOf(form), shared } });
  forgetDraft(form);
  showDetails(changed);
  onChanged(changed);
  showStatus(say("Saved."));
}

/** Begins or ends sharing. @param {boolean} shared */
async function share(shared) {
  await save(shared);
  showStatus(shared ? say("Anyone signed in at your school can now follow with this code.") : say("The code no longer works."));
  (shared ? byId("copy") : byId("share")).focus();
}

function copy() {
  showStatus(copyElement(el("span", {}, link.value)) ? say("Copied.") : say("This browser doesn’t allow copying. Select the text instead."));
}
