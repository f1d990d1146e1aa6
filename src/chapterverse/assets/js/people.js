// @ts-check
/** The school's people: inviting one or many, changing roles, removing people. */
import { API, getJson, reportErrors, request, requestJson, showStatus } from "./api.js";
import { byId, copyElement, el, find, onFilesChosen } from "./dom.js";
import { nameOrder } from "./formats.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { Invitation, Person } from "./types" */

const isMailed = "mailed" in byId("people").dataset;
const ROLES = ["student", "teacher", "admin"];
const list = byId("list", HTMLTextAreaElement);
const search = byId("find", HTMLInputElement);
/** @type {Person[]} */
let people = [];
/** Links to copy, by the address of their person. @type {Map<string, string>} */
const links = new Map();

onSubmit(byId("invite", HTMLFormElement), inviteOne);
onSubmit(byId("invite-all", HTMLFormElement), inviteAll);
search.addEventListener("input", show);
onFilesChosen(byId("file", HTMLInputElement), async ([file]) => showList([list.value.trim(), await file.text()].filter(Boolean).join("\n")));
reportErrors(load);

/** @param {string} role */
function roleName(role) {
  if (role === "student") return say("Student");
  return role === "teacher" ? say("Teacher") : say("Admin");
}

/** @param {string} reason */
function reasonText(reason) {
  if (reason === "no_address") return say("not an e-mail address");
  if (reason === "no_role") return say("unknown role: use student, teacher or admin");
  return say("you can’t remove your own admin role or the last one");
}

async function load() {
  ({ people } = await getJson("/people"));
  people.sort((one, other) => nameOrder.compare(one.name || one.email, other.name || other.email));
  show();
}

/** Runs an action at each submission; its button is disabled meanwhile. @param {HTMLFormElement} form @param {(form: HTMLFormElement) => Promise<void>} action */
function onSubmit(form, action) {
  const button = find(form, "button.primary", HTMLButtonElement);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    await reportErrors(() => action(form));
    button.disabled = false;
  });
}

/** @param {HTMLFormElement} form */
async function inviteOne(form) {
  const { email, name, role } = Object.fromEntries(new FormData(form));
  /** @type {Invitation} */
  const invited = await requestJson("/people", { method: "POST", json: { email, name, role } });
  form.reset();
  forgetDraft(form);
  await load();
  showLinks([invited]);
  if (!invited.new) showStatus(say("{email} was already here; no e-mail was sent.", invited));
  else if (invited.sent) showStatus(say("We’ve sent a link to {email}.", invited));
  else showStatus(say("No e-mail was sent to {email}. Copy the link below and pass it on.", invited));
}

/** Shows the links that no e-mail took to their people, before the earlier ones: no link can be shown again. @param {{ email: string, link?: string | null }[]} invited */
function showLinks(invited) {
  for (const { email, link } of invited) if (link) links.set(email, link);
  byId("links").hidden = !links.size;
  byId("link-list").replaceChildren(...[...links].reverse().map(([email, link]) => linkItem(email, link)));
}

/** @param {string} email @param {string} link */
function linkItem(email, link) {
  const field = el("input", { readonly: true, value: link, "aria-label": say("Link for {email}", { email }) });
  const copy = () => showStatus(copyElement(el("span", {}, link)) ? say("Copied.") : say("This browser does not allow copying. Select the text instead."));
  return el("li", {}, el("p", { class: "who" }, el("strong", {}, email)), el("div", { class: "row-actions" }, field, el("button", { type: "button", "aria-label": say("Copy the link for {email}", { email }), on: { click: copy } }, say("Copy"))));
}

