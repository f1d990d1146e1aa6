// @ts-check
/** What a teacher does with passages: hide, replace, add. */
import { getJson, requestJson, RequestError, sourcesPath } from "./api.js";
import { byId, el, find, findById, openDialog } from "./dom.js";
import { FIRST_OWN } from "./feedback.js";
import { inContext, pageLink } from "./page_viewer.js";
import { say } from "./texts.js";
/** @import { Candidate, Evidence, Feedback, Source } from "./types" */

/** @typedef {{ show: string, sentence: string | null }} Choice what students see of a piece of evidence; sentence: shown in its place */
/** @typedef {(path: string, method: string, json: unknown, said?: string) => Promise<boolean>} Change path: below the feedback; said: what is said then; returns whether it was saved */

/**
 * Returns the tools for the cards of feedback.
 * @param {Change} change
 */
export function evidenceTools(change) {
  /** @type {Feedback} */
  let feedback;

  /** @param {number} number @returns {Choice} */
  const choiceOf = (number) => {
    const { show, sentence } = feedback.choices.find((one) => one.number === number) ?? { show: "normal", sentence: null };
    return { show, sentence };
  };

  /** @param {number} number @param {Partial<Choice>} wanted */
  const choose = (number, wanted) => change(`evidence/${number}`, "PUT", { ...choiceOf(number), ...wanted, seen: choiceOf(number) });

  /** @param {Evidence} evidence */
  function onEvidence(evidence) {
    const { number } = evidence;
    const { sentence } = choiceOf(number);
    const name = say("Passage {number}", { number });
    /** @param {string} text @param {() => unknown} click */
    const button = (text, click) => el("button", { type: "button", class: "quiet", "aria-label": `${text}: ${name}`, on: { click } }, text);
    const current = { path: `evidence/${number}/candidates`, title: say("Another passage"), opener: `evidence-${number}`, evidence };
    const hide = async () => (await choose(number, { show: "hidden" })) && find(byId(`hidden-${number}`), "button").focus({ preventScroll: true });
    return [
      !feedback.comments.some((one) => one.evidence.length === 1 && one.evidence[0] === number) && button(say("Hide"), hide), // else its comment is hidden, with it
      button(say("Replace …"), () => openSearch(feedback.id, current, (other) => choose(number, { sentence: other }))),
      number < FIRST_OWN && sentence && button(say("Restore the original sentence"), () => choose(number, { sentence: null })),
    ];
  }

  /** Returns the button that adds a passage for a paragraph. @param {number} paragraph */
  function onParagraph(paragraph) {
    const opener = `add-passage-${paragraph}`;
    const current = { path: `paragraphs/${paragraph}/candidates`, title: say("Add a passage"), opener, evidence: null };
    const add = () => openSearch(feedback.id, current, (sentence) => change("evidence", "POST", { paragraph, sentence }));
    return el("p", {}, el("button", { id: opener, type: "button", class: "quiet", "aria-label": `${say("Add a passage")}: ${say("Paragraph {number}", { number: paragraph })}`, on: { click: add } }, say("Add a passage")));
  }

  return {
    /** @param {Feedback} current the feedback as it is stored now */
    setFeedback(current) {
      feedback = current;
    },
    onEvidence,
    onParagraph,
    /** Returns the passages that are hidden from students; empty if there is none. */
    hiddenEvidence() {
      const hidden = feedback.choices.filter((one) => one.show === "hidden");
      if (!hidden.length) return [];
      /** @param {number} number */
      const showAgain = async (number) => {
        await choose(number, { show: "normal" });
        findById(`evidence-${number}`)?.focus();
      };
      const items = hidden.map(({ number, found, sentence }) => {
        const name = say("Passage {number}", { number });
        return el(
          "li",
          { class: "card hidden-evidence", id: `hidden-${number}` },
          el("h3", {}, name),
          found && el("p", { class: "context", dir: "auto" }, found.sentence.text),
          found ? el("p", { class: "soft", dir: "auto" }, found.citation) : el("p", {}, el("a", { href: `/sentences/${sentence}` }, say("Open the page"))),
          el("button", { type: "button", "aria-label": `${say("Show again")}: ${name}`, on: { click: () => showAgain(number) } }, say("Show again")),
        );
      });
      return [el("h2", { class: "hidden-title" }, say("Hidden from students")), el("ul", { class: "plain" }, items)];
    },
  };
}

/**
 * Opens a dialog to search the school's books for a sentence.
 * @param {string} feedback its id
 * @param {{ path: string, title: string, opener: string, evidence: Evidence | null }} what path: of the candidates, below the feedback; opener: id of what gets the focus afterwards; evidence: what is replaced
 * @param {(sentence: string) => Promise<boolean>} choose stores the sentence with that id; returns whether that was done
 */
function openSearch(feedback, { path, title, opener, evidence }, choose) {
  const list = el("ol", { class: "plain candidates" });
  const status = el("p", { role: "status", class: "soft" });
  const words = el("input", { type: "search", maxlength: 2000, autocomplete: "off" });
  const books = el("select", { on: { change: () => search() } }, el("option", { value: "" }, say("All books")));
  const bookChoice = el("label", { hidden: true }, say("Book"), books);
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    search();
  };
  const dialog = openDialog(
    { class: "replacing" },
    "replacing-title",
    title,
    say("Close"),
    el(
      "div",
      { class: "inside" },
      evidence && el("blockquote", { dir: "auto" }, evidence.sentence.text),
      el("form", { class: "row", on: { submit } }, el("label", { class: "grow" }, say("Search your books"), words), bookChoice, el("button", { class: "primary" }, say("Search"))),
      status,
      list,
    ),
  );
  dialog.addEventListener("close", returnFocus); // after it was removed, and the focus with it
  search();
  offerBooks();

  /** Once a passage was changed, the button that opened this dialog is gone. */
  function returnFocus() {
    if (document.activeElement === document.body) findById(opener)?.focus({ preventScroll: true });
  }

  /** Without the list of books, all of them are searched. */
  async function offerBooks() {
    /** @type {{ sources: Source[] }} */
    const { sources } = await getJson(sourcesPath("books")).catch(() => ({ sources: [] }));
    const ready = sources.filter((book) => book.state === "ready");
    books.append(...ready.map((book) => el("option", { value: book.source }, book.title)));
    bookChoice.hidden = ready.length < 2;
  }

  async function search() {
    status.textContent = say("Searching your books …");
    try {
      /** @type {{ candidates: Candidate[] }} */
      const { candidates } = await requestJson(`/feedback/${feedback}/${path}`, { method: "POST", json: { words: words.value.trim(), book: books.value || null } });
      list.replaceChildren(...candidates.map(candidateItem));
      if (!candidates.length) status.textContent = say("Nothing found.");
      else status.textContent = words.value.trim() ? say("Best matches for your search:") : say("Best matches for this paragraph:");
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      status.textContent = error.message;
    }
  }

  /** @param {Candidate} candidate */
  function candidateItem(candidate) {
    const use = async () => {
      status.textContent = say("Saving …");
      if (await choose(candidate.sentence.sentence_id)) dialog.close();
      else status.textContent = byId("state").textContent;
    };
    return el(
      "li",
      { class: "card" },
      inContext(candidate),
      el("p", { class: "soft", dir: "auto" }, candidate.citation),
      el("div", { class: "row" }, el("button", { type: "button", class: "primary", on: { click: use } }, say("Use this passage")), pageLink(candidate)),
    );
  }
}
