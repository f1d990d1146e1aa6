/** A lecture: what is said, and beside it the pages of its books (S3, "Frontend Behavior"). */
import { API, answerTo, ask, get, Trouble } from "./api.js";
import { citationGroup, inlineMarks } from "./citations.js";
import { byId, el } from "./dom.js";
import { lineOf } from "./line.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";
import { heard } from "./speech.js";

const FIRST_FEW = 3; // windows without citations before the panel says so (S3, "No Citations Found")
const AT_THE_END = 40; // pixels
const AGAIN = 3000; // milliseconds until events are asked for again that the server did not give
let lecture = null; // the session; its events; whether it is over
let windows = 0;

byId("transcript").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = ""; // else the same file cannot be chosen again
  tried(() => replay(file));
});
byId("listen").addEventListener("click", () => tried(listen));
byId("stop").addEventListener("click", () => tried(stop));
byId("filter").addEventListener("input", () => filter());

async function begin() {
  await stop();
  const documents = [...document.querySelectorAll("#books input:checked")].map((box) => ({ document: box.value, collection: box.dataset.collection }));
  if (!documents.length) throw new Trouble(say("Tick at least one book."));
  const session = await answerTo("/sessions", { method: "POST", json: { documents } });
  for (const id of ["words", "citations"]) byId(id).replaceChildren();
  byId("total").textContent = "0";
  byId("empty").hidden = true;
  windows = 0;
  lecture?.over.abort();
  lecture?.events.close();
  const here = { session, said: new Map(), over: new AbortController(), line: lineOf(session) };
  lecture = here;
  follow(here);
  byId("stop").hidden = false;
  byId("stop").parentElement.scrollIntoView(); // a long list of books leaves no room for what is said
  try {
    await ready(here);
  } catch (error) {
    await stop();
    throw error;
  }
  return here;
}

/** Books are cut into paragraphs once; a lecture that does not wait for it misses its first citations. */
async function ready({ session, over }) {
  while (!over.signal.aborted) {
    const { documents } = await get(`/sessions/${session.id}`);
    const failed = documents.find((one) => ["failed", "gone"].includes(one.state));
    if (failed) throw new Trouble(`${failed.document_name}: ${failed.message ?? say("It is not there any more.")}`);
    if (documents.every((one) => one.state === "ready")) break;
    tell(say("The books are being made ready …"));
    await pause(1000);
  }
  tell("");
}

async function replay(file) {
  if (!file) return;
  const body = new FormData();
  body.append("file", file);
  const { segments } = await answerTo("/transcripts", { method: "POST", body });
  const here = await begin();
  let [at, then] = [segments[0].start, performance.now()];
  for (const segment of segments) {
    const speed = Number(byId("speed").value);
    await pause((1000 * (segment.end - at)) / speed);
    if (here.over.signal.aborted) return;
    const now = performance.now();
    [at, then] = [at + ((now - then) * speed) / 1000, now]; // a page behind others sleeps longer, and catches up
    speak(segment, here);
  }
  await stop();
}

async function listen() {
  if (!heard.possible) throw new Trouble(say("This browser cannot make out speech: replay a transcript, or take another browser."));
  const here = await begin();
  const { signal } = here.over;
  if (signal.aborted) return;
  here.listening = ((segment, sure) => (sure ? speak(segment, here) : write(segment, here)), (message) => tell(message, Boolean(message)), signal);
  await here.listening;
  if (!signal.aborted) await stop();
}

function speak(segment, here) {
  write(segment, here);
  here.line.send(segment);
}

/** The transcript waits for nobody: words are there as soon as they are heard. */
function write(segment, here) {
  const words = byId("words");
  const follows = words.scrollHeight - words.scrollTop - words.clientHeight < AT_THE_END; // who reads further up is left there
  let span = here.said.get(segment.id);
  if (!span) {
    span = el("span", { class: "said", dir: "auto" }, el("span", { class: "heard" }), " "); // its marks stand before the blank
    here.said.set(segment.id, span);
    words.append(span);
  }
  span.firstChild.textContent = segment.text;
  if (follows) words.scrollTop = words.scrollHeight;
}

/** A stream ends after a while, or is lost: the browser asks again, for what came after the last event. Where a server answers that
 * it cannot just now, browsers do not. */
function follow(here, after = 0) {
  const source = new EventSource(`${here.session.events}?after=${after}`);
  here.events = source;
  source.addEventListener("window", (event) => {
    after = event.lastEventId;
    found(JSON.parse(event.data));
  });
  source.addEventListener("end", () => source.close());
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => here === lecture && follow(here, after), AGAIN);
  });
}

function found(window) {
  lecture.line.found(window.window_index);
  windows += 1;
  if (window.citations.length) {
    lecture.said.get(window.segments.at(-1))?.lastChild.before(inlineMarks(window));
    place(citationGroup(window));
    byId("total").textContent = Number(byId("total").textContent) + window.citations.length;
  }
  byId("empty").hidden = windows < FIRST_FEW || Number(byId("total").textContent) > 0;
}

/** Newest windows at the top, in whatever order they are found. */
function place(group) {
  const earlier = [...byId("citations").children].find((one) => Number(one.dataset.window) < Number(group.dataset.window));
  byId("citations").insertBefore(group, earlier ?? null);
  filter([group]);
}

/** Nobody speaks any more: the last words are heard, sent and looked up. */
async function stop() {
  if (!lecture || lecture.over.signal.aborted) return;
  const { session, line, over, listening } = lecture;
  byId("stop").hidden = true;
  over.abort();
  await listening;
  await line.done();
  await ask(`${API}/sessions/${session.id}/end`, { method: "POST" });
}

function filter(groups = [...byId("citations").children]) {
  const wanted = byId("filter").value.trim().toLowerCase();
  for (const group of groups) {
    const cards = [...group.querySelectorAll(".card")];
    for (const card of cards) card.hidden = !card.textContent.toLowerCase().includes(wanted);
    group.hidden = cards.every((card) => card.hidden);
  }
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
