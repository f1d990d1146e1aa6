/** Questions on documents: each answer with the sentences that it rests on, and how sure it is. */
import { answerTo, Trouble } from "./api.js";
import { careOf } from "./caring.js";
import { answerCard, remembered } from "./answers.js";
import { byId, el, sendsOnEnter } from "./dom.js";
import { receive, toCollection } from "./dropping.js";
import { isUnderWay, progressOf, stateOf } from "./progress.js";
import { tell } from "./status.js";
import { say } from "./texts.js";
import { watch } from "./watching.js";

const form = byId("ask");
const question = byId("question");
let earlier = []; // what a question like "And why?" leans on: told again each time, and kept nowhere else
const mayAdd = "mayAdd" in byId("documents").dataset;
let shown = "";

form.addEventListener("submit", (event) => {
  event.preventDefault();
  put(question.value.trim());
});
sendsOnEnter(question, form);
byId("anew").addEventListener("click", () => {
  earlier = [];
  byId("anew").hidden = true;
  byId("answers").replaceChildren();
  question.focus();
});
const { look, arrived } = watch("/documents", show);
if (byId("drop")) receive(byId("drop"), toCollection("documents"), arrived);

async function put(asked) {
  if (!asked) return;
  tell(say("Looking in your documents …"));
  form.querySelector("button").disabled = true;
  try {
    const [documents, topics] = [tickedIn("documents"), tickedIn("topics")];
    const answer = await answerTo("/documents/ask", { method: "POST", json: { question: asked, documents, topics, earlier } });
    byId("answers").prepend(el("li", {}, answerCard(asked, answer, "documents", mayAdd)));
    earlier = remembered(earlier, asked, answer);
    byId("anew").hidden = false;
    question.value = "";
    tell("");
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    if (error.status === 404) await look();
    tell(error.status === 404 ? say("A document that was ticked is not there any more. Ask again.") : error.message, true);
  } finally {
    form.querySelector("button").disabled = false;
  }
}

const tickedIn = (id) => [...byId(id).querySelectorAll("input[type=checkbox]:checked")].map((box) => box.value);

/** Only where something is new: who is writing in a form keeps it. */
function show(documents, coming) {
  byId("none").hidden = documents.length + coming > 0;
  byId("documents").hidden = documents.length === 0;
  const told = JSON.stringify(documents);
  if (told === shown) return;
  shown = told;
  const ticked = new Set(tickedIn("documents"));
  byId("documents").replaceChildren(byId("documents").querySelector("legend"), ...documents.map((each) => choice(each, ticked.has(each.document))));
  const topics = [...new Set(documents.flatMap((each) => (each.chunks ? each.topics : [])))].sort((one, other) => one.localeCompare(other));
  const wanted = new Set(tickedIn("topics"));
  byId("topics").hidden = topics.length < 2;
  byId("topics").replaceChildren(byId("topics").querySelector("legend"), ...topics.map((topic) => tick(topic, wanted.has(topic), topic)));
}

function tick(value, checked, ...told) {
  return el("label", { class: "choice" }, el("input", { type: "checkbox", value, checked }), el("span", { dir: "auto" }, ...told));
}

function choice(each, checked) {
  const box = tick(each.document, checked, each.title);
  box.querySelector("input").disabled = !each.chunks;
  if (each.state !== "ready") box.append(el("span", { class: "soft" }, each.message ?? stateOf(each)));
  return el(
    "div",
    {},
    box,
    isUnderWay(each) && progressOf(each),
    mayAdd && careOf(each, `/documents/${encodeURIComponent(each.document)}`, look),
  );
}
