// @ts-check
/** The help desk's approved and proposed answers: writing, editing, approving them. */
import { API, getJson, reportErrors, request, requestJson, showStatus } from "./api.js";
import { shortTime } from "./conversation.js";
import { byId, el, fieldOf, find, findAll } from "./dom.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { FaqEntry } from "./types" */

/** @typedef {"draft" | "approved"} State */

/** What redaction puts in place of personal data. */
const REDACTED = /<(PERSON|EMAIL_ADDRESS|ID|PHONE_NUMBER|IBAN_CODE|CREDIT_CARD|IP_ADDRESS)>/;
const EMPTY = {
  draft: () => say("No proposals. Agents propose answers when they close a conversation; you can also write one."),
  approved: () => say("No approved answers yet. The help desk answers from its documents only."),
};
const tabs = findAll(document, "[data-list]");
const search = byId("entry-search", HTMLInputElement);
const departmentFilter = byId("department-filter", HTMLSelectElement);
/** @type {FaqEntry[]} */
let entries = [];
/** @type {State} */
let list = "draft";

/** @param {HTMLElement} tab */
const stateOfTab = (tab) => /** @type {State} */ (tab.dataset.list);

/** @param {FaqEntry} entry @returns {State} */
const stateOf = (entry) => (entry.approved ? "approved" : "draft");

for (const tab of tabs) tab.addEventListener("click", () => showList(stateOfTab(tab)));
search.addEventListener("input", show);
departmentFilter.addEventListener("change", show);
byId("write").addEventListener("click", () => edit(null));
byId("approve-all").addEventListener("click", () => reportErrors(() => setApproval(matchingEntries(), true)));
addEventListener("faq-changed", () => reportErrors(load));
reportErrors(start);

async function start() {
  await load();
  const asked = new URLSearchParams(location.hash.slice(1)).get("question");
  if (asked) return edit(null, asked);
  const wanted = entries.find((entry) => entry.id === location.hash.slice(1));
  if (!wanted) return;
  showList(stateOf(wanted));
  edit(wanted);
}

async function load() {
  entries = (await getJson("/faq")).entries.reverse();
  const before = departmentFilter.value;
  const departments = [...new Set(entries.flatMap((entry) => entry.department || []))].sort();
  departmentFilter.replaceChildren(el("option", { value: "*" }, say("All")), el("option", { value: "" }, say("For everyone")), ...departments.map((name) => el("option", {}, name)));
  departmentFilter.value = ["*", "", ...departments].includes(before) ? before : "*";
  byId("departments").replaceChildren(...departments.map((value) => el("option", { value })));
  show();
}

/** @param {State} state */
function showList(state) {
  list = state;
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(stateOfTab(tab) === state));
  show();
}

function show() {
  for (const tab of tabs) {
    const count = entries.filter((entry) => stateOf(entry) === stateOfTab(tab)).length;
    find(tab, "span").textContent = String(count || "");
  }
  const shown = matchingEntries();
  byId("entries").replaceChildren(...shown.map(entryCard));
  byId("none").hidden = shown.length > 0;
  byId("none").textContent = entries.some((entry) => stateOf(entry) === list) ? say("No matches.") : EMPTY[list]();
  byId("approve-all").hidden = list !== "draft" || shown.length < 2;
  byId("approve-all").textContent = say("Approve all {count}", { count: shown.length });
}

function matchingEntries() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const department = departmentFilter.value;
  return entries.filter((entry) => {
    const text = `${entry.question} ${entry.answer}`.toLowerCase();
    return stateOf(entry) === list && (department === "*" || (entry.department ?? "") === department) && words.every((word) => text.includes(word));
  });
}

/** @param {FaqEntry} entry */
function entryCard(entry) {
  const state = stateOf(entry);
  const facts = [
    entry.type === "faq" ? say("Frequently asked question") : say("Answered by an agent"),
    entry.department ?? say("For everyone"),
    entry.approved ? say("live since {time}", { time: shortTime(entry.approved) }) : shortTime(entry.created),
  ];
  /** @param {string} name @param {() => unknown} action @param {string} [kind] */
  const button = (name, action, kind = "") =>
    el("button", { type: "button", class: kind, "aria-label": `${name}: ${entry.question}`, on: { click: () => reportErrors(action) } }, name);
  return el(
    "li",
    { class: "card entry", dataset: { id: entry.id } },
    el("h2", { dir: "auto" }, withRedactions(entry.question)),
    el("p", { class: "entry-text", dir: "auto" }, withRedactions(entry.answer)),
    el("p", { class: "soft" }, facts.join(" · ")),
    el(
      "div",
      { class: "row" },
      state !== "approved" && button(say("Approve"), () => setApproval([entry], true), "primary"),
      button(say("Edit"), () => edit(entry)),
      state === "approved" && button(say("Withdraw"), () => setApproval([entry], false)),
      button(say("Delete"), () => remove(entry), "quiet"),
    ),
  );
}

