// @ts-check
/**
 * What was typed and not sent. A form with data-draft, its name, is stored while it is filled in, and filled in again after Back, a reload, a closed tab,
 * or a session that ended; also if a script adds or renames it. Its script calls forgetDraft once it is sent. What was typed under another data-since is offered.
 */
import { el, fieldsOf, findAll, findById } from "./dom.js";
import { say } from "./texts.js";
/** @import { Field } from "./dom.js" */

/** @typedef {{ name: string, value: string, isOn: boolean }} Entry of a field that was changed; isOn: whether a box is ticked */

const OWNER = "who"; // in the session storage: whose drafts are there
const TAB = "tab"; // in the session storage between two pages: which tab this is. A duplicate of an open tab is another one
const DRAFT = "draft:"; // before the tab and the name of a draft, in both storages: of this tab, and for the next one
const DAYS_MS = 7 * 24 * 3600 * 1000;
const FORMS = "form[data-draft]";
const COPY_MS = 300; // after what is typed
const OPEN_MS = 2000; // then the page goes on without
const who = document.body.dataset.who;
const tab = sessionStorage.getItem(TAB) ?? String(Math.random());
sessionStorage.removeItem(TAB);
addEventListener("pagehide", () => write(sessionStorage, TAB, tab));
addEventListener("pageshow", () => sessionStorage.removeItem(TAB)); // also when Back shows the page as it was
/** Has on the disk the drafts and files it was given; the local storage writes seconds later, too late for a browser that is killed. */
const lasting = await openDatabase();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** The draft that each form was filled in with. @type {WeakMap<HTMLFormElement, string>} */
const filled = new WeakMap();

/** Returns this browser's database; null where it stores nothing (private windows). @returns {Promise<IDBDatabase | null>} */
function openDatabase() {
  return new Promise((/** @type {(database: IDBDatabase | null) => void} */ done) => {
    const opening = indexedDB.open("unsaved", 1);
    opening.onupgradeneeded = () => ["drafts", "files"].forEach((store) => opening.result.createObjectStore(store));
    opening.onsuccess = () => done(opening.result);
    opening.onerror = opening.onblocked = () => done(null);
    setTimeout(() => done(null), OPEN_MS);
  }).catch(() => null);
}

/**
 * Does something with the files that wait in this browser until they are sent; the key of each begins with whose it is.
 * @template T
 * @param {(files: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T | null>} the result; null if it failed: then a file is sent without being stored
 */
export function inFiles(act) {
  return new Promise((/** @type {(result: T | null) => void} */ done) => {
    if (!lasting) return done(null);
    const transaction = lasting.transaction("files", "readwrite");
    const acting = act(transaction.objectStore("files"));
    acting.onsuccess = () => done(acting.result);
    acting.onerror = () => done(null);
    return transaction.commit(); // also if the page is left now
  }).catch(() => null); // closed, as when another tab signs out
}

/** What another person typed or uploaded at this browser is removed. @param {string} owner */
function begin(owner) {
  if (![null, owner].includes(sessionStorage.getItem(OWNER))) sessionStorage.clear();
  remove(draftKeys().filter((key) => draftIn(localStorage, key).who !== owner));
  inFiles((files) => files.delete(IDBKeyRange.upperBound([owner], true)));
  inFiles((files) => files.delete(IDBKeyRange.lowerBound([owner, []])));
  write(sessionStorage, OWNER, owner);
  addEventListener("storage", keepTaken);
  document.querySelector("form[action='/sign-out']")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const files = Number(await Promise.race([inFiles((stored) => stored.count()), new Promise((done) => setTimeout(done, OPEN_MS, 0))]));
    const drafts = draftKeys().filter((key) => isMine(draftIn(localStorage, key))).length;
    if ((drafts || files) && !confirm(say("Signing out deletes what you haven’t sent: {drafts:draft|drafts}, {files:file|files}. Sign out?", { drafts, files }))) return;
    sessionStorage.clear(); // the next user of a shared computer finds nothing
    remove(draftKeys());
    inFiles((stored) => stored.clear());
    /** @type {HTMLFormElement} */ (event.target).submit();
  });
  for (const event of ["input", "change"]) document.addEventListener(event, ({ target }) => keepForm(target instanceof HTMLFormElement ? target : /** @type {Field} */ (target).form));
  const restoreAll = () => findAll(document, FORMS, HTMLFormElement).forEach(restoreForm);
  new MutationObserver(restoreAll).observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-draft"] });
  restoreAll();
}

