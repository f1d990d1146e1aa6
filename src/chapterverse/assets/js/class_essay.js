/** One essay as students see it, and what a teacher does with its feedback. */
import { API, ask, get, Trouble } from "./api.js";
import { toolsFor } from "./choosing.js";
import { byId } from "./dom.js";
import { feedbackIn } from "./feedback.js";
import { momentOf } from "./formats.js";
import { OTHERS, orderWith } from "./order.js";
import { EVERY } from "./progress.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const heading = byId("name");
const { batch, number } = heading.dataset;
const fields = "input, textarea, select, dialog, [contenteditable]";
let id = heading.dataset.feedback ?? null;
let shown = null; // as the server last told it
const tools = toolsFor((path, method, json) => change(path, method, json));
const result = feedbackIn(byId("result"), { onComment: tools.onComment, onEvidence: tools.onEvidence, open: true });

byId("approve").addEventListener("click", () => {
  const seen = shown.approved !== null;
  change("approval", "PUT", { approved: !seen, seen });
});
byId("delete").addEventListener("click", remove);
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(fields)) return;
  const way = { ArrowLeft: "previous", ArrowRight: "next" }[event.key];
  if (way && byId(way).href) byId(way).click();
});
document.addEventListener("visibilitychange", () => document.hidden || !id || tried(refresh)); // changed in another window
await tried(begin);

async function begin() {
  if (!batch) {
    beside(OTHERS, id);
    return refresh();
  }
  const one = await known(() => get(`/batches/${batch}/essays/${number}`));
  heading.textContent = one.id;
  document.title = `${one.id} · ${one.name || "Chapterverse"}`;
  if (one.name) byId("back").textContent = one.name;
  beside(batch, one.number, one);
  id = one.feedback;
  if (id) return refresh();
  without(one.message ?? { waiting: say("Feedback on this essay is not ready yet.") }[one.state] ?? gone());
  if (one.state === "waiting") setTimeout(() => tried(begin), EVERY);
}

/** By the order of the table that the teacher comes from, else as the class was handed in. */
function beside(list, here, one = {}) {
  const order = orderWith(list, here);
  const at = order.indexOf(here);
  const [previous, next] = order.length ? [order[at - 1], order[at + 1]] : [one.previous, one.next];
  const [place, all] = order.length ? [at + 1, order.length] : [one.place, one.essays];
  byId("place").textContent = place ? say("{place} of {all}", { place, all }) : "";
  for (const [way, to] of [["previous", previous], ["next", next]]) {
    if (to != null) byId(way).href = `/essay/classes/${list}/${to}`;
    else byId(way).removeAttribute("href");
  }
}

async function refresh() {
  const told = await known(() => get(`/feedback/${id}`));
  if (JSON.stringify(told) === JSON.stringify(shown)) return;
  shown = told;
  if (!batch) heading.textContent = told.title ?? say("Without a title");
  byId("seen").textContent = told.approved ? say("Students may see this feedback, since {when}.", { when: momentOf(told.approved) }) : say("Students do not see this feedback yet.");
  byId("meaning").textContent = [
    say("Whoever may see it sees it as it stands below, without your marks and remarks."),
    !("approval" in heading.dataset) && say("Here students see feedback at once; you can take this one back."),
    say("It is kept until {when}.", { when: momentOf(told.expires) }),
  ].filter(Boolean).join(" ");
  byId("approve").textContent = told.approved ? say("Take the approval back") : say("Approve");
  byId("approve").classList.toggle("primary", !told.approved);
  for (const form of ["pdf", "html"]) byId(form).href = `${API}/feedback/${id}?format=${form}`;
  for (const button of ["approve", "delete"]) byId(button).disabled = false;
  tools.about(told, id);
  result.whole(told);
  byId("result").querySelector(".dimension.evidence").append(...tools.setAside());
}

/** Say it to the server, show what is then there. Whether it was done. */
async function change(path, method, json) {
  let done = false;
  await tried(async () => {
    try {
      await ask(`${API}/feedback/${id}/${path}`, { method, json });
      done = true;
      tell(say("Saved."));
    } catch (error) {
      if (error.status === 404) await refresh(); // gone itself? Then that is said
      if (!(error instanceof Trouble) || error.status !== 409) throw error;
      tell(say("This was changed meanwhile, in another window or by a colleague. You see now how it is; nothing of yours was saved."), true);
    }
    await refresh();
  });
  return done;
}

async function remove() {
  if (!confirm(say("Delete this feedback? The essay, its comments and all you did with it are gone at once, for the student, too."))) return;
  await tried(async () => {
    await ask(`${API}/feedback/${id}`, { method: "DELETE" });
    id = null;
    without(say("You have deleted this feedback."));
  });
}

/** What the server knows; where it knows nothing, that is said in its place. */
async function known(look) {
  try {
    return await look();
  } catch (error) {
    if (error.status === 404) without(gone());
    throw error.status === 404 ? new Trouble(gone(), 404) : error;
  }
}

function gone() {
  return say("This feedback is not there any more: its days are over, or it was deleted.");
}

function without(message) {
  shown = null;
  result.clear();
  byId("seen").textContent = message;
  byId("meaning").textContent = "";
  for (const button of ["approve", "delete"]) byId(button).disabled = true;
  for (const form of ["pdf", "html"]) byId(form).removeAttribute("href");
}
