// @ts-check
/** The students of a class: their codes, adding names, and printing the list. */
import { API, getJson, reportErrors, request, requestJson, showStatus } from "./api.js";
import { byId, el, onFilesChosen } from "./dom.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { ClassStudent, SchoolClass } from "./types" */

const table = byId("students", HTMLTableElement);
const names = byId("names", HTMLTextAreaElement);
const path = `/classes/${table.dataset.class}`;

byId("print").addEventListener("click", () => print());
byId("names-form").addEventListener("submit", (event) => {
  event.preventDefault();
  reportErrors(add);
});
onFilesChosen(byId("csv", HTMLInputElement), async ([file]) => {
  names.value = [names.value.trim(), await file.text()].filter(Boolean).join("\n");
  names.dispatchEvent(new Event("input", { bubbles: true }));
  names.focus();
});
reportErrors(async () => show(await getJson(path)));

/** @param {SchoolClass} found */
function show({ students }) {
  const empty = el("tr", {}, el("td", { colspan: 3 }, say("No students yet. Add their names, or let them join with the code.")));
  table.tBodies[0].replaceChildren(...(students.length ? students.map(studentRow) : [empty]));
}

/** @param {ClassStudent} student */
function studentRow(student) {
  const { name } = student;
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, name),
    el("td", {}, student.code && el("code", {}, student.code), student.email && el("span", { class: student.code ? "soft below" : null }, student.email), !student.joined && el("span", { class: "soft below" }, say("has not signed in yet"))),
    el("td", {}, el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "small", "aria-label": say("Rename {name}", { name }), on: { click: () => rename(student) } }, say("Rename")),
      el("button", { type: "button", class: "small", "aria-label": say("New code for {name}", { name }), on: { click: () => renew(student) } }, say("New code")),
      el("button", { type: "button", class: "small", "aria-label": say("Remove {name}", { name }), on: { click: () => remove(student) } }, say("Remove")),
    )),
  );
}

async function add() {
  /** @type {SchoolClass} */
  const found = await requestJson(`${path}/students`, { method: "POST", json: { names: names.value } });
  names.value = "";
  forgetDraft(byId("names-form", HTMLFormElement));
  show(found);
  showStatus(found.skipped ? say("Added. {count} were in the class already.", { count: found.skipped }) : say("Added."));
}

/** @param {ClassStudent} student */
const rename = (student) => reportErrors(async () => {
  const name = prompt(say("Name or pseudonym"), student.name)?.trim();
  if (!name || name === student.name) return;
  await change(student, "", "PUT", { name });
});

/** @param {ClassStudent} student */
const renew = (student) => reportErrors(async () => {
  if (!student.code || confirm(say("Give {name} a new code? The old one will no longer work.", student))) await change(student, "/code", "POST");
});

/** @param {ClassStudent} student */
const remove = (student) => reportErrors(async () => {
  if (confirm(say("Remove {name} from the class?", student))) await change(student, "", "DELETE");
});

/** @param {ClassStudent} student @param {string} below @param {string} method @param {unknown} [json] */
async function change(student, below, method, json) {
  await request(`${API}${path}/students/${student.id}${below}`, { method, json });
  show(await getJson(path));
  showStatus(say("Saved."));
}
