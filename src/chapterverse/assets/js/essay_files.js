// @ts-check
/** Choosing the essays of a class: files, a folder, a zip or a list, or pasted text (essay_files.html). */
import { RequestError, showStatus } from "./api.js";
import { byId, el, onFilesChosen } from "./dom.js";
import { nameOrder } from "./formats.js";
import { say } from "./texts.js";
import { forgetDraft, keep, kept } from "./unsaved.js";
import { acceptDrops } from "./uploads.js";

const ESSAY_ENDINGS = [".txt", ".md", ".markdown", ".docx", ".odt", ".pdf"];
/** Media types of files that hold a whole class, by ending. @type {Record<string, string | undefined>} */
const CLASS_TYPES = { ".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson", ".zip": "application/zip" };
const MAX_NAMES = 8; // names of chosen files that are shown
/** @type {File[]} */
let chosen = [];
const NAMES = `files ${location.pathname}`; // under which their names are kept: a browser lets go of chosen files when it leaves the page

/** Makes the inputs and the drop area work, and says which files were chosen before the page was left. */
export function offerEssayFiles() {
  const names = kept(NAMES);
  if (names) {
    byId("chosen").replaceChildren(el("p", { class: "state error", dir: "auto" }, say("Please choose your files again. Nothing was uploaded: {names}", { names })));
    byId("chosen").closest("details")?.setAttribute("open", "");
  }
  for (const id of ["files", "folder"]) onFilesChosen(byId(id, HTMLInputElement), choose);
  acceptDrops(byId("drop"), async ({ items }) => {
    const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    choose((await Promise.all(entries.map(filesIn))).flat());
  });
}

/** Forgets what was chosen and pasted. */
export function clearEssays() {
  chosen = [];
  showChosen([]);
  byId("pasted", HTMLTextAreaElement).value = "";
  forgetDraft(byId("upload-form", HTMLFormElement));
}

/** Returns the request with the chosen or pasted essays. Throws RequestError if there are none, or both. */
export const chosenEssays = () => uploadOf(byId("pasted", HTMLTextAreaElement).value.trim());

/**
 * Returns the files below a dropped entry, which may be a folder.
 * @param {FileSystemEntry} entry
 * @returns {Promise<File[]>}
 */
async function filesIn(entry) {
  if (entry.isFile) return [await new Promise((done, failed) => /** @type {FileSystemFileEntry} */ (entry).file(done, failed))];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // browsers give a hundred at a time
    if (!some.length) return (await Promise.all(found.map(filesIn))).flat();
    found.push(...some);
  }
}

/** Adds files with one essay each to those chosen before; a list or a zip replaces them. @param {File[]} files */
function choose(files) {
  const visible = files.filter((file) => !/^(\.|~\$)/.test(file.name)); // without hidden files and Word's lock files
  const ofClass = visible.filter((file) => endingOf(file) in CLASS_TYPES);
  const essays = visible.filter((file) => ESSAY_ENDINGS.includes(endingOf(file)));
  const others = visible.filter((file) => !ofClass.includes(file) && !essays.includes(file));
  if (ofClass.length > 1 || (ofClass.length && essays.length)) return showStatus(say("Choose one list, one zip, or one file per essay."), true);
  const all = ofClass.length ? ofClass : [...chosen.filter((file) => !(endingOf(file) in CLASS_TYPES)), ...essays];
  chosen = [...new Map(all.map((file) => [pathOf(file), file])).values()].sort((a, b) => nameOrder.compare(a.name, b.name));
  showStatus("");
  showChosen(others);
}

/** @param {File[]} others files that cannot hold an essay */
function showChosen(others) {
  const names = chosen.slice(0, MAX_NAMES).map((file) => file.name).join(", ") + (chosen.length > MAX_NAMES ? " …" : "");
  keep(NAMES, names || null);
  const clear = el("button", { type: "button", class: "quiet", on: { click: clearChosen } }, say("Choose different files"));
  byId("chosen").replaceChildren(
    ...(chosen.length ? [el("p", { dir: "auto" }, say("Files chosen: {count}", { count: chosen.length }), ` – ${names} `, clear)] : []),
    ...(others.length ? [el("p", { class: "state error", dir: "auto" }, say("Skipped, not supported: {names}", { names: others.map((file) => file.name).join(", ") }))] : []),
  );
}

function clearChosen() {
  chosen = [];
  showChosen([]);
  byId("files").focus();
}

/** Returns the request for the chosen files or the pasted essays. @param {string} pasted @returns {{ body: BodyInit, headers?: Record<string, string> }} */
function uploadOf(pasted) {
  if (chosen.length && pasted) throw new RequestError(say("Choose either files or pasted essays, not both."));
  if (!chosen.length && !pasted) throw new RequestError(say("Choose files or paste essays first."));
  if (pasted) return uploadOfText(pasted);
  const type = CLASS_TYPES[endingOf(chosen[0])];
  return type ? { body: chosen[0], headers: { "Content-Type": type } } : { body: formOf(chosen) };
}

/** @param {string} text */
function uploadOfText(text) {
  const essays = text.split(/^(?====)/m).map((essay) => /^(?:=+([^\n]*)\n?)?([^]*)$/.exec(essay) ?? []);
  return { body: formOf(essays.map(([, student, words = ""], index) => new File([words], `${student?.replace(/=+\s*$/, "").trim().replaceAll("/", "-") || index + 1}.txt`))) };
}

/** @param {File[]} files */
function formOf(files) {
  const data = new FormData();
  for (const file of files) data.append("file", file, pathOf(file));
  return data;
}

/** @param {File} file */
const pathOf = (file) => file.webkitRelativePath || file.name;

/** @param {File} file */
const endingOf = (file) => /\.[^.]*$/.exec(file.name.toLowerCase())?.[0] ?? "";
