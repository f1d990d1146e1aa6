// @ts-check
/** A lecture: its transcript as it is spoken or replayed, and citations from its books (S3, "Frontend Behavior"). */
import { API, getJson, reportErrors, request, requestJson, RequestError, showStatus } from "./api.js";
import { byId, el, findAll, findById, focusOn, onFilesChosen } from "./dom.js";
import { hideDetails, showCondition, showDetails } from "./lecture_details.js";
import { clock, showLectures } from "./lecture_list.js";
import { placeNumbers, replaceText } from "./lecture_numbers.js";
import { viewerLink } from "./page_viewer.js";
import { canListen, listen, notSupportedText } from "./speech.js";
import { say } from "./texts.js";
import { write } from "./unsaved.js";
/** @import { LectureCitation, LectureSession, LectureWindow, Segment } from "./types" */

/**
 * @typedef {object} Lecture
 * @property {LectureSession} session
 * @property {boolean} isSpeaking whether its words are heard on this page
 * @property {number} until seconds that it had when it went on here
 * @property {Map<string, HTMLElement>} spans of the transcript, by segment
 * @property {AbortController} stopped aborted when nobody speaks any more
 * @property {ReturnType<typeof segmentSender>} sender
 * @property {EventSource} [events]
 * @property {Promise<void>} [listening]
 */

const LEFT = "lecture"; // in the session storage: which lecture began in this tab, and the transcript it is
const WINDOWS_BEFORE_NOTE = 3; // windows without citations before the panel says so (S3, "No Citations Found")
const END_MARGIN = 40; // pixels from the transcript's end within which it follows the speaker
const RETRY_MS = 3000;
const SLOW_MS = 2000; // after which "Finding citations …" is shown (S3, "Slow Query")
const MAX_SEGMENTS = 50; // per request
const MAX_SNIPPET = 150; // characters on a card (S3, "Card Elements")
const PULSE_MS = 1200;
const TOOLTIP_MS = 200; // (S3, "Hover Behavior")
const TOOLTIP_GAP = 14; // pixels from the pointer
const TOOLTIP_WIDTH = 240;

/** Numbers that wait for the end of their sentence. @type {import("./lecture_numbers.js").Waiting[]} */
let waiting = [];

const filterField = byId("filter", HTMLInputElement);
const words = byId("words");
/** @type {Lecture | null} */
let lecture = null;
let windowCount = 0;
let citationCount = 0;

if (findById("begin")) { // not for those who follow by a code
  onFilesChosen(byId("transcript", HTMLInputElement), ([file]) => reportErrors(() => replay(file)));
  byId("listen").addEventListener("click", () => reportErrors(listenToMicrophone));
}
byId("stop").addEventListener("click", () => reportErrors(stop));
addEventListener("hashchange", () => location.hash.slice(1) !== lecture?.session.id && reportErrors(openStored));
filterField.addEventListener("input", () => filter());
reportErrors(openStored);
reportErrors(() => showLectures(leave));

/** Starts a lecture on the ticked books; goes on with the open one whose page was left while it ran. @param {string} [transcript] goes on only with its own lecture */
async function begin(transcript = "") {
  const open = lecture?.session;
  if (lecture?.isSpeaking) await stop();
  else if (open && byId("stop").matches(".left:not([hidden])") && (!transcript || sessionStorage.getItem(LEFT) === open.id + transcript)) {
    const { windows } = await getJson(`/sessions/${open.id}/windows`);
    return show(open, true, Math.max(0, ...windows.map((/** @type {LectureWindow} */ { end }) => end)));
  }
  const documents = findAll(document, "#books input:checked", HTMLInputElement).map((box) => box.value);
  if (!documents.length) throw new RequestError(say("Tick at least one book."));
  /** @type {LectureSession} */
  const session = await requestJson("/sessions", { method: "POST", json: { documents } });
  write(sessionStorage, LEFT, session.id + transcript);
  const started = show(session, true);
  history.replaceState(null, "", `#${session.id}`);
  byId("open").scrollIntoView(); // past a long list of books
  return started;
}

