// @ts-check
/** The school's people: inviting one, and links to pass on. Roles and removing people are in the page (actions.js). */
import { refresh, toCopy } from "./actions.js";
import { reportErrors, requestJson, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { onSubmit, valuesOf } from "./forms.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";
/** @import { Invitation } from "./types" */

/** Links to copy, by the address of their person. @type {Map<string, string>} */
const links = new Map();

onSubmit("#invite", inviteOne);
byId("people").addEventListener("click", ({ target }) => {
  const email = target instanceof HTMLElement && target.dataset.link;
  if (email) reportErrors(() => sendLink(email));
});

/** @param {HTMLFormElement} form */
async function inviteOne(form) {
  /** @type {Invitation} */
  const invited = await requestJson("/people", { method: "POST", json: valuesOf(form) });
  form.reset();
  forgetDraft(form);
  await refresh();
  showLinks([invited]);
  showStatus(invited.new ? sentText(invited) : say("{email} is already on the list; no e-mail was sent.", invited));
}

/** @param {{ email: string, sent: boolean }} to */
const sentText = (to) => (to.sent ? say("We’ve sent a link to {email}.", to) : say("No e-mail was sent to {email}. Copy the link below and pass it on.", to));

/** Shows the links that no e-mail took to their people, before the earlier ones: no link can be shown again. @param {{ email: string, link?: string | null }[]} invited */
function showLinks(invited) {
  for (const { email, link } of invited) if (link) links.set(email, link);
  byId("links").hidden = !links.size;
  byId("link-list").replaceChildren(...[...links].reverse().map(([email, link]) => linkItem(email, link)));
}

/** @param {string} email @param {string} link */
const linkItem = (email, link) =>
  el("li", {}, el("p", { class: "who" }, el("strong", {}, email)), el("div", { class: "row-actions" }, toCopy(link, say("Link for {email}", { email }), say("Copy the link for {email}", { email }))));

/** @param {string} email */
async function sendLink(email) {
  /** @type {{ sent: boolean, link?: string | null }} */
  const { sent, link } = await requestJson(`/people/${encodeURIComponent(email)}/link`, { method: "POST" });
  showLinks([{ email, link }]);
  showStatus(sentText({ email, sent }));
}
