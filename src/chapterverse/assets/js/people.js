/** The school's people: invited, one or a list, given another role, removed. */
import { API, answerTo, ask, get } from "./api.js";
import { byId, el } from "./dom.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const ROLES = () => ({ student: say("Student"), teacher: say("Teacher"), admin: say("Admin") });
const WHY = () => ({
  no_address: say("this is no e-mail address"),
  no_role: say("this role is none: student, teacher or admin"),
  locks_out: say("you cannot take being an admin from yourself or from the last one"),
});
let people = [];

byId("invite").addEventListener("submit", (event) => act(event, inviteOne));
byId("invite-all").addEventListener("submit", (event) => act(event, inviteAll));
byId("find").addEventListener("input", show);
byId("file").addEventListener("change", async ({ target }) => {
  if (target.files.length) byId("list").value = await target.files[0].text();
  target.value = "";
});
tried(load);

async function load() {
  ({ people } = await get("/people"));
  show();
}

/** Do what a form asks for; until that is done its button does nothing. */
async function act(event, how) {
  event.preventDefault();
  const button = event.target.querySelector("button.primary");
  button.disabled = true;
  await tried(() => how(event.target));
  button.disabled = false;
}

async function inviteOne(form) {
  const { email, name, role } = Object.fromEntries(new FormData(form));
  const invited = await answerTo("/people", { method: "POST", json: { email, name, role } });
  form.reset();
  await load();
  if (!invited.new) tell(say("{email} was here already; no letter was sent.", invited));
  else if (invited.sent) tell(say("A link is on its way to {email}.", invited));
  else tell(say("{email} may sign in, but the letter could not be sent. Send the link again later.", invited), true);
}

async function inviteAll(form) {
  const lines = byId("list").value.split(/\r\n|\r|\n/);
  const json = { people: lines.join("\n"), role: new FormData(form).get("role") };
  tell(say("Sending links …"));
  const { invited, wrong } = await answerTo("/people/list", { method: "POST", json });
  byId("list").value = wrong.map(({ line }) => lines[line - 1]).join("\n"); // what is left to mend
  byId("wrong").replaceChildren(...wrong.map(({ why }, at) => el("li", {}, say("Line {line}: {why}.", { line: at + 1, why: WHY()[why] }))));
  await load();
  const fresh = invited.filter((each) => each.new);
  const unsent = fresh.filter((each) => !each.sent).length;
  const told = { fresh: fresh.length, known: invited.length - fresh.length, wrong: wrong.length, unsent };
  tell(summary(told), unsent > 0 || wrong.length > 0);
}

function summary({ fresh, known, wrong, unsent }) {
  return [
    say("{fresh} invited, {known} were here already.", { fresh, known }),
    unsent ? say("{unsent} letters could not be sent: send those links again later.", { unsent }) : "",
    wrong ? say("{wrong} lines need another look; they are still in the list.", { wrong }) : "",
  ].join(" ");
}

function show() {
  const wanted = byId("find").value.trim().toLowerCase();
  const found = people.filter(({ email, name }) => `${email} ${name}`.toLowerCase().includes(wanted));
  byId("count").textContent = `(${people.length})`;
  byId("people").replaceChildren(...found.map(row));
  byId("nobody").hidden = found.length > 0 || !wanted;
}

function row(person) {
  return el(
    "li",
    {},
    el(
      "p",
      { class: "who", dir: "auto" },
      el("strong", {}, person.name, person.you && ` (${say("you")})`),
      person.name !== person.email && el("span", { class: "soft" }, person.email),
    ),
    el(
      "div",
      { class: "doing" },
      choice(person),
      el("button", { type: "button", "aria-label": say("Send a link to {name}", person), on: { click: () => again(person) } }, say("Send a link")),
      !person.you &&
        el("button", { type: "button", "aria-label": say("Remove {name}", person), on: { click: () => remove(person) } }, say("Remove")),
    ),
  );
}

function choice(person) {
  const label = say("Role of {name}", person);
  const options = Object.entries(ROLES()).map(([value, text]) => el("option", { value, selected: value === person.role }, text));
  return el("select", { "aria-label": label, disabled: person.you, on: { change: (event) => become(person, event.target) } }, options);
}

async function become(person, chosen) {
  const before = person.role;
  chosen.value = await changed(person, chosen.value) ? person.role : before;
}

async function changed(person, role) {
  let done = false;
  await tried(async () => {
    await ask(at(person), { method: "PUT", json: { role } });
    person.role = role;
    done = true;
    tell(say("{name} is now: {role}.", { name: person.name, role: ROLES()[role] }));
  });
  return done;
}

async function again(person) {
  await tried(async () => {
    await ask(`${at(person)}/link`, { method: "POST" });
    tell(say("A link is on its way to {email}.", person));
  });
}

async function remove(person) {
  const question = say("Remove {name} ({email})? They are signed out everywhere at once. What they handed in stays with the school.", person);
  if (!confirm(question)) return;
  await tried(async () => {
    await ask(at(person), { method: "DELETE" });
    await load();
    tell(say("{name} was removed.", person));
    byId("find").focus();
  });
}

const at = ({ email }) => `${API}/people/${encodeURIComponent(email)}`;
