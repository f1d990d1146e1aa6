// @ts-check
/** Answer quality: how many questions were answered, by day, and the questions without a good answer. */
import { getJson, reportErrors, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { formatDecimal, formatPercent, language } from "./formats.js";
import { say } from "./texts.js";
/** @import { Metrics, QuestionGroup, TeachersVerdict } from "./types" */

const form = byId("range", HTMLFormElement);
const dayName = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });

form.addEventListener("change", load);
form.addEventListener("submit", (event) => event.preventDefault());
load();
reportErrors(async () => {
  /** @type {TeachersVerdict} */
  const { writers } = await getJson("/feedback/verdict");
  const columns = [say("Written by"), say("Essays"), say("Comments"), say("Changed"), say("Hidden"), say("Added by teachers")];
  const rows = writers.map(({ by, ...counts }) => row(by || say("No language model"), Object.values(counts).map(String)));
  byId("writers").replaceChildren(rows.length ? table(say("Comments on essays"), columns, rows) : say("None."));
});

async function load() {
  const query = new URLSearchParams([...new FormData(form)].flatMap(([name, value]) => (value ? [[name, String(value)]] : [])));
  await reportErrors(async () => {
    /** @type {Metrics} */
    const metrics = await getJson(`/answers/metrics?${query}`);
    byId("days").replaceChildren(...(metrics.total.answers ? dayTable(metrics) : [el("p", {}, say("No questions in these days."))]));
    const { groups } = await getJson(`/answers/unanswered?${query}`);
    byId("groups").replaceChildren(...(groups.length ? groups.map(groupItem) : [el("li", {}, say("None."))]));
    showStatus("");
  });
}

/** Returns a row per day on which questions were asked, newest first, and one for all days. @param {Metrics} metrics */
function dayTable({ total, days, doubtful }) {
  const columns = [say("Day"), say("Answers"), say("Median match"), say("Unanswered or low confidence"), say("Helpful"), say("Not helpful"), say("Median time")];
  const rows = [...days].reverse().map((day) => rowOf(dayName.format(new Date(day.name)), day));
  return [
    doubtful && el("p", { class: "warning" }, say("The sources match the questions poorly (mean below 0.4). Check whether documents are missing, or whether people use different words.")),
    table(say("Answers by day"), columns, [rowOf(say("All days"), total), ...rows]),
  ].filter((each) => each instanceof HTMLElement);
}

/** @param {string} name @param {Metrics["total"]} counted */
function rowOf(name, { answers, median, low, low_share: share, up, down, p50 }) {
  const cells = [String(answers), median === null ? "–" : formatDecimal(median), `${low} (${formatPercent(share ?? 0)})`, String(up), String(down), p50 === null ? "–" : say("{number} s", { number: formatDecimal(p50) })];
  return row(name, cells);
}

/** @param {string} name @param {string[]} cells */
function row(name, cells) {
  return el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell) => el("td", {}, cell)));
}

/** @param {string} label @param {string[]} columns @param {HTMLElement[]} rows */
function table(label, columns, rows) {
  const head = el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name))));
  return el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, el("table", {}, head, el("tbody", {}, rows)));
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
