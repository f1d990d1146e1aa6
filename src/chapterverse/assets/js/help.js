/** The help desk's chat: messages, answers with their sources, and a person who goes on. */
import { API, answerTo, ask, get, newKey, Trouble } from "./api.js";
import { byId, el, sendsOnEnter } from "./dom.js";
import { tell, tried } from "./status.js";
import { events } from "./stream.js";
import { say } from "./texts.js";
import { claimText, saidIn, timeOf, toEnd, tooLong, turnOf } from "./turns.js";

const EVERY = 4000; // milliseconds between two looks for what a person answers
const DRAFT = "help-draft"; // what is being written, for as long as the tab is open
const message = byId("message");
const turns = byId("turns");
let talk = null; // the conversation that is open, as it was told last
let known = 0; // of its turns
let sending = null; // {text, id} that has yet to arrive
let remarkId = null;
let next = null;

sendsOnEnter(message, byId("say"));
message.value = sessionStorage.getItem(DRAFT) ?? "";
message.addEventListener("input", () => {
  sessionStorage.setItem(DRAFT, message.value);
  tell(tooLong(message.value, byId("say").dataset.most), true);
});
byId("say").addEventListener("submit", (event) => {
  event.preventDefault();
  send(message.value.trim());
});
byId("anew").addEventListener("click", () => {
  begin();
  message.focus();
});
byId("human").addEventListener("click", askHuman);
byId("ask-human").addEventListener("close", ({ target }) => target.returnValue && tried(handOver));
byId("forget").addEventListener("click", () => tried(forget));
addEventListener("online", () => sending?.failed && deliver());
tried(start);

async function start() {
  const id = location.hash.slice(1);
  if (id) await tried(() => open(id));
  else begin();
  await list();
}

function begin() {
  clearTimeout(next);
  [talk, known, sending] = [null, 0, null];
  history.replaceState(null, "", location.pathname);
  turns.replaceChildren(el("li", { class: "turn assistant" }, el("p", {}, say("Ask about your school: deadlines, rules, forms. Answers come with their sources."))));
  tell("");
  show();
  mark();
}

async function open(id) {
  clearTimeout(next);
  const told = await get(`/conversations/${id}`);
  [talk, known, sending] = [told, told.turns.length, null];
  history.replaceState(null, "", `#${id}`);
  turns.replaceChildren(...told.turns.map((turn) => turnOf(turn, told.agent_name)));
  toEnd(turns);
  tell("");
  show();
  mark();
}

/** What stands beside the turns: who has the conversation, and what may be done. */
function show() {
  const state = talk?.hand_off;
  const words = {
    waiting: () => say("You asked for a person. The answer will appear here; you can go on asking meanwhile."),
    held: () => (talk.agent_name ? say("{name}, a person, answers you here now.", { name: talk.agent_name }) : say("A person answers you here now.")),
    closed: () => say("A person has answered and closed this. The desk answers by itself again."),
  };
  if (byId("person").textContent !== (words[state]?.() ?? "")) byId("person").textContent = words[state]?.() ?? "";
  byId("person").hidden = !state;
  byId("human").hidden = state === "waiting" || state === "held";
  byId("forget").hidden = !talk;
  byId("department").disabled = Boolean(talk);
  byId("department").value = talk ? (talk.department ?? "") : byId("department").value;
  clearTimeout(next);
  if (state === "waiting" || state === "held") next = setTimeout(() => look(), EVERY);
}

async function send(text) {
  const wrong = tooLong(text, byId("say").dataset.most);
  if (!text || wrong || sending) return wrong && tell(wrong, true);
  sending = { text, id: newKey(), shown: turnOf({ speaker: "student", text }) };
  turns.append(sending.shown);
  toEnd(turns);
  message.value = "";
  sessionStorage.removeItem(DRAFT);
  await deliver();
  message.focus();
}

/** Once more by the same id, until it has arrived: it is said only once. */
async function deliver() {
  const mine = sending;
  if (!mine) return;
  mine.failed = false;
  mine.shown.classList.remove("unsent");
  mine.shown.querySelector("button")?.remove();
  const reply = el("li", { class: "turn assistant" }, el("p", { class: "who" }, say("Looking for an answer …")));
  turns.append(reply);
  toEnd(turns);
  try {
    await ensure();
    for await (const [name, data] of events(`${API}/conversations/${talk.id}/messages`, { message: mine.text, message_id: mine.id }, "reply")) {
      if (name === "claim") reply.append(el("p", { dir: "auto" }, claimText(data)));
      if (name === "reply") arrived(reply, data);
    }
    if (sending === mine) sending = null;
    tell("");
    await look(false);
  } catch (error) {
    reply.remove();
    if (!(error instanceof Trouble)) throw error;
    failed(mine, error);
  }
}