/** @param {string} name */
const keyOf = (name) => `${DRAFT}${tab}:${name}`;

/** The drafts of all tabs. */
const draftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(DRAFT));

/** The drafts of a form in all tabs. @param {string} name */
const draftsOf = (name) => draftKeys().filter((key) => key.endsWith(`:${name}`)).map((key) => draftIn(localStorage, key));

/** @param {Storage} storage @param {string} key */
const draftIn = (storage, key) => ({ key, ...JSON.parse(storage.getItem(key) ?? "null") });

/** Whether a draft is the same person's and not too old. @param {{ who?: string, at?: number }} draft */
const isMine = (draft) => draft.who === who && Date.now() - (draft.at ?? 0) < DAYS_MS;

/** Stores what is not sent yet under a name; null forgets it. @param {string} name @param {unknown} value @param {{ at?: number, since?: string }} [typed] when, and under which data-since */
export function keep(name, value, { at = Date.now(), since } = {}) {
  if (value === null) {
    sessionStorage.removeItem(keyOf(name));
    return remove([keyOf(name)]);
  }
  for (const storage of [sessionStorage, localStorage]) write(storage, keyOf(name), JSON.stringify({ who, at, since, value }));
  timer ??= setTimeout(copy, COPY_MS);
}

/** @param {string[]} keys in the local storage */
function remove(keys) {
  for (const key of keys) localStorage.removeItem(key);
  if (keys.length) copy();
}

/** Stores the drafts of all tabs where they last. */
function copy() {
  clearTimeout(timer);
  timer = undefined;
  try {
    const transaction = lasting?.transaction("drafts", "readwrite", { durability: "strict" });
    transaction?.objectStore("drafts").put(draftKeys().map((key) => [key, localStorage.getItem(key)]), 0);
    transaction?.commit(); // also if the page is left now
  } catch {
    // closed, as when another tab signs out; the local storage has the drafts
  }
}

/** Takes the drafts that the local storage has lost from where they last. */
async function recover() {
  try {
    const asked = lasting?.transaction("drafts").objectStore("drafts").get(0);
    if (asked) await new Promise((done) => setTimeout((asked.onsuccess = asked.onerror = done), OPEN_MS));
    for (const [key, text] of asked?.result ?? []) if (text && JSON.parse(text).at > (draftIn(localStorage, key).at ?? 0)) write(localStorage, key, text);
  } catch {
    // closed, busy or damaged: the page goes on without
  }
}

/** Returns what the same person stored under a name, in this tab or, latest, in another, from which this one takes it; null where nothing is. @param {string} name @returns {any} */
export function kept(name) {
  const drafts = [draftIn(sessionStorage, keyOf(name)), ...draftsOf(name).sort((a, b) => b.at - a.at)];
  const found = drafts.find(isMine);
  if (!found) return null;
  keep(name, found.value, found);
  if (found.key !== keyOf(name)) remove([found.key]);
  return found.value;
}

/** Forgets what was typed into a form, because it has been sent: it is what the form holds from now on. @param {HTMLFormElement} form */
export function forgetDraft(form) {
  const name = form.dataset.draft ?? "";
  keep(name, null);
  settle(form);
  filled.set(form, name); // not with what another tab holds
}

/** Takes what a form holds for what it holds from now on; what was typed under its name stays, and is filled in once the form has it again. @param {HTMLFormElement} form */
export function settle(form) {
  form.querySelector(".restored")?.remove();
  filled.delete(form);
  for (const field of storedFields(form)) {
    if (field instanceof HTMLSelectElement) for (const option of field.options) option.defaultSelected = option.selected;
    else if (isBox(field)) field.defaultChecked = field.checked;
    else field.defaultValue = field.value;
  }
}

/** Secrets are not stored. @param {HTMLFormElement} form */
const storedFields = (form) => fieldsOf(form).filter(({ type }) => !["password", "file", "hidden"].includes(type));

/** @param {Field} field @returns {field is HTMLInputElement} */
const isBox = (field) => ["checkbox", "radio"].includes(field.type);

