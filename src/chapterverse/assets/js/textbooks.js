/** The school's textbooks: to be read; for teachers added, renamed, removed. */
import { get, Trouble } from "./api.js";
import { careOf } from "./caring.js";
import { byId, el } from "./dom.js";
import { receive } from "./dropping.js";
import { EVERY, isUnderWay, progressOf, stateOf } from "./progress.js";
import { tell } from "./status.js";
import { heard, say } from "./texts.js";

const list = byId("textbooks");
const sent = new Set(); // those that nobody has begun with yet
const mayAdd = "mayAdd" in list.dataset;
let next = null;
let shown = "";

if (byId("drop")) {
  receive(byId("drop"), "textbook", async (textbook) => {
    if (textbook) sent.add(textbook);
    await look();
  });
}
look();

async function look() {
  clearTimeout(next);
  try {
    const { documents } = await get("/textbooks");
    for (const each of documents) sent.delete(each.document);
    show(documents);
    tell(sent.size ? say("What you sent has arrived and waits for its turn …") : "");
    if (sent.size || documents.some(isUnderWay)) next = setTimeout(look, EVERY);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    tell(error.message, true);
    next = setTimeout(look, 5 * EVERY);
  }
}

/** Only where something is new: who is writing in a form keeps it. */
function show(textbooks) {
  const told = JSON.stringify(textbooks);
  byId("none").hidden = textbooks.length + sent.size > 0;
  if (told === shown) return;
  shown = told;
  list.replaceChildren(...textbooks.filter((each) => mayAdd || each.chunks).map(card));
}

function card(textbook) {
  const title = { class: "title", dir: "auto" };
  const path = `/textbooks/${encodeURIComponent(textbook.document)}`;
  return el(
    "li",
    { class: textbook.state === "failed" ? "card otherwise" : "card" },
    textbook.chunks ? el("a", { ...title, href: `/textbook/${encodeURIComponent(textbook.document)}` }, textbook.title) : el("span", title, textbook.title),
    el("p", { class: "soft", dir: "auto" }, [...textbook.topics, mayAdd && textbook.file].filter(Boolean).join(" · ")),
    textbook.state !== "ready" && el("p", {}, stateOf({ ...textbook, version: textbook.chunks })),
    isUnderWay(textbook) && progressOf(textbook),
    textbook.message && el("p", { role: "alert" }, heard(textbook.message)),
    mayAdd && careOf(textbook, path, look),
  );
}
