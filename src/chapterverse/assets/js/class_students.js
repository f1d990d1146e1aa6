// @ts-check
/** The students of a class: adding the names of a file, and printing the list. The rest is in the page (actions.js). */
import { refresh } from "./actions.js";
import { requestJson, showStatus } from "./api.js";
import { byId, findAll, onFilesChosen, typeInto } from "./dom.js";
import { onSubmit, valuesOf } from "./forms.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { SchoolClass } from "./types" */

const names = byId("names", HTMLTextAreaElement);

onSubmit("#names-form", async (form) => {
  const before = findAll(document, "#rows [data-ask]").length;
  /** @type {SchoolClass} */
  const { students, skipped, wrong } = await requestJson(`/classes/${form.dataset.class}/students`, { method: "POST", json: valuesOf(form) });
  forgetDraft(form);
  typeInto(names, wrong.join("\n")); // what has to be corrected
  await refresh();
  showStatus([students.length > before && say("Added."), skipped > 0 && say("Already in the class: {count}.", { count: skipped }), wrong.length > 0 && say("Not added because the e-mail address is wrong: {lines}", { lines: wrong.join("; ") })].filter(Boolean).join(" "), wrong.length > 0);
});
byId("print").addEventListener("click", () => print());
onFilesChosen(byId("csv", HTMLInputElement), async ([file]) => {
  typeInto(names, [names.value.trim(), await file.text()].filter(Boolean).join("\n"));
  names.focus();
});
