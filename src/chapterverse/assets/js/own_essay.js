// @ts-check
/** One of somebody's own essays with its feedback, as the teacher lets it be shown. */
import { getJson, reportErrors, showStatus } from "./api.js";
import { byId } from "./dom.js";
import { showFeedbackIn } from "./feedback.js";
import { actionsOn, addressOf, factsOf, ownRatings, showVersions } from "./own_essays.js";
import { say } from "./texts.js";
/** @import { Feedback, WaitingFeedback } from "./types" */

const place = byId("result");
const id = place.dataset.feedback ?? "";
const ratings = ownRatings(place);
reportErrors(show);

async function show() {
  /** @type {Feedback | WaitingFeedback} */
  const feedback = await getJson(`/feedback/${encodeURIComponent(id)}`);
  if ("state" in feedback) return showStatus(say("Feedback appears here when your teacher releases it."));
  byId("facts").replaceChildren(...factsOf(feedback));
  const [revise, remove] = actionsOn(feedback, () => location.assign("/essay/mine"));
  revise.classList.add("primary");
  byId("result-actions").prepend(revise);
  byId("result-actions").append(...(remove ? [remove] : []));
  ratings.setFeedback(id, feedback.thumbs);
  showFeedbackIn(place, ratings).showAll(feedback);
  byId("result-actions").hidden = place.hidden = false;
  await showVersions(byId("versions"), id, addressOf);
}
