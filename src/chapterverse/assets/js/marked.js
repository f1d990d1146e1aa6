import { byId, el } from "./dom.js";
import { say } from "./texts.js";

/** The essay, paragraph by paragraph, the words that comments are about marked: each mark leads to its comment. */
export function marked(evidence, reviews) {
  const comments = Object.entries(reviews).flatMap(([dimension, review]) =>
    review.comments.map((comment) => ({ ...comment, dimension, key: `${dimension}-${comment.number}` })),
  );
  return evidence.paragraphs.map((paragraph) =>
    el(
      "div",
      { class: "paragraph", id: `paragraph-${paragraph.number}` },
      el("p", { dir: "auto" }, pieces(paragraph, comments)),
      el("div", { class: "books" }, inBooks(paragraph)),
    ),
  );
}

/** Words that two comments are about belong to the first: one place leads to one comment. */
function pieces(paragraph, comments) {
  const about = comments
    .filter((comment) => comment.paragraph === paragraph.number && comment.about)
    .sort((a, b) => a.about.start - b.about.start || b.about.end - a.about.end);
  const text = [...paragraph.text]; // characters as Python counts them
  const made = [];
  let at = 0;
  for (const comment of about) {
    if (comment.about.start < at) continue;
    made.push(text.slice(at, comment.about.start).join(""), mark(comment, text.slice(comment.about.start, comment.about.end).join("")));
    at = comment.about.end;
  }
  return [...made, text.slice(at).join("")];
}

function mark(comment, words) {
  const id = `comment-${comment.key}`;
  return link(id, words, { class: `mark ${comment.dimension}`, dataset: { comment: comment.key } });
}

function inBooks(paragraph) {
  if (!paragraph.evidence.length) return paragraph.message;
  const chip = (number) => link(`evidence-${number}`, say("Evidence #{number}", { number }), { class: "chip" });
  return [say("In your books:"), ...paragraph.evidence.map(chip)];
}

/** A link to a place on this page, which then has the focus. */
export function link(id, words, attributes) {
  const go = (event) => {
    event.preventDefault(); // the address stays: going back leads to the page before this one
    show(id);
  };
  return el("a", { href: `#${id}`, on: { click: go }, ...attributes }, words);
}

function show(id) {
  const target = byId(id);
  if (!target) return;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}
