/** The school's textbooks: to be read; for teachers added, renamed, removed. */
import { careOf } from "./caring.js";
import { byId, el } from "./dom.js";
import { receive, toCollection } from "./dropping.js";
import { isUnderWay, progressOf, stateOf } from "./progress.js";
import { tell } from "./status.js";
import { say } from "./texts.js";
import { watch } from "./watching.js";

const list = byId("textbooks");
const mayAdd = "mayAdd" in list.dataset;
let shown = "";

const { look, arrived } = watch("/textbooks", show);
if (byId("drop")) receive(byId("drop"), toCollection("textbook"), arrived);

/** Only where something is new: who is writing in a form keeps it. */
function show(textbooks, coming) {
  const told = JSON.stringify(textbooks);
  byId("none").hidden = textbooks.length + coming > 0;
  tell(coming ? say("What you sent has arrived and waits for its turn …") : "");
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
    textbook.message && el("p", { role: "alert" }, textbook.message),
    mayAdd && careOf(textbook, path, look),
  );
}
