// @ts-check
/** The school's textbooks: to read; teachers add, edit and remove them. */
import { showStatus } from "./api.js";
import { byId, el, findById } from "./dom.js";
import { isProcessing, sourceEditor, sourceProgress, stateText, watchSources } from "./sources.js";
import { say } from "./texts.js";
import { acceptUploads, toCollection } from "./uploads.js";
/** @import { Source } from "./types" */

const list = byId("textbooks");
const mayAdd = "mayAdd" in list.dataset;
/** The textbooks of the student's classes; none: there is no choice. @type {string[]} */
const ofClass = JSON.parse(list.dataset.ofClass ?? "[]");
const others = findById("others");
let shown = "";

const { refresh, uploaded } = watchSources("textbook", show);
const drop = findById("drop");
if (drop) acceptUploads(drop, toCollection("textbook"), uploaded);

/** Rebuilds the list only if something has changed: a form that is being edited stays. @param {Source[]} textbooks @param {number} pending */
function show(textbooks, pending) {
  const now = JSON.stringify(textbooks);
  byId("none").hidden = textbooks.length + pending > 0;
  showStatus(pending ? say("Uploaded. Waiting to be processed …") : "");
  if (now === shown) return;
  shown = now;
  const readable = textbooks.filter((each) => mayAdd || each.chunks);
  const first = readable.filter((each) => ofClass.includes(each.source));
  const rest = readable.filter((each) => !first.includes(each));
  list.replaceChildren(...(first.length ? first : rest).map(textbookItem));
  if (!others) return;
  others.hidden = !first.length || !rest.length;
  byId("other-textbooks").replaceChildren(...(first.length ? rest : []).map(textbookItem));
}

/** @param {Source} textbook */
function textbookItem(textbook) {
  const title = { class: "title", dir: "auto" };
  const id = encodeURIComponent(textbook.source);
  return el(
    "li",
    { class: textbook.state === "failed" ? "card problem" : "card" },
    textbook.chunks ? el("a", { ...title, href: `/textbook/${id}` }, textbook.title) : el("span", title, textbook.title),
    el("p", { class: "soft", dir: "auto" }, [...textbook.topics, mayAdd && textbook.file].filter(Boolean).join(" · ")),
    textbook.state !== "ready" && el("p", {}, stateText(textbook, Boolean(textbook.chunks))),
    isProcessing(textbook) && sourceProgress(textbook),
    textbook.message && el("p", { role: "alert" }, textbook.message),
    mayAdd && sourceEditor(textbook, "textbook", refresh),
  );
}
