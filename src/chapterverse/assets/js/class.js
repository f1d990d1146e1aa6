/** One class: how far its essays are, and what was found in each. */
import { API, answerTo, ask, get, Trouble } from "./api.js";
import { farOf, isGoingOn, nameOf } from "./batch_state.js";
import { byId, el } from "./dom.js";
import { decimal, shortDayOf } from "./formats.js";
import { keepOrder, keepView, viewOf } from "./order.js";
import { EVERY } from "./progress.js";
import { tell, tried } from "./status.js";
import { tableOf } from "./table.js";
import { say } from "./texts.js";

const heading = byId("name");
const { batch } = heading.dataset;
const path = `/batches/${batch}`;
const isUnapproved = (row) => row.feedback && !row.feedback.approved;
const isRepairable = (row) => row.state === "failed" && !["bad_request", "deleted"].includes(row.reason);
const FILTERS = {
  all: [say("All"), () => true],
  failed: [say("Failed"), (row) => row.state === "failed"],
  waiting: [say("Not yet done"), (row) => row.state === "waiting"],
  unapproved: [say("Not yet approved"), isUnapproved],
  otherwise: [say("A book says otherwise"), (row) => row.feedback?.figures?.contradicting > 0],
  untouched: [say("Without marks or changes"), (row) => row.feedback && !touched(row)],
};
const SEPARATOR = decimal(0.5).includes(",") ? "semicolon" : "comma"; // what spreadsheets there open
const view = viewOf(batch) ?? { filter: "all", find: "", order: { by: 0, down: false } }; // whoever comes back finds it so
const touched = (row) => row.feedback && row.feedback.marks + row.feedback.choices;
const figure = (text, name) => ({ text, number: true, value: (row) => row.feedback?.figures?.[name] ?? null, cell: (row) => row.feedback?.figures?.[name] ?? "–" });
const table = tableOf(
  [
    { text: say("No."), number: true, value: (row) => row.number, cell: (row) => row.number },
    { text: say("Student"), head: true, value: (row) => row.id, cell: (row) => el("a", { href: `/essay/classes/${batch}/${row.number}` }, row.id) },
    { text: say("State"), class: "state-of", value: stateOf, cell: (row) => el("span", { class: row.state === "failed" ? "trouble" : null }, stateOf(row)) },
    figure(say("Paragraphs"), "paragraphs"),
    figure(say("Evidence"), "evidence"),
    figure(say("Content"), "content"),
    figure(say("Expressions"), "expressions"),
    figure(say("Features"), "features"),
    figure(say("Books say otherwise"), "contradicting"),
    { text: say("Marks and changes"), number: true, value: (row) => touched(row), cell: (row) => touched(row) ?? "–" },
    { text: say("Approved"), class: "when", value: (row) => row.feedback?.approved ?? null, cell: approvedOf },
  ],
  (row) => String(row.number),
  (inView, all) => {
    offerApproval(inView.filter(isUnapproved));
    byId("shown").textContent = say("{shown} of {all} essays", { shown: inView.length, all: all.length });
    keepOrder(batch, inView.map((row) => row.number));
    keepView(batch, view);
  },
  view.order,
);
let [ended, going, next] = [null, false, null];
let approvable = []; // numbers of essays that are shown

byId("filter").append(...Object.entries(FILTERS).map(([value, [text]]) => el("option", { value }, text)));
byId("filter").value = view.filter;
byId("find").value = view.find;
filter();
byId("filter").addEventListener("change", filter);
byId("find").addEventListener("input", filter);
byId("begin").addEventListener("click", () => begin(false));
byId("again").addEventListener("click", () => begin(true));
byId("approve").addEventListener("click", approve);
byId("remove").addEventListener("click", remove);
document.addEventListener("visibilitychange", () => document.hidden || look(true)); // what was changed in another window
if (location.search === "?known") tell(say("These essays were handed in before: this is that class."));
look();

function stateOf(row) {
  if (row.state === "failed") return row.message ?? say("Failed");
  if (row.state === "waiting") return row.message ?? say("Waits");
  return row.feedback ? say("Done") : say("Not kept any more");
}

function approvedOf(row) {
  if (!row.feedback) return "–";
  return row.feedback.approved ? shortDayOf(row.feedback.approved) : say("Not yet");
}

function filter() {
  Object.assign(view, { filter: byId("filter").value, find: byId("find").value });
  const name = view.find.trim().toLowerCase();
  const [, kept] = FILTERS[view.filter];
  table.filter((row) => kept(row) && row.id.toLowerCase().includes(name));
}

async function look(anew = false) {
  clearTimeout(next);
  try {
    const told = await get(path);
    show(told);
    const now = told.done + told.failed;
    if (anew || now !== ended) table.rows((await get(`${path}/essays`)).essays);
    if (byId("state").classList.contains("trouble")) tell("");
    if (going && !told.left) tell(say("All essays have ended."));
    [ended, going] = [now, told.left > 0];
    byId("essays").hidden = false;
    if (told.left) next = setTimeout(look, isGoingOn(told) ? EVERY : 5 * EVERY);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    if (error.status === 404) return gone();
    tell(error.message, true);
    next = setTimeout(look, 5 * EVERY);
  }
}

/** Nothing of what was shown is there any more. */
function gone() {
  for (const id of ["actions", "essays", "bar"]) byId(id).hidden = true;
  byId("far").textContent = "";
  tell(say("This class is not here (any more): somebody has removed it, or its days are over."), true);
}

function show(told) {
  heading.textContent = nameOf(told);
  document.title = `${nameOf(told)} · Chapterverse`;
  byId("far").textContent = farOf(told);
  Object.assign(byId("bar"), { value: told.done + told.failed, max: told.essays });
  byId("bar").hidden = false;
  byId("begin").hidden = !["waiting", "late"].includes(told.state);
  byId("again").hidden = told.state === "running" || !told.unfinished.some(isRepairable);
  byId("csv").href = `${API}${path}/results/results.csv?separator=${SEPARATOR}`;
  byId("jsonl").href = `${API}${path}/results/results.jsonl`;
  byId("exports").hidden = ["waiting", "running"].includes(told.state);
  byId("actions").hidden = false;
}

async function begin(failed) {
  await tried(async () => {
    const begun = await answerTo(`${path}/begin`, { method: "POST", json: { failed } });
    tell("");
    show(begun);
    await look(true);
  });
}

function offerApproval(rows) {
  approvable = rows.map((row) => row.number);
  byId("approve").textContent = say("Approve all that are shown: {count}", { count: rows.length });
  byId("approve").hidden = !rows.length;
}

async function approve() {
  const essays = approvable;
  if (!confirm(say("Approve {count}? Students may then see the feedback on these essays, as you have it shown.", { count: essays.length }))) return;
  await tried(async () => {
    await ask(`${API}${path}/approval`, { method: "POST", json: { essays } });
    await look(true);
    tell(say("Approved: {count}", { count: essays.length }));
  });
}

async function remove() {
  if (!confirm(say("Remove {title}? Its essays, their feedback and all you did with it are deleted at once, for students, too.", { title: heading.textContent }))) return;
  await tried(async () => {
    await ask(API + path, { method: "DELETE" });
    location.assign("/essay/classes");
  });
}
