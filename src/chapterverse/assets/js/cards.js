import { byId, el } from "./dom.js";
import { link } from "./going.js";
import { pageButton } from "./lit_page.js";
import { evidenceLink, wordsId } from "./marked.js";
import { inContext } from "./sentence.js";
import { say } from "./texts.js";

/** What a review says: its comments, then what was checked and what not. more: what stands below a comment. */
export function reviewOf(review, comments, evidence, more) {
  return [
    ...(comments.length ? comments.map((comment) => commentCard(comment, evidence, more)) : [el("p", {}, say("Nothing stood out."))]),
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

function commentCard(comment, evidence, more) {
  const against = comment.evidence.some((one) => one.verdict === "contradicts");
  return el(
    "article",
    { class: against ? "card otherwise" : "card", id: `comment-${comment.key}`, tabindex: -1, dataset: { comments: comment.key } },
    el("p", { class: "where" }, el("span", { class: "number" }, String(comment.shown)), " ", whereOf(comment)),
    el("p", { dir: "auto" }, namingEvidence(comment.text, evidence), comment.instead && [" ", say("Perhaps:"), " ", el("strong", {}, comment.instead)].flat()),
    comment.evidence.map((one) => cited(one, evidence)),
    more(comment),
  );
}

function whereOf(comment) {
  if (comment.paragraph === null) return say("The whole essay");
  const place = say("Paragraph {number}", { number: comment.paragraph });
  if (!comment.about) return link(`paragraph-${comment.paragraph}`, place);
  return link(placeOf(comment), [`${place}: `, el("q", { dir: "auto" }, comment.about.text)]);
}

/** Words that a shorter comment lies on have the id of that one: then the paragraph is as near as a link can lead. */
function placeOf(comment) {
  return byId(wordsId(comment.key)) ? wordsId(comment.key) : `paragraph-${comment.paragraph}`;
}

/** Each "Evidence #n" in the text leads there. */
function namingEvidence(text, evidence) {
  const there = new Set(evidence.evidence.map((one) => one.number));
  return text.split(/(Evidence #\d+)/).map((part) => {
    const number = Number(part.match(/^Evidence #(\d+)$/)?.[1]);
    return there.has(number) ? link(`evidence-${number}`, part) : part;
  });
}

function cited(citation, evidence) {
  const source = evidence.evidence.find((one) => one.number === citation.number);
  return el(
    "blockquote",
    {},
    el("p", { dir: "auto" }, `“${citation.quote}”`),
    el("div", { class: "row" }, evidenceLink(citation.number), source && pageButton(source), verdictOf(citation)),
  );
}

/** What the book says to it: nothing where that is not known yet. */
export function verdictOf({ verdict, reason }) {
  return el("span", { class: verdict ? `verdict ${verdict}` : "verdict" }, reason ?? "");
}

/** Evidence as S1 shows it: the sentence in bold between its neighbours, where it stands, and the paragraph to read on. Shut, it
 * is two lines, so that what comes below it stays near. more: what stands at its end. */
export function evidenceCard(one, open, more) {
  return el(
    "article",
    { class: "card evidence", id: `evidence-${one.number}`, tabindex: -1 },
    el(
      "details",
      { class: "opens", open },
      el("summary", {}, el("h3", {}, say("Evidence #{number}", { number: one.number })), el("span", { class: "glimpse", dir: "auto" }, one.sentence.text)),
      inContext(one),
      el("div", { class: "row" }, el("span", { class: "soft", dir: "auto" }, one.citation), pageButton(one)),
      el("p", {}, verdictOf(one)),
      el("details", {}, el("summary", {}, say("Further reading: the whole paragraph")), el("p", { dir: "auto" }, one.further_reading)),
      more(one),
    ),
  );
}
