// @ts-check
/** One class: its progress, a table of its essays to sort and filter, approval and export. */
import { API, getJson, reportErrors, request, requestJson, RequestError, showStatus } from "./api.js";
import { isRunning, nameOf, progressText, savedView, saveOrder, saveView } from "./batches.js";
import { byId, el } from "./dom.js";
import { formatShortDate, nameOrder, SEPARATOR } from "./formats.js";
import { POLL_MS } from "./sources.js";
import { say } from "./texts.js";
/** @import { Batch, BatchRow, Child } from "./types" */

/**
 * @typedef {object} Column
 * @property {string} text its heading
 * @property {(row: BatchRow) => string | number | null} value what the table is sorted by; null comes last
 * @property {(row: BatchRow) => Child} cell
 * @property {boolean} [isNumber] right-aligned
 * @property {boolean} [isHeading] it names the row
 * @property {string} [className]
 */
/** @typedef {"paragraphs" | "evidence" | "content" | "expressions" | "features" | "contradicting"} Count */

const heading = byId("name");
const batch = heading.dataset.batch ?? "";
const path = `/batches/${batch}`;
const filterChoice = byId("filter", HTMLSelectElement);
const search = byId("find", HTMLInputElement);

/** @param {BatchRow} row */
const isUnapproved = (row) => Boolean(row.feedback && !row.feedback.approved);
/** @param {Pick<BatchRow, "state" | "reason">} row */
const isRetryable = (row) => row.state === "failed" && !["bad_request", "deleted"].includes(row.reason ?? "");
/** The number of ratings, remarks and changes by teachers. @param {BatchRow} row */
const reviewCount = (row) => (row.feedback ? row.feedback.marks + row.feedback.choices : null);

/** @type {Record<string, [text: string, matches: (row: BatchRow) => boolean]>} */
const FILTERS = {
  all: [say("All"), () => true],
  failed: [say("Failed"), (row) => row.state === "failed"],
  waiting: [say("Not yet done"), (row) => row.state === "waiting"],
  unapproved: [say("Not yet released"), isUnapproved],
  otherwise: [say("Contradicted by a book"), (row) => (row.feedback?.figures?.contradicting ?? 0) > 0],
  untouched: [say("Not yet reviewed"), (row) => reviewCount(row) === 0],
};

/** @param {string} text @param {Count} name @returns {Column} */
const countColumn = (text, name) => {
  /** @param {BatchRow} row */
  const value = (row) => row.feedback?.figures?.[name] ?? null;
  return { text, isNumber: true, value, cell: (row) => String(value(row) ?? "–") };
};

/** @type {Column[]} */
const COLUMNS = [
  { text: say("No."), isNumber: true, value: (row) => row.number, cell: (row) => String(row.number) },
  { text: say("Student"), isHeading: true, value: (row) => row.id, cell: (row) => el("a", { href: `/essay/classes/${batch}/${row.number}` }, row.id) },
  { text: say("State"), className: "state-of", value: stateText, cell: (row) => el("span", { class: row.state === "failed" ? "error" : null }, stateText(row)) },
  countColumn(say("Paragraphs"), "paragraphs"),
  countColumn(say("Evidence"), "evidence"),
  countColumn(say("Content"), "content"),
  countColumn(say("Expressions"), "expressions"),
  countColumn(say("Features"), "features"),
  countColumn(say("Contradicted"), "contradicting"),
  { text: say("Review"), isNumber: true, value: reviewCount, cell: (row) => String(reviewCount(row) ?? "–") },
  { text: say("Released"), className: "when", value: (row) => row.feedback?.approved ?? null, cell: approvedText },
];

const view = savedView(batch) ?? { filter: "all", find: "", order: { by: 0, down: false } };
const columnHeads = COLUMNS.map(columnHead);
/** @type {BatchRow[]} */
let rows = [];
/** Table rows by number, with the data they show: an unchanged one stays, and with it the focus. @type {Map<number, { data: string, element: HTMLElement }>} */
const rowElements = new Map();
/** Numbers of the essays that the button approves. @type {number[]} */
let approvable = [];
/** The number of essays that had ended at the last refresh. @type {number | null} */
let ended = null;
let hasUnfinished = false;
let timer = 0;

byId("heads").replaceChildren(...columnHeads);
filterChoice.append(...Object.entries(FILTERS).map(([value, [text]]) => el("option", { value }, text)));
filterChoice.value = view.filter;
search.value = view.find;
applyFilter();
filterChoice.addEventListener("change", applyFilter);
search.addEventListener("input", applyFilter);
byId("begin").addEventListener("click", () => begin(false));
byId("retry").addEventListener("click", () => begin(true));
byId("approve").addEventListener("click", approve);
byId("remove").addEventListener("click", remove);
document.addEventListener("visibilitychange", () => document.hidden || refresh(true)); // it may have changed in another window
if (location.search === "?known") showStatus(say("You have already uploaded these essays: this is the class."));
refresh();

/** @param {BatchRow} row @returns {string} */
function stateText(row) {
  if (row.state === "failed") return row.message ?? say("Failed");
  if (row.state === "waiting") return row.message ?? say("Waiting");
  return row.feedback ? say("Done") : say("No longer stored");
}

/** @param {BatchRow} row */
function approvedText({ feedback }) {
  if (!feedback) return "–";
  if (!feedback.approved) return say("Not yet");
  return feedback.approved === feedback.created ? say("At once") : formatShortDate(feedback.approved); // nobody had to release it
}

// The table

function applyFilter() {
  Object.assign(view, { filter: filterChoice.value, find: search.value });
  showTable();
}

