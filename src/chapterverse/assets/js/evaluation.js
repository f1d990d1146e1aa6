/** Evaluation on one's own book: a run begins, goes on in the background, and is shown beside those before it. */
import { API, ask, get } from "./api.js";
import { bars, figure } from "./chart.js";
import { byId, el } from "./dom.js";
import { countOf, decimal, hundred, momentOf } from "./formats.js";
import { pageButton } from "./lit_page.js";
import { barOf, EVERY } from "./progress.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const LEVELS = ["level1", "level2", "level3"];
const MEASURES = ["recall_at_1", "recall_at_3", "recall_at_5", "recall_at_10", "mrr"];
const NAMES = { recall_at_1: "Recall@1", recall_at_3: "Recall@3", recall_at_5: "Recall@5", recall_at_10: "Recall@10", mrr: "MRR" };
const form = byId("run");
let runs = [];
let chosen = null; // the run that is shown: the newest that is done, or one that somebody wants to see
let next = null;

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
look();

async function begin() {
  await tried(async () => {
    const given = new FormData(form);
    const seed = given.get("others") ? 1 + runs.length : 0;
    const book = encodeURIComponent(given.get("book"));
    await ask(`${API}/books/${book}/evaluations`, { method: "POST", json: { n: Number(given.get("n")), seed } });
    chosen = null;
    await look();
  });
}

async function look() {
  clearTimeout(next);
  await tried(async () => {
    const before = runs.find((run) => run.state === "waiting")?.id;
    ({ runs } = await get("/evaluations"));
    const waiting = runs.find((run) => run.state === "waiting");
    tell("");
    if (before && before !== waiting?.id) tell(runs.find((run) => run.id === before)?.state === "done" ? say("The evaluation is done.") : "");
    list();
  });
  if (runs.some((run) => run.state === "waiting")) next = setTimeout(look, EVERY); // a line that was lost comes back
  await shownRun();
}

async function shownRun() {
  const waiting = runs.find((run) => run.state === "waiting");
  const run = chosen ?? waiting?.id ?? runs.find((one) => one.state === "done")?.id ?? runs[0]?.id;
  if (!run) return;
  await tried(async () => {
    const found = await get(`/evaluations/${encodeURIComponent(run)}`);
    byId("shown").replaceChildren(...(found.levels ? result(found) : [underWay(found)]));
  });
}

function underWay(run) {
  const bar = barOf(say("Progress of {title}", { title: run.title }), run);
  if (run.state === "failed") return el("p", { role: "alert" }, `${run.title}: ${run.message}`);
  return el("div", { class: "card" }, el("h2", { dir: "auto" }, run.title), el("p", {}, run.message ?? say("Variants are being made and looked for. You can leave this page meanwhile.")), bar);
}

function result(run) {
  const told = LEVELS.map((level, at) => say("Level {level}: found first {first} times of 100, among the first five {five} times.", { level: at + 1, first: hundred(run.levels[level].recall_at_1.value), five: hundred(run.levels[level].recall_at_5.value) })).join(" ");
  const cell = ({ value, low, high }) => `${decimal(value)} (${decimal(low)}–${decimal(high)})`;
  const { n } = run.levels.level1.mrr;
  return [
    el("h2", { dir: "auto" }, run.title),
    el("p", { class: "soft" }, sample(run, n)),
    el("p", { class: "meaning" }, told),
    figure({
      title: say("How often the sentence is found, by level"),
      told,
      chart: bars(MEASURES.map((one) => NAMES[one]), LEVELS.map((level, at) => ({ name: levelOf(run, at), values: MEASURES.map((one) => run.levels[level][one]) }))),
      columns: [say("Level"), ...MEASURES.map((one) => NAMES[one])],
      rows: LEVELS.map((level, at) => [String(at + 1), ...MEASURES.map((one) => cell(run.levels[level][one]))]),
    }),
    words(),
    misses(run),
    el("p", {}, el("a", { href: `${API}/evaluations/${run.id}/cases`, download: `variants-${run.id}.jsonl` }, say("The variants as a file")), " ", el("span", { class: "soft" }, say("(for `chapterverse evaluate --variants FILE`, which gives the same figures)"))),
  ];
}

function sample(run, n) {
  const who = run.made_by === "rules" ? say("words left out by rule") : say("variants by {model}", { model: run.made_by });
  const dropped = run.dropped ? ` ${say("Left out, because nothing usable could be made of them: {dropped}.", run)}` : "";
  return `${say("{n} sentences at each level, looked for among {sentences}; {who}; {when}.", { n, sentences: countOf(run.sentences), who, when: momentOf(run.created) })}${dropped}`;
}

