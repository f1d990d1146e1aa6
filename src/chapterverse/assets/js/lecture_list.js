// @ts-check
/** The lectures that are stored: their list, and their citations as a text. The spoken words are not stored. */
import { API, getJson, reportErrors, request } from "./api.js";
import { byId, el, findById } from "./dom.js";
import { formatDate, formatDateTime } from "./formats.js";
import { say } from "./texts.js";
/** @import { LectureCitation, LectureSession, LectureWindow } from "./types" */

/** Shows the list of lectures, newest first. @param {() => void} onRemoved called after the open lecture was deleted */
export async function showLectures(onRemoved) {
  if (!findById("lectures")) return; // who follows by a code sees one lecture
  /** @type {{ sessions: LectureSession[] }} */
  const { sessions } = await getJson("/sessions");
  byId("lectures").hidden = !sessions.length;
  byId("lecture-list").replaceChildren(...sessions.map((session) => lectureItem(session, onRemoved)));
}

/** @param {LectureSession} session @param {() => void} onRemoved */
function lectureItem(session, onRemoved) {
  const remove = async () => {
    if (!confirm(say("Delete this lecture and its citations? The books are kept."))) return;
    await request(`${API}/sessions/${session.id}`, { method: "DELETE" });
    if (location.hash === `#${session.id}`) onRemoved();
    await showLectures(onRemoved);
  };
  /** @param {string} text @param {() => Promise<void>} action */
  const button = (text, action) => el("button", { type: "button", class: "quiet", "aria-label": `${text}: ${session.name}`, on: { click: () => reportErrors(action) } }, text);
  const books = session.documents.map((one) => one.document_name).join(", ");
  const facts = [formatDateTime(session.created_at), books, say("will be deleted on {date}", { date: formatDate(session.expires_at) })];
  return el(
    "li",
    { class: "row between" },
    el("span", {},
      el("a", { href: `#${session.id}`, dir: "auto" }, el("b", {}, session.name)), session.is_running && [" ", el("span", { class: "badge" }, say("live"))],
      el("span", { class: "soft facts", dir: "auto" }, facts.filter(Boolean).join(" · "))),
    el("span", { class: "row" }, button(say("Save"), () => save(session)), session.may_change && button(say("Delete"), remove)),
  );
}

/** Saves the citations of a lecture as a text. @param {LectureSession} session */
async function save(session) {
  /** @type {{ windows: LectureWindow[] }} */
  const { windows } = await getJson(`/sessions/${session.id}/windows`);
  const address = URL.createObjectURL(new Blob([asMarkdown(session, windows)], { type: "text/markdown" }));
  el("a", { href: address, download: `${session.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")}.md` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** Returns seconds as "0:01:05". @param {number} seconds */
export const clock = (seconds) => new Date(1000 * seconds).toISOString().slice(11, 19);

/** The citations in the order in which they appeared. @param {LectureSession} session @param {LectureWindow[]} windows */
function asMarkdown(session, windows) {
  const rows = windows.flatMap(({ start, citations }) => citations.map((citation) => ({ time: clock(start), citation })));
  const parts = rows.map(({ time, citation }) => `**${citation.rank}** · ${time} · ${markdownText([citation.document_name, ...placeOf(citation)].join(", "))}\n\n> ${markdownText(citation.snippet)}`);
  return [`# ${markdownText(session.name)}`, formatDateTime(session.created_at), ...parts].join("\n\n") + "\n";
}

/** @param {LectureCitation} citation */
const placeOf = ({ page_label: label, section_heading: heading }) => [label && say("Page {label}", { label }), heading ?? ""].filter(Boolean);

/** Returns a text on one line, without marks of Markdown. @param {string} text */
const markdownText = (text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|]/g, "\\$&");
