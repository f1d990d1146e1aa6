// @ts-check
/** The school's settings: number of citations, tone, reading level, release, codes. */
import { getJson, reportErrors, requestJson, showStatus } from "./api.js";
import { byId, findAll } from "./dom.js";
import { formatDateTime } from "./formats.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { SchoolSettings, Setting } from "./types" */

/** @typedef {Record<string, string | number | boolean | null>} Values */
const form = byId("choices", HTMLFormElement);
/** The settings on this page, and the field of each. @type {[string, RadioNodeList | HTMLSelectElement][]} */
const fields = ["tone", "grade", "approval", "codes", "transcripts"].flatMap((name) => {
  const field = form.elements.namedItem(name);
  return field instanceof RadioNodeList || field instanceof HTMLSelectElement ? [[name, field]] : [];
});
const evidences = form.querySelector("[name=evidences]"); // with radio buttons before it
/** @type {SchoolSettings} */
let settings = JSON.parse(byId("settings").dataset.settings ?? "");
let shown = settings; // what the form was filled with

/** @param {string} name */
const settingOf = (name) => settings[/** @type {keyof SchoolSettings} */ (name)];

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (form.reportValidity()) save(changedValues());
});
const evidencesBy = form.elements.namedItem("evidences-by");
evidences?.addEventListener("input", () => evidencesBy instanceof RadioNodeList && (evidencesBy.value = "number"));
for (const button of findAll(document, "[data-reset]")) {
  button.addEventListener("click", () => save({ [button.dataset.reset ?? ""]: null }));
}
showChanges();

/** Returns the values that were changed in the form. A default that was never set stays unset. */
function changedValues() {
  /** @type {Values} */
  const values = Object.fromEntries(fields.map(([name, field]) => [name, orUnset(shownOf(name), valueIn(field.value))]));
  if (evidencesBy instanceof RadioNodeList && evidences instanceof HTMLInputElement) values.evidences = evidencesBy.value === "number" ? Number(evidences.value) : null;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== shownOf(name).value));
}

/** @param {string} name */
const shownOf = (name) => shown[/** @type {keyof SchoolSettings} */ (name)];

/** @param {string} text */
const valueIn = (text) => (["true", "false"].includes(text) ? text === "true" : /^\d+$/.test(text) ? Number(text) : text);

/** @param {Setting} setting @param {string | number | boolean} value */
const orUnset = (setting, value) => (setting.value === null && value === setting.default ? null : value);

/** Stores these values; all others are sent as they are stored now, since somebody else may have changed them. @param {Values} values */
async function save(values) {
  await reportErrors(async () => {
    /** @type {SchoolSettings} */
    const stored = await getJson("/settings");
    const current = Object.fromEntries(Object.entries(stored).map(([name, { value }]) => [name, value]));
    settings = await requestJson("/settings", { method: "PUT", json: { ...current, ...values } });
    showChanges();
    for (const name of Object.keys(values)) showValue(name);
    if (!Object.keys(changedValues()).length) forgetDraft(form);
    showStatus(say("Saved."));
  });
}

/** @param {string} name */
function showValue(name) {
  const setting = settingOf(name);
  shown = { ...shown, [name]: setting };
  const field = fields.find(([each]) => each === name)?.[1];
  if (field) field.value = String(setting.value ?? setting.default);
  if (name === "evidences" && evidencesBy instanceof RadioNodeList) evidencesBy.value = setting.value === null ? "paragraphs" : "number";
}

function showChanges() {
  for (const line of findAll(document, "[data-changed]")) line.textContent = changeText(settingOf(line.dataset.changed ?? ""));
}

/** Returns who changed a setting, and when. @param {Setting} setting */
function changeText({ changed, changed_by: by, value }) {
  if (!changed) return say("Default");
  const values = { by, when: formatDateTime(changed) };
  return value === null ? say("Reset to default by {by}, {when}.", values) : say("Changed by {by}, {when}.", values);
}
