import { byId, el } from "./dom.js";
import { evidenceCard, reviewOf, verdictOf } from "./cards.js";
import { marked } from "./marked.js";
import { say } from "./texts.js";

const DIMENSIONS = ["content", "expressions", "features"];
const ALL = ["evidence", ...DIMENSIONS]; // as they arrive, so that nothing moves
const heading = { content: () => say("Content"), expressions: () => say("Expressions"), features: () => say("Features"), evidence: () => say("Evidence") };
const nothing = () => [];

/** Feedback on an essay in that element: the essay, marked, and beside it comments by dimension and the evidence. Part by part as it
 * arrives (evidence first), or `whole`, as GET /api/v1/feedback/{id} answers. onComment(comment with its dimension), onEvidence(one):
 * what else stands on a card, as elements; open: whether evidence is open from the start. One on a page: cards and words have ids. */
export function feedbackIn(place, { onComment = nothing, onEvidence = nothing, open = false } = {}) {
  let [evidence, reviews] = [null, {}];
  const part = Object.fromEntries(ALL.map((name) =>
    [name, el("section", { class: `dimension ${name}`, "aria-label": heading[name]() })]));
  const paper = el("section", { class: "paper", tabindex: 0, "aria-label": say("The essay, marked") });
  place.classList.add("desk", "feedback");
  place.replaceChildren(paper, el("div", { class: "side" }, Object.values(part)));
  for (const [event, lit] of [["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]]) {
    place.addEventListener(event, ({ target }) => light(place, target.closest("[data-comments]"), lit));
  }

  const fill = (name, ...content) => part[name].replaceChildren(el("h2", {}, heading[name]()), ...content);
  const show = {
    clear() {
      [evidence, reviews] = [null, {}];
      for (const each of [paper, ...Object.values(part)]) each.replaceChildren();
    },
    evidence(found) {
      evidence = found;
      const cards = found.evidence.map((one) => evidenceCard(one, open, onEvidence));
      fill("evidence", cards.length ? el("div", { class: "cards" }, cards) : el("p", {}, noneOf(found)));
      show.essay();
    },
    review(name, review) {
      reviews[name] = review;
      show.essay();
      fill(name, ...reviewOf(review, numbered(reviews).filter((one) => one.dimension === name), evidence, onComment));
    },
    essay() {
      paper.replaceChildren(...marked(evidence, numbered(reviews)).filter(Boolean));
    },
    verdicts(told) {
      told.forEach(judge);
    },
    whole(feedback) {
      const kept = openIn(place);
      show.clear();
      show.evidence(feedback);
      for (const name of DIMENSIONS) if (feedback[name]) show.review(name, feedback[name]);
      reopen(place, kept);
    },
  };
  return show;
}

/** Why no evidence is shown. */
function noneOf(found) {
  return found.changed ? say("No evidence is shown: the teacher has hidden it.") : say("Your books say nothing on this essay.");
}

/** All comments in the order of the dimensions; shown: the number beside their words. */
function numbered(reviews) {
  return DIMENSIONS.flatMap((dimension) =>
    (reviews[dimension]?.comments ?? []).map((one) => ({ ...one, dimension, key: `${dimension}-${one.number}` })),
  ).map((one, at) => ({ ...one, shown: at + 1 }));
}

function judge(told) {
  byId(`evidence-${told.number}`)?.querySelector(".verdict")?.replaceWith(verdictOf(told));
}

/** A comment and the words it is about are lit together. */
function light(place, target, lit) {
  for (const key of target?.dataset.comments.split(" ") ?? []) {
    for (const each of place.querySelectorAll(`[data-comments~="${key}"]`)) each.classList.toggle("is-lit", lit);
  }
}

/** What was open, and where the focus was, stay so when the same feedback is shown anew. */
function openIn(place) {
  const card = document.activeElement?.closest(".card[id]");
  const at = card && place.contains(card) ? [...card.querySelectorAll("a, button, summary")].indexOf(document.activeElement) : -1;
  return { open: [...place.querySelectorAll(".card[id] details[open]")].map(nameOf), card: card?.id, at };
}

function reopen(place, { open, card, at }) {
  for (const each of place.querySelectorAll(".card[id] details")) each.open ||= open.includes(nameOf(each));
  const again = card && place.contains(byId(card)) ? byId(card) : null;
  (again?.querySelectorAll("a, button, summary")[at] ?? again)?.focus();
}

const nameOf = (details) => `${details.className} ${details.closest(".card").id}`;
