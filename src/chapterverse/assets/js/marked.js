import { el } from "./dom.js";
import { link } from "./going.js";
import { say } from "./texts.js";

/** The essay, paragraph by paragraph, the words that comments are about marked: each mark leads to its comment. comments: with
 * the key and the number that they are shown with. */
export function marked(evidence, comments) {
  return [
    evidence.title && el("h2", { dir: "auto" }, evidence.title),
    ...evidence.paragraphs.map((paragraph) => paragraphOf(paragraph, comments.filter((one) => one.paragraph === paragraph.number))),
  ];
}

function paragraphOf(paragraph, comments) {
  const whole = comments.filter((one) => !one.about);
  return el(
    "div",
    { class: "paragraph" },
    el(
      "p",
      { dir: "auto", id: `paragraph-${paragraph.number}`, tabindex: -1, dataset: whole.length ? { comments: keysOf(whole) } : {} },
      pieces([...paragraph.text], comments.filter((one) => one.about)), // characters as Python counts them
    ),
    el("div", { class: "books" }, whole.map(onTheWhole), inBooks(paragraph)),
  );
}

/** The text, parted where marks begin or end, so that they may overlap; of two on the same words the shorter one shows. */
function pieces(text, comments) {
  const edges = [...new Set([0, text.length, ...comments.flatMap((one) => [one.about.start, one.about.end])])].sort((a, b) => a - b);
  return edges.slice(1).map((end, at) => {
    const [start, words] = [edges[at], text.slice(edges[at], end).join("")];
    const about = comments.filter((one) => one.about.start <= start && end <= one.about.end);
    return about.length ? mark(words, about, start, end) : words;
  });
}

/** Where the words of a comment begin, its mark has an id, and the Tab key stops. */
function mark(words, about, start, end) {
  const shown = about.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
  const begins = shown.about.start === start;
  const ends = about.filter((one) => one.about.end === end);
  return link(`comment-${shown.key}`, words, {
    class: `mark ${shown.dimension}`,
    id: begins ? wordsId(shown.key) : null,
    tabindex: begins ? null : -1,
    dataset: { comments: keysOf(about), ...(ends.length && { ends: ends.map((one) => one.shown).join(" ") }) },
  });
}

const lengthOf = (comment) => comment.about.end - comment.about.start;
const keysOf = (comments) => comments.map((one) => one.key).join(" ");

/** The id of the words that a comment is about. */
export const wordsId = (key) => `words-${key}`;

function onTheWhole(comment) {
  const told = say("Comment {number}, on the whole paragraph", { number: comment.shown });
  return link(`comment-${comment.key}`, String(comment.shown), { class: `chip whole ${comment.dimension}`, "aria-label": told, dataset: { comments: comment.key } });
}

function inBooks(paragraph) {
  if (!paragraph.evidence.length) return paragraph.message;
  return [say("In your books:"), ...paragraph.evidence.map((number) => evidenceLink(number))];
}

/** What opens a piece of evidence. */
export function evidenceLink(number) {
  return link(`evidence-${number}`, say("Evidence #{number}", { number }), { class: "chip" });
}
