// @ts-check
/** The lectures that are stored: their list, and their citations as files. The spoken words are not stored. */
import { API, getJson, reportErrors, request } from "./api.js";
import { byId, el, findById } from "./dom.js";
import { formatDate, formatDateTime } from "./formats.js";
import { say } from "./texts.js";
/** @import { LectureCitation, LectureSession, LectureWindow } from "./types" */

/** How a lecture's citations are saved: the file's kind, and its content. */
const FORMATS = {
  md: { type: "text/markdown", title: say("Text"), write: asMarkdown },
  csv: { type: "text/csv", title: "CSV", write: asCsv },
  json: { type: "application/json", title: "JSON", write: asJson },
};

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
    if (!confirm(say("Delete this lecture and its citations? The books stay."))) return;
    await request(`${API}/sessions/${session.id}`, { method: "DELETE" });
    if (location.hash === `#${session.id}`) onRemoved();
    await showLectures(onRemoved);
  };
  /** @param {string} text @param {() => Promise<void>} action */
  const button = (text, action) => el("button", { type: "button", class: "quiet", "aria-label": `${text}: ${session.name}`, on: { click: () => reportErrors(action) } }, text);
  const formats = /** @type {(keyof typeof FORMATS)[]} */ (Object.keys(FORMATS));
  const books = session.documents.map((one) => one.document_name).join(", ");
  const facts = [formatDateTime(session.created_at), books, say("will be deleted on {date}", { date: formatDate(session.expires_at) })];
  return el(
    "li",
    { class: "row between" },
    el("span", {},
      el("a", { href: `#${session.id}`, dir: "auto" }, el("b", {}, session.name)), session.is_running && [" ", el("span", { class: "badge" }, say("live"))],
      el("span", { class: "soft facts", dir: "auto" }, facts.filter(Boolean).join(" · "))),
    el("span", { class: "row" }, formats.map((format) => button(FORMATS[format].title, () => save(session, format))), session.may_change && button(say("Delete"), remove)),
  );
}

/** Saves the citations of a lecture as a file. @param {LectureSession} session @param {keyof typeof FORMATS} format */
async function save(session, format) {
  /** @type {{ windows: LectureWindow[] }} */
  const { windows } = await getJson(`/sessions/${session.id}/windows`);
  const { type, write } = FORMATS[format];
  const address = URL.createObjectURL(new Blob([write(session, numbered(session, windows))], { type }));
  el("a", { href: address, download: `${session.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/**
 * @typedef {object} Row a citation of the lecture
 * @property {number} number as the lecture is numbered
 * @property {string} time since the lecture began
 * @property {LectureCitation} citation
 */

/** Returns the citations in the order in which they appeared. @param {LectureSession} session @param {LectureWindow[]} windows @returns {Row[]} */
function numbered({ numbering }, windows) {
  const rows = windows.flatMap((window) => window.citations.map((citation) => ({ time: clock(window.start), citation })));
  return rows.map((row, index) => ({ ...row, number: numbering === "lecture" ? index + 1 : row.citation.rank }));
}

/** Returns seconds as "0:01:05". @param {number} seconds */
export const clock = (seconds) => new Date(1000 * seconds).toISOString().slice(11, 19);

/** @param {LectureSession} session @param {Row[]} rows */
function asMarkdown(session, rows) {
  const parts = rows.map(({ number, time, citation }) => `**${number}** · ${time} · ${markdownText([citation.document_name, ...placeOf(citation)].join(", "))}\n\n> ${markdownText(citation.snippet)}`);
  return [`# ${markdownText(session.name)}`, formatDateTime(session.created_at), ...parts].join("\n\n") + "\n";
}

/** @param {LectureCitation} citation */
const placeOf = ({ page_label: label, section_heading: heading }) => [label && say("Page {label}", { label }), heading ?? ""].filter(Boolean);

/** Returns a text on one line, without marks of Markdown. @param {string} text */
const markdownText = (text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|]/g, "\\$&");

/** @param {LectureSession} _session @param {Row[]} rows */
function asCsv(_session, rows) {
  const head = [say("Number"), say("Time"), say("Book"), say("Page"), say("Section"), say("Text")];
  const cells = rows.map(({ number, time, citation: one }) => [number, time, one.document_name, one.page_label, one.section_heading ?? "", one.snippet]);
  return [head, ...cells].map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

/** Returns a quoted cell; a spreadsheet would run one that begins like a formula. @param {string | number} value */
const csvCell = (value) => `"${String(value).replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;

/** @param {LectureSession} session @param {Row[]} rows */
function asJson({ name, created_at, documents }, rows) {
  const citations = rows.map(({ number, time, citation }) => ({ number, time, ...citation }));
  return `${JSON.stringify({ name, created_at, documents: documents.map((one) => one.document_name), citations }, null, 2)}\n`;
}
