// @ts-check
/** Submitting the version of an essay for which feedback was just created. */
import { API, request, RequestError } from "./api.js";
import { byId } from "./dom.js";
import { say } from "./texts.js";

const { assignment } = byId("submission").dataset;
const button = byId("submit-version", HTMLButtonElement);
/** @type {string | null} */
let feedback = null;

document.addEventListener("feedback-stored", (event) => {
  feedback = /** @type {CustomEvent<{ id?: string | null }>} */ (event).detail.id ?? null;
  button.disabled = false;
  showResult("");
});
button.addEventListener("click", async () => {
  button.disabled = true;
  showResult(say("Handing in …"));
  try {
    await request(`${API}/assignments/${assignment}/essay`, { method: "PUT", json: { feedback } });
    showResult(say("Handed in."));
    byId("submission-state").textContent = say("Handed in. You can hand in another version.");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    button.disabled = false;
    showResult(error.message, true);
  }
});

/** @param {string} message @param {boolean} [isError] */
function showResult(message, isError = false) {
  byId("submission-result").textContent = message;
  byId("submission-result").classList.toggle("error", isError);
}
