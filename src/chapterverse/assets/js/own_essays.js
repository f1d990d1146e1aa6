// @ts-check
/** What the pages of somebody's own essays share: facts and actions, ratings of comments and evidence. */
import { API, getJson, reportErrors, request } from "./api.js";
import { el, thumbIcon } from "./dom.js";
import { formatCount, formatDate, formatDateTime } from "./formats.js";
import { say } from "./texts.js";
/** @import { Feedback, FeedbackSummary, OwnEssay, ShownComment } from "./types" */

/** @param {string} id */
export const addressOf = (id) => `/essay/mine/${encodeURIComponent(id)}`;

/**
 * Returns when an essay was submitted, and its approval, separated by dots.
 * @param {OwnEssay | Feedback} essay
 * @returns {(Node | string)[]}
 */
export function factsOf(essay) {
  const facts = [
    el("time", { datetime: essay.created }, formatDateTime(essay.created)),
    "words" in essay && say("{words} words", { words: formatCount(essay.words) }),
    approvalText(essay),
    essay.changed && say("Your teacher has edited the feedback"),
  ];
  return facts.filter((fact) => fact !== false).flatMap((fact) => [fact, " · "]).slice(0, -1);
}

/**
 * Shows links to the other versions of an essay; nothing where there is one.
 * @param {HTMLElement} place
 * @param {string} id of the feedback on this version
 * @param {(id: string) => string} address of the page of a version
 */
export async function showVersions(place, id, address) {
  /** @type {{ feedback: FeedbackSummary[] }} */
  const { feedback: versions } = await getJson(`/feedback/${encodeURIComponent(id)}/versions`);
  place.hidden = versions.length < 2;
  place.replaceChildren(...versions.map((one, index) => {
    const text = `${say("Version {number}", { number: index + 1 })}, ${formatDate(one.created)}`;
    return el("a", { class: "chip", href: address(one.id), "aria-current": one.id === id ? "page" : null }, text);
  }));
}

/** Feedback that needs no approval is approved at the moment it is created. @param {OwnEssay | Feedback} essay */
function approvalText(essay) {
  if (!essay.approved) return el("strong", {}, say("Waiting for your teacher"));
  return essay.approved !== essay.created && say("Released by your teacher on {day}", { day: formatDate(essay.approved) });
}

/**
 * Returns the link to submit a new version and the button to delete an essay.
 * @param {OwnEssay | Feedback} essay
 * @param {() => unknown} deleted called after it was deleted
 */
export function actionsOn(essay, deleted) {
  const remove = () => reportErrors(async () => {
    if (!confirm(say("Delete this essay and its feedback? Your teacher will no longer see it either."))) return;
    await request(`${API}/essays/mine/${encodeURIComponent(essay.id)}`, { method: "DELETE" });
    await deleted();
  });
  const button = el("button", { type: "button", on: { click: remove } }, say("Delete"));
  if (!essay.approved) return [button];
  return [el("a", { class: "button", href: `/essay?version_of=${encodeURIComponent(essay.id)}` }, say("Revise")), button];
}

/**
 * Returns rating buttons for the comments and evidence of feedback on one's own essay.
 * @param {HTMLElement} place shows the feedback; has the class is-kept while there is something to rate
 */
export function ownRatings(place) {
  /** @type {string | null} */
  let id = null;
  /** @type {Map<string, string | null>} */
  let ratings = new Map();
  /** @param {string} part @param {number} number */
  const keyOf = (part, number) => `${part}/${number}`;

  /** @param {string} part @param {number} number */
  const buttonsFor = (part, number) => {
    const key = keyOf(part, number);
    /** @type {["up" | "down", string][]} */
    const kinds = [["up", say("This helped")], ["down", say("This did not help")]];
    const buttons = kinds.map(([thumb, name]) =>
      el("button", { class: "chip", type: "button", "aria-label": name, "aria-pressed": String(ratings.get(key) === thumb), dataset: { thumb }, on: { click: () => rate(thumb) } }, thumbIcon(thumb)));
    /** Pressed again, a rating is withdrawn. @param {string} pressed */
    const rate = (pressed) => reportErrors(async () => {
      const thumb = ratings.get(key) === pressed ? null : pressed;
      await request(`${API}/essays/mine/${id}/thumbs/${key}`, { method: "PUT", json: { thumb } });
      ratings.set(key, thumb);
      for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.thumb === thumb));
    });
    return el("div", { class: "ratings", role: "group", "aria-label": say("Did this help you?") }, buttons);
  };

  return {
    /** @param {string | null} feedback its id; null if it is not stored @param {Feedback["thumbs"]} [thumbs] the ratings so far */
    setFeedback(feedback, thumbs = []) {
      id = feedback;
      ratings = new Map(thumbs.map((one) => [keyOf(one.part, one.number), one.thumb]));
      place.classList.toggle("is-stored", id !== null);
    },
    /** @param {ShownComment} comment */
    onComment: (comment) => buttonsFor("comment", comment.number),
  };
}