/** Empties the page and follows a lecture. @param {LectureSession} session @param {boolean} isSpeaking whether its words are heard here @param {number} [until] @returns {Lecture} */
function show(session, isSpeaking, until = 0) {
  leave();
  const started = { session, isSpeaking, until, spans: new Map(), stopped: new AbortController(), sender: segmentSender(session) };
  lecture = started;
  showDetails(session, (changed) => reportErrors(() => takeChanges(changed)));
  byId("stop").hidden = !(session.is_running && session.may_change);
  byId("stop").classList.toggle("left", !isSpeaking && Boolean(sessionStorage.getItem(LEFT)?.startsWith(session.id)));
  showStatus("");
  followEvents(started);
  return started;
}

/** @param {LectureSession} changed the open lecture, as it is now */
async function takeChanges(changed) {
  if (lecture?.session.id !== changed.id) return;
  lecture.session = changed;
  await showLectures(leave);
}

/** Leaves the open lecture, whose citations go on arriving for those who follow it. */
function leave() {
  words.replaceChildren();
  byId("citations").replaceChildren();
  byId("empty").hidden = byId("stop").hidden = true;
  hideDetails();
  [windowCount, citationCount, waiting] = [0, 0, []];
  byId("total").textContent = "0";
  lecture?.stopped.abort();
  lecture?.events?.close();
  lecture = null;
}

/** Opens the lecture of the address, which may still be running: its citations are shown as they arrive. */
async function openStored() {
  const { follow } = byId("lecture").dataset;
  const id = follow ?? location.hash.slice(1);
  if (!id) return;
  if (lecture?.isSpeaking) await stop();
  const { session } = show(await getJson(`/sessions/${encodeURIComponent(id)}`), false);
  byId("all").hidden = !follow;
  words.append(el("p", { class: "soft", id: "no-words" }, say("The transcript isn’t stored."), session.is_running && ` ${say("Citations appear here live.")}`));
  byId("open").scrollIntoView();
}

/** @param {File} file a transcript */
async function replay(file) {
  const body = new FormData();
  body.append("file", file);
  /** @type {{ segments: Segment[] }} */
  const { segments } = await requestJson("/transcripts", { method: "POST", body });
  const started = await begin(` ${file.name} ${file.lastModified}`);
  const unheard = segments.filter(({ end }) => end > started.until);
  let [position, since] = [unheard[0]?.start, performance.now()];
  for (const segment of unheard) {
    const speed = Number(byId("speed", HTMLSelectElement).value);
    await pause((1000 * (segment.end - position)) / speed);
    if (started.stopped.signal.aborted) return;
    const now = performance.now();
    [position, since] = [position + ((now - since) * speed) / 1000, now]; // a page in the background sleeps longer, and catches up
    addSegment({ ...segment, id: `${file.lastModified}-${segment.id}` }, true, started);
  }
  await stop();
}

async function listenToMicrophone() {
  if (!canListen) throw new RequestError(notSupportedText());
  const started = await begin();
  const { signal } = started.stopped;
  if (signal.aborted) return;
  started.listening = listen((segment, isFinal) => addSegment(segment, isFinal, started), (message) => showStatus(message, Boolean(message)), signal, started.until);
  await started.listening;
  if (!signal.aborted) await stop();
}

/** Shows a segment at once, and sends it when it is final. @param {Segment} segment @param {boolean} isFinal @param {Lecture} started */
function addSegment(segment, isFinal, { spans, sender }) {
  const isAtEnd = words.scrollHeight - words.scrollTop - words.clientHeight < END_MARGIN;
  let span = spans.get(segment.id);
  if (!span) {
    span = el("span", { class: "speech", dir: "auto" }, el("span", { class: "heard" }), " "); // citation numbers stand before the blank
    spans.set(segment.id, span);
    words.append(span);
  }
  waiting = placeNumbers([...replaceText(span, segment.text), ...waiting]);
  if (isAtEnd) words.scrollTop = words.scrollHeight;
  if (isFinal) sender.send(segment);
}

/**
 * Receives the lecture's windows. When a stream ends or the connection is lost, the browser asks again for later events; after an
 * error response it does not, so this does.
 * @param {Lecture} started
 * @param {string} [after] id of the last event
 */
function followEvents(started, after = "0") {
  const source = new EventSource(`${API}/sessions/${started.session.id}/events?after=${after}`);
  started.events = source;
  source.addEventListener("window", (event) => {
    after = event.lastEventId;
    showWindow(JSON.parse(event.data), started);
  });
  source.addEventListener("end", () => {
    source.close();
    if (started !== lecture) return;
    byId("stop").hidden = true;
    showCondition(false);
    waiting = placeNumbers(waiting, true);
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => started === lecture && followEvents(started, after), RETRY_MS);
  });
}

