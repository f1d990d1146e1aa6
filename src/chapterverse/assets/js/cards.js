import { el } from "./dom.js";
import { openPage } from "./lit_page.js";
import { link } from "./marked.js";
import { say } from "./texts.js";

/** What a review says: its comments, then what was checked and what not. */
export function reviewOf(dimension, review, evidence) {
  const comments = review.comments.map((comment) => commentCard(dimension, comment, evidence));
  return [
    ...(comments.length ? comments : [el("p", {}, say("Nothing stood out."))]),
    ...review.notes.map((note) => el("p", { class: "soft" }, note)),
    el(
      "details",
      {},
      el("summary", {}, say("What was checked, and what not")),
      el("p", { class: "soft" }, `${say("Checked:")} ${review.checked.join("; ")}.`),
      el("p", { class: "soft" }, `${say("Not checked:")} ${review.not_checked.join("; ")}.`),
    ),
  ];
}

function commentCard(dimension, comment, evidence) {
  const key = `${dimension}-${comment.number}`;
  const against = comment.evidence.some((one) => one.verdict === "contradicts");
  return el(
    "article",
    { class: against ? "card otherwise" : "card", id: `comment-${key}`, tabindex: -1, dataset: { comment: key } },
    el("p", { class: "where" }, whereOf(comment)),
    el("p", {}, comment.text, comment.instead && [" ", say("Perhaps:"), " ", el("strong", {}, comment.instead)]),
    comment.evidence.map((one) => cited(one, evidence)),
  );
}

function whereOf(comment) {
  if (comment.paragraph === null) return say("The whole essay");
  const place = say("Paragraph {number}", { number: comment.paragraph });
  return comment.about ? `${place}: “${comment.about.text}”` : place;
}

function cited(citation, evidence) {
  const source = evidence.evidence.find((one) => one.number === citation.number);
  return el(
    "blockquote",
    {},
    el("p", {}, `“${citation.quote}”`),
    el(
      "div",
      { class: "row" },
      link(`evidence-${citation.number}`, say("Evidence #{number}", citation), { class: "chip" }),
      toPage(source),
      el("span", { class: `verdict ${citation.verdict}` }, citation.reason),
    ),
  );
}

/** Evidence as S1 shows it: the sentence in bold between its neighbours, where it stands, and the paragraph to read on. */
export function evidenceCard(one) {
  return el(
    "article",
    { class: "card", id: `evidence-${one.number}`, tabindex: -1 },
    el("h3", {}, say("Evidence #{number}", { number: one.number })),
    el("p", { class: "context", dir: "auto" }, one.previous && `${one.previous} `, el("strong", {}, one.sentence.text), one.next && ` ${one.next}`),
    el("div", { class: "row" }, el("span", { class: "soft" }, one.citation), toPage(one)),
    el("p", { class: "verdict" }),
    el("details", {}, el("summary", {}, say("Further reading: the whole paragraph")), el("p", { dir: "auto" }, one.further_reading)),
  );
}

function toPage(one) {
  const open = () => openPage(one.sentence, one.citation.replace(/^\(|\)$/g, ""));
  return el("button", { class: "chip", type: "button", on: { click: open } }, say("Open the page"));
}
