// @ts-check
/** The list of somebody's own essays, newest first. */
import { getJson, reportErrors, showStatus } from "./api.js";
import { byId, el } from "./dom.js";
import { formatDate } from "./formats.js";
import { actionsOn, addressOf, factsOf } from "./own_essays.js";
import { say } from "./texts.js";
/** @import { OwnEssay } from "./types" */

reportErrors(load);

async function load() {
  /** @type {{ essays: OwnEssay[] }} */
  const { essays } = await getJson("/essays/mine");
  byId("none").hidden = essays.length > 0;
  byId("essays").replaceChildren(...essays.map((one) => essayItem(one, essays)));
}

/** @param {OwnEssay} essay @param {OwnEssay[]} essays */
function essayItem(essay, essays) {
  const deleted = async () => {
    await load();
    showStatus(say("Deleted."));
    byId("title").focus();
  };
  const version = versionText(essay, essays);
  return el(
    "li",
    { class: "card" },
    el("h2", { class: "title", dir: "auto" }, el("a", { href: addressOf(essay.id) }, essay.assignment || essay.title || `${essay.begins} …`)),
    essay.assignment && el("p", { dir: "auto" }, essay.title ?? `${essay.begins} …`),
    version && el("p", { class: "version" }, version),
    el("p", { class: "soft" }, factsOf(essay), " · ", say("Stored until {day}", { day: formatDate(essay.expires) })),
    el("div", { class: "row" }, actionsOn(essay, deleted)),
  );
}

/** Returns the version's number, counted among the essays that still exist; null for a first version. @param {OwnEssay} essay @param {OwnEssay[]} essays */
function versionText(essay, essays) {
  if (!essay.version_of) return null;
  if (!essays.some((one) => one.id === essay.version_of)) return say("A new version");
  let number = 1;
  /** @type {OwnEssay | undefined} */
  let each = essay;
  while (each?.version_of) {
    /** @type {string} */
    const earlier = each.version_of;
    each = essays.find((one) => one.id === earlier);
    number += 1;
  }
  return say("Version {number}", { number });
}