/** Shows the stored words of a window, in the order of windows. Returns null where it has none. @param {LectureWindow} window */
function storedWords({ window_index: index, text }) {
  if (!text) return null;
  findById("no-words")?.remove();
  const span = el("span", { class: "speech", dir: "auto", dataset: { window: index } }, el("span", { class: "heard" }, text), " ");
  words.insertBefore(span, findAll(words, ".speech").find((one) => Number(one.dataset.window) > index) ?? null);
  return span;
}

/** @param {LectureWindow} window @param {Lecture} of */
function showWindow(window, { sender, spans }) {
  sender.windowArrived(window.window_index);
  windowCount += 1;
  const span = spans.get(window.segments.at(-1) ?? "") ?? storedWords(window);
  if (window.citations.length) {
    if (span) waiting = placeNumbers([...waiting, { span, sup: citationNumbers(window) }]);
    placeGroup(citationGroup(window));
    citationCount += window.citations.length;
    byId("total").textContent = String(citationCount);
  }
  byId("empty").hidden = windowCount < WINDOWS_BEFORE_NOTE || citationCount > 0;
}

/** Ends the lecture after the last words were recognised and sent. */
async function stop() {
  if (!lecture || lecture.stopped.signal.aborted) return;
  const { session, sender, stopped, listening } = lecture;
  byId("stop").hidden = true;
  stopped.abort();
  lecture.isSpeaking = false;
  await listening;
  await sender.finished();
  await request(`${API}/sessions/${session.id}/end`, { method: "POST" });
  await showLectures(leave);
}

/** @param {number} milliseconds @returns {Promise<void>} */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Sending segments

/**
 * Sends segments in order without delaying the speaker: those that gather meanwhile go together, and after a lost connection again.
 * A repeated segment changes nothing.
 * @param {LectureSession} session
 */
function segmentSender(session) {
  /** @type {Segment[]} */
  const unsent = [];
  /** Windows that have begun and have not arrived. @type {Set<number>} */
  const expected = new Set();
  /** An event may arrive before the answer to the request. @type {Set<number>} */
  const arrived = new Set();
  /** @type {Promise<void> | null} */
  let sending = null;
  let timer = 0;

  const showSearching = () => {
    timer ||= setTimeout(() => (byId("searching").textContent = say("Finding citations …")), SLOW_MS);
  };
  const hideSearching = () => {
    clearTimeout(timer);
    timer = 0;
    byId("searching").textContent = "";
  };
  /** @param {Segment[]} segments */
  const post = async (segments) => {
    /** @type {{ windows: number[] }} */
    const { windows } = await requestJson(`/sessions/${session.id}/segments`, { method: "POST", json: { segments } });
    for (const window of windows) if (!arrived.has(window)) expected.add(window);
  };
  const sendAll = async () => {
    while (unsent.length) {
      const segments = unsent.slice(0, MAX_SEGMENTS);
      showSearching();
      if (!(await withRetries(() => post(segments)))) return hideSearching();
      unsent.splice(0, segments.length);
      if (!expected.size) hideSearching();
    }
  };
  return {
    /** @param {Segment} segment */
    send(segment) {
      unsent.push(segment);
      sending ??= sendAll().finally(() => (sending = null));
    },
    /** @param {number} window */
    windowArrived(window) {
      arrived.add(window);
      expected.delete(window);
      if (!expected.size) hideSearching();
    },
    finished: () => sending,
  };
}

/** Repeats an action after temporary errors. Returns whether it succeeded in the end. @param {() => Promise<void>} action */
async function withRetries(action) {
  for (let hasFailed = false; ; hasFailed = true) {
    try {
      await action();
      if (hasFailed) showStatus("");
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showStatus(error.status ? error.message : say("The connection was lost. We’re still listening and will send everything once you’re back online."), true);
      if (!error.isTemporary) return false;
    }
    await pause(RETRY_MS);
  }
}

// Citations

/** Returns the numbers that follow the words they belong to; more relevant ones are darker (S3, "Inline Citations"). @param {LectureWindow} window */
function citationNumbers({ citations }) {
  const links = citations.map((citation) => {
    /** @param {MouseEvent} event */
    const click = (event) => {
      event.preventDefault();
      pulse(byId(`citation-${citation.id}`));
    };
    const link = el("a", { class: `rank-${citation.rank}`, href: `#citation-${citation.id}`, on: { click } }, String(citation.rank));
    addTooltip(link, placeOf(citation));
    return link;
  });
  return el("sup", {}, links.flatMap((link, index) => (index ? [", ", link] : [link])));
}

