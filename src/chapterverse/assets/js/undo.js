// @ts-check
/** A message in the page's status line that offers to undo what it says. */
import { reportErrors, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { say } from "./texts.js";

const UNDO_MS = 15_000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Shows a message with a button for some seconds.
 * @param {string} message
 * @param {() => unknown} undo
 */
export function offerUndo(message, undo) {
  clearTimeout(timer);
  showStatus(message);
  const button = el("button", { type: "button", class: "quiet" }, say("Undo"));
  button.addEventListener("click", () => {
    clearTimeout(timer);
    showStatus("");
    reportErrors(undo);
  });
  byId("state").append(" ", button);
  timer = setTimeout(() => {
    if (button.isConnected && document.activeElement !== button) showStatus("");
  }, UNDO_MS);
}