/** @param {string} text */
function showList(text) {
  list.value = text;
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {HTMLFormElement} form */
async function inviteAll(form) {
  const lines = list.value.split(/\r\n|\r|\n/);
  const json = { people: lines.join("\n"), role: new FormData(form).get("role") };
  showStatus(say("Sending links …"));
  /** @type {{ invited: Invitation[], wrong: { line: number, why: string }[] }} */
  const { invited, wrong } = await requestJson("/people/list", { method: "POST", json });
  showList(wrong.map(({ line }) => lines[line - 1]).join("\n")); // what has to be corrected
  byId("problems").replaceChildren(...wrong.map(({ why }, index) => el("li", {}, say("Line {line}: {why}.", { line: index + 1, why: reasonText(why) }))));
  await load();
  const added = invited.filter((each) => each.new);
  const unsent = added.filter((each) => !each.sent).length;
  showLinks(added);
  const text = [
    say("{fresh} invited, {known} were already here.", { fresh: added.length, known: invited.length - added.length }),
    unsent && say("{unsent} links were not sent. Copy them below and pass them on.", { unsent }),
    wrong.length && say("{wrong} lines have errors and are still in the list.", { wrong: wrong.length }),
  ].filter(Boolean).join(" ");
  showStatus(text, unsent > 0 || wrong.length > 0);
}

/** Whether letters can reach the person. Students who joined a class by a code have an address that is none. @param {Person} person */
const hasAddress = ({ email }) => !email.endsWith("@class.invalid");

function show() {
  const wanted = search.value.trim().toLowerCase();
  const found = people.filter(({ email, name }) => `${email} ${name}`.toLowerCase().includes(wanted));
  byId("count").textContent = `(${people.length})`;
  byId("people").replaceChildren(...found.map(personItem));
  byId("no-matches").hidden = found.length > 0 || !wanted;
}

/** @param {Person} person */
function personItem(person) {
  return el(
    "li",
    {},
    el(
      "p",
      { class: "who", dir: "auto" },
      el("strong", {}, person.name, person.you && ` (${say("you")})`),
      person.name !== person.email && el("span", { class: "soft" }, hasAddress(person) ? person.email : say("signs in with a code from a teacher")),
    ),
    el(
      "div",
      { class: "row-actions" },
      roleChoice(person),
      (hasAddress(person) || !isMailed) && el("button", { type: "button", "aria-label": isMailed ? say("Send a link to {name}", person) : say("Create a link for {name}", person), on: { click: () => sendLink(person) } }, isMailed ? say("Send a link") : say("Create a link")),
      !person.you && el("button", { type: "button", "aria-label": say("Remove {name}", person), on: { click: () => remove(person) } }, say("Remove")),
    ),
  );
}

/** @param {Person} person */
function roleChoice(person) {
  const options = ROLES.map((role) => el("option", { value: role, selected: role === person.role }, roleName(role)));
  const change = async () => {
    await reportErrors(() => setRole(person, choice.value));
    choice.value = person.role;
  };
  /** @type {HTMLSelectElement} */
  const choice = el("select", { "aria-label": say("Role of {name}", person), disabled: person.you, on: { change } }, options);
  return choice;
}

/** @param {Person} person @param {string} role */
async function setRole(person, role) {
  await request(pathOf(person), { method: "PUT", json: { role } });
  person.role = /** @type {Person["role"]} */ (role);
  showStatus(say("{name}’s role is now {role}.", { name: person.name, role: roleName(role) }));
}

/** @param {Person} person */
async function sendLink(person) {
  await reportErrors(async () => {
    /** @type {{ sent: boolean, link?: string | null }} */
    const { sent, link } = await (await request(`${pathOf(person)}/link`, { method: "POST" })).json();
    showLinks([{ email: person.email, link }]);
    showStatus(sent ? say("We’ve sent a link to {email}.", person) : say("No e-mail was sent to {email}. Copy the link below and pass it on.", person));
  });
}

/** @param {Person} person */
async function remove(person) {
  if (!confirm(say("Remove {name} ({email})? They will be signed out everywhere at once. Their essays stay with the school.", person))) return;
  await reportErrors(async () => {
    await request(pathOf(person), { method: "DELETE" });
    await load();
    showStatus(say("{name} was removed.", person));
    search.focus();
  });
}

/** @param {Person} person */
const pathOf = ({ email }) => `${API}/people/${encodeURIComponent(email)}`;
