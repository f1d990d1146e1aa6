// @ts-check
/** The help desk's chat: messages, answers with their sources, and an agent who takes over. */
import { API, getJson, newKey, reportErrors, request, requestJson, RequestError, showStatus } from "./api.js";
import { ratingButtons } from "./answers.js";
import { isNear, lengthError, scrollToEnd, shortTime, textOf, turnItem } from "./conversation.js";
import { byId, el, find, findAll, submitOnEnter } from "./dom.js";
import { say } from "./texts.js";
import { forgetDraft, keep, kept } from "./unsaved.js";
/** @import { Conversation, ConversationSummary, MessageReply } from "./types" */

/** @typedef {{ text: string, id: string, item: HTMLElement, hasFailed: boolean }} Pending a message that has not arrived yet */

const POLL_MS = 4000; // between two requests for an agent's answer
const RETRY_SECONDS = [2, 4, 8, 15]; // before each further attempt to send; the last one again and again
const PENDING = "help-pending"; // the draft of the message that has not arrived
const message = byId("message", HTMLTextAreaElement);
const form = byId("message-form", HTMLFormElement);
const turns = byId("turns");
const department = byId("department", HTMLSelectElement);
const agentDialog = byId("ask-human", HTMLDialogElement);
const remark = byId("remark", HTMLTextAreaElement);
/** The open conversation, as it was last loaded. @type {Conversation | null} */
let conversation = null;
let knownTurns = 0;
/** @type {Pending | null} */
let pending = null;
/** @type {string | null} */
let remarkId = null;
let timer = 0;
let attempts = 0;
let retryTimer = 0;

submitOnEnter(message, form);
message.addEventListener("input", () => showStatus(lengthError(message.value, form.dataset.max), true));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send(message.value.trim());
});
byId("restart").addEventListener("click", () => {
  begin();
  message.focus();
});
byId("human").addEventListener("click", openAgentDialog);
agentDialog.addEventListener("close", () => agentDialog.returnValue && reportErrors(askForAgent));
byId("delete-conversation").addEventListener("click", () => reportErrors(remove));
for (const event of ["online", "focus"]) addEventListener(event, () => pending?.hasFailed && deliver());
reportErrors(start);

async function start() {
  const unsent = kept(PENDING);
  if (unsent?.conversation && !location.hash) history.replaceState(null, "", `#${unsent.conversation}`); // it belongs there
  const id = location.hash.slice(1);
  if (id) await reportErrors(() => open(id));
  else begin();
  resume();
  await loadList();
}

/** Sends the message that had not arrived when the page was left. */
function resume() {
  const stored = kept(PENDING);
  if (!stored || stored.conversation !== location.hash.slice(1)) return;
  pending = { text: stored.text, id: stored.id, item: turnItem({ speaker: "student", text: stored.text }), hasFailed: false };
  turns.append(pending.item);
  deliver();
}

function begin() {
  clearTimeout(timer);
  [conversation, knownTurns, pending] = [null, 0, null];
  history.replaceState(null, "", location.pathname);
  turns.replaceChildren(el("li", { class: "turn assistant" }, el("p", {}, say("Ask about your school: deadlines, rules, forms. Answers come with their sources."))));
  showStatus("");
  showState();
  markOpen();
}

/** @param {string} id */
async function open(id) {
  clearTimeout(timer);
  /** @type {Conversation} */
  const opened = await getJson(`/conversations/${id}`);
  [conversation, knownTurns, pending] = [opened, opened.turns.length, null];
  history.replaceState(null, "", `#${id}`);
  turns.replaceChildren(...opened.turns.map((turn) => turnItem(turn, opened.agent_name)));
  scrollToEnd(turns);
  showStatus("");
  showState();
  markOpen();
}

/** Shows who answers and which actions are possible. */
function showState() {
  const state = conversation?.hand_off ?? null;
  const isWithAgent = state === "waiting" || state === "held";
  const text = agentText(state, conversation?.agent_name);
  if (byId("person").textContent !== text) byId("person").textContent = text;
  byId("person").hidden = !state;
  byId("human").hidden = isWithAgent;
  byId("delete-conversation").hidden = !conversation;
  department.disabled = Boolean(conversation);
  if (conversation) department.value = conversation.department ?? "";
  clearTimeout(timer);
  if (isWithAgent) timer = setTimeout(() => refresh(), POLL_MS);
}

