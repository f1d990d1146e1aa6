import { API, ask, Trouble } from "./api.js";
import { el } from "./dom.js";
import { decimal } from "./formats.js";
import { pageButton } from "./lit_page.js";
import { inContext } from "./sentence.js";
import { say } from "./texts.js";

const BANDS = {
  high: () => say("The documents say so."),
  medium: () => say("The documents may say so."),
  low: () => say("The documents do not seem to say."),
};

const REMEMBERED = 5; // questions before, which the next may lean on
const DOUBTFUL = 0.4; // mean of the cosines (S2, "Production Monitoring Plan")
const READERS = { documents: "/ask/documents", textbook: "/textbook" }; // of what has no pages

/** A question's answer: its claims, each with the sentences that it rests on, how sure it is, and a thumb. mayAdd: whether who asks
 * can hand in what is missing. */
export function answerCard(question, answer, collection, mayAdd = false) {
  return el(
    "article",
    { class: "card answer" },
    el("h2", { dir: "auto" }, question),
    el("p", { class: `band ${answer.confidence.band}` }, BANDS[answer.confidence.band]?.() ?? ""),
    !answer.claims.length && el("p", {}, mayAdd ? say("Put the question in other words, or hand in a document that is about it.") : say("Put the question in other words, or ask your teacher for a document that is about it.")),
    answer.claims.map((claim) => claimOf(claim, collection)),
    answer.claims.length > 0 && answer.confidence.mean < DOUBTFUL && el("p", { class: "disclaimer" }, say("On the whole, what was found is far from your question: read the pages before you rely on it.")),
    answer.notes.map((note) => el("p", { class: "soft" }, note)),
    scoresOf(answer),
    thumbs(answer.id),
  );
}

/** The questions before with this one, each with what was answered and the first sentence that it rests on. */
export const remembered = (earlier, question, { text, claims }) =>
  [...earlier, { question, answer: text, cited: claims[0]?.citations[0]?.sentence_id ?? null }].slice(-REMEMBERED);

/** How near what was found is to the question, in S2's both readings. */
function scoresOf({ scores, confidence }) {
  const told = (values) => values.map((value) => decimal(value)).join(" · ") || "–";
  return el(
    "details",
    { class: "scores" },
    el("summary", {}, say("Nearness of what was found: {scores}", { scores: told(scores.map((score) => score.cosine)) })),
    el("p", { class: "soft" }, say("Cosines, the nearest first; their mean is {mean}. As 1 / (1 + d²): {others}", { mean: decimal(confidence.mean), others: told(scores.map((score) => score.inverse_distance)) })),
  );
}

function claimOf(claim, collection) {
  return el("div", { class: "claim" }, el("p", { dir: "auto" }, claim.text), claim.citations.map((one) => cited(one, collection)));
}

function cited(one, collection) {
  const page = one.sentence.boxes.length > 0;
  const reader = READERS[collection] && `${READERS[collection]}/${encodeURIComponent(one.book)}?sentence=${encodeURIComponent(one.sentence_id)}`;
  return el(
    "blockquote",
    {},
    inContext(one),
    el(
      "div",
      { class: "row" },
      el("span", { class: "soft" }, one.citation),
      page && pageButton(one, collection),
      !page && reader && el("a", { class: "chip", href: reader, target: "_blank" }, say("Open the page")),
    ),
  );
}

/** Whether an answer helped. */
export function thumbs(id) {
  const told = el("span", { class: "soft", role: "status" });
  const give = (thumb) => async (event) => {
    const pressed = event.currentTarget; // it is gone after the first wait
    try {
      await ask(`${API}/answers/${id}/thumbs`, { method: "POST", json: { thumb } });
      for (const one of pressed.parentElement.querySelectorAll("button")) one.setAttribute("aria-pressed", one === pressed);
      told.textContent = say("Thank you.");
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      told.textContent = error.message;
    }
  };
  const buttons = { up: say("This helped"), down: say("This did not help") };
  const made = Object.entries(buttons).map(([thumb, name]) => el("button", { class: "chip thumb", type: "button", "aria-pressed": "false", on: { click: give(thumb) } }, name));
  return el("div", { class: "row" }, made, told);
}
