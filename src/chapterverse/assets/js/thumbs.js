import { API, ask } from "./api.js";
import { el } from "./dom.js";
import { tried } from "./status.js";
import { say } from "./texts.js";

/** Thumbs of whoever handed an essay in, on comments and evidence: onComment and onEvidence for feedbackIn. `of` says which feedback
 * that is, null: none that is kept, then there are no thumbs; given: what they said before. */
export function ownThumbs(place) {
  let [id, given] = [null, new Map()];
  const nameOf = (part, number) => `${part}/${number}`;
  const thumbsOn = (part, number) => {
    const buttons = [["up", "👍", say("This helped")], ["down", "👎", say("This did not help")]].map(([thumb, sign, name]) =>
      el("button", { class: "chip", type: "button", "aria-label": name, "aria-pressed": String(given.get(nameOf(part, number)) === thumb), dataset: { thumb } }, sign));
    const give = ({ currentTarget }) => tried(async () => {
      const thumb = currentTarget.getAttribute("aria-pressed") === "true" ? null : currentTarget.dataset.thumb;
      await ask(`${API}/essays/mine/${id}/thumbs/${nameOf(part, number)}`, { method: "PUT", json: { thumb } });
      given.set(nameOf(part, number), thumb);
      for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.thumb === thumb));
    });
    for (const each of buttons) each.addEventListener("click", give);
    return el("div", { class: "thumbs", role: "group", "aria-label": say("Did this help you?") }, buttons);
  };
  return {
    of(feedback, thumbs = []) {
      id = feedback;
      given = new Map(thumbs.map((one) => [nameOf(one.part, one.number), one.thumb]));
      place.classList.toggle("is-kept", id !== null);
    },
    onComment: (comment) => thumbsOn(comment.dimension, comment.number),
    onEvidence: (one) => thumbsOn("evidence", one.number),
  };
}
