// @ts-check
/** Forms: what they hold, by the names of their fields, and what happens when they are sent. */
import { reportErrors } from "./api.js";
import { fieldsOf } from "./dom.js";
import { isChanged } from "./unsaved.js";

/** @typedef {Record<string, string | number | boolean | null | string[]>} Values by name of the field */

/**
 * Returns what a form holds as the HTTP interface takes it: a box is true or false, boxes with values are the list of those that are ticked, a time has
 * its zone. What is empty and no text is null.
 * @param {HTMLFormElement} form
 * @param {(field: import("./dom.js").Field) => boolean} [isWanted]
 */
export function valuesOf(form, isWanted = () => true) {
  /** @type {Values} */
  const values = {};
  for (const field of fieldsOf(form)) {
    const { name, type, value } = field;
    const isOn = field instanceof HTMLInputElement && field.checked;
    if (!name || field.matches(":disabled") || !isWanted(field) || (type === "radio" && !isOn)) continue;
    if (type === "checkbox") values[name] = field.hasAttribute("value") ? [...(Array.isArray(values[name]) ? values[name] : []), ...(isOn ? [value] : [])] : isOn;
    else if (["number", "datetime-local", "select-one", "hidden", "radio"].includes(type)) values[name] = value === "" ? null : typed(type, value);
    else values[name] = value.trim();
  }
  return values;
}

/** @param {string} type of the field @param {string} value */
function typed(type, value) {
  if (type === "number") return Number(value);
  if (type === "datetime-local") return new Date(value).toISOString();
  return ["true", "false"].includes(value) ? value === "true" : value;
}

/** Returns what was changed in a form, as valuesOf. @param {HTMLFormElement} form */
export const changesOf = (form) => valuesOf(form, isChanged);

/** Fills a form's fields with the values of their names; what has no field is left out. @param {HTMLFormElement} form @param {{ [name: string]: unknown }} values */
export function fillForm(form, values) {
  for (const field of fieldsOf(form)) if (field.name in values) field.value = String(values[field.name] ?? "");
}

/**
 * Does this when a form is sent, also one that comes later; its button is off meanwhile, and what goes wrong is said beside it.
 * @param {string} which selector of the form
 * @param {(form: HTMLFormElement, sent: SubmitEvent) => unknown} action
 */
export function onSubmit(which, action) {
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter: button } = event;
    if (!(form instanceof HTMLFormElement) || !form.matches(which)) return;
    event.preventDefault();
    if (button instanceof HTMLButtonElement) button.disabled = true;
    await reportErrors(() => action(form, event), form);
    if (button instanceof HTMLButtonElement) button.disabled = false;
  });
}
