// @ts-check
/** The agents' inbox: conversations by state, the open one, and turning an answer into one for everybody. */
import { API, getJson, newKey, reportErrors, request, requestJson, RequestError, showStatus } from "./api.js";
import { lengthError, nameOf, scrollToEnd, shortTime, turnItem } from "./conversation.js";
import { byId, el, find, findAll, submitOnEnter } from "./dom.js";
import { say } from "./texts.js";
import { forgetDraft, settle } from "./unsaved.js";
/** @import { Conversation, ConversationSummary } from "./types" */

/** @typedef {"waiting" | "mine" | "others" | "closed"} ListName */

const POLL_MS = 5000;
const EMPTY = {
  waiting: () => say("No one is waiting."),
  mine: () => say("You have no conversations."),
  others: () => say("No one else is handling a conversation."),
  closed: () => say("No closed conversations yet."),
};
/** @type {Record<ListName, ConversationSummary[]>} */
const lists = { waiting: [], mine: [], others: [], closed: [] };
const tabs = findAll(document, "[data-list]");
const form = byId("reply", HTMLFormElement);
const text = byId("text", HTMLTextAreaElement);
const isAdmin = "admin" in find(document, ".inbox").dataset;
/** @type {ListName} */
let list = "waiting";
/** The open conversation. @type {Conversation | null} */
let current = null;
let knownTurns = 0;
/** The reply that is being sent: a repeated one keeps its id. @type {{ text: string, id: string } | null} */
let pending = null;
let timer = 0;

