// @ts-check
/** Turns of a conversation with the help desk, as its student or an agent sees them. */
import { byModel, shownPassages, TITLES } from "./answers.js";
import { el, openDialog } from "./dom.js";
import { formatCount, formatDateTime, formatTime } from "./formats.js";
import { openPage } from "./page_viewer.js";
import { say } from "./texts.js";
/** @import { Claim, HelpdeskAnswer, HelpdeskSource, Turn } from "./types" */

const ENTRIES = new Set(["faq", "resolved_query"]); // types of sources with a question of their own

/** @typedef {{ speaker: string, text: string, at?: string | null, by?: string | null, answer?: HelpdeskAnswer | null }} ShownTurn a turn, also one that is not sent yet */

/**
 * Returns a turn as a list item.
 * @param {Turn | ShownTurn} turn
 * @param {string | null} [agent] the agent's name, where the turn does not have it
 * @param {string} [student] the student's name; default: the student is the reader
 */
export function turnItem(turn, agent = null, student = say("You")) {
  const item = el("li", { class: `turn ${turn.speaker}` }, el("p", { class: "who" }, speakerLine(turn, agent, student)));
  const answer = answerOf(turn);
  item.append(...(answer?.claims.length ? claimBlocks(answer) : [el("p", { dir: "auto" }, textOf(turn))]));
  if (isNear(turn)) item.append(el("ul", { class: "suggestions" }, (answer?.did_you_mean ?? []).map((text) => el("li", { dir: "auto" }, text))));
  return item;
}

/** Whether the desk asks back with the questions of its entries. @param {Turn | ShownTurn} turn */
export const isNear = (turn) => Boolean(answerOf(turn)?.nothing && answerOf(turn)?.confidence.band === "near");

/** @param {Turn | ShownTurn} turn @returns {HelpdeskAnswer | null} */
const answerOf = (turn) => /** @type {HelpdeskAnswer | null} */ (turn.answer ?? null);

/** @param {Turn | ShownTurn} turn @param {string | null} agent @param {string} student */
function speakerLine({ speaker, at, by }, agent, student) {
  const name = nameOf(speaker, by || agent, student);
  return at ? `${name} · ${shortTime(at)}` : name;
}

/** @param {string} speaker @param {string | null} agent @param {string} student */
export function nameOf(speaker, agent, student) {
  if (speaker === "student") return student;
  if (speaker === "assistant") return say("Automatic answer");
  return agent || say("Help desk team");
}

/**
 * Returns a turn's text. The fixed text of an answer without sources is translated, because it names a button.
 * @param {Turn | ShownTurn} turn
 */
export function textOf(turn) {
  if (!answerOf(turn)?.nothing) return turn.text;
  if (isNear(turn)) return say("I’m not sure what you mean. Did you mean one of these questions? If not, choose “Talk to a person”.");
  return say("I couldn't find anything about that. Choose “Talk to a person” and someone at your school will answer.");
}

/** Returns the time of day for today, otherwise date and time. @param {string} iso */
export function shortTime(iso) {
  const isToday = new Date(iso).toDateString() === new Date().toDateString();
  return isToday ? formatTime(iso) : formatDateTime(iso);
}

/** Returns a claim with the numbers of its sources. @param {Pick<Claim, "text"> & { citations: { number: number }[] }} claim */
const claimText = (claim) => `${claim.text} ${[...new Set(claim.citations.map((one) => `[${one.number}]`))].join("")}`;

/** @param {HelpdeskAnswer} answer */
function claimBlocks(answer) {
  const cited = new Set(answer.claims.flatMap((claim) => claim.citations.map((one) => one.number)));
  const sources = answer.sources.filter((source) => cited.has(source.number));
  const entry = answer.by === "extract" && sources.find((source) => ENTRIES.has(source.source_type));
  return [
    entry ? el("p", { class: "soft", dir: "auto" }, say("This answers: “{question}”", { question: entry.title })) : answer.confidence.band === "medium" ? el("p", { class: "soft" }, TITLES.medium) : "",
    ...(answer.passages.length
      ? shownPassages(answer, (shown) => el("p", { class: "soft" }, shown.citation))
      : answer.claims.map((claim) => el("p", { dir: "auto" }, claimText(claim)))),
    byModel(answer) ?? "",
    ...answer.notes.map((note) => el("p", { class: "soft" }, note)),
    el("ul", { class: "plain sources", "aria-label": say("Sources") }, sources.map((source) => sourceItem(source, answer))),
  ];
}

/** What each type of source is called. @type {Record<string, string>} */
const KINDS = { pdf: say("Document"), page: say("Web page"), faq: say("School answer"), resolved_query: say("Previously answered question") };

/** @param {HelpdeskSource} source @param {HelpdeskAnswer} answer */
function sourceItem(source, answer) {
  const sentence = answer.claims.flatMap((claim) => claim.citations).find((one) => one.number === source.number)?.sentence;
  const page = source.pages[0]?.page_label && say("Page {label}", { label: source.pages[0].page_label });
  const text = [`[${source.number}] ${KINDS[source.source_type] ?? source.source_type}: ${source.title}`, page, source.department_id].filter(Boolean).join(" · ");
  const open = () => (sentence?.boxes.length ? openPage(sentence, source.title, "helpdesk") : openText(source));
  if (source.source_type === "page" && source.url) return el("li", {}, el("a", { class: "chip", href: source.url, rel: "noreferrer" }, text));
  return el("li", {}, el("button", { class: "chip", type: "button", dir: "auto", on: { click: open } }, text));
}

/** @param {HelpdeskSource} source */
const openText = (source) =>
  openDialog({}, "entry-title", source.title, say("Close"), el("div", { class: "dialog-body" }, el("p", { dir: "auto" }, source.text)));

/** @param {HTMLElement} list */
export const scrollToEnd = (list) => (list.scrollTop = list.scrollHeight);

/**
 * Returns why a message is too long to send, "" if it is not.
 * @param {string} text
 * @param {string | undefined} max characters
 */
export function lengthError(text, max) {
  const limit = Number(max);
  return text.length > limit ? say("Too long: {count} characters (limit: {max}).", { count: formatCount(text.length), max: formatCount(limit) }) : "";
}
