import { Trouble } from "./api.js";
import { byId } from "./dom.js";

/** Say in the page's line of state what is going on, or what went wrong. */
export function tell(message, trouble = false) {
  byId("state").textContent = message;
  byId("state").classList.toggle("trouble", trouble);
}

/** Do it, and say what went wrong; a defect of ours stays one. */
export async function tried(act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    tell(error.message, true);
  }
}
