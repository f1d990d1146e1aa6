/** Answers for all: proposed, approved, put aside; written, changed, found or no more. */
import { API, answerTo, ask, get } from "./api.js";
import { byId, el } from "./dom.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";
import { timeOf } from "./turns.js";

const TAKEN = /<(PERSON|EMAIL_ADDRESS|ID|PHONE_NUMBER|IBAN_CODE|CREDIT_CARD|IP_ADDRESS)>/;
const EMPTY = {
  draft: () => say("Nothing is proposed. Agents propose answers when they close a conversation; you can write one, too."),
  approved: () => say("Nothing is approved yet: the desk knows only its documents."),
  archived: () => say("Nothing is put aside."),
};
let entries = [];
let list = "draft";

const stateOf = (entry) => (entry.approved ? "approved" : entry.archived ? "archived" : "draft");

for (const button of document.querySelectorAll("[data-list]")) button.addEventListener("click", () => choose(button.dataset.list));
byId("wanted").addEventListener("input", show);
byId("of").addEventListener("change", show);
byId("write").addEventListener("click", () => edit(null));
byId("approve-all").addEventListener("click", () => tried(approveAll));
addEventListener("faq-changed", () => tried(look));
tried(start);

async function start() {
  await look();
  const wanted = entries.find((entry) => entry.id === location.hash.slice(1));
  if (wanted) {
    choose(stateOf(wanted));
    edit(wanted);
  }
}

async function look() {
  entries = (await get("/faq")).entries.reverse();
  const chosen = byId("of").value;
  const departments = [...new Set(entries.map((entry) => entry.department).filter(Boolean))].sort();
  byId("of").replaceChildren(el("option", { value: "*" }, say("All")), el("option", { value: "" }, say("For everybody")), ...departments.map((name) => el("option", {}, name)));
  byId("of").value = ["*", "", ...departments].includes(chosen) ? chosen : "*";
  byId("departments").replaceChildren(...departments.map((value) => el("option", { value })));
  show();
}

function choose(name) {
  list = name;
  for (const button of document.querySelectorAll("[data-list]")) button.setAttribute("aria-pressed", String(button.dataset.list === name));
  show();
}

function show() {
  for (const button of document.querySelectorAll("[data-list]")) {
    button.querySelector("span").textContent = entries.filter((entry) => stateOf(entry) === button.dataset.list).length || "";
  }
  const shown = wanted();
  byId("entries").replaceChildren(...shown.map(card));
  byId("none").hidden = shown.length > 0;
  byId("none").textContent = entries.some((entry) => stateOf(entry) === list) ? say("None of these has what you look for.") : EMPTY[list]();
  byId("approve-all").hidden = list !== "draft" || shown.length < 2;
  byId("approve-all").textContent = say("Approve all {count}", { count: shown.length });
}

function wanted() {
  const words = byId("wanted").value.toLowerCase().split(/\s+/).filter(Boolean);
  const of = byId("of").value;
  return entries.filter((entry) => {
    const told = `${entry.question} ${entry.answer}`.toLowerCase();
    return stateOf(entry) === list && (of === "*" || (entry.department ?? "") === of) && words.every((word) => told.includes(word));
  });
}

function card(entry) {
  const state = stateOf(entry);
  const facts = [
    entry.type === "faq" ? say("Question that is often asked") : say("Question that an agent answered"),
    entry.department ?? say("For everybody"),
    state === "approved" ? say("found since {time}", { time: timeOf(entry.approved) }) : timeOf(entry.created),
  ];
  return el(
    "li",
    { class: "card entry", dataset: { id: entry.id } },
    el("h2", { dir: "auto" }, marked(entry.question)),
    el("p", { class: "said", dir: "auto" }, marked(entry.answer)),
    el("p", { class: "soft" }, facts.join(" · ")),
    el(
      "div",
      { class: "row" },
      state !== "approved" && doing(entry, say("Approve"), () => approve([entry], true), "primary"),
      doing(entry, say("Edit"), () => edit(entry)),
      state === "approved" && doing(entry, say("Withdraw"), () => approve([entry], false)),
      state === "draft" && doing(entry, say("Put aside"), () => putAside(entry, true)),
      state === "archived" && doing(entry, say("Propose again"), () => putAside(entry, false)),
      doing(entry, say("Delete"), () => remove(entry), "quiet"),
    ),
  );
}