/** Returns the text with redacted parts highlighted. @param {string} text */
const withRedactions = (text) =>
  text.split(new RegExp(REDACTED.source, "g")).map((part, index) => (index % 2 ? el("mark", { class: "redaction" }, `‹${redactionText(part)}›`) : part));

/** @param {string} kind */
function redactionText(kind) {
  if (kind === "PERSON") return say("a name");
  if (kind === "EMAIL_ADDRESS") return say("an e-mail address");
  if (kind === "PHONE_NUMBER") return say("a phone number");
  return kind === "ID" ? say("an ID number") : say("a number");
}

/** @param {Pick<FaqEntry, "id">[]} chosen @param {boolean} approved */
async function setApproval(chosen, approved) {
  showStatus(approved ? say("Publishing …") : say("Withdrawing …"));
  const alone = chosen.length === 1; // its text was shown and read
  const changed = await requestJson("/faq/approval", { method: "PUT", json: { entries: chosen.map((entry) => entry.id), approved, read: alone } });
  await load();
  /** @type {FaqEntry[]} */
  const unread = alone ? [] : changed.entries.filter((/** @type {FaqEntry} */ entry) => approved && !entry.approved);
  if (unread.length) showStatus(say("Approved all but {count}: personal data was removed from them. Read and approve each.", { count: unread.length }));
  else showStatus(approved ? say("Approved. The answer is live now.") : say("Withdrawn. The answer is a proposal again."));
}

/** @param {FaqEntry} entry */
async function remove(entry) {
  if (!confirm(say("Delete this answer permanently?"))) return;
  await request(`${API}/faq/${entry.id}`, { method: "DELETE" });
  await load();
  showStatus(say("Deleted."));
}

/** Opens the form for an answer. @param {FaqEntry | null} entry null: a new one @param {string} asked the question of a new one */
function edit(entry, asked = "") {
  const { maxAnswer, maxDepartment } = byId("entries").dataset;
  const question = el("textarea", { name: "question", rows: 2, maxlength: 2000, required: true }, entry?.question ?? asked);
  const answer = el("textarea", { name: "answer", rows: 6, maxlength: maxAnswer, required: true }, entry?.answer ?? "");
  const department = el("input", { name: "department", maxlength: maxDepartment, list: "departments", value: entry?.department ?? "" });
  const hint = el("p", { class: "soft preview", hidden: true, "aria-live": "polite" });
  const showHint = () => showRedactions(hint, `${question.value} ${answer.value}`);
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    const approve = event.submitter instanceof HTMLButtonElement && event.submitter.value === "approve";
    return save(event.currentTarget, entry, approve);
  };
  const form = el(
    "form",
    { class: "card stack", dataset: { draft: `answer ${entry?.id ?? asked}` }, "aria-label": entry ? say("Edit") : say("Write an answer"), on: { submit, input: showHint } },
    el("label", {}, say("Question"), question),
    el("label", {}, say("Answer"), answer),
    hint,
    el("label", {}, say("Department (optional)"), department),
    el("div", { class: "row" }, el("button", { class: "primary", value: "approve" }, say("Save and approve")), el("button", { value: "" }, say("Save as proposal")), el("button", { type: "button", class: "quiet", on: { click: closeForm } }, say("Cancel"))),
  );
  showHint();
  byId("entry-form").replaceChildren(form);
  form.scrollIntoView({ block: "nearest" });
  question.focus();
}

/** Lists the redactions in a text. @param {HTMLElement} hint @param {string} text */
function showRedactions(hint, text) {
  const kinds = new Set(text.match(new RegExp(REDACTED.source, "g")) ?? []);
  hint.hidden = kinds.size === 0;
  hint.textContent = kinds.size ? say("Removed as personal data: {marks}. Rewrite the sentence without them.", { marks: [...kinds].join(", ") }) : "";
}

function closeForm() {
  byId("entry-form").replaceChildren();
  history.replaceState(null, "", location.pathname);
  byId("write").focus();
}

/** @param {HTMLFormElement} form @param {FaqEntry | null} entry @param {boolean} approve */
async function save(form, entry, approve) {
  const fields = new FormData(form);
  const json = { question: fieldOf(fields, "question").trim(), answer: fieldOf(fields, "answer").trim(), department: fieldOf(fields, "department").trim() || null };
  await reportErrors(async () => {
    const saved = await requestJson(`/faq${entry ? `/${entry.id}` : ""}`, { method: entry ? "PUT" : "POST", json });
    forgetDraft(form);
    closeForm();
    if (approve) return setApproval([saved], true);
    await load();
    showList("draft");
    showStatus(say("Saved as a proposal. The answer goes live once approved."));
  });
}
