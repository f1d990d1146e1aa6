// @ts-check
/** Feedback on an essay: the essay with the commented words marked, and the comments and evidence as cards. */
import { el, findAll, findById, focusOn } from "./dom.js";
import { inContext, pageLink } from "./page_viewer.js";
import { say } from "./texts.js";
/** @import { Attributes, Child, CommentCitation, Criterion, Dimension, EssayEvidence, Evidence, Feedback, Group, Outline, Place, Review, Revision, ShownComment } from "./types" */

/** @type {Dimension[]} */
const DIMENSIONS = ["content", "expressions", "features"];
/** @type {("evidence" | Dimension)[]} */
const SECTIONS = ["evidence", ...DIMENSIONS]; // in the order of arrival, so that nothing moves

export const FIRST_OWN = 1001; // as the server numbers a teacher's comments

/** Returns the name of a kind of comment. @param {Group["kind"]} kind */
export function kindName(kind) {
  if (kind === "works") return say("What works");
  if (kind === "task") return say("What the task asks for");
  if (kind === "books") return say("Your books");
  if (kind === "reasons") return say("Reasons and sources");
  if (kind === "structure") return say("Structure");
  if (kind === "language") return say("Spelling and grammar");
  return kind === "sentences" ? say("Sentences") : say("Words");
}

/** @param {"evidence" | Dimension} section */
function headingOf(section) {
  if (section === "content") return say("Content");
  if (section === "expressions") return say("Expressions");
  return section === "features" ? say("Features") : say("Evidence");
}

/**
 * Shows feedback in an element, part by part as it arrives (evidence first), or whole. One per page: cards and words have ids.
 * @param {HTMLElement} place
 * @param {object} [options]
 * @param {(comment: ShownComment) => Child} [options.onComment] further content of a comment's card
 * @param {(evidence: Evidence) => Child} [options.onEvidence] further content of an evidence card
 * @param {(evidence: Evidence) => Child} [options.belowEvidence] the same, seen while the card is closed, too
 * @param {(criterion: Criterion) => Child} [options.onCriterion] further content of a criterion's card, instead of its level
 */
