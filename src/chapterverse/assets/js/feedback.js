// @ts-check
/** Feedback on an essay: beside each paragraph the comments on it, numbered as they stand on the page, each with its passages. */
import { showStatus } from "./api.js";
import { copyElement, el, findAll, findById, focusOn } from "./dom.js";
import { inContext, pageLink } from "./page_viewer.js";
import { say } from "./texts.js";
/** @import { Attributes, Child, Comment, Criterion, EssayEvidence, Evidence, Feedback, Revision, ShownComment } from "./types" */

export const FIRST_OWN = 1001; // as the server numbers a teacher's comments and passages
const [LONG, FIRST] = [200, 3]; // characters of a sentence, which may be cut; corrections that a student sees at once, and places of each

/**
 * Shows feedback in an element, part by part as it arrives (evidence first), or whole. One per page: cards and words have ids.
 * @param {HTMLElement} place
 * @param {object} [options]
 * @param {(comment: ShownComment) => Child} [options.onComment] further content of a comment's card
 * @param {(evidence: Evidence) => Child} [options.onEvidence] further content of a passage
 * @param {(paragraph: number) => Child} [options.onParagraph] what follows the comments on a paragraph
 * @param {(criterion: Criterion) => Child} [options.onCriterion] what follows a criterion, instead of its level
 */
export function showFeedbackIn(place, { onComment = () => null, onEvidence = useButton, onParagraph = () => null, onCriterion = levelText } = {}) {
  /** @type {EssayEvidence | null} */
  let found = null;
  /** @type {Comment[]} */
  let comments = [];
  /** The number of the comment to take up first. @type {number | null} */
  let start = null;
  const head = el("section", { class: "head", "aria-label": say("Overview"), hidden: true });
  const body = el("section", { class: "blocks", tabindex: 0, "aria-label": say("The essay with comments") });
  place.classList.add("feedback");
  place.replaceChildren(head, body);
  for (const [event, isOn] of /** @type {const} */ ([["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]])) {
    place.addEventListener(event, ({ target }) => highlight(place, target instanceof Element ? target.closest("[data-comments]") : null, isOn));
  }

  function draw() {
    const evidence = found?.evidence ?? [];
    const shown = numbered(comments, start);
    /** Each passage stands where it is cited first. @type {Set<number>} */
    const placed = new Set();
    /** @param {number[]} numbers @param {ShownComment} [comment] that cites them */
    const passagesOf = (numbers, comment) => numbers.map((number) => {
      const one = evidence.find((each) => each.number === number);
      if (!one) return null;
      if (placed.has(number)) return el("p", {}, jumpLink(`evidence-${number}`, say("Passage {number}", { number }), { class: "chip" }));
      placed.add(number);
      return passage(one, onEvidence, comment);
    });
    /** @param {ShownComment} comment */
    const card = (comment) => commentCard(comment, passagesOf(comment.evidence, comment), onComment);
    const whole = shown.filter((one) => one.paragraph === null);
    const blocks = (found?.paragraphs ?? []).map((paragraph) => {
      const here = shown.filter((one) => one.paragraph === paragraph.number);
      const later = here.filter((one) => one.isLater);
      const cards = here.filter((one) => !later.includes(one)).map(card);
      const folded = later.length > 0 && el("details", { dataset: { key: `places ${paragraph.number}` } }, el("summary", {}, cards.length ? say("More corrections") : say("Corrections")), later.map(card));
      const others = paragraph.evidence.filter((number) => !shown.some((one) => one.evidence.includes(number)));
      const more = others.length > 0 && el("article", { class: "card passages" }, passagesOf(others));
      const lines = (/** @type {string[]} */ texts) => texts.map((text) => el("p", { class: "line", dir: "auto" }, text));
      const text = [lines(paragraph.above), essayText(paragraph, here, marksIn(paragraph.number, shown)), lines(paragraph.below)];
      return block(text, [cards, folded, more, onParagraph(paragraph.number)]);
    });
    const title = found?.title ? el("h2", { dir: "auto" }, found.title) : null;
    body.replaceChildren(...(title || whole.length ? [block(title, whole.map(card))] : []), ...blocks);
  }

  return {
    clear() {
      [found, comments, start] = [null, [], null];
      head.replaceChildren();
      head.hidden = true;
      draw();
    },
    /** @param {EssayEvidence} evidence */
    showEvidence(evidence) {
      found = evidence;
      draw();
    },
    /** @param {Comment} comment */
    addComment(comment) {
      comments.push(comment);
      draw();
    },
    /** Shows all of it; what was open or focused before stays so. @param {Omit<Feedback, "note" | "grade_given"> & Partial<Feedback>} feedback */
    showAll(feedback) {
      const before = openIn(place);
      [found, comments, start] = [feedback, feedback.comments, feedback.start];
      const content = overview(feedback, numbered(comments, start), onCriterion);
      head.replaceChildren(...content);
      head.hidden = !content.length;
      draw();
      reopen(place, before);
    },
  };
}

/** The comments numbered in the order of the page, those that are folded last. @param {Comment[]} comments @param {number | null} start the number of the one to take up first @returns {ShownComment[]} */
function numbered(comments, start) {
  const corrections = comments.filter(({ instead }) => instead !== null);
  const isLater = (/** @type {Comment} */ one) => one.paragraph !== null && corrections.indexOf(one) >= FIRST;
  const sorted = comments.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)) || (a.paragraph ?? 0) - (b.paragraph ?? 0));
  return sorted.map((one, at) => ({ ...one, shown: at + 1, isStart: one.number === start, isLater: isLater(one) }));
}

