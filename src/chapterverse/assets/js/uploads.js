// @ts-check
/**
 * Uploading files that are dropped on a page or chosen in it. Files that wait or are being sent are stored in the browser
 * (IndexedDB) until they have arrived: after a reload of the page, the rest is sent.
 */
import { API, ConnectionLost, detailOf, RequestError, requestJson, sourcesPath } from "./api.js";
import { byId, el, find, onFilesChosen } from "./dom.js";
import { formatPercent } from "./formats.js";
import { timeLeft } from "./sources.js";
import { say } from "./texts.js";
import { inFiles } from "./unsaved.js";

/**
 * @callback Upload sends a file
 * @param {File} file
 * @param {boolean} toThisServer whether this server takes the file itself
 * @returns {Promise<{ id?: string, message?: string }>} message: to be shown afterwards
 */

// A file dropped outside a drop area would replace the page in the browser.
for (const name of /** @type {const} */ (["dragover", "drop"])) {
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}

/**
 * Makes an element a drop area, highlighted while something is held over it.
 * @param {HTMLElement} area
 * @param {(dropped: DataTransfer) => unknown} handle
 */
export function acceptDrops(area, handle) {
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("is-over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("is-over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("is-over");
    if (event.dataTransfer) handle(event.dataTransfer);
  });
}

/**
 * Uploads the files that are chosen in an area's file input, or dropped on it where it takes several, one after the other: a class's
 * worth of books would otherwise share the connection.
 * @param {HTMLElement} area
 * @param {Upload} upload
 * @param {(id: string | null) => Promise<void>} uploaded called after each file; null: it failed or has no id
 */
export function acceptUploads(area, upload, uploaded) {
  const input = find(area, "input[type=file]", HTMLInputElement);
  /** @param {File} file @param {HTMLElement} [line] @returns {Promise<void>} */
  const sendOne = async (file, line) => {
    for (const [earlier, said] of failed) {
      if (earlier.name !== file.name && input.multiple) continue;
      failed.delete(earlier);
      said.remove();
      if (earlier !== file) forgetFile(earlier);
    }
    await uploaded(await send(file, upload, "directUpload" in area.dataset, () => sendOne(file), line));
  };
  let last = Promise.resolve();
  /** @param {Iterable<File>} files */
  const sendAll = async (files) => {
    for (const file of files) {
      const line = el("li", {}, say("{file}: waiting …", { file: file.name }));
      byId("uploads").append(line);
      storeFile(file);
      last = last.then(() => sendOne(file, line));
    }
    await last;
  };
  storedFiles().then(sendAll);
  if (input.multiple) acceptDrops(area, ({ files }) => sendAll([...files]));
  onFilesChosen(input, sendAll);
}

/** Lines of files that are being sent. @type {WeakMap<File, HTMLElement>} */
const LINES = new WeakMap();
/** Lines of files that did not arrive. @type {Map<File, HTMLElement>} */
const failed = new Map();

/** @param {File} file @param {Upload} upload @param {boolean} toThisServer @param {() => unknown} retry @param {HTMLElement} [line] */
async function send(file, upload, toThisServer, retry, line = el("li")) {
  if (!line.isConnected) byId("uploads").append(line);
  line.replaceChildren(say("Uploading {file} …", { file: file.name }));
  LINES.set(file, line);
  try {
    const { id = null, message = "" } = await upload(file, toThisServer);
    forgetFile(file);
    if (message) line.textContent = message;
    else line.remove();
    return id;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (!error.isTemporary && error.status !== 401) forgetFile(file); // else it is sent when the page is opened again
    failed.set(file, failedLine(file, error, retry));
    line.replaceWith(failed.get(file) ?? "");
    return null;
  }
}

/** @param {File} file @param {RequestError} error @param {() => unknown} retry */
function failedLine(file, error, retry) {
  const reason = error instanceof ConnectionLost ? say("The connection was lost during the upload.") : error.message;
  const button = el("button", { type: "button", class: "chip", "aria-label": say("Try again: {file}", { file: file.name }), on: { click: retry } }, say("Try again"));
  return el("li", { class: "state error" }, `${file.name}: ${reason} `, error.isTemporary && button);
}

