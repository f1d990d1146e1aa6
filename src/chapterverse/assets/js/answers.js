// @ts-check
/** Answers to questions: claims with the sentences they rest on, the confidence, and buttons to rate them. */
import { API, request, RequestError } from "./api.js";
import { el, findAll } from "./dom.js";
import { inContext, pageLink } from "./page_viewer.js";
import { say } from "./texts.js";
/** @import { AnswerCitation, ChatAnswer, Claim, DocumentAnswer, EarlierQuestion } from "./types" */

const MAX_EARLIER = 5; // questions that the next one may refer to
const MIN_MEAN_COSINE = 0.4; // below it a reader is warned (S2, "Production Monitoring Plan")
/** What stands above an answer, by its band. @type {Record<string, string>} */
export const TITLES = { high: say("Answer"), medium: say("Possible answer"), near: say("Closest passage; it may not answer your question:"), low: say("There’s nothing about this in your books.") };

/**
 * Returns a question with its answer.
 * @param {string} question
 * @param {DocumentAnswer} answer
 * @param {boolean} [mayAdd] whether the reader can upload documents
 */
export function answerCard(question, answer, mayAdd = false) {
  const { band, mean } = answer.confidence;
  if (band === "courtesy") return el("article", { class: "card answer" }, el("h2", { dir: "auto" }, question), el("p", { dir: "auto" }, answer.text));
  const isDoubtful = answer.claims.length > 0 && band !== "high" && mean < MIN_MEAN_COSINE;
  return el(
    "article",
    { class: "card answer" },
    el("h2", { dir: "auto" }, question),
    el("p", { class: `band ${band}` }, TITLES[band]),
    shownPassages(answer, placeRow),
    !answer.claims.length && el("p", {}, mayAdd ? say("Try rephrasing, or add a book about it.") : say("Try rephrasing, or ask your teacher for a book about it.")),
    answer.by !== "extract" && answer.claims.map(claimBlock),
    byModel(answer),
    isDoubtful && el("p", { class: "disclaimer" }, say("These passages match your question only loosely. Read the pages before you rely on them.")),
    answer.notes.map((note) => el("p", { class: "soft" }, note)),
    ratingButtons(answer.id),
  );
}

/**
 * Returns a line that says which language model wrote an answer; null if it is the sources' own sentences.
 * @param {Pick<DocumentAnswer, "by"> & { claims: unknown[] }} answer
 */
export const byModel = ({ by, claims }) =>
  by === "extract" || !claims.length ? null : el("p", { class: "soft by-model" }, say("A language model ({name}) wrote this answer from the sources listed here.", { name: by }));

/**
 * Returns the earlier questions with this one added: its answer, and the first sentence it rests on.
 * @param {EarlierQuestion[]} earlier
 * @param {string} question
 * @param {Pick<DocumentAnswer | ChatAnswer, "text" | "claims">} answer
 * @returns {EarlierQuestion[]}
 */
export const withQuestion = (earlier, question, { text, claims }) =>
  [...earlier, { question, answer: text, cited: claims[0]?.citations[0]?.sentence_id ?? null }].slice(-MAX_EARLIER);

/**
 * Returns the best passage with the sentences that answer lit, and the others below it: folded where the best is the answer.
 * @param {{ passages: DocumentAnswer["passages"], confidence: { band: string } }} answer
 * @param {(shown: DocumentAnswer["passages"][number]) => HTMLElement} place
 */
export function shownPassages({ passages: [best, ...others], confidence }, place) {
  if (!best) return [];
  const block = (/** @type {DocumentAnswer["passages"][number]} */ shown) => el("blockquote", { class: "shown" }, paragraphsOf(shown.sentences), place(shown));
  return [block(best), ...(others.length ? [el("details", { class: "others", open: !["high", "found"].includes(confidence.band) }, el("summary", {}, say("Other passages")), others.map(block))] : [])];
}

/** @param {DocumentAnswer["passages"][number]["sentences"]} sentences */
function paragraphsOf(sentences) {
  /** @type {HTMLElement[]} */
  const paragraphs = [];
  let last = "";
  for (const one of sentences) {
    if (one.row || one.paragraph_id !== last) paragraphs.push(el("p", { class: "lines", dir: "auto" }));
    paragraphs.at(-1)?.append(one.highlighted ? el("mark", {}, one.text) : one.text, " ");
    last = one.paragraph_id;
  }
  return paragraphs;
}

/** @param {Claim} claim */
const claimBlock = (claim) => el("div", { class: "claim" }, el("p", { dir: "auto" }, claim.text), claim.citations.map(citationBlock));

/** @param {AnswerCitation} citation */
const citationBlock = (citation) => el("blockquote", {}, inContext(citation, "documents"), placeRow(citation));

/** @param {AnswerCitation | DocumentAnswer["passages"][number]} citation */
function placeRow(citation) {
  const hasPage = citation.sentence.boxes.length > 0;
  return el(
    "div",
    { class: "row" },
    el("span", { class: "soft" }, citation.citation),
    hasPage ? pageLink(citation, "documents") : el("a", { class: "chip", href: `/sentences/${encodeURIComponent(citation.sentence_id)}`, target: "_blank" }, say("Open the page")),
  );
}

/** Returns buttons to say whether an answer helped. @param {string} id of the answer */
export function ratingButtons(id) {
  const status = el("span", { class: "soft", role: "status" });
  /** @param {string} thumb @param {HTMLElement} pressed */
  const rate = async (thumb, pressed) => {
    try {
      await request(`${API}/answers/${id}/thumbs`, { method: "POST", json: { thumb } });
      for (const one of findAll(row, "button")) one.setAttribute("aria-pressed", String(one === pressed));
      status.textContent = say("Thank you.");
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      status.textContent = error.message;
    }
  };
  const names = { up: say("This helped"), down: say("This didn’t help") };
  const buttons = Object.entries(names).map(([thumb, name]) =>
    el("button", { class: "chip rating", type: "button", "aria-pressed": "false", on: { click: (event) => rate(thumb, event.currentTarget) } }, name));
  const row = el("div", { class: "row rating-row" }, buttons, status);
  return row;
}