/** @param {string | null} state @param {string | null} [agent] */
function agentText(state, agent) {
  if (state === "waiting") return say("We’ve asked a person to answer. The reply will appear here; you can keep asking.");
  if (state === "held") return agent ? say("{name} is now answering you here.", { name: agent }) : say("You’re talking to a person now.");
  return state === "closed" ? say("This conversation is closed. New questions get automatic answers again.") : "";
}

/** @param {string} text */
async function send(text) {
  const error = lengthError(text, form.dataset.max);
  if (error) showStatus(error, true);
  if (!text || error || pending) return;
  pending = { text, id: newKey(), item: turnItem({ speaker: "student", text }), hasFailed: false };
  turns.append(pending.item);
  scrollToEnd(turns);
  message.value = "";
  forgetDraft(form);
  keep(PENDING, { text, id: pending.id, conversation: conversation?.id ?? "" });
  await deliver();
  message.focus();
}

/** Sends the pending message. Sent again with the same id, it counts once. */
async function deliver() {
  const mine = pending;
  if (!mine) return;
  clearTimeout(retryTimer);
  mine.hasFailed = false;
  mine.item.classList.remove("unsent");
  mine.item.querySelector("button")?.remove();
  const reply = el("li", { class: "turn assistant" }, el("p", { class: "who" }, say("Looking for an answer …")));
  turns.append(reply);
  scrollToEnd(turns);
  try {
    const { id } = await ensureConversation();
    keep(PENDING, { text: mine.text, id: mine.id, conversation: id });
    const answered = await requestJson(`/conversations/${id}/messages`, { method: "POST", json: { message: mine.text, message_id: mine.id } });
    showReply(reply, answered);
    if (pending === mine) pending = null;
    keep(PENDING, null);
    attempts = 0;
    showStatus("");
    await refresh(false);
  } catch (error) {
    reply.remove();
    if (!(error instanceof RequestError)) throw error;
    showUnsent(mine, error);
  }
}

/** Returns the open conversation, a new one where there is none. */
async function ensureConversation() {
  if (conversation) return conversation;
  const known = location.hash.slice(1); // of a page that could not load it
  /** @type {Conversation} */
  const created = known ? await getJson(`/conversations/${known}`) : await requestJson("/conversations", { method: "POST", json: { department: department.value || null } });
  conversation = created;
  history.replaceState(null, "", `#${created.id}`);
  showState();
  return created;
}

/** @param {HTMLElement} item @param {MessageReply} data */
function showReply(item, data) {
  const turn = { speaker: "assistant", text: data.reply, answer: data.answer };
  item.replaceChildren(...turnItem(turn).childNodes);
  const meant = data.answer?.did_you_mean ?? [];
  item.querySelector("ul.suggestions")?.remove();
  if (meant.length) item.append(suggestions(meant, isNear(turn)));
  if (data.no_relevant_info) item.append(el("p", { class: "to-person" }, el("button", { class: "primary", type: "button", on: { click: openAgentDialog } }, say("Talk to a person"))));
  if (data.id) item.append(ratingButtons(data.id));
  if (data.with_agent) item.remove();
  else byId("announcement").textContent = textOf(turn);
  scrollToEnd(turns);
}

/** Returns buttons that ask what may have been meant. @param {readonly string[]} questions @param {boolean} isAsked whether the answer asks for it */
const suggestions = (questions, isAsked) =>
  el("p", { class: "row suggestions" }, !isAsked && el("span", { class: "soft" }, say("Did you mean:")), questions.map((text) => el("button", { class: "chip", type: "button", dir: "auto", on: { click: () => send(text) } }, text)));

/** @param {Pending} mine @param {RequestError} error */
function showUnsent(mine, error) {
  mine.hasFailed = true;
  mine.item.classList.add("unsent");
  mine.item.append(el("button", { type: "button", class: "chip", on: { click: () => deliver() } }, say("Send again")));
  if (error.isTemporary) {
    retryTimer = setTimeout(() => pending === mine && deliver(), 1000 * RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length - 1)]);
    attempts += 1;
  } else if (error.status !== 401) keep(PENDING, null);
  if (error.status === 429) showStatus(say("You’re sending messages too fast. We’ll send yours in a moment."), true);
  else showStatus(error.isTemporary && error.status !== 500 ? say("The server can’t be reached. Your message will be sent as soon as it is back.") : error.message, true);
}