/** @param {Child} text @param {Child} margin */
const block = (text, margin) => el("div", { class: "block" }, el("div", { class: "paper" }, text), el("div", { class: "margin" }, margin));

/**
 * Returns what stands above the essay: the teacher's note and grade, the levels, the summary, what changed, and what was checked.
 * @param {Parameters<ReturnType<typeof showFeedbackIn>["showAll"]>[0]} feedback
 * @param {ShownComment[]} comments
 * @param {(criterion: Criterion) => Child} onCriterion
 */
function overview({ note, grade_given: grade, summary, criteria, points, revision, by, notes }, comments, onCriterion) {
  const told = onCriterion === levelText ? criteria.filter((one) => one.chosen_level || one.comments.length) : criteria;
  const checked = [by && say("Written by a language model ({name}).", { name: by }), ...notes, !comments.length && say("No comments.")].filter(Boolean).join(" ");
  const marks = [grade && [`${say("Grade")}: `, el("strong", { dir: "auto" }, grade)], points && say("Points: {points} of {most}", { points: points[0], most: points[1] })].filter(Boolean);
  const given = note || grade ? el("h2", {}, say("From your teacher")) : null;
  /** @type {(HTMLElement | null)[]} */
  const content = [
    given || told.length ? el("div", { class: "card from-teacher" }, el("div", { class: "row between" }, given, el("span", {}, marks.map((one, at) => [at > 0 && " · ", one]))), note && el("p", { class: "note", dir: "auto" }, note), el("ul", { class: "plain criteria" }, told.map((one) => criterionLine(one, criteria.indexOf(one), comments, onCriterion)))) : null,
    summary ? el("p", { class: "summary", dir: "auto" }, summary) : null,
    revision ? revised(revision) : null,
    checked ? el("p", { class: "soft checked" }, checked) : null,
  ];
  return content.filter((one) => one !== null);
}

/** The names of the levels of a criterion for which the rubric describes none. @type {Record<string, string>} */
export const LEVELS = { "not met": say("not met"), partly: say("partly"), mostly: say("mostly"), fully: say("fully") };

/** @param {string[]} described by the rubric @param {string} level */
export const levelName = (described, level) => (!described.length && LEVELS[level]) || level;

/** @param {Criterion} criterion */
const levelText = ({ levels, chosen_level: level }) => level && el("strong", { dir: "auto" }, levelName(levels, level));

/** @param {Criterion} one @param {number} index @param {ShownComment[]} comments @param {(criterion: Criterion) => Child} onCriterion */
function criterionLine(one, index, comments, onCriterion) {
  const naming = comments.filter((each) => one.comments.includes(each.number));
  return el("li", { id: `criterion-${index + 1}` }, el("span", { dir: "auto" }, one.criterion, one.weight !== 1 && ` (${one.weight})`, " ", naming.map(numberLink)), " ", onCriterion(one));
}

