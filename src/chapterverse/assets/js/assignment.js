/** An assignment's students: who has handed in, and the way to the gradebook. */
import { API, ask, get, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { momentOf } from "./formats.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const table = byId("students");
const path = `/assignments/${table.dataset.assignment}`;
let chosen = null;

byId("leave").addEventListener("click", () => byId("sending").close());
byId("send").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
tried(look);

async function look() {
  tell(say("Asking your learning platform who is in the course …"));
  const { students, whole } = await get(`${path}/students`);
  table.tBodies[0].replaceChildren(...students.map(row));
  if (!students.length) tell(say("Nobody has handed in yet."));
  else tell(whole ? summary(students) : say("Your learning platform gives no list of the course just now: these have handed in."));
}

const summary = (students) =>
  say("{count} of {all} have handed in.", { count: students.filter((each) => each.handed_in).length, all: students.length });

function row(student) {
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, student.name, student.email && el("span", { class: "soft below" }, student.email)),
    el("td", {}, student.handed_in ? handedIn(student) : say("not yet")),
    el("td", {}, gradebook(student)),
  );
}

function handedIn(student) {
  const link = `/essay/classes/others/${student.feedback}`;
  const name = say("Open the essay of {name}", { name: student.name });
  return [
    el("time", { datetime: student.handed_in, class: "below" }, momentOf(student.handed_in)),
    student.feedback ? el("a", { href: link, "aria-label": name }, say("Open")) : el("span", { class: "soft" }, say("not kept any more")),
    student.feedback && !student.approved && el("span", { class: "soft below" }, say("waits to be approved")),
  ];
}

function gradebook(student) {
  if (!student.handed_in) return "";
  const { score } = student;
  const label = say("Send {name}’s score or comment", { name: student.name });
  return [
    score && el("span", { class: "below" }, score.given == null ? say("comment sent") : say("{given} of {most} sent", score)),
    el("button", { type: "button", "aria-label": label, on: { click: () => open(student) } }, score ? say("Send again") : say("Send …")),
  ];
}

function open(student) {
  chosen = student;
  byId("sending-title").textContent = student.name;
  byId("given").value = student.score?.given ?? "";
  byId("comment").value = (student.score?.comment ?? "").split("\n").slice(0, -1).join("\n");
  said("");
  byId("sending").showModal();
}

async function send() {
  const given = byId("given").value.trim().replace(",", ".");
  if (given && !(Number(given) >= 0 && Number(given) <= Number(table.dataset.most))) {
    said(say("Give a score from 0 to {most}, or none.", { most: table.dataset.most }), true);
    byId("given").focus();
    return;
  }
  said(say("Sending …"));
  try {
    const json = { student: chosen.student, given: given ? Number(given) : null, comment: byId("comment").value };
    await ask(`${API}${path}/score`, { method: "PUT", json });
    byId("sending").close();
    await tried(look);
    tell(say("Sent to the gradebook: {name}.", { name: chosen.name }));
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    said(error.message, true);
  }
}

function said(message, trouble = false) {
  byId("sent").textContent = message;
  byId("sent").classList.toggle("trouble", trouble);
}