export function showFeedbackIn(place, { onComment = () => null, onEvidence = () => null, belowEvidence = () => null, onCriterion = levelText } = {}) {
  /** @type {EssayEvidence | null} */
  let evidence = null;
  /** @type {Map<string, Review>} */
  let reviews = new Map();
  const sections = new Map(SECTIONS.map((name) => [name, el("section", { class: `dimension ${name}`, "aria-label": headingOf(name) })]));
  const paper = el("section", { class: "paper", tabindex: 0, "aria-label": say("The essay with comments") });
  place.classList.add("columns", "feedback");
  const first = el("section", { class: "dimension first", "aria-label": say("First"), hidden: true });
  const revised = el("section", { class: "dimension revision", "aria-label": say("Since the earlier draft"), hidden: true });
  const criteria = el("section", { class: "dimension criteria", "aria-label": say("What your teacher looks for"), hidden: true });
  const argument = el("section", { class: "dimension argument", "aria-label": say("Your argument"), hidden: true });
  place.replaceChildren(paper, el("div", { class: "side" }, [revised, first, argument, criteria, ...sections.values()]));
  for (const [event, isOn] of /** @type {const} */ ([["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]])) {
    place.addEventListener(event, ({ target }) => highlight(place, target instanceof Element ? target.closest("[data-comments]") : null, isOn));
  }

  /** @param {"evidence" | Dimension} name @param {...Child} content */
  const fill = (name, ...content) => sections.get(name)?.replaceChildren(...el("div", {}, el("h2", {}, headingOf(name)), content).childNodes);
  const showEssay = () => {
    if (evidence) paper.replaceChildren(...markedEssay(evidence, numbered(reviews)));
  };

  const shown = {
    clear() {
      [evidence, reviews] = [null, new Map()];
      for (const each of [paper, revised, first, argument, criteria, ...sections.values()]) each.replaceChildren();
      revised.hidden = first.hidden = argument.hidden = criteria.hidden = true;
    },
    /** @param {EssayEvidence} found */
    showEvidence(found) {
      evidence = found;
      const cards = found.evidence.map((one) => evidenceCard(one, onEvidence, belowEvidence));
      fill("evidence", el("p", { class: "soft hints" }, say("These may help: see whether they are about your point.")), cards.length ? el("div", { class: "cards" }, cards) : el("p", {}, noEvidenceText(found)));
      showEssay();
    },
    /** @param {Dimension} name @param {Review} review */
    showReview(name, review) {
      reviews.set(name, review);
      showEssay();
      fill(name, reviewContent(review, numbered(reviews).filter((one) => one.dimension === name), evidence?.evidence ?? [], onComment));
    },
    /** @param {{ number: number, verdict: string | null, reason: string | null }[]} verdicts on the evidence, once they are known */
    showVerdicts(verdicts) {
      for (const one of verdicts) findById(`evidence-${one.number}`)?.querySelector(".verdict")?.replaceWith(verdictTag(one));
    },
    /** @param {Pick<Feedback, "priorities" | "folded">} feedback what to read first, and the rest, folded by kind */
    showPriorities({ priorities, folded }) {
      const all = numbered(reviews);
      first.replaceChildren(el("h2", {}, say("First")), ...priorities.map((group) => priorityCard(group, all)));
      first.hidden = !priorities.length;
      for (const group of folded) foldGroup(sections, group, all);
    },
    /** @param {Feedback["revision"]} revision null: the essay is no later draft */
    showRevision(revision) {
      if (revision) revised.replaceChildren(...revisionContent(revision));
      revised.hidden = !revision;
    },
    /** @param {Outline | null} outline the essay's own argument */
    showArgument(outline) {
      const content = outline && argues(outline) ? argumentContent(outline) : [];
      argument.replaceChildren(...content);
      argument.hidden = !content.length;
    },
    /** @param {Criterion[]} rubric with what belongs to each criterion */
    showCriteria(rubric) {
      const all = numbered(reviews);
      criteria.replaceChildren(el("h2", {}, say("What your teacher looks for")), ...rubric.map((one, index) => criterionCard(one, all, index, onCriterion)));
      criteria.hidden = !rubric.length;
    },
    /** Shows all of it; what was open or focused before stays so. @param {Feedback} feedback */
    showAll(feedback) {
      const before = openIn(place);
      shown.clear();
      shown.showEvidence(feedback);
      for (const name of DIMENSIONS) {
        const review = feedback[name];
        if (review) shown.showReview(name, review);
      }
      shown.showPriorities(feedback);
      shown.showRevision(feedback.revision);
      shown.showArgument(feedback.outline);
      shown.showCriteria(feedback.criteria);
      showWhole(first, feedback);
      reopen(place, before);
    },
  };
  return shown;
}

/** Shows a teacher's note and grade before all comments. @param {HTMLElement} first @param {Feedback} feedback */
function showWhole(first, { note, grade_given: grade }) {
  if (!note && !grade) return;
  first.prepend(
    el("article", { class: "card" }, el("h2", {}, say("From your teacher")), note && el("p", { class: "note", dir: "auto" }, note), grade && el("p", {}, `${say("Grade")}: `, el("strong", { dir: "auto" }, grade))),
  );
  first.hidden = false;
}

/** @param {EssayEvidence | Feedback} found */
const noEvidenceText = (found) =>
  "changed" in found && found.changed ? say("No evidence is shown. Your teacher has hidden it.") : say("We found nothing in your books.");

/** Returns all comments in the order of the dimensions, numbered from 1. @param {Map<string, Review>} reviews @returns {ShownComment[]} */
function numbered(reviews) {
  return DIMENSIONS.flatMap((dimension) =>
    (reviews.get(dimension)?.comments ?? []).map((one) => ({ ...one, dimension, key: `${dimension}-${one.number}` })),
  ).map((one, index) => ({ ...one, shown: index + 1 }));
}

/**
 * Returns a priority: its kind, what the comment says, and a link to the comment.
 * @param {Group} group
 * @param {ShownComment[]} all
 */
function priorityCard({ kind, items }, all) {
  const comment = shownOf(items[0], all);
  const more = items.length > 1 && ` (${say("{count} more like this", { count: items.length - 1 })})`;
  return el(
    "article",
    { class: "card" },
    el("div", { class: "row between" }, el("h3", {}, kindName(kind)), comment && jumpLink(`comment-${comment.key}`, say("Comment {number}", { number: comment.shown }), { class: "chip" })),
    comment && comment.paragraph !== null && el("p", { class: "where" }, placeOf(comment)),
    el("p", { dir: "auto" }, comment?.text, comment && suggestionOf(comment), more),
  );
}

/**
 * Returns what changed since an earlier draft: the story, then the earlier comments and all changes, folded.
 * @param {Revision} revision
 */
function revisionContent({ story, comments, changes }) {
  const states = comments.map((one) =>
    el("li", { dir: "auto" }, el("strong", {}, one.name), ": ", one.words && [el("q", {}, one.words), " "], one.text));
  const edits = changes.map((one) =>
    el("li", { dir: "auto" }, el("strong", {}, one.name), ": ", one.before && el("del", {}, one.before), " ", one.after && el("ins", {}, one.after)));
  /** @param {string} name @param {HTMLElement[]} items */
  const folded = (name, items) => items.length > 0 && el("details", { class: "fold" }, el("summary", {}, `${name} (${items.length})`), el("ul", {}, items));
  const content = [
    el("h2", {}, say("Since the earlier draft")),
    el("ul", { class: "story" }, story.map((one) => el("li", {}, one))),
    folded(say("The earlier comments"), states),
    folded(say("All changes"), edits),
  ];
  return content.filter((one) => one !== false);
}

/** @param {Group["items"][number]} item @param {ShownComment[]} all */
const shownOf = (item, all) => all.find((one) => one.key === `${item.part}-${item.number}`);

/**
 * Folds the comments of a kind away, in each dimension that has some, under the kind with their number. What a teacher wrote stays.
 * @param {Map<string, HTMLElement>} sections
 * @param {Group} group
 * @param {ShownComment[]} all
 */
function foldGroup(sections, { kind, items }, all) {
  for (const name of sections.keys()) {
    const cards = items.filter((one) => one.part === name && one.number < FIRST_OWN).map((one) => findById(`comment-${shownOf(one, all)?.key}`));
    const shown = cards.filter((card) => card !== null);
    if (!shown.length) continue;
    const fold = el("details", { class: "fold", dataset: { key: `${name} ${kind}` } }, el("summary", {}, `${kindName(kind)} (${shown.length})`), shown);
    sections.get(name)?.querySelector(":scope > .checked")?.before(fold);
  }
}

/** @param {Criterion} criterion */
const levelText = ({ chosen_level: level }) => level && el("p", {}, `${say("Level")}: `, el("strong", { dir: "auto" }, level));

/**
 * Returns a criterion: its level, its comments, the passages of the essay that count, and the descriptions of levels.
 * @param {Criterion} one
 * @param {ShownComment[]} all
 * @param {number} index
 * @param {(criterion: Criterion) => Child} onCriterion
 */
function criterionCard(one, all, index, onCriterion) {
  const { criterion, levels, found, comments, evidence, chosen_level: chosen } = one;
  const shown = comments.map((item) => shownOf(item, all)).filter((each) => each !== undefined);
  return el(
    "article",
    { class: "card", id: `criterion-${index + 1}` },
    el("div", { class: "row between" }, el("h3", { dir: "auto" }, criterion), onCriterion(one)),
    found && el("p", {}, found),
    shown.length > 0 && el("p", { class: "row numbers" }, el("span", { class: "soft" }, say("Comments:")), shown.map((each) => numberLink(each))),
    evidence && evidence.length > 0 && el("ul", {}, evidence.map((each) => el("li", {}, pieceName(each.kind), ": ", sentenceLink(each), each.specific.length > 0 && ` (${each.specific.join(", ")})`))),
    levels.length > 0 && !chosen && el("ul", { class: "soft" }, levels.map((level) => el("li", { dir: "auto" }, level))),
  );
}

/** @param {ShownComment} comment */
const numberLink = (comment) =>
  jumpLink(`comment-${comment.key}`, String(comment.shown), { class: `chip whole ${comment.dimension}`, "aria-label": say("Comment {number}", { number: comment.shown }) });

// The essay's own argument

/** Whether there is something to show. @param {Outline} outline */
const argues = ({ claim, reasons }) => Boolean(claim || reasons.length);

/** @param {Outline} outline */
function argumentContent({ claim, reasons, counter, pieces, specific }) {
  return [
    el("h2", {}, say("Your argument")),
    el("p", { class: "soft" }, say("What your essay says, as rules or a language model read it.")),
    el("dl", { class: "card outline" }, [
      outlineEntry(say("Claim"), claim),
      ...reasons.map((one, index) => outlineEntry(say("Reason {number}", { number: index + 1 }), one, evidenceOf(one))),
      outlineEntry(say("The other side"), counter),
    ]),
    el("p", { class: "soft" }, say("Pieces of evidence: {count}; with a name, a number or a quotation: {specific}.", { count: pieces, specific })),
  ];
}

/** @param {string} name @param {Place | null} place @param {Child} [more] */
const outlineEntry = (name, place, more) => [el("dt", {}, name), el("dd", {}, place ? sentenceLink(place) : say("not found"), more)];

/** Returns the evidence that the essay gives for a reason, and what its books have. @param {Outline["reasons"][number]} reason */
function evidenceOf({ evidence, books }) {
  return el("ul", {}, [
    evidence.length ? evidence.map((one) => el("li", {}, pieceName(one.kind), ": ", sentenceLink(one))) : el("li", { class: "soft" }, say("no evidence found for it yet")),
    books.length > 0 && el("li", {}, say("In your books:"), " ", books.map((number) => evidenceLink(number))),
  ]);
}

/** @param {Outline["others"][number]["kind"]} kind */
function pieceName(kind) {
  if (kind === "book") return say("from your books");
  if (kind === "source") return say("a source");
  return kind === "statistic" ? say("a number") : say("an example");
}

/** Returns a link to a sentence of the essay, which is highlighted there. @param {Place} place */
function sentenceLink(place) {
  const link = jumpLink(`paragraph-${place.paragraph}`, el("q", { dir: "auto" }, place.text));
  link.addEventListener("click", () => markSentence(place));
  return link;
}

/** Highlights a sentence until another one is; an old browser only goes to the paragraph. @param {Place} place */
function markSentence({ paragraph, text }) {
  const words = findById(`paragraph-${paragraph}`);
  if (!words || !("highlights" in CSS)) return;
  const nodes = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  /** @type {{ node: Node, start: number }[]} */
  const parts = [];
  let whole = "";
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    parts.push({ node, start: whole.length });
    whole += node.textContent ?? "";
  }
  const start = whole.indexOf(text);
  const [first, last] = [start, start + text.length].map((at, end) => parts.findLast((one) => one.start < at + 1 - end));
  if (start < 0 || !first || !last) return;
  const range = new Range();
  range.setStart(first.node, start - first.start);
  range.setEnd(last.node, start + text.length - last.start);
  CSS.highlights.set("outline", new Highlight(range));
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
  return { open: findAll(place, ":is(.card[id] details, .fold[data-key])[open]", HTMLDetailsElement).map(keyOfDetails), card: card?.id, index };
}

/** @param {HTMLElement} place @param {OpenState} before */
function reopen(place, { open, card: id, index }) {
  for (const each of findAll(place, ".card[id] details, .fold[data-key]", HTMLDetailsElement)) each.open ||= open.includes(keyOfDetails(each));
  const card = id ? findById(id) : null;
  if (!card || !place.contains(card)) return;
  const control = controlsIn(card)[index] ?? card;
  if (control instanceof HTMLElement) control.focus();
}

/** @param {Element} card */
const controlsIn = (card) => [...card.querySelectorAll("a, button, summary, select")];

/** @param {HTMLDetailsElement} details */
const keyOfDetails = (details) => details.dataset.key ?? `${details.className} ${details.closest(".card")?.id}`;

// The essay

/**
 * Returns the essay paragraph by paragraph; each marked passage links to its comment.
 * @param {EssayEvidence} evidence
 * @param {ShownComment[]} comments
 */
function markedEssay({ title, paragraphs }, comments) {
  const blocks = paragraphs.map((paragraph) => paragraphBlock(paragraph, comments.filter((one) => one.paragraph === paragraph.number)));
  return title ? [el("h2", { dir: "auto" }, title), ...blocks] : blocks;
}

/** @param {EssayEvidence["paragraphs"][number]} paragraph @param {ShownComment[]} comments */
function paragraphBlock(paragraph, comments) {
  const onWhole = comments.filter((one) => !one.about);
  const characters = [...paragraph.text]; // Unicode characters, as the server counts them
  return el(
    "div",
    { class: "paragraph" },
    el(
      "p",
      { dir: "auto", id: `paragraph-${paragraph.number}`, tabindex: -1, dataset: onWhole.length ? { comments: keysOf(onWhole) } : {} },
      markedText(characters, comments),
    ),
    el("div", { class: "books" }, onWhole.map(paragraphChip), evidenceLinks(paragraph)),
  );
}

/**
 * Returns the text split where marks begin or end, so that they may overlap; of two on the same words the shorter one shows.
 * @param {string[]} text
 * @param {ShownComment[]} comments
 */
function markedText(text, comments) {
  const marks = comments.flatMap((comment) => (comment.about ? [{ comment, start: comment.about.start, end: comment.about.end }] : []));
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
 * @param {{ comment: ShownComment, start: number, end: number }[]} marks
 * @param {number} start
 * @param {number} end
 */
function markLink(words, marks, start, end) {
  const shown = marks.toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];
  const isFirst = shown.start === start;
  const endingHere = marks.filter((one) => one.end === end).map((one) => one.comment.shown);
  return jumpLink(`comment-${shown.comment.key}`, words, {
    class: `mark ${shown.comment.dimension}${marks.length > 1 ? " nested" : ""}`,
    id: isFirst ? wordsId(shown.comment) : null,
    tabindex: isFirst ? null : -1,
    dataset: { comments: keysOf(marks.map((one) => one.comment)), ...(endingHere.length && { ends: endingHere.join(" ") }) },
  });
}

/** @param {ShownComment[]} comments */
const keysOf = (comments) => comments.map((one) => one.key).join(" ");

/** The id of the words that a comment is about. @param {ShownComment} comment */
const wordsId = (comment) => `words-${comment.key}`;

/** @param {ShownComment} comment */
function paragraphChip(comment) {
  const label = say("Comment {number} on the whole paragraph", { number: comment.shown });
  return jumpLink(`comment-${comment.key}`, String(comment.shown), { class: `chip whole ${comment.dimension}`, "aria-label": label, dataset: { comments: comment.key } });
}

/** @param {EssayEvidence["paragraphs"][number]} paragraph */
function evidenceLinks(paragraph) {
  if (!paragraph.evidence.length) return paragraph.message;
  return [say("In your books:"), ...paragraph.evidence.map((number) => evidenceLink(number))];
}

/** @param {number} number */
const evidenceLink = (number) => jumpLink(`evidence-${number}`, say("Evidence #{number}", { number }), { class: "chip" });

/**
 * Returns a link that scrolls to an element of this page, opens its details and focuses it. The address stays: "back" leads to the
 * page before this one.
 * @param {string} id
 * @param {Child} content
 * @param {Attributes<HTMLAnchorElement>} [attributes]
 */
function jumpLink(id, content, attributes) {
  /** @param {MouseEvent} event */
  const jump = (event) => {
    event.preventDefault();
    const target = findById(id);
    if (!target) return;
    target.closest("details.fold")?.setAttribute("open", "");
    target.querySelector(":scope > details.expandable")?.setAttribute("open", "");
    focusOn(target);
  };
  return el("a", { href: `#${id}`, on: { click: jump }, ...attributes }, content);
}

// The cards

/**
 * @param {Review} review
 * @param {ShownComment[]} comments
 * @param {Evidence[]} evidence
 * @param {(comment: ShownComment) => Child} onComment
 */
function reviewContent(review, comments, evidence, onComment) {
  return [
    review.by !== "rules" && comments.length ? el("p", { class: "soft by-model" }, say("A language model ({name}) wrote these comments.", { name: review.by })) : [],
    comments.map((comment) => commentCard(comment, evidence, onComment)),
    comments.length || review.notes.length || !review.checked.length ? [] : el("p", {}, say("Nothing stood out.")),
    review.notes.map((note) => el("p", { class: "soft" }, note)),
    el(
      "details",
      { class: "checked" },
      el("summary", {}, say("What was checked and what was not")),
      el("p", { class: "soft" }, `${say("Checked:")} ${review.checked.join("; ")}.`),
      el("p", { class: "soft" }, `${say("Not checked:")} ${review.not_checked.join("; ")}.`),
    ),
  ];
}

/** @param {ShownComment} comment @param {Evidence[]} evidence @param {(comment: ShownComment) => Child} onComment */
function commentCard(comment, evidence, onComment) {
  const isContradicted = comment.evidence.some((one) => one.verdict === "contradicts");
  return el(
    "article",
    { class: isContradicted ? "card problem" : "card", id: `comment-${comment.key}`, tabindex: -1, dataset: { comments: comment.key } },
    el("p", { class: "where" }, el("span", { class: "number" }, String(comment.shown)), " ", placeOf(comment)),
    el("p", { dir: "auto" }, withEvidenceLinks(comment.text, evidence), suggestionOf(comment)),
    comment.criterion && el("p", { class: "soft", dir: "auto" }, say("For: {criterion}", { criterion: comment.criterion })),
    comment.evidence.map((one) => citationBlock(one, evidence)),
    onComment(comment),
  );
}

/** @param {ShownComment} comment */
const suggestionOf = (comment) => comment.instead && [" ", say("Perhaps:"), " ", el("strong", {}, comment.instead)];

/** @param {ShownComment} comment */
function placeOf(comment) {
  if (comment.paragraph === null) return say("The whole essay");
  const name = say("Paragraph {number}", { number: comment.paragraph });
  const paragraph = `paragraph-${comment.paragraph}`;
  if (!comment.about) return jumpLink(paragraph, name);
  // Words that a shorter comment covers have that comment's id: then the paragraph is the nearest target.
  const target = findById(wordsId(comment)) ? wordsId(comment) : paragraph;
  return jumpLink(target, [`${name}: `, el("q", { dir: "auto" }, comment.about.text)]);
}

/** Returns the text with each "Evidence #n" as a link. @param {string} text @param {Evidence[]} evidence */
function withEvidenceLinks(text, evidence) {
  const numbers = new Set(evidence.map((one) => one.number));
  return text.split(/(Evidence #\d+)/).map((part) => {
    const number = Number(part.match(/^Evidence #(\d+)$/)?.[1]);
    return numbers.has(number) ? jumpLink(`evidence-${number}`, part) : part;
  });
}

/** @param {CommentCitation} citation @param {Evidence[]} evidence */
function citationBlock(citation, evidence) {
  const source = evidence.find((one) => one.number === citation.number);
  return el(
    "blockquote",
    {},
    citation.quote && el("p", { dir: "auto" }, `“${citation.quote}”`),
    el("div", { class: "row" }, evidenceLink(citation.number), source && pageLink(source), isSaidElsewhere(citation, source) ? null : verdictTag(citation)),
  );
}

/** Whether the card of the evidence says the same of it, or nobody has read them together. @param {CommentCitation} citation @param {Evidence | undefined} source */
const isSaidElsewhere = ({ verdict, reason }, source) => !reason || Boolean(source && source.verdict === verdict && source.reason === reason);

/** Returns what the book says of the essay; where nobody has read that, that it may help. @param {{ verdict: string | null, reason: string | null }} judged */
function verdictTag({ verdict, reason }) {
  const hint = say("This may help: see whether it is about your point.");
  const isHint = !reason || reason === hint; // of several cards, it is said above them
  return el("span", { class: ["verdict", verdict, isHint && "hint"].filter(Boolean).join(" ") }, reason ?? hint);
}

/**
 * Returns evidence as S1 shows it: the sentence in bold between its neighbours, its place, and the paragraph to read on. Closed, it
 * takes three lines, so that what follows stays near.
 * @param {Evidence} evidence
 * @param {(evidence: Evidence) => Child} onEvidence
 * @param {(evidence: Evidence) => Child} belowEvidence
 */
function evidenceCard(evidence, onEvidence, belowEvidence) {
  return el(
    "article",
    { class: "card evidence", id: `evidence-${evidence.number}`, tabindex: -1 },
    el(
      "details",
      { class: "expandable" },
      el("summary", {}, el("h3", {}, say("Evidence #{number}", { number: evidence.number })), el("span", { class: "excerpt", dir: "auto" }, evidence.sentence.quotable ? evidence.sentence.text : say("A sentence with a formula")), el("span", { class: "soft source", dir: "auto" }, evidence.citation)),
      inContext(evidence),
      el("div", { class: "row" }, pageLink(evidence)),
      el("p", {}, verdictTag(evidence)),
      el("details", {}, el("summary", {}, say("Further reading: the whole paragraph")), el("p", { dir: "auto" }, evidence.further_reading)),
      onEvidence(evidence),
    ),
    belowEvidence(evidence),
  );
}
