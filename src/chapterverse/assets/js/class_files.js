/** A class's essays: chosen or pasted, and sent. */
import { API, ask, get, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { takesDrops } from "./dropping.js";
import { inOrder } from "./formats.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const TEXTS = [".txt", ".md", ".markdown", ".docx", ".odt", ".pdf"];
const WHOLE = { ".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson", ".csv": "text/csv", ".zip": "application/zip" };
const FIRST_FEW = 8; // names that are shown
const form = byId("hand-in");
let chosen = [];

/** known: whether a batch of that id was there before. */
export function takingIn(known) {
  for (const id of ["files", "folder"]) {
    byId(id).addEventListener("change", ({ target }) => {
      choose([...target.files], id === "folder" && target.files[0]?.webkitRelativePath.split("/")[0]);
      target.value = ""; // the same files may be chosen again
    });
  }
  takesDrops(byId("drop"), async ({ items }) => {
    const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    choose((await Promise.all(entries.map(filesIn))).flat(), entries.length === 1 && entries[0].isDirectory && entries[0].name);
  });
  byId("which-books").addEventListener("toggle", () => tried(offerBooks), { once: true });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tried(() => send(known));
  });
}

/** All files below a dropped folder; a file by itself is one. */
async function filesIn(entry) {
  if (entry.isFile) return [await new Promise((found, failed) => entry.file(found, failed))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((read, failed) => reader.readEntries(read, failed)); // browsers give a hundred at a time
    if (!some.length) return (await Promise.all(found.map(filesIn))).flat();
    found.push(...some);
  }
}

/** Files of an essay each are added to those chosen before; a table or a zip stands alone. */
function choose(files, folder) {
  const seen = files.filter((file) => !/^(\.|~\$)/.test(file.name)); // hidden, or what Word puts beside a document that is open
  const whole = seen.filter((file) => endingOf(file) in WHOLE);
  const texts = seen.filter((file) => TEXTS.includes(endingOf(file)));
  const others = seen.filter((file) => !whole.includes(file) && !texts.includes(file));
  if (whole.length > 1 || (whole.length && texts.length)) return tell(say("Hand in either one table or zip, or an essay a file: one class at a time."), true);
  chosen = whole.length ? whole : [...chosen.filter((file) => !(endingOf(file) in WHOLE)), ...texts];
  chosen = [...new Map(chosen.map((file) => [file.webkitRelativePath || file.name, file])).values()];
  chosen.sort((a, b) => inOrder.compare(a.name, b.name));
  const called = folder || (whole.length && whole[0].name.replace(/\.[^.]*$/, ""));
  if (called) byId("name").value ||= called;
  tell("");
  show(others);
}

function show(others) {
  const names = chosen.slice(0, FIRST_FEW).map((file) => file.name).join(", ");
  const more = chosen.length > FIRST_FEW ? " …" : "";
  byId("chosen").replaceChildren(
    ...(chosen.length
      ? [el("p", { dir: "auto" }, say("Files chosen: {count}", { count: chosen.length }), ` – ${names}${more} `, el("button", { type: "button", class: "quiet", on: { click: unchoose } }, say("Choose others")))]
      : []),
    ...(others.length ? [el("p", { class: "state trouble", dir: "auto" }, say("Left out, because they cannot hold an essay: {names}", { names: others.map((file) => file.name).join(", ") }))] : []),
  );
}

function unchoose() {
  chosen = [];
  show([]);
  byId("files").focus();
}

async function offerBooks() {
  const { books } = await get("/books");
  const ready = books.filter((book) => book.state === "ready");
  const box = (book) => el("label", { class: "choice" }, el("input", { type: "checkbox", value: book.book }), el("span", { dir: "auto" }, book.title));
  byId("books").append(...(ready.length ? ready.map(box) : [el("p", {}, say("There is no book yet."))]));
}

async function send(known) {
  const given = whatIsGiven();
  const books = [...form.querySelectorAll("#books input:checked")].map((box) => box.value).join(",");
  const query = new URLSearchParams({ name: byId("name").value.trim(), start: form.elements.start.value, books });
  tell(say("Handing in …"));
  byId("send").disabled = true;
  try {
    const answer = await ask(`${API}/batches?${query}`, { method: "POST", ...given });
    const { batch } = await answer.json();
    location.assign(`/essay/classes/${batch}${known(batch) ? "?known" : ""}`);
  } finally {
    byId("send").disabled = false;
  }
}

function whatIsGiven() {
  const pasted = byId("pasted").value.trim();
  if (chosen.length && pasted) throw new Trouble(say("There are files and pasted essays: hand in one or the other."));
  if (!chosen.length && !pasted) throw new Trouble(say("There is no essay yet: choose files, or paste the essays."));
  if (pasted) return fromPasted(pasted);
  const type = WHOLE[endingOf(chosen[0])];
  return type ? { body: chosen[0], headers: { "Content-Type": type } } : { body: filled(chosen) };
}

/** Somebody may paste a table, too. */
function fromPasted(text) {
  if (text.startsWith("{")) return { body: text, headers: { "Content-Type": "application/x-ndjson" } };
  const names = text.split("\n", 1)[0].toLowerCase().split(/[,;\t]/).map((name) => name.trim().replaceAll('"', ""));
  if (names.length > 1 && names.some((name) => ["text", "essay", "aufsatz"].includes(name))) return { body: text, headers: { "Content-Type": "text/csv" } };
  const essays = text.split(/^(?====)/m).map((essay) => /^(?:=+([^\n]*)\n?)?([^]*)$/.exec(essay));
  return { body: filled(essays.map(([, who, words], at) => new File([words], `${who?.replace(/=+\s*$/, "").trim().replaceAll("/", "-") || at + 1}.txt`))) };
}

function filled(files) {
  const data = new FormData();
  for (const file of files) data.append("file", file, file.webkitRelativePath || file.name);
  return data;
}

const endingOf = (file) => /\.[^.]*$/.exec(file.name.toLowerCase())?.[0] ?? "";
