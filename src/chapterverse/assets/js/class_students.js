// @ts-check
/** The students of a class: adding the names of a file, and printing the list. The rest is in the page (actions.js). */
import { refresh } from "./actions.js";
import { requestJson, showStatus } from "./api.js";
import { byId, onFilesChosen } from "./dom.js";
import { onSubmit, valuesOf } from "./forms.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { SchoolClass } from "./types" */

const names = byId("names", HTMLTextAreaElement);

onSubmit("#names-form", async (form) => {
  /** @type {SchoolClass} */
  const { skipped, wrong } = await requestJson(`/classes/${form.dataset.class}/students`, { method: "POST", json: valuesOf(form) });
  names.value = wrong.join("\n"); // what has to be corrected
  forgetDraft(form);
  await refresh();
  showStatus([skipped ? say("Added. Already in the class: {count}.", { count: skipped }) : say("Added."), wrong.length && say("Not added, because it has no valid e-mail address: {lines}", { lines: wrong.join("; ") })].filter(Boolean).join(" "), wrong.length > 0);
});
byId("print").addEventListener("click", () => print());
onFilesChosen(byId("csv", HTMLInputElement), async ([file]) => {
  names.value = [names.value.trim(), await file.text()].filter(Boolean).join("\n");
  names.dispatchEvent(new Event("input", { bubbles: true }));
  names.focus();
});
