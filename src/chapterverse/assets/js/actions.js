// @ts-check
/**
 * What one does with what the server has written. A button, choice or form with data-do sends that request ("DELETE /people/anna"); afterwards the parts of
 * the page with data-live are shown as they are then. data-confirm: a question before it; data-ask: a question for the value of data-name; data-json: what
 * is sent; data-test: the form that is sent then, to see whether it works; data-done: what is said; data-then: where it leads; data-changes: only what was changed is sent.
 */
import { API, reportErrors, request, requestPage, showStatus } from "./api.js";
import { showDates } from "./dates.js";
import { byId, copyElement, el, find, findAll, findById } from "./dom.js";
import { formatFigure } from "./formats.js";
import { changesOf, onSubmit, valuesOf } from "./forms.js";
import { say } from "./texts.js";
import { forgetDraft, isChanged } from "./unsaved.js";

const WAIT_MS = 3000; // between two looks at what is still on its way
const { href, pathname } = location; // of the page: the viewer beside it has an address of its own

/** What is being sent: a double click sends it once. @type {WeakSet<Element>} */
const underWay = new WeakSet();

onSubmit("[data-do]", (form) => act(form, "changes" in form.dataset ? changesOf(form) : valuesOf(form)));
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button?.dataset.do) act(button, JSON.parse(button.dataset.json ?? "{}"));
  if (button && "copy" in button.dataset) copy(button);
});
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement && target.dataset.do) act(target, { [target.name]: target.value });
  if (target instanceof HTMLSelectElement && target.form && "parts" in target.form.dataset) reportErrors(() => refresh());
});
document.addEventListener("input", ({ target }) => target instanceof HTMLElement && target.dataset.filter && filter(target.dataset.filter));

let timer = 0;
if (document.querySelector("[data-parts]")) reportErrors(() => refresh()); // what takes longer than the page
else watch();

/** While something in a part is on its way (data-waits), the parts are shown again and again, also after a lost connection. */
function watch() {
  clearTimeout(timer);
  if (document.querySelector("[data-live] [data-waits]")) timer = setTimeout(() => reportErrors(() => refresh()).finally(watch), WAIT_MS);
}

/** Sends what an element stands for. @param {HTMLElement} element @param {Record<string, unknown>} values */
async function act(element, values) {
  const { do: wanted = "", confirm: question, ask, name = "", value, test, done = say("Saved."), then } = element.dataset;
  const section = element.closest("section")?.id ?? "";
  const answer = ask ? prompt(ask, value)?.trim() : "";
  if (underWay.has(element) || (question && !confirm(question)) || (ask && (!answer || answer === value))) return;
  const json = ask ? { [name]: answer } : values;
  const choice = element instanceof HTMLSelectElement ? element.selectedOptions[0]?.text : "";
  const [method, path] = wanted.split(" ");
  underWay.add(element);
  await reportErrors(async () => {
    showStatus(say("Please wait …"), false, element);
    try {
      const response = await request(API + path, { method, json: Object.keys(json).length ? json : undefined });
      const result = { choice, ...(response.status === 204 ? {} : await response.json()) };
      if (element instanceof HTMLFormElement) forgetDraft(element);
      if (then) return location.assign(then);
      await refresh(element);
      const near = findAll(findById(section) ?? document, "form[data-do]").find((form) => form.dataset.do === wanted) ?? findById(section);
      if (test) return find(document, `form[data-do="${test}"]`, HTMLFormElement).requestSubmit();
      if (result.message) return showStatus(result.message, true, near);
      const line = showStatus(done.replace(/\{(\w+)\}/g, (_whole, name) => (typeof result[name] === "number" ? formatFigure(result[name]) : String(result[name]))), false, near);
      if (result.address) line.append(toCopy(result.address, say("Address")));
    } finally {
      if (element instanceof HTMLSelectElement) for (const option of element.options) option.selected = option.defaultSelected;
      underWay.delete(element);
    }
  }, element);
}

/** Returns where the parts are: a query that data-parts names, or a form with it holds; else the page itself. */
function partsAddress() {
  /** @type {HTMLElement | null} */
  const named = document.querySelector("[data-parts]");
  const query = named instanceof HTMLFormElement ? Object.entries(valuesOf(named)).flatMap(([name, value]) => (value ? `${name}=${value}` : [])).join("&") : named?.dataset.parts;
  return query ? `${pathname}?${query}` : href;
}

/**
 * Shows the parts with data-live as the server has them now, but for those in which somebody writes. What had the focus has it again.
 * @param {Element | null} [sent] whose part is shown in any case
 */
export async function refresh(sent = null) {
  const { page } = await requestPage(partsAddress());
  const parts = findAll(document, "[data-live]");
  const focused = parts.some((part) => part.contains(document.activeElement)) ? nameOf(document.activeElement) : null;
  const open = findAll(document, "[data-live] details[id][open]").map(({ id }) => id);
  for (const part of parts) {
    if (!part.contains(sent) && findAll(part, "input, textarea, select", HTMLInputElement).some((field) => field.form && isChanged(field))) continue;
    const now = page.getElementById(part.id);
    const chosen = part instanceof HTMLSelectElement ? part.selectedOptions[0]?.value : null;
    part.replaceChildren(...(now?.childNodes ?? []));
    for (const option of part.querySelectorAll("option")) if (option.value === chosen) option.selected = true;
    part.hidden = now?.hidden ?? true;
  }
  for (const id of open) findById(id)?.setAttribute("open", "");
  showDates();
  document.dispatchEvent(new Event("refreshed"));
  watch();
  for (const list of new Set(findAll(document, "[data-filter]").map((field) => field.dataset.filter ?? ""))) filter(list);
  if (focused) (findAll(document, "[data-live] :is(a, button, input, select)").find((each) => nameOf(each) === focused) ?? byId("main")).focus({ preventScroll: true });
}

/** @param {Element | null} element */
const nameOf = (element) => element && [element.tagName, element.id, element.getAttribute("aria-label") ?? element.textContent].join(" ");

/** Shows what all fields for a list let through: those named "words" what has these words, others what has their value. @param {string} list its id */
function filter(list) {
  const fields = findAll(document, `[data-filter="${list}"]`, HTMLInputElement);
  const all = findAll(byId(list), "[data-words]");
  for (const each of all) {
    const words = (each.dataset.words ?? "").toLowerCase();
    each.hidden = !fields.every(({ name, value }) => (name === "words" ? value.toLowerCase().split(/\s+/).every((word) => words.includes(word)) : ["*", each.dataset[name]].includes(value)));
  }
  byId(`${list}-none`).hidden = !all.length || all.some((each) => !each.hidden);
}

/** Copies a button's own text, else what stands in the field before it. @param {HTMLButtonElement} button */
function copy(button) {
  const before = button.previousElementSibling;
  const text = button.dataset.copy || (before instanceof HTMLInputElement ? before.value : "");
  showStatus(copyElement(el("span", {}, text)) ? say("Copied.") : say("This browser doesn’t allow copying. Select the text instead."), false, button);
}

/** Returns a text in a field with a button that copies it. @param {string} text @param {string} name @param {string} [does] what the button says to who does not see */
export const toCopy = (text, name, does) =>
  el("span", { class: "address" }, el("input", { readonly: true, value: text, "aria-label": name }), el("button", { type: "button", "aria-label": does, dataset: { copy: "" } }, say("Copy")));
