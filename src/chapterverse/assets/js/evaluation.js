// @ts-check
/** Measuring the search on one of the school's books: starting a run, its progress, its result beside earlier ones. */
import { API, getJson, reportErrors, request, showStatus } from "./api.js";
import { barChart, chartFigure } from "./chart.js";
import { byId, el, fieldOf, findById } from "./dom.js";
import { formatCount, formatDateTime, formatDecimal, outOf100 } from "./formats.js";
import { pageLink } from "./page_viewer.js";
import { POLL_MS, progressBar } from "./sources.js";
import { say } from "./texts.js";
/** @import { EvaluationResult, EvaluationRun, Passage, Point } from "./types" */

/** @typedef {NonNullable<EvaluationResult["levels"]>} Levels measures by level */
/** @typedef {NonNullable<EvaluationResult["misses"]>[string][number]} Miss */

const LEVELS = ["level1", "level2", "level3"];
const MEASURES = /** @type {const} */ (["recall_at_1", "recall_at_3", "recall_at_5", "recall_at_10", "mrr"]);
const NAMES = { recall_at_1: "Recall@1", recall_at_3: "Recall@3", recall_at_5: "Recall@5", recall_at_10: "Recall@10", mrr: "MRR" };
const form = /** @type {HTMLFormElement | null} */ (findById("run")); // missing where no book can be searched
/** @type {EvaluationRun[]} */
let runs = [];
/** The run to show; null: the newest one. @type {string | null} */
let chosen = null;
let timer = 0;

const waitingRun = () => runs.find((run) => run.state === "waiting");

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  start(new FormData(form));
});
refresh();

/** @param {FormData} fields */
async function start(fields) {
  await reportErrors(async () => {
    const seed = fields.get("others") ? 1 + runs.length : 0;
    const path = `${API}/books/${encodeURIComponent(fieldOf(fields, "book"))}/evaluations`;
    await request(path, { method: "POST", json: { n: Number(fields.get("n")), seed } });
    chosen = null;
    await refresh();
  });
}

async function refresh() {
  clearTimeout(timer);
  await reportErrors(async () => {
    const before = waitingRun()?.id;
    ({ runs } = await getJson("/evaluations"));
    const hasEnded = before && before !== waitingRun()?.id;
    showStatus(hasEnded && runs.find((run) => run.id === before)?.state === "done" ? say("The evaluation is finished.") : "");
    showTable();
  });
  if (waitingRun()) timer = setTimeout(refresh, POLL_MS);
  await showRun();
}

async function showRun() {
  const id = chosen ?? waitingRun()?.id ?? runs.find((run) => run.state === "done")?.id ?? runs[0]?.id;
  if (!id) return;
  await reportErrors(async () => {
    /** @type {EvaluationResult} */
    const run = await getJson(`/evaluations/${encodeURIComponent(id)}`);
    byId("run-result").replaceChildren(...(run.levels ? resultOf(run, run.levels) : [unfinished(run)]));
  });
}

/** @param {EvaluationResult} run */
function unfinished(run) {
  if (run.state === "failed") return el("p", { role: "alert" }, `${run.title}: ${run.message}`);
  const text = run.message ?? say("Running … You can leave this page.");
  return el("div", { class: "card" }, el("h2", { dir: "auto" }, run.title), el("p", {}, text), progressBar(say("Progress of {title}", { title: run.title }), run));
}

/** @param {EvaluationResult} run @param {Levels} levels */
function resultOf(run, levels) {
  const measures = LEVELS.map((level) => levels[level]);
  const summary = measures.map((one, index) => say("Level {level}: found first {first} times out of 100, among the first five {five} times.", { level: index + 1, first: outOf100(one.recall_at_1.value), five: outOf100(one.recall_at_5.value) })).join(" ");
  /** @param {Required<Point>} point */
  const cell = ({ value, low, high }) => `${formatDecimal(value)} (${formatDecimal(low)}–${formatDecimal(high)})`;
  return [
    el("h2", { dir: "auto" }, run.title),
    el("p", { class: "soft" }, sampleText(run, levels.level1.mrr.n)),
    el("p", { class: "meaning" }, summary),
    chartFigure({
      title: say("How often the sentence is found, by level"),
      description: summary,
      chart: barChart(MEASURES.map((one) => NAMES[one]), measures.map((level, index) => ({ name: levelName(run, index), values: MEASURES.map((one) => level[one]) }))),
      columns: [say("Level"), ...MEASURES.map((one) => NAMES[one])],
      rows: measures.map((level, index) => [String(index + 1), ...MEASURES.map((one) => cell(level[one]))]),
    }).element,
    explanations(),
    missSection(run),
    el("p", {}, el("a", { href: `${API}/evaluations/${run.id}/cases`, download: `variants-${run.id}.jsonl` }, say("Download the variants")), " ", el("span", { class: "soft" }, say("(for `chapterverse evaluate --variants FILE`, with the same results)"))),
  ];
}

