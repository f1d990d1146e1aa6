// @ts-check
/** The lectures that are stored: their list, and their citations as files. The spoken words are not stored. */
import { API, getJson, reportErrors, request } from "./api.js";
import { byId, el } from "./dom.js";
import { formatDateTime } from "./formats.js";
import { say } from "./texts.js";
/** @import { LectureSession, StoredCitation } from "./types" */

/** Shows the list of lectures, newest first. @param {() => void} onRemoved called after the open lecture was deleted */
export async function showLectures(onRemoved) {
  /** @type {{ sessions: LectureSession[] }} */
  const { sessions } = await getJson("/sessions");
  byId("lectures").hidden = !sessions.length;
  byId("lecture-list").replaceChildren(...sessions.map((session) => lectureItem(session, onRemoved)));
}

/** @param {LectureSession} session @param {() => void} onRemoved */
function lectureItem(session, onRemoved) {
  const when = formatDateTime(session.created_at);
  const books = session.documents.map((one) => one.document_name).join(", ");
  const remove = () => reportErrors(async () => {
    if (!confirm(say("Delete this lecture and its citations? The books stay."))) return;
    await request(`${API}/sessions/${session.id}`, { method: "DELETE" });
    if (location.hash === `#${session.id}`) onRemoved();
    await showLectures(onRemoved);
  });
  /** @param {string} text @param {() => unknown} click */
  const button = (text, click) => el("button", { type: "button", class: "quiet", "aria-label": `${text}: ${when}`, on: { click } }, text);
  return el(
    "li",
    { class: "row spread" },
    el("a", { href: `#${session.id}` }, el("b", {}, when), " ", el("span", { class: "soft", dir: "auto" }, books)),
    el("span", { class: "row" }, button("Markdown", () => reportErrors(() => save(session, "md"))), button("CSV", () => reportErrors(() => save(session, "csv"))), button(say("Delete"), remove)),
  );
}

/** Saves the citations of a lecture as a file. @param {LectureSession} session @param {"md" | "csv"} ending */
async function save(session, ending) {
  /** @type {{ citations: StoredCitation[] }} */
  const { citations } = await getJson(`/sessions/${session.id}/citations`);
  const text = ending === "md" ? markdownOf(session, citations) : csvOf(citations);
  const address = URL.createObjectURL(new Blob([text], { type: ending === "md" ? "text/markdown" : "text/csv" }));
  el("a", { href: address, download: `lecture-${session.created_at.slice(0, 10)}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** @param {LectureSession} session @param {StoredCitation[]} citations */
function markdownOf(session, citations) {
  const lines = citations.map((one, index) => `${index + 1}. ${markdownText(one.document_name)}${placeOf(one)}\n\n   > ${markdownText(one.snippet)}`);
  return [`# ${say("Lecture")}, ${formatDateTime(session.created_at)}`, ...lines].join("\n\n") + "\n";
}

/** @param {StoredCitation} citation */
const placeOf = ({ page_label: label, section_heading: heading }) =>
  [label && say("Page {label}", { label }), heading && markdownText(heading)].filter(Boolean).map((part) => `, ${part}`).join("");

/** Returns a text on one line, without marks of Markdown. @param {string} text */
const markdownText = (text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|]/g, "\\$&");

/** @param {StoredCitation[]} citations */
function csvOf(citations) {
  const head = [say("Number"), say("Passage"), say("Book"), say("Page"), say("Section"), say("Text")];
  const rows = citations.map((one, index) => [index + 1, one.window_index + 1, one.document_name, one.page_label, one.section_heading ?? "", one.snippet]);
  return [head, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

/** Returns a quoted cell; a spreadsheet would run one that begins like a formula. @param {string | number} value */
const csvCell = (value) => `"${String(value).replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;
