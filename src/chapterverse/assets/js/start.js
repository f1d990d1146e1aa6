// @ts-check
/** A teacher's start page: trying the program with the sample book. */
import { getJson, reportErrors, request, showStatus, sourcesPath } from "./api.js";
import "./dates.js";
import { byId, findById } from "./dom.js";
import { isProcessing, POLL_MS, stateText } from "./sources.js";
import { say } from "./texts.js";
import { toCollection } from "./uploads.js";
/** @import { Source } from "./types" */

const button = findById("try");
button?.addEventListener("click", () => reportErrors(() => trySample(/** @type {HTMLButtonElement} */ (button))));

/** Uploads the sample book as any other, and waits until it can be searched. @param {HTMLButtonElement} from */
async function trySample(from) {
  const { sample = "" } = from.dataset;
  from.disabled = true;
  try {
    showStatus(say("Uploading …"));
    const data = await (await request(`/samples/${sample}`)).blob();
    const { id } = await toCollection("books")(new File([data], sample, { type: "application/pdf" }), "directUpload" in from.dataset);
    await watch(id ?? "");
  } finally {
    from.disabled = false;
  }
}

/** @param {string} id */
async function watch(id) {
  /** @type {{ sources: Source[] }} */
  const { sources } = await getJson(sourcesPath("books"));
  const book = sources.find((one) => one.source === id);
  showStatus(book ? book.message || stateText(book, false) : say("Waiting to be processed …"), book?.state === "failed");
  byId("sample-essay").hidden = book?.state !== "ready";
  if (!book || isProcessing(book)) setTimeout(() => reportErrors(() => watch(id)), POLL_MS);
}
