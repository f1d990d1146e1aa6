/** Documents and lists for the help desk: sent one after the other, and how far each has come. */
import { API, answerTo, ask } from "./api.js";
import { byId, el } from "./dom.js";
import { receive, sendTo } from "./dropping.js";
import { isUnderWay, progressOf, stateOf } from "./progress.js";
import { tried } from "./status.js";
import { say } from "./texts.js";
import { watch } from "./watching.js";

const { look, arrived } = watch("/helpdesk/documents", show);
receive(byId("drop"), (file, here) => (/\.(csv|json)$/i.test(file.name) ? sendList(file) : sendDocument(file, here)), arrived);

async function sendList(file) {
  const form = new FormData();
  form.append("file", file);
  form.append("department", byId("whose").value.trim());
  for (const id of ["approved", "tickets"]) form.append(id, String(byId(id).checked));
  const done = await answerTo("/faq/lists", { method: "POST", body: form });
  dispatchEvent(new Event("faq-changed"));
  return { said: say("{file}: {added} new, {changed} changed, {unchanged} as before", { file: file.name, ...done }) };
}

async function sendDocument(file, here) {
  const json = { file_name: file.name, department: byId("whose").value.trim() || null };
  const { document, upload } = await answerTo("/helpdesk/documents", { method: "POST", json });
  await sendTo(upload, file, here);
  return { id: document };
}

function show(documents) {
  byId("documents").replaceChildren(...documents.map(row));
}

/** The approved answers of a department are a document, too; it goes when none of them is approved any more. */
function row(one) {
  const isList = one.file === "faq.json";
  const state = one.state === "ready" ? "" : stateOf(one);
  return el(
    "li",
    { class: one.state === "failed" ? "card otherwise" : "card" },
    el("b", { dir: "auto" }, one.title),
    el("p", { class: "soft" }, [one.department ?? say("For everybody"), state].filter(Boolean).join(" · ")),
    isUnderWay(one) && progressOf(one),
    one.message && el("p", { role: "alert" }, one.message),
    !isList && el("button", { type: "button", class: "quiet", "aria-label": say("Remove {title}", { title: one.title }), on: { click: () => tried(() => remove(one)) } }, say("Remove")),
  );
}

async function remove(one) {
  if (!confirm(say("Remove {title}? Nobody finds it any more, and its file is deleted.", { title: one.title }))) return;
  await ask(`${API}/helpdesk/documents/${encodeURIComponent(one.document)}`, { method: "DELETE" });
  await look();
}
