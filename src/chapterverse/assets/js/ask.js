// @ts-check
/** Questions to the school's documents; each answer shows the sentences it rests on and its confidence. */
import { getJson, requestJson, RequestError, showStatus, sourcesPath } from "./api.js";
import { answerCard, withQuestion } from "./answers.js";
import { byId, el, find, findById, submitOnEnter, tickedIn } from "./dom.js";
import { isProcessing, sourceProgress, stateText, watchSources } from "./sources.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { DocumentAnswer, EarlierQuestion, Source } from "./types" */

const TOPICS = 8; // shown before "More topics"
const form = byId("ask", HTMLFormElement);
const button = find(form, "button", HTMLButtonElement);
const question = byId("question", HTMLTextAreaElement);
const mayRate = "mayRate" in byId("documents").dataset;
const scope = findById("scope");
/** The documents of the student's classes; none: there is no choice. @type {string[]} */
const ofClass = JSON.parse(scope?.dataset.ofClass ?? "[]");
const SHELVES = ["documents", "textbook", "books"];
/** The ids of the textbooks. @type {Set<string>} */
let textbooks = new Set();
/** @type {Source[]} */
let all = [];
/** What a follow-up such as "And why?" refers to; stored nowhere else. @type {EarlierQuestion[]} */
let earlier = [];
let shown = "";
const KEPT = "ask-answers"; // in the session storage, so that a conversation outlives a reload
/** The questions and answers on the page. @type {{ text: string, answer: DocumentAnswer, searchesClass: boolean }[]} */
const given = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
for (const each of given) showAnswer(each);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  askQuestion(question.value.trim());
});
submitOnEnter(question, form);
byId("restart").addEventListener("click", () => {
  earlier = [];
  given.length = 0;
  sessionStorage.removeItem(KEPT);
  byId("restart").hidden = true;
  byId("answers").replaceChildren();
  question.focus();
});
scope?.addEventListener("change", showChoices);
const { refresh } = watchSources(documentsToAsk, showDocuments);

/** Returns the documents that can be or will be asked, by title; notes which of them are textbooks. @returns {Promise<Source[]>} */
async function documentsToAsk() {
  /** @type {Source[][]} */
  const [documents, texts, books] = await Promise.all(SHELVES.map(async (shelf) => (await getJson(sourcesPath(shelf))).sources));
  textbooks = new Set(texts.flatMap((each) => (each.chunks ? each.source : [])));
  const unread = books.filter((book) => isProcessing(book) && !documents.some(({ source }) => source === book.source)); // they are documents next
  return [...documents.filter((each) => each.chunks || each.state !== "failed"), ...unread.map((book) => ({ ...book, chunks: null }))];
}

/** @param {string} text */
async function askQuestion(text) {
  if (!text) return;
  const ticked = tickedIn(byId("documents"));
  const searchesClass = isClassOnly();
  const where = { sources: ticked.length || !searchesClass ? ticked : offered().flatMap((each) => (each.chunks ? each.source : [])), topics: tickedIn(byId("topics")) };
  showStatus(say("Searching the books …"));
  button.disabled = true;
  try {
    /** @type {DocumentAnswer} */
    const answer = await requestJson("/documents/ask", { method: "POST", json: { question: text, ...where, earlier } });
    given.push({ text, answer, searchesClass });
    sessionStorage.setItem(KEPT, JSON.stringify(given));
    showAnswer({ text, answer, searchesClass });
    if (question.value.trim() === text) question.value = ""; // else the next one is being written
    if (!question.value) forgetDraft(form);
    showStatus("");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.status === 404) await refresh();
    showStatus(error.status === 404 && ticked.length ? say("A book you selected no longer exists. Ask again.") : error.message, true);
  } finally {
    button.disabled = false;
  }
}

/** @param {typeof given[number]} one */
function showAnswer({ text, answer, searchesClass }) {
  byId("answers").prepend(el("li", {}, answerCard(text, answer, mayRate), answer.nothing && searchesClass && searchAll(text)));
  earlier = withQuestion(earlier, text, answer);
  byId("restart").hidden = false;
}

/** Whether the student searches only the books of their classes; not if none of them can be searched. */
function isClassOnly() {
  const chosen = scope?.querySelector("input:checked");
  return chosen instanceof HTMLInputElement && chosen.value === "class" && all.some((each) => ofClass.includes(each.source) && each.chunks);
}

/** The documents that can be ticked. */
const offered = () => (isClassOnly() ? all.filter((each) => ofClass.includes(each.source)) : all);

/** Returns a button that asks again, in all documents. @param {string} text */
function searchAll(text) {
  const again = () => {
    if (!scope) return;
    find(scope, "[value=all]", HTMLInputElement).checked = true;
    showChoices();
    askQuestion(text);
  };
  return el("button", { type: "button", on: { click: again } }, say("Search all the school’s books"));
}

/** Shows the documents and topics to tick, only if something has changed: a form that is being edited stays. @param {Source[]} documents @param {{ size: number }} pending */
function showDocuments(documents, pending) {
  byId("none").hidden = documents.length + pending.size > 0;
  byId("documents").hidden = documents.length === 0;
  const now = JSON.stringify(documents);
  if (now === shown) return;
  shown = now;
  all = documents;
  if (scope) scope.hidden = !documents.some((each) => ofClass.includes(each.source)) || documents.every((each) => ofClass.includes(each.source));
  showChoices();
}

function showChoices() {
  const documents = offered();
  const topics = byFrequency(documents.flatMap((each) => (each.chunks ? each.topics : []))).filter(([, count]) => count > 1 && count < documents.length); // else a topic says no more than a title
  fillChoices("documents", (ticked) => documents.map((each) => documentChoice(each, ticked.includes(each.source))));
  fillChoices("topics", (ticked) => {
    const labels = topics.map(([topic, count]) => choice(topic, ticked.includes(topic), `${topic} (${count})`).label);
    const more = labels.slice(TOPICS);
    return [...labels.slice(0, TOPICS), ...(more.length ? [el("details", {}, el("summary", {}, say("More topics")), more)] : [])];
  });
  byId("topics").hidden = !topics.length;
}

/** Returns the topics with the number of documents that have each: those of most documents first. @param {string[]} all @returns {[string, number][]} */
function byFrequency(all) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const topic of all) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || a.localeCompare(b));
}

/** @param {string} id @param {(ticked: string[]) => HTMLElement[]} choices */
function fillChoices(id, choices) {
  const group = byId(id);
  group.replaceChildren(find(group, "legend"), ...choices(tickedIn(group)));
}

/** @param {string} value @param {boolean} checked @param {string} text */
function choice(value, checked, text) {
  const box = el("input", { type: "checkbox", value, checked });
  return { box, label: el("label", { class: "choice" }, box, el("span", { dir: "auto" }, text)) };
}

/** @param {Source} source @param {boolean} checked */
function documentChoice(source, checked) {
  const hasVersion = Boolean(source.chunks);
  const { box, label } = choice(source.source, checked, source.title);
  box.disabled = !hasVersion;
  const id = encodeURIComponent(source.source);
  const page = textbooks.has(source.source) ? `/textbook/${id}` : source.file.endsWith(".zip") ? `/ask/documents/${id}` : `/books/${id}/1?collection=documents`;
  if (source.state !== "ready") label.append(el("span", { class: "soft" }, source.message ?? stateText(source, false)));
  return el(
    "div",
    {},
    label,
    hasVersion && el("a", { class: "small", href: page, "aria-label": say("Read {title}", { title: source.title }) }, say("Read")),
    isProcessing(source) && sourceProgress(source),
  );
}
