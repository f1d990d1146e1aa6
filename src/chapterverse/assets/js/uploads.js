// @ts-check
/** Uploading files that are dropped on a page or chosen in it. */
import { ConnectionLost, request, RequestError, requestJson, sourcesPath } from "./api.js";
import { byId, el, find, findAll, onFilesChosen } from "./dom.js";
import { say } from "./texts.js";

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
 * Uploads the files that are dropped on an area or chosen in its file input, one after the other: a class's worth of books would
 * otherwise share the connection.
 * @param {HTMLElement} area
 * @param {Upload} upload
 * @param {(id: string | null) => Promise<void>} uploaded called after each file; null: it failed or has no id
 */
export function acceptUploads(area, upload, uploaded) {
  /** @param {File} file @returns {Promise<void>} */
  const sendOne = async (file) => uploaded(await send(file, upload, "directUpload" in area.dataset, () => sendOne(file)));
  /** @param {Iterable<File>} files */
  const sendAll = async (files) => {
    for (const file of files) await sendOne(file);
  };
  acceptDrops(area, ({ files }) => sendAll([...files]));
  onFilesChosen(find(area, "input[type=file]", HTMLInputElement), sendAll);
}

/**
 * Uploads a file as the new text of the book with that file name. Returns the book's id, null if the upload failed.
 * @param {File} file
 * @param {string} name
 * @param {boolean} toThisServer
 * @param {() => unknown} retry
 */
export const replaceBook = (file, name, toThisServer, retry) =>
  send(new File([file], name, { type: file.type }), toCollection("books"), toThisServer, retry);

/** @param {File} file @param {Upload} upload @param {boolean} toThisServer @param {() => unknown} retry */
async function send(file, upload, toThisServer, retry) {
  for (const earlier of findAll(byId("uploads"), "[data-failed]")) if (earlier.dataset.failed === file.name) earlier.remove();
  const line = el("li", {}, say("Uploading {file} …", { file: file.name }));
  byId("uploads").append(line);
  try {
    const { id = null, message = "" } = await upload(file, toThisServer);
    if (message) line.textContent = message;
    else line.remove();
    return id;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    line.replaceWith(failedLine(file, error, retry));
    return null;
  }
}

/** @param {File} file @param {RequestError} error @param {() => unknown} retry */
function failedLine(file, error, retry) {
  const reason = error instanceof ConnectionLost ? say("The connection was lost during the upload.") : error.message;
  const button = el("button", { type: "button", class: "chip", "aria-label": say("Try again: {file}", { file: file.name }), on: { click: retry } }, say("Try again"));
  return el("li", { class: "state error", dataset: { failed: file.name } }, `${file.name}: ${reason} `, error.isTemporary && button);
}

/**
 * Returns the upload to one of the school's collections.
 * @param {string} collection
 * @returns {Upload}
 */
export const toCollection = (collection) => async (file, toThisServer) => {
  if (isPage(file.name)) return { id: await sendPage(file, collection) };
  const { source, upload } = await requestJson(sourcesPath(collection), { method: "POST", json: { file_name: file.name } });
  await sendFile(upload, file, toThisServer);
  return { id: source };
};

/**
 * Sends a file to the address that the interface gave for it. This server takes it by whatever name the page was reached.
 * @param {{ url: string, method: string, headers: Record<string, string> }} target
 * @param {File} file
 * @param {boolean} toThisServer
 */
export async function sendFile({ url, method, headers }, file, toThisServer) {
  const { pathname, search } = new URL(url);
  await request(toThisServer ? pathname + search : url, { method, headers, body: file });
}

/** @param {string} name */
const isPage = (name) => /\.(md|mdx|markdown|html?)$/i.test(name);

/** A single page is sent in a form; the server makes it a folder of one page. @param {File} file @param {string} collection */
async function sendPage(file, collection) {
  const body = new FormData();
  body.append("file", file);
  const { source } = await requestJson(sourcesPath(collection), { method: "POST", body });
  return source;
}
