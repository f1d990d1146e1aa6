// @ts-check
/** Questions to a textbook: each answer as it is written, with the sections it rests on (S4), and a button beside selected text. */
import { RequestError, requestJson, showStatus } from "./api.js";
import { byModel, ratingButtons, shownPassages, withQuestion } from "./answers.js";
import { byId, el, find, findAll, submitOnEnter } from "./dom.js";
import { say } from "./texts.js";
import { forgetDraft, write } from "./unsaved.js";
/** @import { ChatAnswer, EarlierQuestion, RelatedSection } from "./types" */

/** @typedef {ChatAnswer["claims"][number]["citations"][number]} ChatCitation */
/** @typedef {{ sentence_id: string, paragraph_id: string, text?: string }} Spot where a sentence is */

const SELECTION_REST_MS = 200; // a selection is made in many steps
const GAP = 8; // pixels between selected text and its button
const MAX_SELECTED = 4000; // characters
const MAX_GIVEN = 20; // answers that are stored

/**
 * Fills the chat of a textbook. Returns `quote`, which takes a selected text to ask about.
 * @param {string} source the textbook's id
 * @param {(spot: Spot) => unknown} showSentence
 */
export function offerChat(source, showSentence) {
  const form = byId("ask", HTMLFormElement);
  const button = find(form, ".primary", HTMLButtonElement);
  const question = byId("question", HTMLTextAreaElement);
  const turns = byId("turns");
  /** @type {EarlierQuestion[]} */
  let earlier = [];
  let selected = "";
  const KEPT = `textbook-answers ${source}`; // in the session storage: a conversation outlives a reload
  /** @type {{ about: string, text: string, answer: ChatAnswer }[]} */
  const given = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
  for (const { about, text, answer } of given) {
    const turn = addTurn(about, text);
    try {
      showAnswer(turn, text, answer);
    } catch {
      turn.remove(); // as another version stored it
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = question.value.trim();
    if (text && !button.disabled) askQuestion(text);
  });
  submitOnEnter(question, form);
  byId("unquote").addEventListener("click", clearQuote);
  byId("restart").addEventListener("click", () => {
    earlier = [];
    given.length = 0;
    sessionStorage.removeItem(KEPT);
    byId("restart").hidden = true;
    turns.replaceChildren();
    clearQuote();
  });
  for (const name of ["open-chat", "close-chat"]) byId(name).addEventListener("click", () => open(name === "open-chat"));
  byId("chat").addEventListener("keydown", (event) => event.key === "Escape" && open(false));

  /** @param {boolean} isOpen */
  function open(isOpen) {
    byId("chat").classList.toggle("is-open", isOpen);
    byId("open-chat").setAttribute("aria-expanded", String(isOpen));
    (isOpen ? question : byId("open-chat")).focus({ preventScroll: isOpen });
  }

  function clearQuote() {
    setQuote("");
    CSS.highlights?.delete("asked");
    question.focus({ preventScroll: true });
  }

  /** @param {string} text */
  function setQuote(text) {
    selected = text;
    byId("quoted").hidden = !text;
    find(byId("quoted"), "blockquote").textContent = text;
  }

  /** @param {string} text */
  async function askQuestion(text) {
    const body = { question: text, selected_text: selected, sources: [source], earlier };
    const turn = addTurn(selected, text);
    turns.scrollTop = turns.scrollHeight;
    button.disabled = true;
    showStatus(say("Searching the book …"));
    try {
      /** @type {ChatAnswer} */
      const answer = await requestJson("/textbook/chat", { method: "POST", json: body });
      showAnswer(turn, text, answer);
      given.push({ about: body.selected_text, text, answer });
      write(sessionStorage, KEPT, JSON.stringify(given.slice(-MAX_GIVEN)));
      if (question.value.trim() === text) question.value = "";
      if (!question.value) forgetDraft(form);
      clearQuote();
      turns.scrollTop = turn.offsetTop - turns.offsetTop;
      showStatus("");
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      turn.remove();
      showStatus(error.message, true);
    } finally {
      button.disabled = false;
    }
  }

  /** Shows a question. @param {string} about the text that was selected @param {string} text */
  function addTurn(about, text) {
    const turn = el("article", { class: "turn" }, about && el("blockquote", { class: "selected-text", dir: "auto" }, about), el("h3", { dir: "auto" }, text));
    turns.querySelector(".hint")?.remove();
    turns.append(turn);
    return turn;
  }

  /** @param {HTMLElement} turn @param {string} text the question @param {ChatAnswer} answer */
  function showAnswer(turn, text, answer) {
    turn.append(el("div", { class: "answer-text" }, answerContent(answer)));
    earlier = withQuestion(earlier, text, answer);
    byId("restart").hidden = false;
  }

  /** @param {ChatAnswer} answer */
  function answerContent(answer) {
    if (answer.confidence.band === "courtesy") return [el("p", { dir: "auto" }, answer.text)];
    const isLow = answer.confidence.band === "low";
    const related = relatedTopics(answer.related);
    const passages = shownPassages(answer, sectionLink);
    if (answer.nothing) {
      const words = passages.length ? say("Closest passage; it may not answer your question:") : say("I couldn't find relevant content.");
      return [el("p", {}, words), ...passages, ...related, ratingButtons(answer.id)];
    }
    return [
      ...passages,
      ...(answer.by === "extract" ? [] : answer.claims.map((claim) => el("div", { class: "claim" }, el("p", { dir: "auto" }, claim.text), el("p", { class: "row" }, claim.citations.map(sectionLink))))),
      byModel(answer) ?? "",
      ...(isLow ? [el("p", { class: "disclaimer" }, say("These sections may not fully answer your question, so please check them.")), ...related] : []),
      ...answer.notes.map((note) => el("p", { class: "soft" }, note)),
      ratingButtons(answer.id),
    ];
  }

  /** @param {ChatCitation | ChatAnswer["passages"][number]} citation */
  function sectionLink({ citation, sentence, sentence_id: id }) {
    const name = sentence.section_path.at(-1) ?? sentence.chapter ?? citation;
    const page = sentence.page_label ? ` · ${say("Page {label}", { label: sentence.page_label })}` : "";
    return spotLink(`${name}${page}`, { sentence_id: id, paragraph_id: sentence.paragraph_id, text: sentence.text });
  }

  /** @param {string} name @param {Spot} spot */
  function spotLink(name, spot) {
    /** @param {MouseEvent} event */
    const click = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      byId("chat").classList.remove("is-open");
      showSentence(spot);
    };
    return el("a", { class: "chip", dir: "auto", href: `/textbook/${encodeURIComponent(source)}?sentence=${encodeURIComponent(spot.sentence_id)}`, on: { click } }, name);
  }

  /** @param {RelatedSection[]} sections */
  function relatedTopics(sections) {
    if (!sections.length) return [];
    return [el("p", { class: "row" }, el("span", { class: "soft" }, say("Related topics:")), sections.map((one) => spotLink(one.title, one)))];
  }

  return {
    quote(/** @type {string} */ text) {
      setQuote(text);
      open(true);
    },
  };
}

