/** How answers came out, day by day: how near their sources were, how many were hardly sure, thumbs, and how long they took. */
import { get } from "./api.js";
import { bars, figure, lines } from "./chart.js";
import { byId, el } from "./dom.js";
import { decimal, language, percent } from "./formats.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const form = byId("range");
const dayName = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });
const seconds = (value) => say("{number} s", { number: decimal(value, value < 10 ? 2 : 0) });
const orNone = (value, format) => (value == null ? "–" : format(value));

form.addEventListener("change", look);
form.addEventListener("submit", (event) => event.preventDefault());
look();

async function look() {
  const asked = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  await tried(async () => {
    const metrics = await get(`/answers/metrics?${asked}`);
    if (metrics.total.answers) show(metrics, Number(form.elements.days.value));
    else byId("told").replaceChildren(el("p", {}, say("Nothing was asked in these days.")));
    tell("");
  });
}

function show({ total, days, doubtful }, count) {
  const all = everyDay(days, count);
  const names = all.map((day) => dayName.format(new Date(day.day)));
  byId("told").replaceChildren(
    ...(doubtful ? [el("p", { class: "warned" }, say("What is found is far from what is asked (mean below 0.4): see whether documents are missing, or whether people ask in other words than these."))] : []),
    inNumbers(total),
    nearness(all, names),
    hardly(all, names),
    thumbs(all, names),
    times(all, names),
  );
}

/** Days without answers, too: else the distance between two points would say nothing. */
function everyDay(days, count) {
  const known = new Map(days.map((day) => [day.day, day]));
  const today = Date.now();
  return Array.from({ length: count }, (_, at) => new Date(today - (count - 1 - at) * 864e5).toISOString().slice(0, 10)).map(
    (day) => known.get(day) ?? { day, answers: 0, low: 0, low_share: null, up: 0, down: 0, similarity: null, times: null },
  );
}

function inNumbers(total) {
  const told = [
    [say("Answers"), total.answers],
    [say("Median nearness"), orNone(total.similarity?.median, decimal)],
    [say("None, or hardly sure"), orNone(total.low_share, percent)],
    [say("Helped"), total.up],
    [say("Did not help"), total.down],
    [say("Half take at most"), orNone(total.times?.p50, seconds)],
    [say("95 of 100 take at most"), orNone(total.times?.p95, seconds)],
  ];
  return el("dl", { class: "figures" }, told.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value)))));
}

const rowsOf = (days, names, cells) => days.flatMap((day, at) => (day.answers ? [[names[at], ...cells(day)]] : []));

function nearness(days, names) {
  const series = [
    [say("Three quarters below"), "upper"],
    [say("Median"), "median"],
    [say("A quarter below"), "lower"],
  ].map(([name, of]) => ({ name, values: days.map((day) => day.similarity?.[of] ?? null) }));
  return figure({
    title: say("How near the sources were to the questions"),
    told: say("Lines by day: median and quartiles of the mean cosine of each answer."),
    chart: lines(names, series),
    columns: [say("Day"), say("Answers"), ...series.map((one) => one.name)],
    rows: rowsOf(days, names, (day) => [day.answers, ...["upper", "median", "lower"].map((of) => orNone(day.similarity?.[of], decimal))].map(String)),
    level: 2,
  });
}

function hardly(days, names) {
  return figure({
    title: say("Answers that say nothing or are hardly sure"),
    told: say("A line by day: their share of all answers."),
    chart: lines(names, [{ name: say("Share"), values: days.map((day) => day.low_share) }], { format: percent }),
    columns: [say("Day"), say("Answers"), say("None, or hardly sure"), say("Share")],
    rows: rowsOf(days, names, (day) => [String(day.answers), String(day.low), orNone(day.low_share, percent)]),
    level: 2,
  });
}

function thumbs(days, names) {
  const given = days.map((day, at) => [day, names[at]]).filter(([day]) => day.up + day.down);
  if (!given.length) return el("section", { class: "chart" }, el("h2", {}, say("Thumbs")), el("p", { class: "soft" }, say("Nobody has said whether an answer helped.")));
  const series = [
    [say("Helped"), "up"],
    [say("Did not help"), "down"],
  ].map(([name, of]) => ({ name, values: given.map(([day]) => ({ value: day[of] })) }));
  return figure({
    title: say("Thumbs"),
    told: say("Bars by day: how often people said that an answer helped, and that it did not."),
    chart: bars(given.map(([, name]) => name), series, { most: evenMost(given.flatMap(([day]) => [day.up, day.down])), format: (value) => decimal(value, 0) }),
    columns: [say("Day"), say("Helped"), say("Did not help")],
    rows: given.map(([day, name]) => [name, String(day.up), String(day.down)]),
    level: 2,
  });
}

function times(days, names) {
  const series = [
    [say("Half take at most"), "p50"],
    [say("95 of 100 take at most"), "p95"],
  ].map(([name, of]) => ({ name, values: days.map((day) => day.times?.[of] ?? null) }));
  const most = Math.max(0.1, ...series.flatMap((one) => one.values.map((value) => value ?? 0)));
  return figure({
    title: say("How long an answer takes"),
    told: say("Lines by day: the seconds that half of the answers, and 95 of 100, took at most."),
    chart: lines(names, series, { most: rounded(most), format: seconds }),
    columns: [say("Day"), ...series.map((one) => one.name)],
    rows: rowsOf(days, names, (day) => ["p50", "p95"].map((of) => orNone(day.times?.[of], seconds))),
    level: 2,
  });
}

/** A whole number that four steps lead to. */
const evenMost = (values) => Math.max(4, Math.ceil(Math.max(...values) / 4) * 4);

/** The next of 1, 2, 4, 8, 10 … times a power of ten: its quarters are round, too. */
function rounded(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 8, 10].find((each) => each * power >= value) * power;
}
