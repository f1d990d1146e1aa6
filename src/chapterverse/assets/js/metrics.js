// @ts-check
/** Answer quality by day: nearness of the sources, unanswered questions, ratings, response times. */
import { getJson, reportErrors, showStatus } from "./api.js";
import { barChart, chartFigure, lineChart } from "./chart.js";
import { byId, el } from "./dom.js";
import { formatDecimal, formatPercent, language } from "./formats.js";
import { say } from "./texts.js";
/** @import { DayMetrics, Metrics, QuestionGroup } from "./types" */

const DAY_MS = 864e5;
const form = byId("range", HTMLFormElement);
const dayName = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });

/** @param {number} value */
const formatSeconds = (value) => say("{number} s", { number: formatDecimal(value, value < 10 ? 2 : 0) });

/** @param {number | null | undefined} value @param {(value: number) => string} format */
const orDash = (value, format) => (value == null ? "–" : format(value));

form.addEventListener("change", load);
form.addEventListener("submit", (event) => event.preventDefault());
load();

async function load() {
  const fields = new FormData(form);
  const query = new URLSearchParams([...fields].flatMap(([name, value]) => (value ? [[name, String(value)]] : [])));
  await reportErrors(async () => {
    /** @type {Metrics} */
    const metrics = await getJson(`/answers/metrics?${query}`);
    if (metrics.total.answers) show(metrics, Number(fields.get("days")));
    else byId("charts").replaceChildren(el("p", {}, say("No questions in these days.")));
    const { groups } = await getJson(`/answers/unanswered?${query}`);
    byId("groups").replaceChildren(...(groups.length ? groups.map(groupItem) : [el("li", {}, say("None."))]));
    showStatus("");
  });
}

/** @param {Metrics} metrics @param {number} count of days */
function show({ total, days, doubtful }, count) {
  const all = everyDay(days, count);
  const names = all.map((day) => dayName.format(new Date(day.day)));
  const warning = el("p", { class: "warning" }, say("The sources match the questions poorly (mean below 0.4). Check whether documents are missing, or whether people use different words."));
  byId("charts").replaceChildren(
    ...(doubtful ? [warning] : []),
    totals(total),
    similarityChart(all, names),
    unansweredChart(all, names),
    ratingChart(all, names),
    timeChart(all, names),
  );
}

/** Returns questions that are alike, with a link to answer them at the help desk. @param {QuestionGroup} group */
function groupItem({ question, questions }) {
  const others = [...new Set(questions.map((one) => one.question))].filter((text) => text !== question);
  return el(
    "li",
    {},
    el("p", {}, el("b", { dir: "auto" }, question), questions.length > 1 && el("span", { class: "soft" }, ` · ${say("asked {count} times", { count: questions.length })}`)),
    others.length > 0 && el("details", {}, el("summary", {}, say("In other words")), el("ul", {}, others.map((text) => el("li", { dir: "auto" }, text)))),
    el("p", {}, el("a", { class: "chip", href: `/help/answers#${new URLSearchParams({ question })}` }, say("Write an answer for the help desk"))),
  );
}

/** Returns one entry per day, also for days without answers: otherwise distances between points would mean nothing. @param {DayMetrics[]} days @param {number} count */
function everyDay(days, count) {
  const known = new Map(days.map((day) => [day.day, day]));
  const today = Date.now();
  return Array.from({ length: count }, (_, index) => new Date(today - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10)).map(
    (day) => known.get(day) ?? { day, answers: 0, low: 0, low_share: null, up: 0, down: 0, similarity: null, times: null },
  );
}