async function ensure() {
  if (talk) return;
  const department = byId("department").value || null;
  talk = await answerTo("/conversations", { method: "POST", json: { department } });
  history.replaceState(null, "", `#${talk.id}`);
  show();
}

function arrived(reply, data) {
  const made = turnOf({ speaker: "assistant", text: data.reply, answer: data.answer });
  reply.replaceChildren(...made.childNodes);
  if (data.no_relevant_info) reply.append(el("p", {}, el("button", { class: "primary", type: "button", on: { click: askHuman } }, say("Talk to Human"))));
  if (data.with_agent) reply.remove();
  else byId("heard").textContent = saidIn({ text: data.reply, answer: data.answer });
  toEnd(turns);
}

function failed(mine, error) {
  mine.failed = true;
  mine.shown.classList.add("unsent");
  mine.shown.append(el("button", { type: "button", class: "chip", on: { click: () => deliver() } }, say("Send again")));
  tell(error.status === 429 ? say("You wrote very often just now. Wait a moment, then send it again.") : error.status ? error.message : say("The connection was lost. Your message is kept: it is sent when the connection is back."), true);
}

/** What has been said since; what is here already takes the place of what was shown meanwhile. */
async function look(aloud = true) {
  if (!talk) return;
  const id = talk.id;
  try {
    const told = await get(`/conversations/${id}?after=${known}`);
    if (talk?.id !== id) return;
    if (!sending) take(told, aloud);
    talk = told;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
  }
  show();
  if (!aloud) await list();
}

function take(told, aloud) {
  if (!told.turns.length) return;
  const ask = turns.lastElementChild?.querySelector("button.primary");
  while (turns.children.length > known) turns.lastElementChild.remove();
  turns.append(...told.turns.map((turn) => turnOf(turn, told.agent_name ?? talk.agent_name)));
  if (ask && told.turns.at(-1).answer?.nothing) turns.lastElementChild.append(el("p", {}, ask));
  known += told.turns.length;
  toEnd(turns);
  const said = told.turns.filter((turn) => turn.speaker === "agent").map((turn) => turn.text);
  if (aloud && said.length) byId("heard").textContent = `${say("A person of the help desk")}: ${said.join(" ")}`;
}

function askHuman() {
  byId("ask-human").returnValue = "";
  byId("remark").required = known === 0; // else there is nothing that anybody could answer
  byId("ask-human").showModal();
}

async function handOver() {
  const remark = byId("remark").value.trim();
  await ensure();
  remarkId ??= newKey(); // the same one, should it have to be sent again
  talk = await answerTo(`/conversations/${talk.id}/handoff`, { method: "POST", json: { remark, message_id: remarkId } });
  [byId("remark").value, remarkId] = ["", null];
  await look(false);
  message.focus();
}

async function forget() {
  if (!confirm(say("Delete this conversation? All that was said in it is gone, for agents, too."))) return;
  await ask(`${API}/conversations/${talk.id}`, { method: "DELETE" });
  begin();
  message.focus();
  await list();
}

async function list() {
  await tried(async () => {
    const { conversations } = await get("/conversations");
    const used = conversations.filter((one) => one.messages);
    byId("none").hidden = used.length > 0;
    byId("earlier").replaceChildren(...used.map(row));
    mark();
  });
}

function row(one) {
  const states = { waiting: () => say("waits for a person"), held: () => say("a person is answering"), closed: () => say("answered by a person") };
  const facts = [timeOf(one.last), one.department, states[one.hand_off]?.()].filter(Boolean).join(" · ");
  return el("li", {}, el("button", { class: "pick", type: "button", dataset: { id: one.id }, on: { click: () => tried(() => open(one.id)) } }, el("b", { dir: "auto" }, one.begins), el("span", { class: "soft" }, facts)));
}

function mark() {
  for (const pick of document.querySelectorAll("#earlier .pick")) {
    if (pick.dataset.id === talk?.id) pick.setAttribute("aria-current", "true");
    else pick.removeAttribute("aria-current");
  }
}
