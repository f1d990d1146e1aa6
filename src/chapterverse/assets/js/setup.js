// @ts-check
/** The setup page: each form is one request; passwords and keys are written and never read back. */
import { API, request, requestJson, RequestError } from "./api.js";
import { copyElement, el, find, findAll } from "./dom.js";
import { formatDateTime, formatFigure } from "./formats.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";

const DONE = "setup-done"; // in the session storage: the section whose change led to a reload

for (const form of findAll(document, "form[data-put], form[data-post]", HTMLFormElement)) form.addEventListener("submit", (event) => submit(event, form));
for (const button of findAll(document, "[data-delete]", HTMLButtonElement)) button.addEventListener("click", () => remove(button));
for (const select of findAll(document, "select[name=kind]", HTMLSelectElement)) select.addEventListener("change", () => showKind(select));
for (const time of findAll(document, "time", HTMLTimeElement)) time.textContent = formatDateTime(time.dateTime);
showDone();

/** @param {Event} event @param {HTMLFormElement} form */
async function submit(event, form) {
  event.preventDefault();
  const values = valuesOf(form);
  const { put, post, done } = form.dataset;
  const path = put ?? post ?? "";
  const button = find(form, "button:not([type=button])", HTMLButtonElement);
  button.disabled = true;
  await inSection(form, async () => {
    const method = put ? "PUT" : "POST";
    if (!done) {
      await requestJson(path, { method, json: values });
      forgetDraft(form);
      return reload(form);
    }
    show(form, say("Please wait …"));
    const answer = await request(API + path, { method, json: Object.keys(values).length ? values : undefined });
    const result = answer.status === 204 ? {} : await answer.json();
    if (result.message) return show(form, result.message, true);
    show(form, done.replace(/\{(\w+)\}/g, (_whole, name) => (typeof result[name] === "number" ? formatFigure(result[name]) : String(result[name]))));
    if (result.address) stateOf(form).append(addressToCopy(result.address));
  });
  button.disabled = false;
}

/** Returns the form's values as JSON: numbers as numbers, an empty choice as null. @param {HTMLFormElement} form */
function valuesOf(form) {
  /** @type {Record<string, string | number | boolean | null>} */
  const values = {};
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) values[field.name] = field.value || null;
    else if (!(field instanceof HTMLInputElement) || field.matches(":disabled")) continue;
    else if (field.type === "checkbox") values[field.name] = field.checked;
    else values[field.name] = field.type === "number" ? Number(field.value) : field.value.trim();
  }
  return values;
}

/** @param {HTMLButtonElement} button */
async function remove(button) {
  if (!confirm(button.dataset.confirm ?? say("Remove this?"))) return;
  await inSection(button, async () => {
    await requestJson(button.dataset.delete ?? "", { method: "DELETE" });
    reload(button);
  });
}

/** Shows the other fields of a platform that is neither Moodle nor Canvas. @param {HTMLSelectElement} select */
function showKind(select) {
  for (const fields of findAll(document, "fieldset[data-kind]", HTMLFieldSetElement)) fields.hidden = fields.disabled = fields.dataset.kind !== select.value;
}

/** Runs an action; what went wrong is said in the element's section. @param {HTMLElement} element @param {() => Promise<void>} action */
async function inSection(element, action) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    show(element, error.message, true);
  }
}

/** @param {string} address */
function addressToCopy(address) {
  const copy = () => (button.textContent = copyElement(el("span", {}, address)) ? say("Copied.") : say("This browser does not allow copying. Select the text instead."));
  /** @type {HTMLButtonElement} */
  const button = el("button", { type: "button", on: { click: copy } }, say("Copy"));
  return el("span", { class: "address" }, el("input", { readonly: true, value: address, "aria-label": say("Address") }), button);
}

/** @param {HTMLElement} element */
function stateOf(element) {
  return find(/** @type {HTMLElement} */ (element.closest("section")), ".state");
}

/** @param {HTMLElement} element @param {string} text @param {boolean} [isError] */
function show(element, text, isError = false) {
  const state = stateOf(element);
  state.textContent = text;
  state.classList.toggle("error", isError);
}

/** Shows the page as it is now, and that the change was made. @param {HTMLElement} element */
function reload(element) {
  sessionStorage.setItem(DONE, element.closest("section")?.id ?? "");
  location.reload();
}

function showDone() {
  const id = sessionStorage.getItem(DONE);
  sessionStorage.removeItem(DONE);
  const section = id ? document.getElementById(id) : null;
  if (!section) return;
  section.scrollIntoView({ block: "nearest" });
  show(section, say("Saved."));
}
