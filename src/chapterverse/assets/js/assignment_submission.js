// @ts-check
/** Submitting an essay for an assignment: the version for which feedback was just created, or at once if the teacher releases it. */
import { API, request, RequestError } from "./api.js";
import "./dates.js";
import { byId, findById } from "./dom.js";
import { say } from "./texts.js";

const { assignment, held } = byId("submission").dataset;
const button = /** @type {HTMLButtonElement | null} */ (findById("submit-version")); // none if the teacher releases the feedback
/** @type {string | null} */
let feedback = null;

document.addEventListener("feedback-stored", (event) => {
  feedback = /** @type {CustomEvent<{ id?: string | null }>} */ (event).detail.id ?? null;
  showResult("");
  if (held !== undefined) submit();
  else if (button) button.disabled = false;
});
button?.addEventListener("click", submit);

async function submit() {
  if (button) button.disabled = true;
  showResult(say("Handing in …"));
  try {
    await request(`${API}/assignments/${assignment}/essay`, { method: "PUT", json: { feedback } });
    showResult(say("Handed in."));
    byId("submission-state").textContent = say("You can hand in another version.");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (button) button.disabled = false;
    showResult(error.message, true);
  }
}

/** @param {string} message @param {boolean} [isError] */
function showResult(message, isError = false) {
  byId("submission-result").textContent = message;
  byId("submission-result").classList.toggle("error", isError);
}
