// @ts-check
/**
 * What was typed and not sent. A form with data-draft is stored as it is written, and filled in again after Back, a reload or a closed tab. What other
 * fields held when a session ended waits until the same person has signed in again.
 */
import { el, findAll, findById } from "./dom.js";
import { say } from "./texts.js";

/**
 * @typedef {object} Field
 * @property {string} id
 * @property {string} name
 * @property {string} label
 * @property {string} value
 * @property {boolean} isChoice of a list
 */
/**
 * @typedef {object} Unsaved
 * @property {string} who
 * @property {number} at milliseconds
 * @property {string} path of the page
 * @property {Record<string, string>} drafts of the session storage
 * @property {Field[]} fields that were filled in
 */

const STORE = "unsaved"; // in the local storage, which all tabs share
const OWNER = "who"; // in the session storage: whose drafts are there
const DRAFTS = ["help-pending"]; // in the session storage
const DRAFT = "draft:"; // before the name of a form, in both storages: this tab, and the next one
const DAY_MS = 24 * 3600 * 1000;
const DRAFT_DAYS = 7;
const TYPES = ["text", "search", "url", "number", "email", "datetime-local"];
const FIELDS = ["textarea", "form select[name]", "input:not([type])", ...TYPES.map((type) => `input[type=${type}]`)].join(", ");
const who = document.body.dataset.who;

if (who) restore(who);
else storeDrafts();
if (who) for (const form of findAll(document, "form[data-draft]", HTMLFormElement)) keepDraft(form, who);

/**
 * Stores what the form holds at each change, and fills in what it held before.
 * @param {HTMLFormElement} form
 * @param {string} owner
 */
function keepDraft(form, owner) {
  const name = DRAFT + form.dataset.draft;
  const isTyped = [...form.elements].some((field) => field instanceof HTMLTextAreaElement && field.value !== field.defaultValue); // before this script was there
  const stored = [sessionStorage, localStorage].map((storage) => JSON.parse(read(storage, name) ?? "null")).find((draft) => draft?.who === owner && Date.now() - draft.at < DRAFT_DAYS * DAY_MS);
  if (stored && !isTyped && fillForm(form, stored.entries)) offerDiscard(form);
  form.addEventListener("input", () => {
    const draft = JSON.stringify({ who: owner, at: Date.now(), entries: entriesOf(form) });
    for (const storage of [sessionStorage, localStorage]) write(storage, name, draft);
  });
}

/** Forgets what was typed into a form, because it has been sent. @param {HTMLFormElement} form */
export function forgetDraft(form) {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(DRAFT + form.dataset.draft);
  form.querySelector(".restored")?.remove();
}

/** @param {HTMLFormElement} form @returns {[string, string][]} */
function entriesOf(form) {
  return [...new FormData(form)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}

/** Fills in the form, and returns whether that changed it. @param {HTMLFormElement} form @param {[string, string][]} entries */
function fillForm(form, entries) {
  const before = JSON.stringify(entriesOf(form));
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) field.checked = entries.some(([name, value]) => name === field.name && value === field.value);
    else if ((field instanceof HTMLInputElement && field.type !== "file") || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) {
      const entry = entries.find(([name]) => name === field.name);
      if (entry) field.value = entry[1];
      if (entry?.[1]) field.closest("details")?.setAttribute("open", "");
    }
  }
  return JSON.stringify(entriesOf(form)) !== before;
}

/** Says that the form holds what was not sent, and offers to go back to what the page came with. @param {HTMLFormElement} form */
function offerDiscard(form) {
  const discard = () => {
    form.reset();
    form.dispatchEvent(new Event("input"));
    forgetDraft(form);
  };
  form.prepend(el("p", { class: "soft restored" }, say("We kept what you had typed."), " ", el("button", { type: "button", class: "quiet", on: { click: discard } }, say("Discard"))));
}

/** Stores what the page's fields hold, before it leads to the sign-in page. */
export function storeUnsaved() {
  /** @type {(HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement)[]} */
  const fields = findAll(document, FIELDS);
  const changed = fields.filter((field) => (field instanceof HTMLSelectElement || field.value.trim()) && field.value !== valueAtFirst(field));
  store(who ?? "", changed.map((field) => {
    const { id, name, labels, value } = field;
    return { id, name, label: labels?.[0]?.textContent?.trim() ?? "", value, isChoice: field instanceof HTMLSelectElement };
  }));
}

/** What the field held when the page came. @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field */
const valueAtFirst = (field) =>
  field instanceof HTMLSelectElement ? ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value : field.defaultValue;