/**
 * Sends a file to a collection: as a form to this server, which makes a folder of a single page; else to the address in a bucket
 * that the interface gives for it. Asks first where another file has that name, unless it may be replaced.
 * @param {string} collection
 * @param {File} file
 * @param {boolean} toThisServer
 * @param {{ department?: string, replace?: boolean, name?: string }} [options] name: that it has there
 * @returns {ReturnType<Upload>}
 */
export async function sendSource(collection, file, toThisServer, { department = "", replace = false, name = file.name } = {}) {
  try {
    return await sendNow(sourcesPath(collection) + (replace ? "?replace=true" : ""), file, name, toThisServer, department);
  } catch (error) {
    if (replace || !(error instanceof RequestError) || error.status !== 409) throw error;
    if (confirm(error.message)) return sendSource(collection, file, toThisServer, { department, replace: true });
    return { message: say("{file}: not uploaded.", { file: file.name }) };
  }
}

/** @param {string} path @param {File} file @param {string} name @param {boolean} toThisServer @param {string} department */
async function sendNow(path, file, name, toThisServer, department) {
  const began = performance.now();
  /** @param {number} share */
  const onShare = (share) => showShare(file, share, performance.now() - began);
  if (toThisServer || isPage(name)) {
    const form = new FormData();
    form.append("file", file, name);
    form.append("department", department);
    return { id: String(JSON.parse(await put(API + path, "POST", {}, form, onShare)).source) };
  }
  const json = { file_name: name, ...(department && { department }) };
  const { source, upload } = await requestJson(path, { method: "POST", json });
  await put(upload.url, upload.method, upload.headers, file, onShare);
  return { id: source };
}

/**
 * Sends a file and tells how much of it has gone. Not by fetch, which does not say.
 * @param {string} url
 * @param {string} method
 * @param {Record<string, string>} headers
 * @param {File | FormData} body
 * @param {(share: number) => void} onShare
 * @returns {Promise<string>} what was answered
 */
function put(url, method, headers, body, onShare) {
  return new Promise((done, failed) => {
    const sending = new XMLHttpRequest();
    sending.open(method, url);
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => lengthComputable && total && onShare(loaded / total));
    sending.addEventListener("load", () => (sending.status < 400 ? done(sending.responseText) : failed(new RequestError(detailOf(sending.status, sending.responseText), sending.status))));
    for (const event of ["error", "abort", "timeout"]) sending.addEventListener(event, () => failed(new ConnectionLost()));
    sending.send(body);
  });
}

/** @param {File} file @param {number} share @param {number} ms since it began */
function showShare(file, share, ms) {
  const line = LINES.get(file);
  if (!line) return;
  const left = ms > 2000 && share > 0.02 ? ` · ${timeLeft((ms / share - ms) / 1000)}` : "";
  line.replaceChildren(
    `${say("Uploading {file} …", { file: file.name })} ${formatPercent(share)}${left}`,
    el("progress", { "aria-label": say("Upload of {file}", { file: file.name }), value: share, max: 1 }),
  );
}

const page = [document.body.dataset.who ?? "", location.pathname + location.search]; // as the keys of its stored files begin
/** Where files are stored until they have arrived. @type {WeakMap<File, IDBValidKey>} */
const KEYS = new WeakMap();
let stored = 0; // files, so that they come back in their order

/** @param {File} file */
function storeFile(file) {
  const key = [...page, Date.now(), stored++];
  KEYS.set(file, key);
  inFiles((files) => files.add(file, key));
}

/** @param {File} file */
const forgetFile = (file) => inFiles((files) => files.delete(KEYS.get(file) ?? []));

/** Takes out the files that this page was sending when it was left. @returns {Promise<File[]>} */
async function storedFiles() {
  const ofPage = IDBKeyRange.bound(page, [...page, []]);
  const found = await inFiles((files) => {
    const all = files.getAll(ofPage);
    files.delete(ofPage);
    return all;
  });
  return found ?? [];
}

/** @param {string} name */
const isPage = (name) => /\.(md|mdx|markdown|mkd|html?)$/i.test(name);