function levelOf({ made_by: by }, at) {
  const named = [say("Level 1: nearly its words"), say("Level 2: other words"), say("Level 3: a student's own words")];
  const cut = [say("Level 1: three quarters of the words"), say("Level 2: half of the words"), say("Level 3: a third of the words")];
  return (by === "rules" ? cut : named)[at];
}

function words() {
  const told = [
    [say("Recall@5"), say("Of all variants, the share whose sentence is among the first five that are found. Recall@1 asks for the very first, Recall@10 for the first ten.")],
    ["MRR", say("1 where the sentence always comes first, 0.5 where it always comes second: the mean of one divided by its place.")],
    [say("Interval"), say("With other sentences drawn, the figure would lie between these two, 95 times of 100. More sentences make it narrower.")],
  ];
  return el("details", {}, el("summary", {}, say("What these words mean")), el("dl", { class: "words" }, told.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])));
}

function misses(run) {
  const some = LEVELS.filter((level) => run.misses[level].length);
  if (!some.length) return el("p", {}, say("At every level each sentence was found first."));
  const all = some.map((level) =>
    el("details", {}, el("summary", {}, say("Not found first, level {level}", { level: LEVELS.indexOf(level) + 1 })), run.misses[level].map(missOf)),
  );
  return el("section", {}, el("h3", {}, say("Where it went wrong")), all);
}

function missOf(miss) {
  const place = miss.rank ? say("Its sentence came in place {rank}.", miss) : say("Its sentence was not among those looked at.");
  return el(
    "article",
    { class: "card miss" },
    el("p", { class: "said", dir: "auto" }, `“${miss.said}”`),
    passage(say("Made of this sentence"), miss.sought, place),
    passage(say("Found first instead"), miss.found),
  );
}

function passage(name, found, told) {
  if (!found) return null;
  return el(
    "div",
    {},
    el("h4", {}, name),
    el("p", { class: "context", dir: "auto" }, found.sentence.text),
    el("div", { class: "row" }, el("span", { class: "soft" }, found.citation), found.sentence.boxes.length > 0 && pageButton(found)),
    told && el("p", { class: "soft" }, told),
  );
}

/** Every run in a table, to compare. */
function list() {
  if (!runs.length) return byId("runs").replaceChildren();
  const columns = [say("Run"), say("Sentences"), ...LEVELS.flatMap((_, at) => [say("Level {level}: Recall@5", { level: at + 1 }), say("Level {level}: MRR", { level: at + 1 })]), ""];
  const head = el("tr", {}, columns.map((name) => (name ? el("th", { scope: "col" }, name) : el("td", {}))));
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, runs.map(rowOf)));
  byId("runs").replaceChildren(el("h2", {}, say("All runs")), el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("All runs") }, table));
}

function rowOf(run) {
  const figures = LEVELS.flatMap((level) => ["recall_at_5", "mrr"].map((one) => (run.levels ? decimal(run.levels[level][one].value) : "–")));
  const name = `${run.title}, ${momentOf(run.created)}`;
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, name, el("br"), el("span", { class: "soft" }, whoMade(run))),
    [String(run.levels?.level1.mrr.n ?? run.n), ...figures].map((cell) => el("td", {}, cell)),
    el("td", {}, act(say("Show"), say("Show {run}", { run: name }), () => show(run)), act(say("Delete"), say("Delete {run}", { run: name }), () => remove(run, name))),
  );
}

function whoMade(run) {
  if (run.state === "waiting") return say("under way");
  if (run.state === "failed") return say("failed");
  return run.made_by === "rules" ? say("words left out by rule") : say("variants by {model}", { model: run.made_by });
}

const act = (text, name, click) => el("button", { class: "chip", type: "button", "aria-label": name, on: { click } }, text);

async function show(run) {
  chosen = run.id;
  await shownRun();
  byId("shown").scrollIntoView({ block: "start" });
}

async function remove(run, name) {
  if (!confirm(say("Delete {run}? Its figures are forgotten.", { run: name }))) return;
  await tried(async () => {
    await ask(`${API}/evaluations/${encodeURIComponent(run.id)}`, { method: "DELETE" });
    chosen = null;
    byId("shown").replaceChildren();
    await look();
  });
}
