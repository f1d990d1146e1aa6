/** Questions on documents: each answer with the sentences that it rests on, and how sure it is. */
import { API, ask, get, Trouble } from "./api.js";
import { answerCard } from "./answers.js";
import { byId, el } from "./dom.js";
import { receive } from "./dropping.js";
import { EVERY, isUnderWay, progressOf, stateOf } from "./progress.js";
import { tell } from "./status.js";
import { say } from "./texts.js";

const form = byId("ask");
const question = byId("question");
const sent = new Set();
let earlier = []; // what a question like "And why?" leans on: told again each time, and kept nowhere else
let next = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  put(question.value.trim());
});
question.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
byId("anew").addEventListener("click", () => {
  earlier = [];
  byId("anew").hidden = true;
  byId("answers").replaceChildren();
  question.focus();
});
if (byId("drop")) {
  receive(byId("drop"), "documents", async (document) => {
    if (document) sent.add(document);
    await look();
  });
}
look();

async function put(asked) {
  if (!asked) return;
  tell(say("Looking in your documents …"));
  form.querySelector("button").disabled = true;
  try {
    const documents = [...document.querySelectorAll("#documents input:checked")].map((box) => box.value);
    const answer = await (await ask(`${API}/documents/ask`, { method: "POST", json: { question: asked, documents, earlier } })).json();
    byId("answers").prepend(el("li", {}, answerCard(asked, answer, "documents")));
    earlier = [...earlier, { question: asked, answer: answer.text, cited: citedBy(answer) }].slice(-5);
    byId("anew").hidden = false;
    question.value = "";
    tell("");
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    tell(error.message, true);
  } finally {
    form.querySelector("button").disabled = false;
  }
}

const citedBy = (answer) => answer.claims[0]?.citations[0]?.sentence_id ?? null;

async function look() {
  clearTimeout(next);
  try {
    const { documents } = await get("/documents");
    for (const each of documents) sent.delete(each.document);
    show(documents);
    if (sent.size || documents.some(isUnderWay)) next = setTimeout(look, EVERY);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    tell(error.message, true);
  }
}

function show(documents) {
  const ticked = new Set([...document.querySelectorAll("#documents input:checked")].map((box) => box.value));
  byId("none").hidden = documents.length + sent.size > 0;
  byId("documents").hidden = documents.length === 0;
  byId("documents").replaceChildren(
    byId("documents").querySelector("legend"),
    ...documents.map((each) =>
      el(
        "label",
        { class: "choice" },
        el("input", { type: "checkbox", value: each.document, ...(ticked.has(each.document) && { checked: true }), ...(!each.chunks && { disabled: true }) }),
        el("span", { dir: "auto" }, each.title),
        each.state !== "ready" && el("span", { class: "soft" }, each.message ?? stateOf(each)),
        isUnderWay(each) && progressOf(each),
      ),
    ),
  );
}
