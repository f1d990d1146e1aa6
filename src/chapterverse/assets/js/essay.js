/** The essay's page: hand it in, watch the feedback arrive, see which words each comment is about. */
import { Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { marked } from "./marked.js";
import { evidenceCard, reviewOf } from "./cards.js";
import { events } from "./stream.js";
import { tell } from "./status.js";
import { say } from "./texts.js";

const DIMENSIONS = ["content", "expressions", "features"];
const HEADINGS = { content: "Content", expressions: "Expressions", features: "Features" };
const essay = byId("essay");
const form = byId("hand-in");
let under = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  handIn();
});
essay.addEventListener("input", count);
byId("file").addEventListener("change", (event) => read(event.target.files[0]));
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  event.preventDefault();
  read(event.dataTransfer.files[0]);
});
for (const [event, lit] of [["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]]) {
  byId("result").addEventListener(event, ({ target }) => light(target.closest("[data-comment]"), lit));
}
byId("print").addEventListener("click", () => print());
byId("change").addEventListener("click", () => {
  writing(true);
  essay.focus();
});
count();

async function read(file) {
  if (!file) return;
  essay.value = await file.text();
  count();
  essay.focus();
}

function count() {
  const words = essay.value.split(/\s+/).filter(Boolean).length;
  byId("count").textContent = say("{words} of at most {most} words", { words, most: form.dataset.words });
}

async function handIn() {
  under?.abort();
  under = new AbortController();
  clear();
  tell(say("Looking in your books …"));
  const given = { evidence: null, reviews: {} };
  try {
    for await (const [name, data] of events("/api/v1/essays/feedback", { essay: essay.value }, "done", under.signal)) {
      arrived(name, data, given);
    }
    tell("");
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Trouble)) throw error;
    writing(true);
    tell(error.message, true);
  }
}

function arrived(name, data, given) {
  if (name === "evidence") {
    given.evidence = data;
    writing(false);
    byId("result").hidden = false;
    byId("evidence").replaceChildren(el("h2", {}, say("Evidence")), ...data.evidence.map(evidenceCard));
    tell(say("Reading your essay …"));
  } else if (DIMENSIONS.includes(name)) {
    given.reviews[name] = data;
    byId(name).replaceChildren(el("h2", {}, say(HEADINGS[name])), ...reviewOf(name, data, given.evidence));
  } else if (name === "citations") {
    data.verdicts.forEach(judge);
  }
  if (name !== "done") byId("text").replaceChildren(...marked(given.evidence, given.reviews));
}

function judge({ number, verdict, reason }) {
  const told = byId(`evidence-${number}`)?.querySelector(".verdict");
  if (!told) return;
  told.classList.add(verdict);
  told.textContent = reason;
}

/** A comment and the words it is about are lit together. */
function light(target, lit) {
  if (!target) return;
  for (const each of document.querySelectorAll(`[data-comment="${target.dataset.comment}"]`)) each.classList.toggle("is-lit", lit);
}

function clear() {
  for (const name of [...DIMENSIONS, "evidence", "text"]) byId(name).replaceChildren();
  byId("result").hidden = true;
}

/** The essay is either written or, marked, read. */
function writing(now) {
  form.hidden = !now;
  byId("again").hidden = now;
}
