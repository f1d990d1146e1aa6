// @ts-check
/** A teacher's start page: trying the program with the sample book. */
import { getJson, reportErrors, request, RequestError, showStatus, sourcesPath } from "./api.js";
import "./dates.js";
import { byId, findById } from "./dom.js";
import { isProcessing, POLL_MS, sourceProgress, stateText } from "./sources.js";
import { say } from "./texts.js";
import { toCollection } from "./uploads.js";
/** @import { Source } from "./types" */

const button = findById("try");
button?.addEventListener("click", () => reportErrors(() => trySample(/** @type {HTMLButtonElement} */ (button))));
if (button?.dataset.source) watch(button.dataset.source);

/** Uploads the sample book as any other, and waits until it can be searched. @param {HTMLButtonElement} from */
async function trySample(from) {
  const { sample = "" } = from.dataset;
  from.disabled = true;
  try {
    showStatus(say("Uploading …"));
    const data = await (await request(`/samples/${sample}`)).blob();
    const { id } = await toCollection("books")(new File([data], sample, { type: "application/pdf" }), "directUpload" in from.dataset);
    await watch(id ?? "");
  } catch (error) {
    from.disabled = false;
    throw error;
  }
}

/** Shows how far the sample book is, until it can be searched or has failed. @param {string} id */
async function watch(id) {
  let book;
  try {
    /** @type {{ sources: Source[] }} */
    const { sources } = await getJson(sourcesPath("books"));
    book = sources.find((one) => one.source === id);
    show(book);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showStatus(error.message, true);
  }
  if (!book || isProcessing(book)) setTimeout(() => watch(id), POLL_MS);
}

/** @param {Source | undefined} book undefined: its processing has not begun */
function show(book) {
  showStatus(book ? book.message || stateText(book, false) : say("Waiting to be processed …"), book?.state === "failed");
  byId("sample-progress").replaceChildren(...(book && isProcessing(book) ? [sourceProgress(book)] : []));
  byId("sample-essay").hidden = book?.state !== "ready";
  byId("try", HTMLButtonElement).disabled = !book || isProcessing(book);
  byId("try").hidden = book?.state === "ready";
}