/** Returns what changed since an earlier draft: the story, then the earlier comments and all changes, folded. @param {Revision} revision */
function revised({ story, comments, changes }) {
  const states = comments.map((one) =>
    el("li", { dir: "auto", class: one.state }, el("strong", {}, one.name), ": ", one.words && [el("q", {}, one.words), " "], one.text));
  const edits = changes.map((one) =>
    el("li", { dir: "auto" }, el("strong", {}, one.name), ": ", one.before && el("del", {}, one.before), " ", one.after && el("ins", {}, one.after)));
  /** @param {string} name @param {HTMLElement[]} items */
  const folded = (name, items) => items.length > 0 && el("details", { dataset: { key: name } }, el("summary", {}, `${name} (${items.length})`), el("ul", {}, items));
  return el("div", { class: "card revision" }, el("h2", {}, say("Since the last draft")), el("p", {}, story.join(" ")), folded(say("Comments on the last draft"), states), folded(say("All changes"), edits));
}

/** Highlights a comment together with the words it is about. @param {HTMLElement} place @param {Element | null} target @param {boolean} isOn */
function highlight(place, target, isOn) {
  const keys = target instanceof HTMLElement ? target.dataset.comments : undefined;
  for (const key of keys?.split(" ") ?? []) {
    for (const each of place.querySelectorAll(`[data-comments~="${key}"]`)) each.classList.toggle("is-highlighted", isOn);
  }
}

/** @typedef {{ open: string[], card: string | undefined, index: number }} OpenState open details, and the focused element in its card */

/** @param {HTMLElement} place @returns {OpenState} */
function openIn(place) {
  const focused = document.activeElement;
  const card = focused?.closest(".card[id]");
  const index = focused && card && place.contains(card) ? controlsIn(card).indexOf(focused) : -1;
  return { open: findAll(place, "details[data-key][open]", HTMLDetailsElement).map((each) => each.dataset.key ?? ""), card: card?.id, index };
}

/** @param {HTMLElement} place @param {OpenState} before */
function reopen(place, { open, card: id, index }) {
  for (const each of findAll(place, "details[data-key]", HTMLDetailsElement)) each.open ||= open.includes(each.dataset.key ?? "");
  const card = id ? findById(id) : null;
  if (!card || !place.contains(card)) return;
  const control = controlsIn(card)[index] ?? card;
  if (control instanceof HTMLElement) control.focus();
}

/** @param {Element} card */
const controlsIn = (card) => [...card.querySelectorAll("a, button, summary, select, textarea")];

// The essay

/** @typedef {{ comment: ShownComment, start: number, end: number, isFirst: boolean }} Mark isFirst: of the comment's places */

/** @param {number} paragraph @param {ShownComment[]} comments @returns {Mark[]} */
function marksIn(paragraph, comments) {
  return comments.flatMap((comment) => {
    const about = comment.paragraph === paragraph && comment.about ? [{ comment, ...comment.about, isFirst: true }] : [];
    const also = (comment.also ?? []).filter((one) => one.paragraph === paragraph);
    return [...about, ...also.map(({ start, end }) => ({ comment, start, end, isFirst: false }))];
  });
}

/** @param {EssayEvidence["paragraphs"][number]} paragraph @param {ShownComment[]} comments on it @param {Mark[]} marks */
function essayText(paragraph, comments, marks) {
  const onWhole = comments.filter((one) => !one.about);
  const characters = [...paragraph.text]; // Unicode characters, as the server counts them
  return el("p", { dir: "auto", id: `paragraph-${paragraph.number}`, tabindex: -1, dataset: onWhole.length ? { comments: keysOf(onWhole) } : {} }, markedText(characters, marks));
}

/**
 * Returns the text split where marks begin or end, so that they may overlap; of two on the same words the shorter one shows.
 * @param {string[]} text
 * @param {Mark[]} marks
 */
function markedText(text, marks) {
  const edges = [...new Set([0, text.length, ...marks.flatMap((one) => [one.start, one.end])])].sort((a, b) => a - b);
  return edges.slice(1).map((end, index) => {
    const start = edges[index];
    const words = text.slice(start, end).join("");
    const here = marks.filter((one) => one.start <= start && end <= one.end);
    return here.length ? markLink(words, here, start, end) : words;
  });
}

/**
 * Returns marked words. The first ones of a comment have its id and stop the Tab key.
 * @param {string} words
 * @param {Mark[]} marks
 * @param {number} start
 * @param {number} end
 */
function markLink(words, marks, start, end) {
  const shown = marks.toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];
  const isFirst = shown.isFirst && shown.start === start;
  const endingHere = marks.filter((one) => one.end === end).map((one) => one.comment.shown);
  return jumpLink(`comment-${shown.comment.number}`, words, {
    class: `mark ${shown.comment.part}${marks.length > 1 ? " nested" : ""}`,
    id: isFirst ? `words-${shown.comment.number}` : null,
    tabindex: isFirst ? null : -1,
    dataset: { comments: keysOf(marks.map((one) => one.comment)), ...(endingHere.length && { ends: endingHere.join(" ") }) },
  });
}

