// @ts-check
/** The class at a glance: what its essays need, who is missing, passages of the books, what later versions improved. */
import { getJson } from "./api.js";
import { byId, el } from "./dom.js";
import { viewerLink } from "./page_viewer.js";
import { say } from "./texts.js";
/** @import { Child, ClassGlance, RosterEntry } from "./types" */

const MAX_CHAPTERS = 12; // of one book, in the list of those that no essay uses

/**
 * Shows what the essays of an assignment have in common.
 * @param {string} path of the assignment
 * @param {RosterEntry[]} students
 */
export async function showGlance(path, students) {
  /** @type {ClassGlance} */
  const { essays, needs, passages, unused, later } = await getJson(`${path}/glance`);
  const missing = students.filter((each) => each.progress === "missing").map((each) => each.name);
  const isMixed = missing.length > 0 && missing.length < students.length;
  const parts = [
    needs.length > 0 && part(say("What the essays need first"), el("ul", { class: "plain counts" }, needs.map((one) => el("li", {}, `${partName(one.need)} `, el("strong", {}, String(one.essays)))))),
    isMixed && part(say("Not handed in"), el("p", { dir: "auto" }, missing.join(" · "))),
    later.essays > 0 && part(say("Later versions"), el("p", {}, laterText(later))),
    passages.length > 0 && part(say("Passages of your books in several essays"), el("ul", { class: "plain passages" }, passages.map(passageItem)), "passages-part"),
    unused.length > 0 && part(say("Chapters that no essay uses"), el("ul", {}, unused.map(unusedItem))),
  ];
  const place = byId("glance");
  place.replaceChildren(el("h2", {}, say("The class at a glance")), ...parts.filter((each) => each !== false));
  place.hidden = !essays && !isMixed;
}

/** @param {string} name @param {Child} content @param {string} [className] */
const part = (name, content, className) => el("section", { class: className }, el("h3", {}, name), content);

/** @param {ClassGlance["later"]} later */
function laterText({ essays, resolved, tried, untouched }) {
  const all = resolved + tried + untouched;
  const revised = say("Revised essays: {count}.", { count: essays });
  return all ? `${revised} ${say("Of {all} comments, {resolved} were addressed and {tried} partly.", { all, resolved, tried })}` : revised;
}

/** @param {ClassGlance["passages"][number]} passage */
function passageItem({ sentence, text, citation, essays, quoted }) {
  const counts = [say("in the feedback on {count} essays", { count: essays }), quoted > 0 && say("quoted in {count}", { count: quoted })];
  return el("li", {}, el("q", { class: "words", dir: "auto", title: text }, text), el("div", { class: "row soft" }, viewerLink(`/sentences/${encodeURIComponent(sentence)}`, citation.replace(/^\(|\)$/g, "")), counts.filter(Boolean).join(", ")));
}

/** @param {ClassGlance["unused"][number]} book */
function unusedItem({ title, chapters, of }) {
  const more = chapters.length - MAX_CHAPTERS;
  const names = chapters.slice(0, MAX_CHAPTERS).join(" · ");
  return el(
    "li",
    {},
    el("strong", { dir: "auto" }, title),
    `: ${say("{count} of {all} chapters", { count: chapters.length, all: of })}. `,
    el("span", { class: "soft", dir: "auto" }, more > 0 ? `${names} · ${say("and {count} more", { count: more })}` : names),
  );
}

/** Returns the name of a part of feedback. @param {ClassGlance["needs"][number]["need"]} part */
function partName(part) {
  if (part === "content") return say("Content");
  return part === "features" ? say("Structure") : say("Language");
}