/** @param {Metrics["total"]} total */
function totals(total) {
  const values = [
    [say("Answers"), String(total.answers)],
    [say("Median match"), orDash(total.similarity?.median, formatDecimal)],
    [say("Unanswered or low confidence"), orDash(total.low_share, formatPercent)],
    [say("Helpful"), String(total.up)],
    [say("Not helpful"), String(total.down)],
    [say("Median time"), orDash(total.times?.p50, formatSeconds)],
    [say("95th percentile"), orDash(total.times?.p95, formatSeconds)],
  ];
  return el("dl", { class: "key-numbers" }, values.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/** @typedef {Pick<DayMetrics, "day" | "answers" | "low" | "low_share" | "up" | "down" | "similarity" | "times">} Day */

/** Returns the table's rows, of days with answers only. @param {Day[]} days @param {string[]} names @param {(day: Day) => string[]} cells */
const rowsOf = (days, names, cells) => days.flatMap((day, index) => (day.answers ? [[names[index], ...cells(day)]] : []));

/** @param {Day[]} days @param {string[]} names */
function similarityChart(days, names) {
  const quartiles = /** @type {const} */ (["upper", "median", "lower"]);
  const labels = { upper: say("75th percentile"), median: say("Median"), lower: say("25th percentile") };
  const series = quartiles.map((of) => ({ name: labels[of], values: days.map((day) => day.similarity?.[of] ?? null) }));
  return chartFigure({
    title: say("How well sources matched the questions"),
    description: say("Lines by day: median and quartiles of each answer’s mean cosine similarity."),
    chart: lineChart(names, series),
    columns: [say("Day"), say("Answers"), ...series.map((one) => one.name)],
    rows: rowsOf(days, names, (day) => [String(day.answers), ...quartiles.map((of) => orDash(day.similarity?.[of], formatDecimal))]),
    level: 2,
  }).element;
}

/** @param {Day[]} days @param {string[]} names */
function unansweredChart(days, names) {
  return chartFigure({
    title: say("Unanswered or low-confidence questions"),
    description: say("A line by day: their share of all questions."),
    chart: lineChart(names, [{ name: say("Share"), values: days.map((day) => day.low_share) }], { format: formatPercent }),
    columns: [say("Day"), say("Answers"), say("Unanswered or low confidence"), say("Share")],
    rows: rowsOf(days, names, (day) => [String(day.answers), String(day.low), orDash(day.low_share, formatPercent)]),
    level: 2,
  }).element;
}

/** @param {Day[]} days @param {string[]} names */
function ratingChart(days, names) {
  const rated = days.flatMap((day, index) => (day.up + day.down ? [{ ...day, name: names[index] }] : []));
  if (!rated.length) return el("section", { class: "chart" }, el("h2", {}, say("Ratings")), el("p", { class: "soft" }, say("No ratings yet.")));
  const series = [
    { name: say("Helpful"), values: rated.map((day) => ({ value: day.up })) },
    { name: say("Not helpful"), values: rated.map((day) => ({ value: day.down })) },
  ];
  return chartFigure({
    title: say("Ratings"),
    description: say("Bars by day: how many answers were rated helpful and not helpful."),
    chart: barChart(rated.map((day) => day.name), series, { max: multipleOf4(rated.flatMap((day) => [day.up, day.down])), format: (value) => formatDecimal(value, 0) }),
    columns: [say("Day"), say("Helpful"), say("Not helpful")],
    rows: rated.map((day) => [day.name, String(day.up), String(day.down)]),
    level: 2,
  }).element;
}

/** @param {Day[]} days @param {string[]} names */
function timeChart(days, names) {
  const percentiles = /** @type {const} */ (["p50", "p95"]);
  const labels = { p50: say("Median time"), p95: say("95th percentile") };
  const series = percentiles.map((of) => ({ name: labels[of], values: days.map((day) => day.times?.[of] ?? null) }));
  const max = Math.max(0.1, ...series.flatMap((one) => one.values.map((value) => value ?? 0)));
  return chartFigure({
    title: say("Response time"),
    description: say("Lines by day: median and 95th percentile in seconds."),
    chart: lineChart(names, series, { max: roundedUp(max), format: formatSeconds }),
    columns: [say("Day"), ...series.map((one) => one.name)],
    rows: rowsOf(days, names, (day) => percentiles.map((of) => orDash(day.times?.[of], formatSeconds))),
    level: 2,
  }).element;
}

/** Returns an axis maximum whose quarters are whole numbers. @param {number[]} values */
const multipleOf4 = (values) => Math.max(4, Math.ceil(Math.max(...values) / 4) * 4);

/** Returns the next of 1, 2, 4, 8, 10 times a power of ten: its quarters are round numbers. @param {number} value */
function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 8, 10].find((each) => each * power >= value) ?? 10) * power;
}
