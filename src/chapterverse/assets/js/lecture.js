/** A lecture: what is said, and beside it the pages of its books (S3, "Frontend Behavior"). */
import { API, ask, get, Trouble } from "./api.js";
import { citationGroup, inlineMarks } from "./citations.js";
import { cuesOf } from "./cues.js";
import { byId, el } from "./dom.js";
import { lineOf } from "./line.js";
import { tell, tried } from "./status.js";
import { heard as inOurWords, say } from "./texts.js";
import { heard } from "./speech.js";

const FIRST_FEW = 3; // windows without citations before the panel says so (S3, "No Citations Found")
let lecture = null; // the session; its events; what ends what is being said
let windows = 0;

byId("transcript").addEventListener("change", (event) => tried(() => replay(event.target.files[0])));
byId("listen").addEventListener("click", () => tried(listen));
byId("stop").addEventListener("click", () => tried(stop));
byId("filter").addEventListener("input", filter);

async function begin() {
  await stop();
  const documents = [...document.querySelectorAll("#books input:checked")].map((box) => ({ document: box.value, collection: box.dataset.collection }));
  if (!documents.length) throw new Trouble(say("Tick at least one book."));
  const session = await (await ask(`${API}/sessions`, { method: "POST", json: { documents } })).json();
  for (const id of ["words", "citations"]) byId(id).replaceChildren();
  byId("total").textContent = "0";
  byId("empty").hidden = true;
  windows = 0;
  lecture?.events.close();
  lecture = { session, said: new Map(), events: follow(session), quit: () => {}, line: lineOf(session) };
  byId("stop").hidden = false;
  await ready(session);
}

/** Books are cut into paragraphs once; a lecture that does not wait for it misses its first citations. */
async function ready(session) {
  for (;;) {
    const { documents } = await get(`/sessions/${session.id}`);
    const failed = documents.find((one) => ["failed", "gone"].includes(one.state));
    if (failed) throw new Trouble(`${failed.document_name}: ${inOurWords(failed.message) ?? say("It is not there any more.")}`);
    if (documents.every((one) => one.state === "ready")) return tell("");
    tell(say("The books are being made ready …"));
    await pause(1000);
  }
}

async function replay(file) {
  if (!file) return;
  const cues = cuesOf(await file.text());
  if (!cues.length) throw new Trouble(say("There are no captions in this file: it is to be .vtt, .srt or .sbv."));
  await begin();
  const here = lecture;
  const speed = Number(byId("speed").value);
  let quit = false;
  here.quit = () => (quit = true);
  const began = performance.now() - (1000 * cues[0].start) / speed;
  for (const cue of cues) {
    await pause(began + (1000 * cue.end) / speed - performance.now());
    if (quit) return;
    speak(cue, here);
  }
  await stop();
}

async function listen() {
  if (!heard.possible) throw new Trouble(say("This browser cannot make out speech: replay a transcript, or take another browser."));
  await begin();
  const here = lecture;
  here.quit = heard((segment, sure) => (sure ? speak(segment, here) : write(segment, here)), (message) => tell(message, true));
}

function speak(segment, here) {
  write(segment, here);
  here.line.send(segment);
}

/** The transcript waits for nobody: words are there as soon as they are heard. */
function write(segment, here) {
  let span = here.said.get(segment.id);
  if (!span) {
    span = el("span", { class: "said", dir: "auto" }, el("span", { class: "heard" }), " "); // its marks stand before the blank
    here.said.set(segment.id, span);
    byId("words").append(span);
  }
  span.firstChild.textContent = segment.text;
  byId("words").scrollTop = byId("words").scrollHeight;
}

function follow(session) {
  const source = new EventSource(session.events);
  source.addEventListener("window", (event) => found(JSON.parse(event.data)));
  source.addEventListener("end", () => source.close());
  return source; // a stream ends after a while, or is lost: the browser asks again, for what came after the last event
}

function found(window) {
  lecture.line.found(window.window_index);
  windows += 1;
  if (window.citations.length) {
    lecture.said.get(window.segments.at(-1))?.lastChild.before(inlineMarks(window));
    place(citationGroup(window));
    byId("total").textContent = Number(byId("total").textContent) + window.citations.length;
    filter();
  }
  byId("empty").hidden = windows < FIRST_FEW || Number(byId("total").textContent) > 0;
}

/** Newest windows at the top, in whatever order they are found. */
function place(group) {
  const earlier = [...byId("citations").children].find((one) => Number(one.dataset.window) < Number(group.dataset.window));
  byId("citations").insertBefore(group, earlier ?? null);
}

async function stop() {
  if (!lecture) return;
  const { session, quit, line } = lecture;
  quit();
  byId("stop").hidden = true;
  await line.done();
  await ask(`${API}/sessions/${session.id}/end`, { method: "POST" });
}

function filter() {
  const wanted = byId("filter").value.trim().toLowerCase();
  for (const card of document.querySelectorAll("#citations .card")) card.hidden = !card.textContent.toLowerCase().includes(wanted);
  for (const group of byId("citations").children) group.hidden = !group.querySelector(".card:not([hidden])");
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
