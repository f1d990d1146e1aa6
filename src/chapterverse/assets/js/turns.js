import { el } from "./dom.js";
import { countOf, hourOf, momentOf } from "./formats.js";
import { openPage } from "./lit_page.js";
import { say } from "./texts.js";

/** What was said in a conversation with the help desk, as its student or an agent sees it. */
export function turnOf(turn, agent = "") {
  const made = el("li", { class: `turn ${turn.speaker}` }, el("p", { class: "who" }, speakerOf(turn, agent)));
  made.append(...(turn.answer?.claims.length ? claims(turn.answer) : [el("p", { dir: "auto" }, saidIn(turn))]));
  return made;
}

/** "Help desk", a person, or who asks; and when. */
function speakerOf({ speaker, at }, agent) {
  const names = {
    student: () => say("Question"),
    assistant: () => say("Help desk, by itself"),
    agent: () => (agent ? say("{name}, a person", { name: agent }) : say("A person of the help desk")),
  };
  return at ? `${names[speaker]()} · ${timeOf(at)}` : names[speaker]();
}

/** The fixed text in the reader's language: it names a button. What a person says is as they said it. */
export function saidIn({ text, answer }) {
  if (!answer?.nothing) return text;
  return say("I couldn't find specific information about that in our knowledge base. For accurate help, please use Talk to Human so an agent can assist you.");
}

export function timeOf(at) {
  const today = new Date(at).toDateString() === new Date().toDateString();
  return today ? hourOf(at) : momentOf(at);
}

/** A claim as it arrives, with the numbers of its sources. */
export const claimText = (claim) => `${claim.text} ${[...new Set(claim.citations.map((one) => `[${one.number}]`))].join("")}`;

function claims(answer) {
  const cited = new Set(answer.claims.flatMap((claim) => claim.citations.map((one) => one.number)));
  const sources = answer.sources.filter((source) => cited.has(source.number));
  const said = answer.claims.map((claim) => el("p", { dir: "auto" }, claimText(claim)));
  const notes = answer.notes.map((note) => el("p", { class: "soft" }, note));
  return [...said, ...notes, el("ul", { class: "plain sources", "aria-label": say("Sources") }, sources.map((source) => sourceOf(source, answer)))];
}

const KINDS = {
  pdf: () => say("Document"),
  page: () => say("Page of a site"),
  faq: () => say("Answer of the school"),
  resolved_query: () => say("Question that was answered before"),
};

function sourceOf(source, answer) {
  const sentence = answer.claims.flatMap((claim) => claim.citations).find((one) => one.number === source.number).sentence;
  const page = source.pages[0] && say("Page {label}", { label: source.pages[0].page_label });
  const words = [`[${source.number}] ${KINDS[source.type]?.() ?? source.type}: ${source.title}`, page, source.department].filter(Boolean).join(" · ");
  const open = () => (sentence.boxes.length ? openPage(sentence, source.title, "helpdesk") : openText(source));
  if (source.type === "page" && source.url) return el("li", {}, el("a", { class: "chip", href: source.url, rel: "noreferrer" }, words));
  return el("li", {}, el("button", { class: "chip", type: "button", dir: "auto", on: { click: open } }, words));
}

/** The whole entry. */
function openText(source) {
  const dialog = el(
    "dialog",
    { "aria-labelledby": "entry-title", on: { close: () => dialog.remove() } },
    el("header", {}, el("h2", { id: "entry-title", dir: "auto" }, source.title), el("button", { type: "button", on: { click: () => dialog.close() } }, say("Close"))),
    el("div", { class: "leaf" }, el("p", { dir: "auto" }, source.text)),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Bring the newest into view. */
export const toEnd = (list) => (list.scrollTop = list.scrollHeight);

/** Why it cannot be sent; empty where it can. */
export function tooLong(text, most) {
  const [count, limit] = [text.length, Number(most)].map(countOf);
  return text.length > Number(most) ? say("This has {count} characters, and a message at most {most}: shorten it.", { count, most: limit }) : "";
}