/** @param {ShownComment[]} comments */
const keysOf = (comments) => comments.map((one) => one.number).join(" ");

/** @param {ShownComment} comment */
const numberLink = (comment) =>
  jumpLink(`comment-${comment.number}`, String(comment.shown), { class: "chip whole", "aria-label": say("Comment {number}", { number: comment.shown }) });

/**
 * Returns a link that scrolls to an element of this page and focuses it. The address stays: "back" leads to the page before this one.
 * @param {string} id
 * @param {Child} content
 * @param {Attributes<HTMLAnchorElement>} [attributes]
 */
function jumpLink(id, content, attributes) {
  /** @param {MouseEvent} event */
  const jump = (event) => {
    event.preventDefault();
    const target = findById(id);
    if (target) focusOn(target);
  };
  return el("a", { href: `#${id}`, on: { click: jump }, ...attributes }, content);
}

// The cards

/** @param {ShownComment} comment @param {Child} passages @param {(comment: ShownComment) => Child} onComment */
function commentCard(comment, passages, onComment) {
  const { number, shown, kind, about, text, instead, criterion, see, also = [] } = comment;
  const places = instead !== null && about ? [{ text: about.text, instead, paragraph: 0 }, ...also] : [];
  const pairs = places.filter((one, at) => places.findIndex((first) => first.text === one.text && first.instead === one.instead) === at).map(corrected);
  return el(
    "article",
    { class: `card comment ${kind}`, id: `comment-${number}`, tabindex: -1, dataset: { comments: number } },
    el(
      "p",
      { dir: "auto" },
      el("span", { class: `number ${comment.part}`, "aria-label": say("Comment {number}", { number: shown }) }, String(shown)),
      comment.isStart && [el("strong", {}, say("Start here")), " · "],
      text,
      pairs.length > 0 && " ",
      pairs.slice(0, FIRST),
      see.map((each) => [" ", jumpLink(`paragraph-${each}`, say("Paragraph {number}", { number: each }))]),
    ),
    pairs.length > FIRST && el("details", { dataset: { key: `more ${number}` } }, el("summary", {}, say("More like this")), pairs.slice(FIRST)),
    criterion && el("p", { class: "soft", dir: "auto" }, criterion),
    passages,
    onComment(comment),
  );
}

/** Returns words and what to write instead; words of another paragraph lead there. @param {{ text: string, instead: string | null, paragraph: number }} place paragraph: 0 for that of the comment */
const corrected = ({ text: words, instead, paragraph }) =>
  el("span", { class: "pair" }, paragraph ? jumpLink(`paragraph-${paragraph}`, el("q", {}, words), { "aria-label": `${words}: ${say("Paragraph {number}", { number: paragraph })}` }) : el("q", {}, words), " ", el("strong", {}, instead || "∅"));

/** Returns a passage's place and the beginning of its sentence, which opens all of it and its paragraph. @param {Evidence} evidence @param {(evidence: Evidence) => Child} onEvidence @param {ShownComment} [comment] beside it */
function passage(evidence, onEvidence, comment) {
  const { number, label, sentence, citation, further_reading: paragraph } = evidence;
  const core = inContext({ previous: null, sentence, next: null });
  const isAll = paragraph.trim() === sentence.text.trim();
  return el(
    "div",
    { class: "cited", id: `evidence-${number}`, tabindex: -1 },
    el("span", { class: "source" }, label && !comment?.about && el("span", { class: "soft" }, label), pageLink(evidence, undefined, citation), onEvidence(evidence)),
    el("blockquote", {}, isAll && paragraph.length < LONG ? core : el("details", { dataset: { key: `passage ${number}` } }, el("summary", { class: "core" }, core), !isAll && el("p", { dir: "auto" }, paragraph))),
  );
}

/** Returns a button that copies a passage with its source, to paste it into the next draft. @param {Evidence} evidence */
function useButton({ sentence, citation }) {
  const copy = () => showStatus(copyElement(el("span", {}, `“${sentence.text}” ${citation}`)) ? say("Copied. Paste it where it belongs in your draft.") : say("This browser doesn’t allow copying."), false);
  return sentence.quotable && el("button", { type: "button", class: "quiet", on: { click: copy } }, say("Quote this"));
}
