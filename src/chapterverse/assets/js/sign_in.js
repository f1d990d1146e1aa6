// @ts-check
/** Sign-in by a link, and pages in a learning platform's frame: forms that are filled in or submitted for the user. */
import { findById } from "./dom.js";
import { say } from "./texts.js";

// The secret of a link stands behind its #, which browsers do not send to the server.
const values = new URLSearchParams(location.hash.slice(1));
const [link, next] = [findById("link"), findById("next")];
if (link instanceof HTMLInputElement) link.value = values.get("link") ?? "";
if (link && next instanceof HTMLInputElement) next.value = values.get("next") ?? "/";

// A choice goes back to the platform by itself.
const back = findById("back");
if (back instanceof HTMLFormElement) back.submit();

// A page that has done its work asks the platform to close it (LTI Dynamic Registration 1.0; Canvas's name for it, too).
if (findById("closes"))
  for (const subject of ["org.imsglobal.lti.close", "lti.close"]) window.parent.postMessage({ subject }, "*");

// A link works once: after its use the button disappears.
const open = findById("open");
open?.addEventListener("submit", () => {
  setTimeout(() => {
    open.hidden = true;
    const opened = findById("opened");
    if (opened) opened.textContent = say("Chapterverse is open in another tab. To open it again, use the link in your course.");
  });
});