/**
 * Offers a button beside text that is selected by mouse, finger or keyboard. In the text, Alt with the up and down arrows selects a
 * paragraph (with Shift: one more), and Enter asks about the selection.
 * @param {HTMLElement} text the element whose text may be selected
 * @param {(selected: string) => void} quote
 */
export function offerQuestionOnSelection(text, quote) {
  /** @param {Event} event */
  const keepSelection = (event) => event.preventDefault();
  const button = el("button", { type: "button", class: "ask-selection primary", hidden: true, on: { pointerdown: keepSelection, click: take } }, say("Ask about this"));
  document.body.append(button);
  let timer = 0;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(placeButton, SELECTION_REST_MS);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") button.hidden = true;
    const focused = document.activeElement;
    if (focused !== document.body && !text.contains(focused)) return;
    if (event.key === "Enter" && event.target === text && selectedRange(text)) take();
    else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) selectParagraph(text, event.key === "ArrowDown" ? 1 : -1, event.shiftKey);
    else return;
    event.preventDefault();
  });

  function take() {
    const range = selectedRange(text);
    if (!range) return;
    if (CSS.highlights) CSS.highlights.set("asked", new Highlight(range)); // stays marked while the question has the focus
    button.hidden = true;
    quote(textOf(range));
    getSelection()?.removeAllRanges();
  }

  function placeButton() {
    const range = selectedRange(text);
    button.hidden = !range;
    if (!range) return;
    const lines = [...range.getClientRects()].filter((line) => line.width && line.height);
    const last = lines.at(-1) ?? range.getBoundingClientRect();
    const { width, height } = button.getBoundingClientRect();
    const isRoomBelow = last.bottom + GAP + height < innerHeight;
    const top = isRoomBelow ? last.bottom + GAP : Math.max(GAP, (lines[0] ?? last).top - GAP - height);
    button.style.left = `${scrollX + Math.max(GAP, Math.min(last.right - width / 2, innerWidth - width - GAP))}px`;
    button.style.top = `${scrollY + top}px`;
  }
}

/** Selects the next or previous paragraph. @param {HTMLElement} text @param {1 | -1} step @param {boolean} extend whether the selection grows */
function selectParagraph(text, step, extend) {
  const paragraphs = findAll(text, ".passage");
  const selection = getSelection();
  if (!paragraphs.length || !selection) return;
  /** @param {HTMLElement} paragraph */
  const isSelected = (paragraph) => selection.rangeCount > 0 && selection.containsNode(paragraph, true);
  const first = paragraphs.findIndex(isSelected);
  const last = paragraphs.findLastIndex(isSelected);
  const visible = Math.max(0, paragraphs.findIndex((paragraph) => paragraph.getBoundingClientRect().bottom > 80));
  const from = first < 0 ? visible - (step > 0 ? 1 : 0) : step > 0 ? last : first;
  const target = paragraphs[Math.max(0, Math.min(paragraphs.length - 1, from + step))];
  if (extend && first >= 0) {
    const [begin, end] = step > 0 ? [paragraphs[first], target] : [target, paragraphs[last]];
    selection.setBaseAndExtent(begin, 0, end, end.childNodes.length);
  } else selection.selectAllChildren(target);
  target.scrollIntoView({ block: "nearest" });
}

/** Returns what is selected of the text; null if nothing is. @param {HTMLElement} text */
function selectedRange(text) {
  const selection = getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  return text.contains(range.commonAncestorContainer) && textOf(range) ? range : null;
}

/** @param {Range} range */
const textOf = (range) => range.toString().replace(/\s+/g, " ").trim().slice(0, MAX_SELECTED);
