// @ts-check
/** What was typed when a session ended. It waits in this browser until the same person has signed in again, in whichever tab the link opens. */
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
const DRAFTS = ["essay", "help-draft", "help-pending"]; // in the session storage
const MAX_MS = 24 * 3600 * 1000;
const TYPES = ["text", "search", "url", "number", "email", "datetime-local"];
const FIELDS = ["textarea", "form select[name]", "input:not([type])", ...TYPES.map((type) => `input[type=${type}]`)].join(", ");
const who = document.body.dataset.who;

if (who) restore(who);
else storeDrafts();

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
  if (notice) notice.hidden = !read(localStorage, STORE);
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
  if (before && before !== owner) for (const name of DRAFTS) sessionStorage.removeItem(name);
  write(sessionStorage, OWNER, owner);
  document.querySelector("form[action='/sign-out']")?.addEventListener("submit", () => {
    sessionStorage.clear(); // the next user of a shared computer finds nothing
    localStorage.removeItem(STORE);
  });
  /** @type {Unsaved | null} */
  const unsaved = JSON.parse(read(localStorage, STORE) ?? "null");
  if (!unsaved) return;
  localStorage.removeItem(STORE);
  if (unsaved.who !== owner || Date.now() - unsaved.at > MAX_MS) return;
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
