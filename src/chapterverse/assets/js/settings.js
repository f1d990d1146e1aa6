// @ts-check
/** The school's settings: number of citations, tone, reading level, release, codes; the thresholds are in calibration.js. */
import { getJson, reportErrors, requestJson, showStatus } from "./api.js";
import { offerCalibration } from "./calibration.js";
import { byId, findAll } from "./dom.js";
import { formatDateTime } from "./formats.js";
import { say } from "./texts.js";
/** @import { SchoolSettings, Setting } from "./types" */

/** @typedef {Record<string, string | number | boolean | null>} Values */
/** @typedef {HTMLFormControlsCollection & { evidences: HTMLInputElement, "evidences-by": RadioNodeList, tone: RadioNodeList, approval: RadioNodeList, codes: RadioNodeList, grade: HTMLSelectElement }} Fields */

const form = byId("choices", HTMLFormElement);
const fields = /** @type {Fields} */ (form.elements);
/** @type {SchoolSettings} */
let settings = JSON.parse(byId("settings").dataset.settings ?? "");
let shown = settings; // what the form was filled with

/** @param {string} name */
const settingOf = (name) => settings[/** @type {keyof SchoolSettings} */ (name)];

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (form.reportValidity()) save(changedValues(), showValues);
});
fields.evidences.addEventListener("input", () => (fields["evidences-by"].value = "number"));
for (const button of findAll(document, "[data-reset]")) {
  button.addEventListener("click", () => save({ [button.dataset.reset ?? ""]: null }, showValues));
}
for (const details of findAll(document, ".threshold", HTMLDetailsElement)) {
  const name = `least_${details.dataset.collection}`;
  offerCalibration(details, { setting: () => settingOf(name), save: (threshold) => save({ [name]: threshold }), changeText });
}
showChanges();

/** Returns the values that were changed in the form. A default that was never set stays unset. */
function changedValues() {
  const evidences = fields["evidences-by"].value === "number" ? Number(fields.evidences.value) : null;
  /** @type {Values} */
  const values = {
    evidences,
    tone: orUnset(shown.tone, fields.tone.value),
    grade: orUnset(shown.grade, Number(fields.grade.value)),
    approval: orUnset(shown.approval, fields.approval.value === "true"),
    codes: orUnset(shown.codes, fields.codes.value === "true"),
  };
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== shown[/** @type {keyof SchoolSettings} */ (name)].value));
}

/** @param {Setting} setting @param {string | number | boolean} value */
const orUnset = (setting, value) => (setting.value === null && value === setting.default ? null : value);

/**
 * Stores these values; all others are sent as they are stored now, since somebody else may have changed them.
 * @param {Values} values
 * @param {() => void} [then]
 */
async function save(values, then = () => {}) {
  await reportErrors(async () => {
    /** @type {SchoolSettings} */
    const stored = await getJson("/settings");
    const current = Object.fromEntries(Object.entries(stored).map(([name, { value }]) => [name, value]));
    settings = await requestJson("/settings", { method: "PUT", json: { ...current, ...values } });
    showChanges();
    then();
    showStatus(say("Saved."));
  });
}

function showValues() {
  shown = settings;
  fields["evidences-by"].value = settings.evidences.value === null ? "paragraphs" : "number";
  fields.tone.value = String(settings.tone.value ?? settings.tone.default);
  fields.grade.value = String(settings.grade.value ?? settings.grade.default);
  fields.approval.value = String(settings.approval.value ?? settings.approval.default);
  fields.codes.value = String(settings.codes.value ?? settings.codes.default);
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