/** Stores the drafts of a session that ended between two pages: the link in the letter opens another tab. */
function storeDrafts() {
  const owner = read(sessionStorage, OWNER);
  const hasEnded = new URLSearchParams(location.search).has("ended");
  if (owner && hasEnded && !read(localStorage, STORE)) store(owner, []);
  const notice = findById("unsaved");
  if (notice) notice.hidden = !Object.keys(localStorage).some((name) => name === STORE || name.startsWith(DRAFT));
}

/** @param {string} owner @param {Field[]} fields */
function store(owner, fields) {
  const drafts = Object.fromEntries(DRAFTS.map((name) => [name, read(sessionStorage, name) ?? ""]).filter(([, text]) => text));
  if (!owner || (!fields.length && !Object.keys(drafts).length)) return;
  /** @type {Unsaved} */
  const unsaved = { who: owner, at: Date.now(), path: location.pathname + location.search, drafts, fields };
  write(localStorage, STORE, JSON.stringify(unsaved));
}

/** Fills in what the same person typed before; what another person typed is removed. @param {string} owner */
function restore(owner) {
  const before = read(sessionStorage, OWNER);
  for (const name of Object.keys(localStorage)) if (name.startsWith(DRAFT) && JSON.parse(read(localStorage, name) ?? "null")?.who !== owner) localStorage.removeItem(name);
  if (before && before !== owner) sessionStorage.clear();
  write(sessionStorage, OWNER, owner);
  document.querySelector("form[action='/sign-out']")?.addEventListener("submit", () => {
    sessionStorage.clear(); // the next user of a shared computer finds nothing
    for (const name of Object.keys(localStorage)) if (name === STORE || name.startsWith(DRAFT)) localStorage.removeItem(name);
  });
  /** @type {Unsaved | null} */
  const unsaved = JSON.parse(read(localStorage, STORE) ?? "null");
  if (!unsaved) return;
  localStorage.removeItem(STORE);
  if (unsaved.who !== owner || Date.now() - unsaved.at > DAY_MS) return;
  for (const [name, draft] of Object.entries(unsaved.drafts)) if (!read(sessionStorage, name)) write(sessionStorage, name, draft);
  const isHere = unsaved.path === location.pathname + location.search;
  if (!isHere && unsaved.fields.length) write(localStorage, STORE, JSON.stringify({ ...unsaved, drafts: {} })); // until their page is opened
  addEventListener("DOMContentLoaded", () => showFields(unsaved, isHere)); // after the page's own script
}

/** Fills in the fields of their page; those that are not there are shown above it, with a way to that page. @param {Unsaved} unsaved @param {boolean} isHere */
function showFields({ path, fields }, isHere) {
  const others = fields.filter((field) => !(isHere && fill(field)) && !field.isChoice);
  if (!others.length) return;
  const remove = () => {
    localStorage.removeItem(STORE);
    box.remove();
  };
  /** @type {HTMLElement} */
  const box = el(
    "section",
    { class: "card", "aria-labelledby": "unsaved-title" },
    el("h2", { id: "unsaved-title" }, say("What you typed before your session ended")),
    others.map(({ label, value }) => el("p", {}, el("label", {}, label, el("textarea", { rows: Math.min(8, 1 + Math.floor(value.length / 80)), readonly: true }, value)))),
    el("p", { class: "row" }, !isHere && el("a", { class: "button primary", href: path }, say("Continue there")), el("button", { type: "button", on: { click: remove } }, say("Remove"))),
  );
  findById("main")?.prepend(box);
}

/** Fills in a field and returns whether it is there and was free. @param {Field} field */
function fill({ id, name, value }) {
  const found = findAll(document, FIELDS).find((one) => (id ? one.id === id : Boolean(name) && one.getAttribute("name") === name));
  const isChoice = found instanceof HTMLSelectElement;
  if (!(isChoice || found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement)) return false;
  if (found.value === value) return true;
  if (found.value && found.value !== valueAtFirst(found)) return false;
  found.value = value;
  found.closest("details")?.setAttribute("open", "");
  found.dispatchEvent(new Event(isChoice ? "change" : "input", { bubbles: true }));
  return true;
}

/** @param {Storage} storage @param {string} name */
function read(storage, name) {
  try {
    return storage.getItem(name);
  } catch {
    return null; // no storage
  }
}

/** @param {Storage} storage @param {string} name @param {string} text */
function write(storage, name, text) {
  try {
    storage.setItem(name, text);
  } catch {
    // full or unavailable
  }
}
