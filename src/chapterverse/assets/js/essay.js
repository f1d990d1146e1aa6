/** The essay's page: hand it in, watch the feedback arrive, see which words each comment is about. */
import { answerTo, get, newKey, Trouble } from "./api.js";
import { byId } from "./dom.js";
import { draftOf } from "./draft.js";
import { feedbackIn } from "./feedback.js";
import { feedbackOn } from "./handing_in.js";
import { textOf } from "./own_essays.js";
import { prints } from "./printing.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";
import { ownThumbs } from "./thumbs.js";

const essay = byId("essay");
const form = byId("hand-in");
const ASSIGNMENT = byId("handing-in")?.dataset.assignment ?? null; // whose books are looked in
const thumbs = ownThumbs(byId("result"));
const result = feedbackIn(byId("result"), thumbs);
const draft = draftOf(form.dataset.who);
let under = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  handIn();
});
essay.addEventListener("input", typed);
byId("file").addEventListener("change", ({ target }) => tried(() => read(target.files[0])).finally(() => (target.value = "")));
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return; // words that are dropped are the browser's to put in
  event.preventDefault();
  tried(() => read(file));
});
prints(byId("print"));
byId("go-on").addEventListener("click", handIn);
byId("change").addEventListener("click", () => {
  under?.abort();
  tell("");
  writing(true);
  essay.focus();
});
tried(begin);

/** With what was written before the page was loaded again; what was under way then goes on. */
async function begin() {
  const earlier = new URLSearchParams(location.search).get("version_of");
  essay.value = draft.get().text;
  if (earlier && draft.get().versionOf !== earlier) {
    essay.value = textOf(await get(`/feedback/${encodeURIComponent(earlier)}`));
    draft.put({ text: essay.value, versionOf: earlier, key: null });
  } else if (!earlier && draft.get().versionOf) draft.put({ versionOf: null });
  count();
  byId("version").hidden = !earlier;
  if (draft.get().key && draft.get().sent === essay.value) handIn();
}

function typed() {
  draft.put({ text: essay.value });
  count();
}

/** The server finds the text in a file; it keeps nothing of it. */
async function read(file) {
  if (!file) return;
  tell(say("The file is being read …"));
  const body = new FormData();
  body.append("file", file);
  essay.value = (await answerTo("/essays/text", { method: "POST", body })).text;
  typed();
  writing(true);
  essay.focus();
  essay.setSelectionRange(0, 0);
  tell(say("This is the text in your file: look it over, then ask for feedback."));
}

function count() {
  const words = essay.value.split(/\s+/).filter(Boolean).length;
  byId("count").textContent = say("{words} of at most {most} words", { words, most: form.dataset.words });
}

/** The same essay again, after a loss, is the same request: its key stays until all of it has arrived. */
async function handIn() {
  under?.abort();
  const here = (under = new AbortController());
  const { key, sent } = draft.get();
  draft.put({ text: essay.value, sent: essay.value, key: key && sent === essay.value ? key : newKey() });
  result.clear();
  thumbs.of(null);
  byId("result").hidden = byId("go-on").hidden = true;
  tell(say("Looking in your books …"));
  const body = { essay: essay.value, assignment: ASSIGNMENT, key: draft.get().key, version_of: draft.get().versionOf };
  try {
    const lost = () => here === under && tell(say("The connection was lost. Trying again …"), true);
    for await (const [name, data] of feedbackOn(body, here.signal, lost)) {
      if (here !== under) return;
      arrived(name, data);
    }
  } catch (error) {
    if (here !== under || error.name === "AbortError") return;
    if (!(error instanceof Trouble)) throw error;
    failed(error);
  }
}

function failed(error) {
  if (error.status) draft.put({ key: null });
  byId("go-on").hidden = Boolean(error.status);
  if (byId("result").hidden || error.status) writing(true);
  tell(error.message, true);
}

function arrived(name, data) {
  if (["done", "answer"].includes(name)) document.dispatchEvent(new CustomEvent("feedback-kept", { detail: data }));
  if (name === "evidence") {
    writing(false);
    byId("result").hidden = false;
    result.evidence(data);
    tell(say("Reading your essay …"));
  } else if (name === "citations") {
    result.verdicts(data.verdicts);
  } else if (name === "done") {
    ended(data.id && say("All is here. You find it again under My essays."));
    thumbs.of(data.id);
  } else if (name === "answer") {
    ended(say("Your teacher looks at it first. Then you find it under My essays."));
  } else {
    tell(say("Reading your essay …"));
    result.review(name, data);
  }
}

function ended(message) {
  draft.put({ key: null });
  tell(message ?? "");
}

/** The essay is either written or, marked, read. */
function writing(now) {
  form.hidden = !now;
  byId("again").hidden = now;
}
