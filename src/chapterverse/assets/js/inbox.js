/** The agents' inbox: who waits and how long, one conversation open, and an answer that may become one for all. */
import { API, ask, get, newKey, Trouble } from "./api.js";
import { byId, el, sendsOnEnter } from "./dom.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";
import { timeOf, toEnd, tooLong, turnOf } from "./turns.js";

const EVERY = 5000; // milliseconds between two looks
const EMPTY = {
  waiting: () => say("Nobody waits."),
  mine: () => say("You have no conversation. Take one that waits."),
  others: () => say("Nobody else has one."),
  closed: () => say("None is closed yet."),
};
const lists = { waiting: [], mine: [], others: [], closed: [] };
const text = byId("text");
let list = "waiting";
let open = null;
let known = 0;
let sending = null; // {text, id}: the same one is sent again
let next = null;

for (const button of document.querySelectorAll("[data-list]")) button.addEventListener("click", () => choose(button.dataset.list));
sendsOnEnter(text, byId("reply"));
text.addEventListener("input", () => tell(tooLong(text.value, byId("reply").dataset.most), true));
byId("reply").addEventListener("submit", (event) => {
  event.preventDefault();
  tried(reply);
});
look();

function choose(name) {
  list = name;
  for (const button of document.querySelectorAll("[data-list]")) button.setAttribute("aria-pressed", String(button.dataset.list === name));
  look();
}

async function look() {
  clearTimeout(next);
  try {
    const [waiting, held, closed] = await Promise.all(["waiting", "held", "closed"].map(inState));
    Object.assign(lists, { waiting, closed, mine: held.filter((one) => one.mine), others: held.filter((one) => !one.mine) });
    showLists();
    if (open) await follow();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    tell(error.message, true);
  }
  next = setTimeout(look, EVERY);
}

async function inState(state) {
  return (await get(`/inbox?state=${state}`)).conversations;
}

function showLists() {
  for (const button of document.querySelectorAll("[data-list]")) button.querySelector("span").textContent = lists[button.dataset.list].length || "";
  const was = document.activeElement?.closest?.("#listed .pick")?.dataset.id;
  byId("listed").replaceChildren(...lists[list].map(row));
  byId("none").textContent = lists[list].length ? "" : EMPTY[list]();
  byId("none").hidden = lists[list].length > 0;
  if (was) [...document.querySelectorAll("#listed .pick")].find((pick) => pick.dataset.id === was)?.focus();
}

function row(one) {
  const facts = [sinceOf(one), one.user, one.department, list === "others" && one.agent_name].filter(Boolean).join(" · ");
  const here = open?.id === one.id && { "aria-current": "true" };
  return el("li", {}, el("button", { class: "pick", type: "button", dataset: { id: one.id }, ...here, on: { click: () => tried(() => show(one.id, true)) } }, el("b", { dir: "auto" }, one.begins || say("Without a question")), el("span", { class: "soft" }, facts)));
}

function sinceOf({ waiting, closed, last, last_by }) {
  if (waiting) return say("waits for {time}", { time: lasting(waiting) });
  if (closed) return say("closed {time}", { time: timeOf(closed) });
  return last_by === "student" ? say("wrote {time}", { time: timeOf(last) }) : say("last said {time}", { time: timeOf(last) });
}

function lasting(since) {
  const minutes = Math.max(0, Math.round((Date.now() - new Date(since)) / 60000));
  if (minutes < 60) return say("{minutes} min", { minutes });
  return minutes < 48 * 60 ? say("{hours} h", { hours: Math.round(minutes / 60) }) : say("{days} days", { days: Math.round(minutes / 1440) });
}

async function show(id, focus = false) {
  const told = await get(`/conversations/${id}`);
  [open, known, sending] = [told, told.turns.length, null];
  byId("turns").replaceChildren(...told.turns.map((turn) => turnOf(turn, told.agent_name)));
  text.value = "";
  toEnd(byId("turns"));
  tell("");
  facts();
  showLists();
  if (focus) byId("open-title").focus();
}

/** What has been said since, and who has it now. */
async function follow() {
  const after = known;
  const told = await get(`/conversations/${open.id}?after=${after}`);
  if (told.id !== open.id) return;
  const fresh = told.turns.slice(known - after); // another look under way may have brought some of them
  byId("turns").append(...fresh.map((turn) => turnOf(turn, told.agent_name ?? open.agent_name)));
  known += fresh.length;
  const asked = fresh.filter((turn) => turn.speaker === "student").map((turn) => turn.text);
  if (asked.length) byId("heard").textContent = `${say("Question")}: ${asked.join(" ")}`;
  if (fresh.length) toEnd(byId("turns"));
  const changed = told.hand_off !== open.hand_off || told.agent_name !== open.agent_name;
  open = told;
  if (changed) facts();
}

const isMine = () => lists.mine.some((one) => one.id === open.id);

function facts() {
  byId("open-title").textContent = open.user;
  byId("about").textContent = [open.department ?? say("All departments"), say("begun {time}", { time: timeOf(open.created) }), open.agent_name && say("{name} has it", { name: open.agent_name })].filter(Boolean).join(" · ");
  const mine = isMine();
  const any = "admin" in document.querySelector(".inbox").dataset;
  byId("reply").hidden = !mine;
  byId("doings").replaceChildren(
    ...[
      (open.hand_off === "waiting" || open.hand_off === "closed") && button(open.hand_off === "closed" ? say("Take it up again") : say("Take it"), takeIt, "primary"),
      mine && button(say("Close"), () => close(false)),
      mine && button(say("Close and make an answer of this"), () => close(true)),
      (mine || (any && open.hand_off === "held")) && button(say("Put back"), putBack, "quiet"),
    ].filter(Boolean),
  );
}

const button = (name, act, kind = "") => el("button", { type: "button", class: kind, on: { click: () => tried(act) } }, name);
const to = (part, method, json) => ask(`${API}/conversations/${open.id}/${part}`, { method, json });

async function takeIt() {
  try {
    await to("agent", "PUT");
  } finally {
    await look(); // also where another was quicker
  }
  choose("mine");
  facts();
  text.focus();
}

async function putBack() {
  await to("agent", "DELETE");
  await look();
  facts();
}

async function reply() {
  const wrong = tooLong(text.value, byId("reply").dataset.most);
  if (wrong || !text.value.trim()) return tell(wrong, true);
  if (sending?.text !== text.value) sending = { text: text.value, id: newKey() };
  await to("replies", "POST", { text: sending.text.trim(), message_id: sending.id });
  [text.value, sending] = ["", null];
  tell("");
  await follow();
  text.focus();
}

/** entry: a draft of what was asked and answered, to be read and approved on the page of answers. */
async function close(entry) {
  const draft = entry && (await (await to("entry", "POST")).json());
  await to("closed", "PUT");
  if (draft) return location.assign(`/help/answers#${draft.id}`);
  await look();
  facts();
  byId("open-title").focus();
}
