// @ts-check
/** Documents and lists of answers for the help desk: uploading them, and their progress. */
import { API, reportErrors, request, requestJson, sourcePath, sourcesPath } from "./api.js";
import { byId, el } from "./dom.js";
import { isProcessing, sourceProgress, stateText, watchSources } from "./sources.js";
import { say } from "./texts.js";
import { acceptUploads, sendSource } from "./uploads.js";
/** @import { Source } from "./types" */

const department = byId("department-field", HTMLInputElement);
const { refresh, uploaded } = watchSources(sourcesPath("helpdesk"), show);
acceptUploads(byId("drop"), (file, toThisServer) => (/\.(csv|json)$/i.test(file.name) ? importList(file) : sendSource("helpdesk", file, toThisServer, { department: department.value.trim() })), uploaded);

/** @param {File} file */
async function importList(file) {
  const body = new FormData();
  body.append("file", file);
  body.append("department", department.value.trim());
  for (const id of ["approved", "tickets"]) body.append(id, String(byId(id, HTMLInputElement).checked));
  const counts = await requestJson("/faq/lists", { method: "POST", body });
  dispatchEvent(new Event("faq-changed"));
  return { message: say("{file}: {added} new, {changed} changed, {unchanged} unchanged", { file: file.name, ...counts }) };
}

/** @param {Source[]} documents */
function show(documents) {
  byId("documents").replaceChildren(...documents.map(documentItem));
}

/** @param {Source} source */
function documentItem(source) {
  // A department's approved answers are a document too; it is removed with the last approval.
  const isAnswers = source.file === "faq.json";
  const state = source.state === "ready" ? "" : stateText(source, false);
  const remove = () => reportErrors(() => removeDocument(source));
  return el(
    "li",
    { class: source.state === "failed" ? "card problem" : "card" },
    el("b", { dir: "auto" }, source.title),
    el("p", { class: "soft" }, [source.department ?? say("For everyone"), state].filter(Boolean).join(" · ")),
    isProcessing(source) && sourceProgress(source),
    source.message && el("p", { role: "alert" }, source.message),
    !isAnswers && el("button", { type: "button", class: "quiet", "aria-label": say("Remove {title}", { title: source.title }), on: { click: remove } }, say("Remove")),
  );
}

/** @param {Source} source */
async function removeDocument(source) {
  if (!confirm(say("Remove {title}? It will no longer be searched, and the file will be deleted.", { title: source.title }))) return;
  await request(API + sourcePath("helpdesk", source.source), { method: "DELETE" });
  await refresh();
}
