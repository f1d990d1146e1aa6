// @ts-check
/** The help desk's approved and proposed answers: writing and editing one, approving all. The rest is in the page (actions.js). */
import { refresh } from "./actions.js";
import { reportErrors, requestJson, showStatus } from "./api.js";
import { byId, find, findAll } from "./dom.js";
import { fillForm, onSubmit, valuesOf } from "./forms.js";
import { say } from "./texts.js";
import { forgetDraft, kept, settle } from "./unsaved.js";
/** @import { FaqEntry } from "./types" */

/** What redaction puts in place of personal data. */
const REDACTED = /<(PERSON|EMAIL_ADDRESS|ID|PHONE_NUMBER|IBAN_CODE|CREDIT_CARD|IP_ADDRESS)>/g;
const form = byId("entry-form", HTMLFormElement);
/** What the form changes; null: it is a new one. @type {FaqEntry | null} */
let edited = null;

byId("write").addEventListener("click", () => edit(null));
byId("cancel").addEventListener("click", closeForm);
byId("entries").addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  if (target.dataset.edit) edit(JSON.parse(target.dataset.edit));
  if (target.id === "approve-all") reportErrors(approveAll, form);
});
form.addEventListener("input", showRedactions);
onSubmit("#entry-form", save);
addEventListener("faq-changed", () => reportErrors(() => refresh()));
const [, linked] = location.hash.split("#answer=");
if (linked) findAll(document, "[data-edit]").find((button) => button.closest("li")?.dataset.id === linked)?.click();
else if (kept("answer ")) edit(null);

/** Approves the proposals that are shown; those from which personal data was removed are read one by one. */
async function approveAll() {
  const shown = findAll(document, "#entries [data-proposal]").filter((each) => !each.hidden);
  showStatus(say("Publishing …"), false, form);
  const { entries } = await requestJson("/faq/approval", { method: "PUT", json: { entries: shown.map((each) => each.dataset.id), approved: true, read: false } });
  await refresh();
  const unread = entries.filter((/** @type {FaqEntry} */ entry) => !entry.approved).length;
  showStatus(unread ? say("Approved, except {count:answer|answers} that had personal data removed. Read each one before you approve it.", { count: unread }) : say("Approved. The answer is live now."), false, form);
}

/** Opens the form for an answer. @param {FaqEntry | null} entry null: a new one */
function edit(entry) {
  edited = entry;
  fillForm(form, entry ?? { question: "", answer: "", department: "" });
  settle(form);
  form.dataset.draft = `answer ${entry?.id ?? ""}`;
  byId("answers", HTMLDetailsElement).open = true;
  form.hidden = false;
  showRedactions();
  form.scrollIntoView({ block: "nearest" });
  find(form, "textarea").focus();
}

/** Says whether something in what is written was redacted. */
function showRedactions() {
  const { question, answer } = valuesOf(form);
  byId("hint").hidden = !`${question} ${answer}`.match(REDACTED);
  byId("hint").textContent = say("Personal data was removed. Rewrite the sentence so it isn’t needed.");
}

function closeForm() {
  form.hidden = true;
  if (linked) history.replaceState(null, "", location.pathname);
  byId("write").focus();
}

/** @param {HTMLFormElement} _form @param {SubmitEvent} sent */
async function save(_form, { submitter }) {
  const { department, ...texts } = valuesOf(form);
  /** @type {FaqEntry} */
  const saved = await requestJson(`/faq${edited ? `/${edited.id}` : ""}`, { method: edited ? "PUT" : "POST", json: { ...texts, department: department || null } });
  const isApproved = submitter instanceof HTMLButtonElement && submitter.value === "approve";
  if (isApproved) await requestJson("/faq/approval", { method: "PUT", json: { entries: [saved.id], approved: true, read: true } });
  forgetDraft(form);
  closeForm();
  await refresh();
  showStatus(isApproved ? say("Approved. The answer is live now.") : say("Saved as a proposal. The answer goes live once approved."), false, form);
}
