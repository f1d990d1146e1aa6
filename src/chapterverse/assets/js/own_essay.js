// @ts-check
/** One of somebody's own essays with its feedback, as the teacher lets it be shown. */
import "./actions.js";
import { getJson, reportErrors } from "./api.js";
import { byId } from "./dom.js";
import { showFeedbackIn } from "./feedback.js";
import { ownRatings } from "./ratings.js";
/** @import { Feedback, WaitingFeedback } from "./types" */

const place = byId("result");
const id = place.dataset.feedback ?? "";
reportErrors(async () => {
  /** @type {Feedback | WaitingFeedback} */
  const feedback = await getJson(`/feedback/${encodeURIComponent(id)}`);
  if ("state" in feedback) return;
  const ratings = ownRatings(place);
  ratings.setFeedback(id, feedback.thumbs);
  showFeedbackIn(place, ratings).showAll(feedback);
  place.hidden = false;
});
