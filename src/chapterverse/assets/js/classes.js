// @ts-check
/** Essays without an assignment: uploads with their progress, uploading more, and essays that students submitted themselves. */
import { API, getJson, reportErrors, request, showStatus, sourcesPath } from "./api.js";
import { isRunning, nameOf, OTHERS, progressText, saveOrder } from "./batches.js";
import { byId, el, tickedIn } from "./dom.js";
import { chosenEssays, offerEssayFiles } from "./essay_files.js";
import { formatDateTime, formatShortDate } from "./formats.js";
import { POLL_MS } from "./sources.js";
import { say } from "./texts.js";
/** @import { BatchSummary, FeedbackSummary, Source } from "./types" */

const PAGE_SIZE = 50; // other essays per request
const form = byId("submission-form", HTMLFormElement);
let knownBatches = new Set();
/** When the last listed essay was created. @type {string | null} */
let last = null;
/** @type {string[]} */
const listed = [];

offerEssayFiles((name) => (byId("name", HTMLInputElement).value ||= name));
byId("book-choice").addEventListener("toggle", () => reportErrors(offerBooks), { once: true });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  reportErrors(send);
});
byId("older").addEventListener("click", () => reportErrors(loadOlder));
reportErrors(async () => {
  await Promise.all([refresh(), loadOlder()]);
  for (const id of ["uploaded-classes", "others"]) byId(id).hidden = false; // together, so that nothing moves
});

// Uploading a class

async function offerBooks() {
  /** @type {{ sources: Source[] }} */
  const { sources } = await getJson(sourcesPath("books"));
  const ready = sources.filter((book) => book.state === "ready");
  const boxes = ready.map((book) => el("label", { class: "choice" }, el("input", { type: "checkbox", value: book.source }), el("span", { dir: "auto" }, book.title)));
  byId("books").append(...(boxes.length ? boxes : [el("p", {}, say("No books yet."))]));
}

async function send() {
  const upload = chosenEssays();
  const start = String(new FormData(form).get("start"));
  const query = new URLSearchParams({ name: byId("name", HTMLInputElement).value.trim(), start, books: tickedIn(byId("books")).join(",") });
  const button = byId("send", HTMLButtonElement);
  showStatus(say("Uploading …"));
  button.disabled = true;
  try {
    const response = await request(`${API}/batches?${query}`, { method: "POST", ...upload });
    const { batch } = await response.json();
    location.assign(`/essay/classes/${batch}${knownBatches.has(batch) ? "?known" : ""}`);
  } finally {
    button.disabled = false;
  }
}

// The lists

async function refresh() {
  /** @type {{ batches: BatchSummary[] }} */
  const { batches } = await getJson("/batches?alone=true");
  knownBatches = new Set(batches.map((one) => one.batch));
  byId("none").hidden = batches.length > 0;
  const focused = document.activeElement?.closest("#batches a")?.getAttribute("href");
  byId("batches").replaceChildren(...batches.map(batchItem));
  if (focused) byId("batches").querySelector(/** @type {"a"} */ (`a[href="${focused}"]`))?.focus({ preventScroll: true });
  if (batches.some(isRunning)) setTimeout(() => reportErrors(refresh).then(retryAfterError), 2 * POLL_MS);
}

function retryAfterError() {
  if (byId("state").classList.contains("error")) setTimeout(() => reportErrors(refresh).then(retryAfterError), 5 * POLL_MS);
}

/** @param {BatchSummary} batch */
function batchItem(batch) {
  const name = nameOf(batch);
  return el(
    "li",
    { class: batch.failed ? "card problem" : "card" },
    el("a", { class: "title", href: `/essay/classes/${batch.batch}`, dir: "auto" }, name),
    el("p", { class: "soft" }, say("Uploaded on {when}", { when: formatDateTime(batch.created) })),
    el("p", {}, progressText(batch)),
    isRunning(batch) && el("progress", { value: batch.done + batch.failed, max: batch.essays, "aria-label": say("Progress of {title}", { title: name }) }),
  );
}

async function loadOlder() {
  const query = new URLSearchParams({ alone: "true", limit: String(PAGE_SIZE), ...(last && { before: last }) });
  /** @type {{ feedback: FeedbackSummary[] }} */
  const { feedback } = await getJson(`/feedback?${query}`);
  last = feedback.at(-1)?.created ?? last;
  byId("older").hidden = feedback.length < PAGE_SIZE;
  byId("other-rows").append(...feedback.map(essayRow));
  listed.push(...feedback.map((one) => one.id));
  saveOrder(OTHERS, listed);
  if (!listed.length) byId("other-rows").replaceChildren(el("tr", {}, el("td", { colspan: 4 }, say("None."))));
}

/** Feedback that needs no release is visible from the moment it is created. @param {FeedbackSummary} feedback */
function releasedText({ approved, created }) {
  if (!approved) return say("Not yet");
  return approved === created ? say("At once") : formatShortDate(approved);
}

/** @param {FeedbackSummary} feedback */
function essayRow(feedback) {
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, el("a", { href: `/essay/classes/others/${feedback.id}` }, feedback.written_by || say("Without a name")), el("span", { class: "soft below" }, feedback.title || feedback.begins)),
    el("td", {}, formatDateTime(feedback.created)),
    el("td", {}, releasedText(feedback)),
    el("td", {}, formatShortDate(feedback.expires)),
  );
}