/** Loads new turns, which replace those shown in the meantime. isPoll: nobody has just sent a message. */
async function refresh(isPoll = true) {
  if (!conversation) return;
  if (isPoll && document.hidden) return showState(); // what is loaded counts as read
  const before = conversation;
  try {
    /** @type {Conversation} */
    const loaded = await getJson(`/conversations/${before.id}?after=${knownTurns}`);
    if (conversation?.id !== before.id) return;
    if (!pending) showNewTurns(loaded, before.agent_name, isPoll);
    conversation = loaded;
    if (isPoll && loaded.hand_off !== before.hand_off) await loadList();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
  }
  showState();
  if (!isPoll) await loadList();
}

/** @param {Conversation} loaded @param {string | null} agentBefore @param {boolean} announce whether a screen reader says an agent's words */
function showNewTurns(loaded, agentBefore, announce) {
  if (!loaded.turns.length) return;
  const extras = findAll(turns, ":scope > :last-child > :is(.suggestions, .to-person, .rating-row)");
  while (turns.children.length > knownTurns) turns.lastElementChild?.remove();
  turns.append(...loaded.turns.map((turn) => turnItem(turn, loaded.agent_name ?? agentBefore)));
  if (extras.length && loaded.turns.at(-1)?.speaker === "assistant") {
    turns.lastElementChild?.querySelector("ul.suggestions")?.remove();
    turns.lastElementChild?.append(...extras);
  }
  knownTurns += loaded.turns.length;
  scrollToEnd(turns);
  const said = loaded.turns.filter((turn) => turn.speaker === "agent").map((turn) => turn.text);
  if (announce && said.length) byId("announcement").textContent = `${say("Help desk team")}: ${said.join(" ")}`;
}

function openAgentDialog() {
  agentDialog.returnValue = "";
  remark.required = knownTurns === 0; // otherwise an agent would have nothing to answer
  agentDialog.showModal();
}

async function askForAgent() {
  const { id } = await ensureConversation();
  remarkId ??= newKey(); // the same one if it has to be sent again
  conversation = await requestJson(`/conversations/${id}/handoff`, { method: "POST", json: { message: remark.value.trim(), message_id: remarkId } });
  [remark.value, remarkId] = ["", null];
  forgetDraft(/** @type {HTMLFormElement} */ (remark.form));
  await refresh(false);
  message.focus();
}

async function remove() {
  if (!conversation || !confirm(say("Delete this conversation? All its messages will be deleted, for your school too."))) return;
  await request(`${API}/conversations/${conversation.id}`, { method: "DELETE" });
  begin();
  message.focus();
  await loadList();
}

async function loadList() {
  await reportErrors(async () => {
    /** @type {{ conversations: ConversationSummary[] }} */
    const { conversations } = await getJson("/conversations");
    const used = conversations.filter((one) => one.last_by);
    byId("none").hidden = used.length > 0;
    byId("conversations").replaceChildren(...used.map(conversationItem));
    markOpen();
  });
}

/** @param {ConversationSummary} one */
function conversationItem(one) {
  const facts = [one.is_unread && say("new answer"), shortTime(one.last), one.department, stateText(one.hand_off)].filter(Boolean).join(" · ");
  return el("li", {}, el("button", { class: "pick", type: "button", dataset: { id: one.id }, on: { click: () => reportErrors(() => openListed(one)) } }, el("b", { dir: "auto" }, one.begins), el("span", { class: "soft" }, facts)));
}

/** @param {ConversationSummary} one */
async function openListed(one) {
  await open(one.id);
  if (!one.is_unread) return;
  await loadList(); // which no longer calls it new
  find(document, "#conversations [aria-current=true]").focus();
}

/** @param {string | null} state */
function stateText(state) {
  if (state === "waiting") return say("waiting for a person");
  if (state === "held") return say("a person is answering");
  return state === "closed" ? say("answered by a person") : null;
}

function markOpen() {
  for (const button of findAll(document, "#conversations .pick")) button.ariaCurrent = button.dataset.id === conversation?.id ? "true" : null;
}
