/** Pages in a learning platform's frame: a choice goes back by itself; a link that was used is not offered twice. */
import { say } from "./texts.js";

document.getElementById("back")?.submit();
document.getElementById("open")?.addEventListener("submit", ({ target }) => {
  setTimeout(() => {
    target.hidden = true;
    document.getElementById("opened").textContent = say("It is open in another tab. To open it once more, open the link in your course again.");
  });
});