/** @param {LectureWindow} window */
function citationGroup(window) {
  return el("li", { class: "group", dataset: { window: window.window_index } }, el("p", { class: "soft" }, el("time", {}, clock(window.start))), window.citations.map(citationCard));
}

/** Inserts a group so that the newest windows are at the top, in whatever order they arrive. @param {HTMLElement} group */
function placeGroup(group) {
  const earlier = groups().find((one) => Number(one.dataset.window) < Number(group.dataset.window));
  byId("citations").insertBefore(group, earlier ?? null);
  filter([group]);
}

const groups = () => findAll(byId("citations"), ":scope > .group");

/** Shows only cards with the words of the filter. */
function filter(shown = groups()) {
  const wanted = filterField.value.trim().toLowerCase();
  for (const group of shown) {
    const cards = findAll(group, ".card");
    for (const card of cards) card.hidden = !card.textContent?.toLowerCase().includes(wanted);
    group.hidden = cards.every((card) => card.hidden);
  }
}

/** @param {LectureCitation} citation */
function citationCard(citation) {
  return el(
    "article",
    { class: "card", id: `citation-${citation.id}`, tabindex: -1 },
    el("p", {}, el("span", { class: `badge rank-${citation.rank}` }, String(citation.rank)), " ", el("strong", { dir: "auto" }, citation.document_name)),
    el("p", { class: "soft" }, [citation.page_label && say("Page {label}", { label: citation.page_label }), citation.section_heading].filter(Boolean).join(" · ")),
    el("p", { class: "context", dir: "auto" }, `“${shortened(citation.snippet)}”`),
    placeLink(citation),
  );
}

/** A link to the page; to the text, where a document has no pages. @param {LectureCitation} citation */
function placeLink(citation) {
  const address = `/sentences/${encodeURIComponent(citation.sentence_id)}`;
  return citation.image ? viewerLink(address, say("View Page")) : el("a", { class: "chip", href: address, target: "_blank" }, say("Open the page"));
}

/** @param {LectureCitation} citation */
const placeOf = ({ document_name: document, page_label: label, section_heading: heading }) =>
  label ? say("{document}, page {label}", { document, label }) : [document, heading].filter(Boolean).join(", ");

/** @param {string} text */
const shortened = (text) => (text.length <= MAX_SNIPPET ? text : `${text.slice(0, MAX_SNIPPET).replace(/\s+\S*$/, "")}…`);

/** Scrolls to a card and highlights it briefly; a filter that hides it is cleared. @param {HTMLElement} card */
function pulse(card) {
  if (card.hidden) {
    filterField.value = "";
    filter();
  }
  focusOn(card);
  card.classList.add("is-highlighted", "pulses");
  setTimeout(() => card.classList.remove("is-highlighted", "pulses"), PULSE_MS);
}

/** Shows a text beside the pointer, or beside the element while it has the focus. @param {HTMLElement} element @param {string} text */
function addTooltip(element, text) {
  const tip = el("span", { class: "tip", role: "tooltip" }, text);
  let timer = 0;
  /** @param {number} x @param {number} y */
  const move = (x, y) => {
    tip.style.left = `${Math.min(x + TOOLTIP_GAP, innerWidth - TOOLTIP_WIDTH)}px`;
    tip.style.top = `${y + TOOLTIP_GAP}px`;
  };
  /** @param {number} x @param {number} y */
  const show = (x, y) => {
    clearTimeout(timer);
    timer = setTimeout(() => document.body.append(tip), TOOLTIP_MS);
    move(x, y);
  };
  const hide = () => {
    clearTimeout(timer);
    tip.remove();
  };
  element.setAttribute("aria-label", `${element.textContent}: ${text}`);
  element.addEventListener("pointerenter", ({ clientX, clientY }) => show(clientX, clientY));
  element.addEventListener("pointermove", ({ clientX, clientY }) => move(clientX, clientY));
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focus", () => {
    const { left, bottom } = element.getBoundingClientRect();
    show(left, bottom);
  });
  element.addEventListener("blur", hide);
  element.addEventListener("keydown", ({ key }) => key === "Escape" && hide()); // WCAG 2.2, 1.4.13
}
