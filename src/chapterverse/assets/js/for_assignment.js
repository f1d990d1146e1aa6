/** An essay for an assignment: the version that feedback was just given on can be handed in. */
import { API, ask, Trouble } from "./api.js";
import { byId } from "./dom.js";
import { say } from "./texts.js";

const { assignment } = byId("handing-in").dataset;
let kept = null;

document.addEventListener("feedback-kept", ({ detail }) => {
  kept = detail.id ?? null;
  byId("give").disabled = false;
  tell("");
});
byId("give").addEventListener("click", async () => {
  byId("give").disabled = true;
  tell(say("Handing in …"));
  try {
    await ask(`${API}/assignments/${assignment}/essay`, { method: "PUT", json: { feedback: kept } });
    tell(say("Handed in."));
    byId("handed-in").textContent = say("You have handed in. You can hand in another version.");
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    byId("give").disabled = false;
    tell(error.message, true);
  }
});

function tell(message, trouble = false) {
  byId("given").textContent = message;
  byId("given").classList.toggle("trouble", trouble);
}