const doing = (entry, name, act, kind = "") =>
  el("button", { type: "button", class: kind, "aria-label": `${name}: ${entry.question}`, on: { click: () => tried(act) } }, name);

/** What redaction took out stands out. */
function marked(text) {
  return text.split(new RegExp(TAKEN.source, "g")).map((part, at) => (at % 2 ? el("mark", { class: "taken" }, takenOf(part)) : part));
}

function takenOf(kind) {
  const words = {
    PERSON: () => say("a name"),
    EMAIL_ADDRESS: () => say("an e-mail address"),
    PHONE_NUMBER: () => say("a phone number"),
    ID: () => say("a number of a person"),
  };
  return `‹${(words[kind] ?? (() => say("a number")))()}›`;
}

const approveAll = () => approve(wanted(), true);

async function approve(chosen, approved) {
  tell(approved ? say("The list of the department is being made anew …") : say("It is being taken out of the list …"));
  await ask(`${API}/faq/approval`, { method: "PUT", json: { entries: chosen.map((entry) => entry.id), approved } });
  await look();
  tell(approved ? say("Approved: everybody finds it from now on.") : say("Withdrawn: nobody finds it any more. It is proposed again."));
}

async function putAside(entry, archived) {
  await ask(`${API}/faq/${entry.id}/archive`, { method: "PUT", json: { archived } });
  await look();
  tell(archived ? say("It is put aside.") : say("It is proposed again."));
}

async function remove(entry) {
  if (!confirm(say("Delete this answer for good?"))) return;
  await ask(`${API}/faq/${entry.id}`, { method: "DELETE" });
  await look();
  tell(say("It is deleted."));
}

/** A form for one; null: a new one. */
function edit(entry) {
  const most = byId("entries").dataset;
  const question = el("textarea", { name: "question", rows: 2, maxlength: 2000, required: true });
  const answer = el("textarea", { name: "answer", rows: 6, maxlength: most.most, required: true });
  const department = el("input", { name: "department", maxlength: most.longest, list: "departments", value: entry?.department ?? "" });
  [question.value, answer.value] = [entry?.question ?? "", entry?.answer ?? ""];
  const taken = el("p", { class: "soft shown", hidden: true, "aria-live": "polite" });
  const look = () => hint(taken, `${question.value} ${answer.value}`);
  const form = el(
    "form",
    { class: "card stack", "aria-label": entry ? say("Edit") : say("Write an answer"), on: { submit: (event) => saved(event, entry), input: look } },
    el("label", {}, say("What is asked"), question),
    el("label", {}, say("What is answered"), answer),
    taken,
    el("label", {}, say("Department; empty: for everybody"), department),
    el("div", { class: "row" }, el("button", { class: "primary", value: "approve" }, say("Save and approve")), el("button", { value: "" }, say("Save as proposal")), el("button", { type: "button", class: "quiet", on: { click: leave } }, say("Cancel"))),
  );
  look();
  byId("writing").replaceChildren(form);
  form.scrollIntoView({ block: "nearest" });
  question.focus();
}

/** Marks in the text that redaction has left. */
function hint(told, text) {
  const kinds = [...text.matchAll(new RegExp(TAKEN.source, "g"))].map((found) => found[0]);
  told.hidden = kinds.length === 0;
  told.textContent = kinds.length ? say("Taken out before it was kept: {marks}. Write the sentence so that it needs none of them.", { marks: [...new Set(kinds)].join(", ") }) : "";
}

function leave() {
  byId("writing").replaceChildren();
  history.replaceState(null, "", location.pathname);
  byId("write").focus();
}

async function saved(event, entry) {
  event.preventDefault();
  const form = new FormData(event.target);
  const json = { question: form.get("question").trim(), answer: form.get("answer").trim(), department: form.get("department").trim() || null };
  const approves = event.submitter?.value === "approve";
  await tried(async () => {
    const kept = await answerTo(`/faq${entry ? `/${entry.id}` : ""}`, { method: entry ? "PUT" : "POST", json });
    leave();
    if (approves) return approve([kept], true);
    await look();
    choose("draft");
    tell(say("Saved as a proposal: nobody finds it before it is approved."));
  });
}