/** @param {HTMLElement} tab */
const listOf = (tab) => /** @type {ListName} */ (tab.dataset.list);
for (const tab of tabs) tab.addEventListener("click", () => showList(listOf(tab)));
submitOnEnter(text, form);
text.addEventListener("input", () => showStatus(lengthError(text.value, form.dataset.max), true));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  reportErrors(reply);
});
refresh().then(() => (/^#[^=]+$/.test(location.hash) ? reportErrors(() => open(location.hash.slice(1))) : undefined));

/** @param {ListName} name */
function showList(name) {
  list = name;
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(listOf(tab) === name));
  refresh();
}

async function refresh() {
  clearTimeout(timer);
  try {
    const [waiting, held, closed] = await Promise.all(["waiting", "held", "closed"].map(loadState));
    Object.assign(lists, { waiting, closed, mine: held.filter((one) => one.mine), others: held.filter((one) => !one.mine) });
    showLists();
    if (current) await loadNewTurns(current);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showStatus(error.message, true);
  }
  timer = setTimeout(refresh, POLL_MS);
}

/** @param {string} state @returns {Promise<ConversationSummary[]>} */
async function loadState(state) {
  return (await getJson(`/inbox?state=${state}`)).conversations;
}

function showLists() {
  for (const tab of tabs) find(tab, "span").textContent = String(lists[listOf(tab)].length || "");
  const focused = document.activeElement?.closest("#conversation-list .pick")?.getAttribute("data-id");
  byId("conversation-list").replaceChildren(...lists[list].map(conversationItem));
  byId("none").textContent = lists[list].length ? "" : EMPTY[list]();
  byId("none").hidden = lists[list].length > 0;
  if (focused) findAll(document, "#conversation-list .pick").find((button) => button.dataset.id === focused)?.focus();
}

/** @param {ConversationSummary} one */
function conversationItem(one) {
  const facts = [one.user_name, timeText(one), one.department, list === "others" && one.agent_name].filter(Boolean).join(" · ");
  const isOpen = current?.id === one.id;
  return el("li", {}, el("button", { class: "pick", type: "button", dataset: { id: one.id }, "aria-current": isOpen ? "true" : null, on: { click: () => reportErrors(() => open(one.id)) } }, el("b", { dir: "auto" }, one.begins || say("Without a question")), el("span", { class: "soft" }, facts)));
}

/** @param {ConversationSummary} one */
function timeText({ waiting, closed, last, last_by: by, user_name: user }) {
  if (waiting) return waitingText(waiting);
  if (closed) return say("closed {time}", { time: shortTime(closed) });
  return by ? say("last message: {name}, {time}", { name: nameOf(by, null, user), time: shortTime(last) }) : shortTime(last);
}

/** @param {string} since */
function waitingText(since) {
  const minutes = Math.max(0, Math.round((Date.now() - new Date(since).getTime()) / 60000));
  if (minutes === 0) return say("just now");
  const hours = Math.round(minutes / 60);
  const time = minutes < 60 ? say("{minutes} min", { minutes }) : hours < 48 ? say("{hours} h", { hours }) : say("{days} days", { days: Math.round(hours / 24) });
  return say("waiting for {time}", { time });
}

/** @param {string} id */
async function open(id) {
  /** @type {Conversation} */
  const opened = await getJson(`/conversations/${id}`);
  [current, knownTurns, pending] = [opened, opened.turns.length, null];
  byId("turns").replaceChildren(...opened.turns.map((turn) => turnItem(turn, opened.agent_name, opened.user_name)));
  text.value = "";
  settle(form);
  form.dataset.draft = `reply ${id}`;
  history.replaceState(null, "", `#${id}`); // it is open after a reload, too
  scrollToEnd(byId("turns"));
  showStatus("");
  showFacts(opened);
  showLists();
  byId("open-title").focus();
}

/** Loads what was said since, and who has the conversation now. @param {Conversation} before */
async function loadNewTurns(before) {
  const after = knownTurns;
  /** @type {Conversation} */
  const loaded = await getJson(`/conversations/${before.id}?after=${after}`);
  if (loaded.id !== current?.id) return;
  const fresh = loaded.turns.slice(knownTurns - after); // another refresh may have brought some of them meanwhile
  byId("turns").append(...fresh.map((turn) => turnItem(turn, loaded.agent_name ?? current?.agent_name, loaded.user_name)));
  knownTurns += fresh.length;
  const asked = fresh.filter((turn) => turn.speaker === "student").map((turn) => turn.text);
  if (asked.length) byId("announcement").textContent = `${say("Question")}: ${asked.join(" ")}`;
  if (fresh.length) scrollToEnd(byId("turns"));
  const hasChanged = loaded.hand_off !== current.hand_off || loaded.agent_name !== current.agent_name;
  current = loaded;
  if (hasChanged) showFacts(loaded);
}

/** @param {Conversation} conversation */
function showFacts(conversation) {
  const { user_name: user, department, created, agent_name: agent, hand_off: state } = conversation;
  const isMine = lists.mine.some((one) => one.id === conversation.id);
  byId("open-title").textContent = user;
  byId("about").textContent = [department ?? say("All departments"), say("started {time}", { time: shortTime(created) }), agent && say("Assigned to {name}", { name: agent })].filter(Boolean).join(" · ");
  form.hidden = !isMine;
  byId("conversation-actions").replaceChildren(
    ...(state === "waiting" || state === "closed" ? [button(state === "closed" ? say("Reopen") : say("Assign to me"), take, "primary")] : []),
    ...(isMine ? [button(say("Close"), () => close(false)), button(say("Close and propose as an answer"), () => close(true))] : []),
    ...(isMine || (isAdmin && state === "held") ? [button(say("Return to queue"), putBack, "quiet")] : []),
  );
}

/** @param {string} name @param {() => unknown} action @param {string} [kind] */
const button = (name, action, kind = "") => el("button", { type: "button", class: kind, on: { click: () => reportErrors(action) } }, name);

/** @param {string} part of the open conversation @param {string} method @param {unknown} [json] */
const requestCurrent = (part, method, json) => request(`${API}/conversations/${current?.id}/${part}`, { method, json });

async function take() {
  try {
    await requestCurrent("agent", "PUT");
  } finally {
    await refresh(); // also when somebody else was faster
  }
  showList("mine");
  if (current) showFacts(current);
  text.focus();
}

async function putBack() {
  await requestCurrent("agent", "DELETE");
  await refresh();
  if (current) showFacts(current);
}

async function reply() {
  const error = lengthError(text.value, form.dataset.max);
  if (error || !text.value.trim()) return showStatus(error, true);
  if (pending?.text !== text.value) pending = { text: text.value, id: newKey() };
  await requestCurrent("replies", "POST", { message: pending.text.trim(), message_id: pending.id });
  [text.value, pending] = ["", null];
  forgetDraft(form);
  showStatus("");
  await refresh();
  text.focus();
}

/** @param {boolean} asAnswer whether to propose an answer from the conversation, to be approved among the answers */
async function close(asAnswer) {
  const draft = asAnswer && (await requestJson(`/conversations/${current?.id}/entry`, { method: "POST" }));
  await requestCurrent("closed", "PUT");
  if (draft) location.hash = `answer=${draft.id}`;
  if (draft) return location.reload();
  await refresh();
  if (current) showFacts(current);
  byId("open-title").focus();
}
