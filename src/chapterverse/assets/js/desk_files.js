/** Documents and lists for the help desk: sent one after the other, and how far each has come. */
import { API, ask, get, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { EVERY, isUnderWay, progressOf, stateOf } from "./progress.js";
import { tried } from "./status.js";
import { heard, say } from "./texts.js";

const drop = byId("drop");
const here = "here" in drop.dataset;
const sent = new Set();
let next = null;

drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("is-over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("is-over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("is-over");
  sendAll(event.dataTransfer.files);
});
drop.querySelector("input").addEventListener("change", async ({ target }) => {
  await sendAll([...target.files]);
  target.value = "";
});
tried(look);

async function sendAll(files) {
  for (const file of files) await send(file);
  await tried(look);
}

async function send(file) {
  const told = el("li", {}, say("Sending {file} …", { file: file.name }));
  byId("uploads").append(told);
  try {
    const done = /\.(csv|json)$/i.test(file.name) ? await sendList(file) : await sendDocument(file);
    if (done) told.textContent = done;
    else told.remove();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    told.className = "state trouble";
    told.textContent = `${file.name}: ${error.message}`;
  }
}

async function sendList(file) {
  const form = new FormData();
  form.append("file", file);
  form.append("department", byId("whose").value.trim());
  for (const id of ["approved", "tickets"]) form.append(id, String(byId(id).checked));
  const done = await (await ask(`${API}/faq/lists`, { method: "POST", body: form })).json();
  dispatchEvent(new Event("faq-changed"));
  return say("{file}: {added} new, {changed} changed, {unchanged} as before", { file: file.name, ...done });
}

async function sendDocument(file) {
  const json = { file_name: file.name, department: byId("whose").value.trim() || null };
  const { document, upload } = await (await ask(`${API}/helpdesk/documents`, { method: "POST", json })).json();
  const { pathname, search } = new URL(upload.url);
  await ask(here ? pathname + search : upload.url, { method: upload.method, headers: upload.headers, body: file });
  sent.add(document);
  return "";
}

async function look() {
  clearTimeout(next);
  const { documents } = await get("/helpdesk/documents");
  for (const each of documents) sent.delete(each.document);
  byId("documents").replaceChildren(...documents.map(row));
  if (sent.size || documents.some(isUnderWay)) next = setTimeout(() => tried(look), EVERY);
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
    one.message && el("p", { role: "alert" }, heard(one.message)),
    !isList && el("button", { type: "button", class: "quiet", "aria-label": say("Remove {title}", { title: one.title }), on: { click: () => tried(() => remove(one)) } }, say("Remove")),
  );
}

async function remove(one) {
  if (!confirm(say("Remove {title}? Nobody finds it any more, and its file is deleted.", { title: one.title }))) return;
  await ask(`${API}/helpdesk/documents/${encodeURIComponent(one.document)}`, { method: "DELETE" });
  await look();
}
