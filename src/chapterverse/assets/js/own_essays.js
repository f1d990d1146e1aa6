import { API, ask } from "./api.js";
import { el } from "./dom.js";
import { countOf, dayOf, momentOf } from "./formats.js";
import { tried } from "./status.js";
import { say } from "./texts.js";

export const addressOf = (id) => `/essay/mine/${encodeURIComponent(id)}`;

/** When it came in, how it stands with the teacher, and until when it is kept. */
export function factsOf(one) {
  return [
    el("time", { datetime: one.created }, momentOf(one.created)),
    one.words !== undefined && say("{words} words", { words: countOf(one.words) }),
    approvalOf(one),
    one.changed && say("Your teacher has chosen its evidence"),
    say("Kept until {day}", { day: dayOf(one.expires) }),
  ].filter(Boolean).flatMap((fact) => [fact, " · "]).slice(0, -1);
}

/** Where nobody has to approve it, it is approved in the moment it is given. */
function approvalOf(one) {
  if (!one.approved) return el("strong", {}, say("Waits for your teacher"));
  return one.approved !== one.created && say("Approved by your teacher on {day}", { day: dayOf(one.approved) });
}

/** What can be done with one: a new version, and deleting it, after a question. gone: called then. */
export function actsOn(one, gone) {
  const remove = () => tried(async () => {
    if (!confirm(say("Delete this essay and all that was said of it? Your teacher does not see it any more either."))) return;
    await ask(`${API}/essays/mine/${encodeURIComponent(one.id)}`, { method: "DELETE" });
    await gone();
  });
  return [
    one.approved && el("a", { class: "button", href: `/essay?version_of=${encodeURIComponent(one.id)}` }, say("Hand in a new version")),
    el("button", { type: "button", on: { click: remove } }, say("Delete")),
  ].filter(Boolean);
}

/** The essay as it can be written on: its title, and its paragraphs with a line between them. */
export function textOf(feedback) {
  return [feedback.title && `# ${feedback.title}`, ...feedback.paragraphs.map((one) => one.text)].filter(Boolean).join("\n\n");
}