/** @param {number} index */
function sortBy(index) {
  view.order = { by: index, down: index === view.order.by && !view.order.down };
  showTable();
}

/** @param {BatchRow} a @param {BatchRow} b */
function compare(a, b) {
  const { value } = COLUMNS[view.order.by];
  const [x, y] = [value(a), value(b)];
  if (x === null || y === null) return Number(x === null) - Number(y === null) || a.number - b.number;
  const order = typeof x === "number" && typeof y === "number" ? x - y : nameOrder.compare(String(x), String(y));
  return (view.order.down ? -order : order) || a.number - b.number;
}

function showTable() {
  const name = view.find.trim().toLowerCase();
  const [, matches] = FILTERS[view.filter];
  const shown = rows.filter((row) => matches(row) && row.id.toLowerCase().includes(name)).sort(compare);
  const direction = view.order.down ? "descending" : "ascending";
  columnHeads.forEach((head, index) => head.setAttribute("aria-sort", index === view.order.by ? direction : "none"));
  placeRows(shown.map(tableRow));
  offerApproval(shown.filter(isUnapproved));
  byId("shown-count").textContent = say("{shown} of {all} essays", { shown: shown.length, all: rows.length });
  saveOrder(batch, shown.map((row) => row.number));
  saveView(batch, view);
}

/** @param {BatchRow} row */
function tableRow(row) {
  const data = JSON.stringify(row);
  const before = rowElements.get(row.number);
  if (before?.data === data) return before.element;
  const element = el("tr", {}, COLUMNS.map((column) => tableCell(column, row)));
  rowElements.set(row.number, { data, element });
  return element;
}

/** @param {Column} column @param {number} index */
function columnHead(column, index) {
  const sign = el("span", { class: "sign", "aria-hidden": "true" });
  const button = el("button", { type: "button", on: { click: () => sortBy(index) } }, column.text, sign);
  return el("th", { scope: "col", class: column.isNumber ? "number" : null }, button);
}

/** @param {Column} column @param {BatchRow} row */
function tableCell(column, row) {
  if (column.isHeading) return el("th", { scope: "row", dir: "auto" }, column.cell(row));
  return el("td", { class: column.isNumber ? "number" : column.className }, column.cell(row));
}

/** @param {HTMLElement[]} elements */
function placeRows(elements) {
  const body = byId("rows");
  if (elements.length === body.children.length && elements.every((row, index) => row === body.children[index])) return;
  const focused = document.activeElement;
  body.replaceChildren(...elements);
  if (focused instanceof HTMLElement && body.contains(focused)) focused.focus({ preventScroll: true });
}

// The class

async function refresh(withEssays = false) {
  clearTimeout(timer);
  try {
    /** @type {Batch} */
    const current = await getJson(path);
    show(current);
    const nowEnded = current.done + current.failed;
    if (withEssays || nowEnded !== ended) {
      rows = (await getJson(`${path}/essays`)).essays;
      showTable();
    }
    if (byId("state").classList.contains("error")) showStatus("");
    if (hasUnfinished && !current.left) showStatus(say("All essays are finished."));
    [ended, hasUnfinished] = [nowEnded, current.left > 0];
    byId("essays").hidden = false;
    if (current.left) timer = setTimeout(refresh, isRunning(current) ? POLL_MS : 5 * POLL_MS);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.status === 404) return showRemoved();
    showStatus(error.message, true);
    timer = setTimeout(refresh, 5 * POLL_MS);
  }
}

function showRemoved() {
  for (const id of ["actions", "essays", "progress-bar"]) byId(id).hidden = true;
  byId("progress-text").textContent = "";
  showStatus(say("This class does not exist any more: it was removed or has expired."), true);
}

/** @param {Batch} current */
function show(current) {
  heading.textContent = nameOf(current);
  document.title = `${nameOf(current)} · Chapterverse`;
  byId("progress-text").textContent = progressText(current);
  Object.assign(byId("progress-bar"), { value: current.done + current.failed, max: current.essays });
  byId("progress-bar").hidden = false;
  byId("begin").hidden = !["waiting", "late"].includes(current.state);
  byId("retry").hidden = current.state === "running" || !current.unfinished.some(isRetryable);
  byId("csv", HTMLAnchorElement).href = `${API}${path}/results/results.csv?separator=${SEPARATOR}`;
  byId("jsonl", HTMLAnchorElement).href = `${API}${path}/results/results.jsonl`;
  byId("exports").hidden = ["waiting", "running"].includes(current.state);
  byId("actions").hidden = false;
}

/** @param {boolean} failed whether only failed essays are tried again */
async function begin(failed) {
  await reportErrors(async () => {
    const current = await requestJson(`${path}/begin`, { method: "POST", json: { failed } });
    showStatus("");
    show(current);
    await refresh(true);
  });
}

/** @param {BatchRow[]} unapproved */
function offerApproval(unapproved) {
  approvable = unapproved.map((row) => row.number);
  byId("approve").textContent = say("Release all shown: {count}", { count: approvable.length });
  byId("approve").hidden = !approvable.length;
}

async function approve() {
  const essays = approvable;
  if (!confirm(say("Release {count}? Students can then see the feedback on these essays.", { count: essays.length }))) return;
  await reportErrors(async () => {
    await request(`${API}${path}/approval`, { method: "POST", json: { essays } });
    await refresh(true);
    showStatus(say("Released: {count}", { count: essays.length }));
  });
}

async function remove() {
  if (!confirm(say("Remove {title}? All its essays, their feedback and your changes will be deleted at once, for students too.", { title: heading.textContent }))) return;
  await reportErrors(async () => {
    await request(API + path, { method: "DELETE" });
    location.assign("/essay/classes");
  });
}
