// @ts-check
/** What a teacher does with the comments on an essay: edit, hide, move, add, and a note and a grade on the whole. */
import { API, getJson, reportErrors, request, showStatus } from "./api.js";
import { byId, el, find, focusOn, icon } from "./dom.js";
import { FIRST_OWN, LEVELS, levelName } from "./feedback.js";
import { onSubmit } from "./forms.js";
import { say } from "./texts.js";
import { offerUndo } from "./undo.js";
import { forgetDraft, keep, kept } from "./unsaved.js";
/** @import { Change } from "./evidence_tools.js" */
/** @import { Criterion, Edits, Feedback, ShownComment } from "./types" */

const TYPING_MS = 600; // after the last key, before what is typed is stored
const RETRY_MS = 3000; // after a lost connection

/**
 * Returns the tools for the comments of feedback.
 * @param {Change} change
 * @param {HTMLElement} paper the essay
 */
export function commentTools(change, paper) {
  /** @type {Feedback} */
  let feedback;
  /** The words of the essay that a new comment is about. @type {{ paragraph: number, start: number, end: number, text: string } | null} */
  let selected = null;

  /** @returns {Edits} */
  const edits = () => feedback.edits ?? { changes: [], own: [], order: [], note: "", grade: "", levels: [] };

  /** @param {number} number of a comment; whether the teacher wrote it, and did not add a passage */
  const isOwn = (number) => edits().own.some((one) => one.number === number);
  /** The edits that are being stored: the next ones wait for them. @type {Promise<boolean>} */
  let storing = Promise.resolve(true);
  /** The same; null: none are. @type {Edits | null} */
  let underWay = null;
  /** Texts of comments that were typed where a colleague had written meanwhile: they are shown, not sent. at: the comment's number, or the field of a new one. @type {{ at: string | number, text: string }[]} */
  let offered = [];
  /** The fields in which a colleague has written something else meanwhile, each with the line that offers it: until one chooses, neither is saved over the other. @type {Map<HTMLTextAreaElement | HTMLInputElement, HTMLElement>} */
  const disputed = new Map();
  /** Texts of comments that are being written, by the comments' numbers. before: what it is written over; isOpen: whether its form is. @type {Map<number, { before: string, text: string, isOpen: boolean }>} */
  const writing = new Map();

  /** Stores edits, and offers to undo them. @param {Partial<Edits> | (() => Partial<Edits>)} wanted @param {string} message */
  function save(wanted, message) {
    storing = storing.catch(() => false).then(() => saveNow(typeof wanted === "function" ? wanted() : wanted, message));
    return storing;
  }

  /** @param {Partial<Edits>} wanted @param {string} message */
  async function saveNow(wanted, message) {
    const before = edits();
    underWay = { ...before, ...wanted };
    const isSaved = await change("edits", "PUT", { ...underWay, seen: before }, message);
    underWay = null;
    if (isSaved && message) offerUndo(message, () => change("edits", "PUT", { ...before, note: edits().note, grade: edits().grade, seen: edits() }));
    return isSaved;
  }

  /** Returns the changes with another one of that comment. @param {number} number @param {{ is_hidden?: boolean, text?: string | null }} wanted @param {Edits["changes"]} changes */
  function changed(number, wanted, changes = edits().changes) {
    const there = changes.find((one) => one.number === number) ?? { number, is_hidden: false, text: null };
    const next = { ...there, ...wanted };
    const others = changes.filter((one) => one.number !== number);
    return next.is_hidden || next.text ? [...others, next] : others;
  }

  /** @param {ShownComment} comment */
  async function hide({ number }) {
    if (isOwn(number)) return save({ own: edits().own.filter((one) => one.number !== number) }, say("Comment removed."));
    return save({ changes: changed(number, { is_hidden: true }) }, say("Comment hidden."));
  }

  /** Returns the edits with what is to be stored: the note, the grade and texts of comments whose form is closed. @param {Edits} before @returns {Edits} */
  function withTyped(before) {
    let { changes, own } = before;
    for (const [number, { before, text, isOpen }] of writing) {
      if (isOpen || !text || text === before) continue;
      if (isOwn(number)) own = own.map((one) => (one.number === number ? { ...one, text } : one));
      else changes = changed(number, { text }, changes);
    }
    /** @param {"note" | "grade"} key @param {HTMLTextAreaElement | HTMLInputElement} field */
    const typedIn = (key, field) => (disputed.has(field) ? before[key] : field.value.trim());
    return { ...before, changes, own, note: typedIn("note", note), grade: typedIn("grade", grade) };
  }

  /** Stores what is typed. Returns whether nothing is left to store. @param {boolean} isAll also in forms of comments that are open @returns {Promise<boolean>} */
  function saveTyped(isAll = false) {
    clearTimeout(timer);
    if (isAll) for (const one of writing.values()) one.isOpen = false;
    const isSaved = storing.catch(() => false).then(async () => {
      const [sent, before] = [new Map(writing), offered];
      const store = async () => !isTyped() || (await saveNow(withTyped(edits()), ""));
      const isDone = (await store()) || (await store()); // again: a colleague may have changed something else meanwhile
      if (isDone) for (const [number, one] of sent) if (writing.get(number) === one && !one.isOpen) writing.delete(number); // else it was written on meanwhile
      if (isDone) keepTyped();
      else timer = setTimeout(saveTyped, RETRY_MS);
      if (disputed.size) showStatus(say("Someone else has changed this in the meantime, so your change wasn’t saved."), true);
      const isStored = isDone && offered === before && !disputed.size;
      byId("saved").textContent = isStored ? say("Saved.") : "";
      return isStored;
    });
    storing = isSaved;
    return isSaved;
  }

  const isTyped = () => JSON.stringify(withTyped(edits())) !== JSON.stringify(edits());

  /** Stores in the browser what is not on the server yet, and what it was written over; null: over what a colleague wrote. */
  function keepTyped() {
    const before = { note: disputed.has(note) ? null : edits().note, grade: disputed.has(grade) ? null : edits().grade };
    keep(`desk ${feedback.id}`, isTyped() || [...writing.values()].some((one) => one.text !== one.before) || offered.length || disputed.size ? { note: note.value, grade: grade.value, before, offered, texts: [...writing] } : null);
  }

  /** Shows the note or the grade as it is stored now; what is being written stays, and what a colleague wrote meanwhile is offered beside it. @param {HTMLTextAreaElement | HTMLInputElement} field @param {string} typed @param {string | null} before what it was written over */
  function update(field, typed, before) {
    const key = field === note ? "note" : "grade";
    const now = edits()[key];
    field.value = typed.trim() === before ? now : typed;
    if (field.value.trim() === now) settle(field);
    else if (![before, underWay?.[key]].includes(now)) dispute(field, now);
  }

  /** Offers what a colleague wrote beside what is typed. @param {HTMLTextAreaElement | HTMLInputElement} field @param {string} theirs */
  function dispute(field, theirs) {
    settle(field);
    /** @param {string} name @param {() => string} value */
    const button = (name, value) => el("button", { type: "button", class: "quiet", on: { click: () => choose(value()) } }, name);
    /** @param {string} value */
    const choose = (value) => {
      field.value = value;
      settle(field);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const line = el("p", { class: "soft" }, say("Someone else wrote:"), " ", el("q", { dir: "auto" }, theirs), " ", button(say("Use theirs"), () => theirs), " ", button(say("Use mine"), () => field.value));
    disputed.set(field, line);
    field.closest("label")?.after(line);
  }

  /** @param {HTMLTextAreaElement | HTMLInputElement} field */
  function settle(field) {
    disputed.get(field)?.remove();
    disputed.delete(field);
  }

  /** Goes on with the comments that are being written; where a colleague has changed one meanwhile, what was typed is offered. */
  function updateWriting() {
    for (const [number, one] of writing) {
      const now = [...feedback.comments, ...feedback.hidden].find((each) => each.number === number)?.text ?? "";
      const stored = underWay && [...underWay.changes, ...underWay.own].find((each) => each.number === number)?.text;
      if ([one.before, one.text, stored].includes(now)) one.before = now;
      else if (writing.delete(number) && ![one.before, ""].includes(one.text)) offer(number, one.text);
    }
  }

  /** Offers what was typed and not stored: among the tools of its comment while there is one, else as a new one. @param {string | number} at @param {string} text */
  function offer(at, text) {
    const one = { at: feedback.comments.some(({ number }) => number === at) ? at : words.id, text };
    offered = [...offered, one];
    if (one.at !== words.id) return;
    words.closest("label")?.after(offerLine(one, words));
    byId("adding", HTMLDetailsElement).open = true;
  }

  /** Returns the line that offers what was typed. @param {{ text: string }} one @param {HTMLTextAreaElement} field */
  function offerLine(one, field) {
    const use = () => {
      field.value = [field.value.trim(), one.text].filter(Boolean).join("\n\n");
      offered = offered.filter((each) => each !== one);
      line.remove();
      keepTyped();
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const line = el("p", { class: "soft" }, say("Your version, which wasn’t saved:"), " ", el("q", { dir: "auto" }, one.text), " ", el("button", { type: "button", class: "quiet", on: { click: use } }, say("Use mine")));
    return line;
  }

  /** Shows again what was typed and did not reach the server. What a colleague wrote meanwhile stays. */
  function showKept() {
    const typed = kept(`desk ${feedback.id}`);
    if (!Array.isArray(typed?.offered)) return;
    for (const { at, text } of typed.offered) offer(at, text);
    const stored = edits().note; // perhaps the beginning of it, whose answer was lost
    update(note, typed.note, stored && typed.note.startsWith(stored) && stored.startsWith(typed.before.note) ? stored : typed.before.note);
    update(grade, typed.grade, typed.before.grade);
    for (const [number, one] of typed.texts) writing.set(number, one);
    updateWriting();
    for (const one of writing.values()) one.isOpen &&= one.text !== one.before;
    if (isTyped()) saveTyped(); else keepTyped();
  }

  /** Moves a comment among those on the same paragraph. @param {ShownComment} comment @param {-1 | 1} by */
  async function move(comment, by) {
    const order = feedback.comments.map((one) => one.number);
    const beside = feedback.comments.filter((one) => one.paragraph === comment.paragraph).map((one) => one.number);
    const other = beside[beside.indexOf(comment.number) + by];
    if (!other) return;
    const [from, to] = [order.indexOf(comment.number), order.indexOf(other)];
    [order[from], order[to]] = [order[to], order[from]];
    await save({ order }, say("Moved."));
    document.getElementById(`comment-${comment.number}`)?.focus();
  }

  /** @param {ShownComment} comment */
  function onComment(comment) {
    const name = say("Comment {number}", { number: comment.shown });
    /** @param {import("./types").Child} content @param {string} does @param {() => unknown} click @param {string} [key] */
    const button = (content, does, click, key) => el("button", { type: "button", title: does, dataset: key ? { does: key } : {}, "aria-label": `${does}: ${name}`, on: { click } }, content);
    /** @type {HTMLTextAreaElement} */
    const text = el("textarea", { rows: 4, maxlength: 4000, "aria-label": say("Text of {name}", { name }) });
    text.value = writing.get(comment.number)?.text ?? comment.text;
    /** Keeps what is typed until it is stored. @param {boolean} isOpen */
    const write = (isOpen) => {
      writing.set(comment.number, { before: comment.text, text: text.value.trim(), isOpen });
      form.hidden = !isOpen;
      keepTyped();
    };
    text.addEventListener("input", () => write(true));
    const submit = () => {
      write(false);
      saveTyped();
    };
    const cancel = () => {
      writing.delete(comment.number);
      keepTyped();
      text.value = comment.text;
      form.hidden = true;
    };
    /** @type {HTMLFormElement} */
    const form = el("form", { class: "stack", method: "dialog", hidden: !writing.get(comment.number)?.isOpen, on: { submit } }, text, el("div", { class: "row" }, el("button", { class: "primary" }, say("Save")), button(say("Cancel"), say("Cancel"), cancel)));
    const open = () => {
      write(true);
      text.focus();
    };
    const isChanged = edits().changes.some((one) => one.number === comment.number && one.text);
    return el(
      "div",
      { class: "tools" },
      el(
        "div",
        { class: "row", role: "group", "aria-label": say("What students see: {name}", { name }) },
        button([icon("edit"), say("Edit")], say("Edit"), open, "edit"),
        button([icon("hide"), say("Hide")], say("Hide"), () => hide(comment), "hide"),
        button(icon("up"), say("Move up"), () => move(comment, -1)),
        button(icon("down"), say("Move down"), () => move(comment, 1)),
        isChanged && button(say("Restore the original"), say("Restore the original"), () => save({ changes: changed(comment.number, { text: null }) }, say("Restored."))),
      ),
      offered.filter((one) => one.at === comment.number).map((one) => offerLine(one, text)),
      form,
    );
  }

  /** Returns the choice of a criterion's level: of those that the rubric describes, else of four. @param {Criterion} one */
  function onCriterion({ criterion, levels, chosen_level: chosen }) {
    const scale = levels.length ? levels : Object.keys(LEVELS);
    const offered = chosen && !scale.includes(chosen) ? [chosen, ...scale] : scale; // chosen by a program
    /** @type {HTMLSelectElement} */
    const select = el("select", { dir: "auto" }, el("option", { value: "" }, say("no level chosen")), offered.map((level) => el("option", { value: level }, levelName(levels, level))));
    select.value = chosen ?? "";
    select.addEventListener("change", () => {
      const level = select.value;
      save(() => {
        const others = edits().levels.filter((each) => each.criterion !== criterion);
        return { levels: level ? [...others, { criterion, level }] : others };
      }, say("Saved."));
    });
    return el("label", { class: "level" }, el("span", { class: "visually-hidden" }, say("Level")), select);
  }

  /** Returns the comments that are hidden from students. */
  function hiddenComments() {
    if (!feedback.hidden.length) return [];
    const items = feedback.hidden.map((one) => {
      const name = one.paragraph ? `${say("Paragraph {number}", { number: one.paragraph })}: ${one.text}` : one.text;
      const show = () => save({ changes: changed(one.number, { is_hidden: false }) }, say("Comment shown again."));
      return el("li", { class: "row hidden-comment" }, el("span", { class: "soft", dir: "auto" }, name), el("button", { type: "button", class: "quiet", "aria-label": `${say("Show again")}: ${name}`, on: { click: show } }, say("Show again")));
    });
    return [el("h2", { class: "hidden-title" }, say("Hidden comments")), el("ul", { class: "plain" }, items)];
  }

  // A comment of one's own, a note and a grade: forms of the page, so that what is being written outlives other changes.

  const words = byId("new-comment", HTMLTextAreaElement);
  const place = byId("new-place", HTMLSelectElement);
  const bank = byId("bank", HTMLSelectElement);
  const note = byId("note", HTMLTextAreaElement);
  const grade = byId("grade", HTMLInputElement);
  const aboutSelection = byId("about-selection", HTMLButtonElement);
  bank.addEventListener("change", () => {
    words.value = [words.value.trim(), bank.value].filter(Boolean).join("\n");
    bank.value = "";
    words.focus();
  });
  onSubmit("#add-comment", add);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  byId("whole").addEventListener("input", () => {
    byId("saved").textContent = say("Saving …");
    keepTyped();
    clearTimeout(timer);
    timer = setTimeout(saveTyped, TYPING_MS);
  });
  addEventListener("pagehide", () => {
    if (!feedback || !isTyped()) return;
    const seen = underWay ?? edits();
    request(`${API}/feedback/${feedback.id}/edits`, { method: "PUT", keepalive: true, json: { ...withTyped(seen), seen } }).catch(() => {});
  });
  paper.addEventListener("mouseup", select);
  paper.addEventListener("keyup", select);
  document.addEventListener("selectionchange", () => getSelection()?.isCollapsed && (aboutSelection.hidden = true));
  aboutSelection.addEventListener("click", () => {
    aboutSelection.hidden = true;
    byId("adding", HTMLDetailsElement).open = true;
    focusOn(words);
  });
  reportErrors(offerBank);

  async function offerBank() {
    /** @type {{ comments: string[] }} */
    const { comments } = await getJson("/feedback/comments");
    bank.replaceChildren(bank.options[0], ...comments.map((text) => el("option", { value: text }, text)));
    byId("bank-choice").hidden = !comments.length;
  }

  /** Takes the words that are selected in a paragraph as the place of the next comment. */
  function select() {
    const selection = getSelection();
    const paragraph = selection?.anchorNode?.parentElement?.closest("[id^=paragraph-]");
    if (!selection || selection.isCollapsed || !paragraph || !paragraph.contains(selection.focusNode)) return;
    const range = selection.getRangeAt(0);
    const before = document.createRange();
    before.setStart(paragraph, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const text = range.toString();
    const start = [...before.toString()].length; // Unicode characters, as the server counts them
    selected = { paragraph: Number(paragraph.id.split("-")[1]) - 1, start, end: start + [...text].length, text };
    showPlaces("selected", el("option", { value: "selected" }, `“${text.slice(0, 40)}”`));
    const at = range.getBoundingClientRect();
    Object.assign(aboutSelection.style, { left: `${at.left}px`, top: `${Math.max(0, at.top - 40)}px` });
    aboutSelection.hidden = false;
  }

  /** The places that a comment may be about. */
  const places = () => [
    el("option", { value: "" }, say("The whole essay")),
    ...feedback.paragraphs.map((one) => el("option", { value: String(one.number - 1) }, `${say("Paragraph {number}", { number: one.number })}: ${one.text.slice(0, 40)} …`)),
  ];

  /** @param {string} chosen @param {...HTMLElement} more */
  function showPlaces(chosen, ...more) {
    place.replaceChildren(...more, ...places());
    place.value = chosen;
  }

  async function add() {
    const text = words.value.trim();
    if (!text) return;
    const number = Math.max(FIRST_OWN - 1, ...[...edits().own, ...feedback.comments, ...feedback.choices].map((one) => one.number)) + 1; // passages too
    const about = place.value === "selected" && selected ? selected : { paragraph: place.value === "" ? null : Number(place.value), start: null, end: null };
    const own = { number, text, paragraph: about.paragraph, start: about.start, end: about.end };
    if (!(await save({ own: [...edits().own, own], order: [number, ...feedback.comments.map((one) => one.number)] }, say("Comment added.")))) return;
    if (words.value.trim() === text) words.value = ""; // else the next one is being written
    selected = null;
    showPlaces("");
    forgetDraft(byId("add-comment", HTMLFormElement));
    await offerBank();
    document.getElementById(`comment-${number}`)?.focus();
  }

  return {
    /** @param {Feedback} current the feedback as it is stored now */
    setFeedback(current) {
      const isFirst = !feedback;
      const before = feedback ? edits() : { note: "", grade: "" };
      feedback = current;
      if (!selected) showPlaces(place.value);
      updateWriting();
      update(note, isFirst ? "" : note.value, before.note); // at first it may hold what the browser remembers
      update(grade, isFirst ? "" : grade.value, before.grade);
      if (isFirst) showKept();
      byId("add-comment").dataset.draft = `comment ${current.id}`;
    },
    saveTyped,
    onComment,
    onCriterion,
    hiddenComments,
    /** Does what a key stands for with the comment that has the focus; returns whether there is one. @param {"edit" | "hide"} does */
    onKey(does) {
      const card = document.activeElement?.closest("[id^=comment-]");
      if (card) find(card, `[data-does=${does}]`).click();
      return Boolean(card);
    },
  };
}
