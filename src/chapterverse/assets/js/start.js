// @ts-check
/** A teacher's start page: trying the program with the sample book. */
import { reportErrors, request, showStatus, sourcesPath } from "./api.js";
import "./dates.js";
import { byId, findById } from "./dom.js";
import { isProcessing, sourceProgress, stateText, watchSources } from "./sources.js";
import { say } from "./texts.js";
import { sendSource } from "./uploads.js";
/** @import { Source } from "./types" */

const button = findById("try");
if (button instanceof HTMLButtonElement) offerSample(button);

/** @param {HTMLButtonElement} from */
function offerSample(from) {
  let { source = "", sample = "" } = from.dataset;
  const { uploaded } = watchSources(sourcesPath("books"), (/** @type {Source[]} */ books) => source && show(books.find((one) => one.source === source)));
  /** Uploads the sample book as any other, and waits until it can be searched. */
  const upload = async () => {
    from.disabled = true;
    try {
      showStatus(say("Uploading …"));
      const data = await (await request(`/samples/${sample}`)).blob();
      const { id } = await sendSource("books", new File([data], sample, { type: "application/pdf" }), "directUpload" in from.dataset);
      source = id ?? "";
      await uploaded(source);
    } catch (error) {
      from.disabled = false;
      throw error;
    }
  };
  from.addEventListener("click", () => reportErrors(upload));
}

/** Shows how far the sample book is. @param {Source | undefined} book undefined: its processing has not begun */
function show(book) {
  showStatus(book ? book.message || stateText(book, false) : say("Waiting to be processed …"), book?.state === "failed");
  byId("sample-progress").replaceChildren(...(book && isProcessing(book) ? [sourceProgress(book)] : []));
  byId("sample-essay").hidden = book?.state !== "ready";
  byId("try", HTMLButtonElement).disabled = !book || isProcessing(book);
  byId("try").hidden = book?.state === "ready";
}