/** @param {EvaluationResult} run @param {number} n */
function sampleText(run, n) {
  const dropped = run.dropped ? ` ${say("Skipped because no usable variant could be made: {dropped}.", { dropped: run.dropped })}` : "";
  const values = { n, sentences: formatCount(run.sentences ?? 0), who: variantsText(run), when: formatDateTime(run.created) };
  return `${say("{n} sentences per level, searched among {sentences}; {who}; {when}.", values)}${dropped}`;
}

/** @param {EvaluationRun} run */
const variantsText = (run) => (run.made_by === "rules" ? say("words left out by rule") : say("variants by {model}", { model: run.made_by }));

/** @param {EvaluationRun} run @param {number} index */
function levelName(run, index) {
  const rewritten = [say("Level 1: similar words"), say("Level 2: other words"), say("Level 3: a student's own words")];
  const shortened = [say("Level 1: three quarters of the words"), say("Level 2: half of the words"), say("Level 3: a third of the words")];
  return (run.made_by === "rules" ? shortened : rewritten)[index];
}

function explanations() {
  const terms = [
    [say("Recall@5"), say("The share of variants whose original sentence is among the first five results. Recall@1: the first result; Recall@10: the first ten.")],
    ["MRR", say("1 if the sentence always comes first, 0.5 if it always comes second: the mean of 1 divided by its rank.")],
    [say("Interval"), say("With other sentences, the value would be in this range 95 times out of 100. More sentences make the range narrower.")],
  ];
  return el("details", {}, el("summary", {}, say("What these terms mean")), el("dl", { class: "words" }, terms.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])));
}

/** @param {EvaluationResult} run */
function missSection(run) {
  const groups = LEVELS.flatMap((level, index) => {
    const misses = run.misses?.[level] ?? [];
    return misses.length ? [el("details", {}, el("summary", {}, say("Not found first, level {level}", { level: index + 1 })), misses.map(missCard))] : [];
  });
  if (!groups.length) return el("p", {}, say("Every sentence was found first at every level."));
  return el("section", {}, el("h3", {}, say("Misses")), groups);
}

/** @param {Miss} miss */
function missCard(miss) {
  const rank = miss.rank ? say("Its sentence has rank {rank}.", { rank: miss.rank }) : say("Its sentence is not among the results.");
  return el(
    "article",
    { class: "card miss" },
    el("p", { class: "missed-text", dir: "auto" }, `“${miss.said}”`),
    passageBlock(say("Original sentence"), miss.sought, rank),
    passageBlock(say("Found first instead"), miss.found),
  );
}

/** @param {string} name @param {Pick<Passage, "sentence" | "citation"> | null} passage @param {string} [note] */
function passageBlock(name, passage, note) {
  if (!passage) return null;
  return el(
    "div",
    {},
    el("h4", {}, name),
    el("p", { class: "context", dir: "auto" }, passage.sentence.text),
    el("div", { class: "row" }, el("span", { class: "soft" }, passage.citation), passage.sentence.boxes.length > 0 && pageLink(passage)),
    note && el("p", { class: "soft" }, note),
  );
}

/** Shows all runs in a table, to compare them. */
function showTable() {
  if (!runs.length) return byId("runs").replaceChildren();
  const columns = [say("Run"), say("Sentences"), ...LEVELS.flatMap((_, index) => [say("Level {level}: Recall@5", { level: index + 1 }), say("Level {level}: MRR", { level: index + 1 })]), ""];
  const head = el("tr", {}, columns.map((name) => (name ? el("th", { scope: "col" }, name) : el("td", {}))));
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, runs.map(runRow)));
  byId("runs").replaceChildren(el("h2", {}, say("All runs")), el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("All runs") }, table));
}

/** @param {EvaluationRun} run */
function runRow(run) {
  const { levels } = run;
  const cells = LEVELS.flatMap((level) => (levels ? [levels[level].recall_at_5, levels[level].mrr].map((one) => formatDecimal(one.value)) : ["–", "–"]));
  const name = `${run.title}, ${formatDateTime(run.created)}`;
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, name, el("br"), el("span", { class: "soft" }, stateText(run))),
    [String(levels?.level1.mrr.n ?? run.n), ...cells].map((cell) => el("td", {}, cell)),
    el("td", {}, chipButton(say("Show"), say("Show {run}", { run: name }), () => show(run)), chipButton(say("Delete"), say("Delete {run}", { run: name }), () => remove(run, name))),
  );
}

/** @param {EvaluationRun} run */
function stateText(run) {
  if (run.state === "waiting") return say("running");
  return run.state === "failed" ? say("failed") : variantsText(run);
}

/** @param {string} text @param {string} name @param {() => unknown} click */
const chipButton = (text, name, click) => el("button", { class: "chip", type: "button", "aria-label": name, on: { click } }, text);

/** @param {EvaluationRun} run */
async function show(run) {
  chosen = run.id;
  await showRun();
  byId("run-result").scrollIntoView({ block: "start" });
}

/** @param {EvaluationRun} run @param {string} name */
async function remove(run, name) {
  if (!confirm(say("Delete {run}? Its results will be deleted.", { run: name }))) return;
  await reportErrors(async () => {
    await request(`${API}/evaluations/${encodeURIComponent(run.id)}`, { method: "DELETE" });
    chosen = null;
    byId("run-result").replaceChildren();
    await refresh();
  });
}
