/** One of somebody's own essays, as their teacher has it shown. */
import { get } from "./api.js";
import { byId } from "./dom.js";
import { feedbackIn } from "./feedback.js";
import { actsOn, factsOf } from "./own_essays.js";
import { prints } from "./printing.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";
import { ownThumbs } from "./thumbs.js";

const id = byId("result").dataset.feedback;
const thumbs = ownThumbs(byId("result"));
prints(byId("print"));
tried(show);

async function show() {
  const feedback = await get(`/feedback/${encodeURIComponent(id)}`);
  if (feedback.state) return tell(say("Your teacher looks at it first. Then you find it here."));
  byId("facts").replaceChildren(...factsOf(feedback));
  byId("acts").append(...actsOn(feedback, () => location.assign("/essay/mine")));
  thumbs.of(id, feedback.thumbs);
  feedbackIn(byId("result"), thumbs).whole(feedback);
  byId("acts").hidden = byId("result").hidden = false;
}
