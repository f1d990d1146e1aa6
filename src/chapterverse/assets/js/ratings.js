// @ts-check
/** Ratings of the comments on one's own essay. */
import { API, reportErrors, request } from "./api.js";
import { el, icon } from "./dom.js";
import { say } from "./texts.js";
/** @import { Feedback, ShownComment } from "./types" */

/**
 * Returns rating buttons for the comments and evidence of feedback on one's own essay.
 * @param {HTMLElement} place shows the feedback; has the class is-kept while there is something to rate
 */
export function ownRatings(place) {
  /** @type {string | null} */
  let id = null;
  /** @type {Map<string, string | null>} */
  let ratings = new Map();

  /** @param {ShownComment} comment */
  const onComment = ({ number }) => {
    const key = `comment/${number}`;
    /** @type {["up" | "down", string][]} */
    const kinds = [["up", say("This helped")], ["down", say("This didn’t help")]];
    const buttons = kinds.map(([thumb, name]) =>
      el("button", { class: "chip", type: "button", "aria-label": name, "aria-pressed": String(ratings.get(key) === thumb), dataset: { thumb }, on: { click: () => rate(thumb) } }, icon(`thumb ${thumb}`)));
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
      ratings = new Map(thumbs.map((one) => [`${one.part}/${one.number}`, one.thumb]));
      place.classList.toggle("is-stored", id !== null);
    },
    onComment,
  };
}