/** @param {Field} field */
const nameOf = (field) => field.name || field.id;

/** Whether a field holds something else than at first. @param {Field} field */
export function isChanged(field) {
  if (field instanceof HTMLSelectElement) return field.value !== ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value;
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** @param {HTMLFormElement} form @returns {Entry[]} */
const entriesOf = (form) => storedFields(form).filter((field) => nameOf(field) && isChanged(field)).map((field) => ({ name: nameOf(field), value: field.value, isOn: isBox(field) && field.checked }));

/** @param {HTMLFormElement | null} form */
function keepForm(form) {
  if (!form?.dataset.draft) return;
  const entries = entriesOf(form);
  keep(form.dataset.draft, entries.some(({ value }) => value) ? entries : null, { since: form.dataset.since }); // what was only cleared comes again
}

/** Keeps the draft of a form on this page although a tab that was opened later has taken it. @param {StorageEvent} event */
function keepTaken({ key, oldValue, newValue }) {
  for (const { dataset: { draft: name = "" } } of findAll(document, FORMS)) {
    if (key !== keyOf(name) || !oldValue || newValue || !draftsOf(name).some((draft) => draft.who === who)) continue;
    write(localStorage, key, oldValue);
    timer ??= setTimeout(copy, COPY_MS);
  }
}

/** Fills in what the form held when it was left, or offers it. @param {HTMLFormElement} form */
function restoreForm(form) {
  const name = form.dataset.draft ?? "";
  if (filled.get(form) === name) return;
  filled.set(form, name);
  form.querySelector(".restored")?.remove();
  const entries = kept(name);
  if (!Array.isArray(entries)) return;
  /** @param {string} text @param {() => void} click */
  const button = (text, click) => el("button", { type: "button", class: "quiet", on: { click } }, text);
  /** @param {Entry[]} typed */
  const use = (typed) => {
    const replaced = entriesOf(form);
    form.reset();
    fill(form, typed);
    line.replaceChildren(button(say("Undo"), () => use(replaced)));
    if (!replaced.length) line.remove();
  };
  const discard = () => {
    const typed = isOlder ? entries : entriesOf(form);
    if (!isOlder) form.reset();
    form.dispatchEvent(new Event("input", { bubbles: true }));
    line.replaceChildren(say("Discarded."), " ", button(say("Undo"), () => use(typed)));
    form.prepend(line);
  };
  const line = el("p", { class: "soft restored" }, say("What you typed is still here."), " ", button(say("Discard"), discard));
  const isOlder = draftIn(sessionStorage, keyOf(name)).since !== form.dataset.since;
  if (isOlder) {
    if (entries.every(({ name, value }) => fieldsOf(form).some((field) => nameOf(field) === name && field.value === value))) return;
    line.replaceChildren(say("You have an older draft."), " ", button(say("Use it"), () => use(entries)), " ", button(say("Discard"), discard));
  } else if (!fill(form, entries)) return;
  form.prepend(line);
}

/** Fills in what is as it was at first, and returns whether there was something: the rest may have been typed before this script was there. @param {HTMLFormElement} form @param {Entry[]} entries */
function fill(form, entries) {
  let hasChanged = false;
  for (const { name, value, isOn } of entries) {
    const field = storedFields(form).find((one) => nameOf(one) === name && (!isBox(one) || one.value === value));
    for (let box = field && value && field.closest("details"); box; box = box.parentElement?.closest("details")) box.open = true; // also where the browser has filled it in
    if (!field || isChanged(field) || (isBox(field) ? field.checked === isOn : field.value === value)) continue;
    if (field instanceof HTMLSelectElement && ![...field.options].some((option) => option.value === value)) continue;
    if (isBox(field)) field.checked = isOn;
    else field.value = value;
    hasChanged = true;
  }
  if (hasChanged) form.dispatchEvent(new Event("input", { bubbles: true }));
  return hasChanged;
}

/** Stores a text, if there is room for it. @param {Storage} storage @param {string} name @param {string} text */
export function write(storage, name, text) {
  try {
    storage.setItem(name, text);
  } catch {
    // full or unavailable
  }
}

await recover();
if (who) begin(who);
else {
  const notice = findById("unsaved");
  if (notice) notice.hidden = !draftKeys().length;
}
