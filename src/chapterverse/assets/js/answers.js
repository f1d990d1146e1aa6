import { API, ask, Trouble } from "./api.js";
import { el } from "./dom.js";
import { openPage } from "./lit_page.js";
import { say } from "./texts.js";

const BANDS = {
  high: () => say("The documents say so."),
  medium: () => say("The documents may say so."),
  low: () => say("The documents do not seem to say."),
};

/** A question's answer: its claims, each with the sentences that it rests on, how sure it is, and a thumb. */
export function answerCard(question, answer, collection) {
  return el(
    "article",
    { class: "card answer" },
    el("h2", { dir: "auto" }, question),
    el("p", { class: `band ${answer.confidence.band}` }, BANDS[answer.confidence.band]?.() ?? ""),
    answer.claims.length ? answer.claims.map((claim) => claimOf(claim, collection)) : el("p", {}, answer.text),
    el("p", { class: "soft" }, say("Nearness of what was found: {scores}", { scores: scoresOf(answer) })),
    thumbs(answer.id),
  );
}

const scoresOf = (answer) => answer.scores.map((score) => score.cosine.toFixed(2)).join(" · ") || "–";

function claimOf(claim, collection) {
  return el("div", { class: "claim" }, el("p", { dir: "auto" }, claim.text), claim.citations.map((one) => cited(one, collection)));
}

function cited(one, collection) {
  const page = one.sentence.boxes.length > 0;
  const open = () => openPage(one.sentence, one.citation.replace(/^\(|\)$/g, ""), collection);
  return el(
    "blockquote",
    {},
    el("p", { class: "context", dir: "auto" }, one.previous && `${one.previous} `, el("strong", {}, one.sentence.text), one.next && ` ${one.next}`),
    el(
      "div",
      { class: "row" },
      el("span", { class: "soft" }, one.citation),
      page && el("button", { class: "chip", type: "button", on: { click: open } }, say("Open the page")),
      !page && one.sentence.url && el("a", { class: "chip", href: one.sentence.url }, say("Open the page")),
    ),
  );
}

function thumbs(id) {
  const told = el("span", { class: "soft", role: "status" });
  const give = (thumb) => async () => {
    try {
      await ask(`${API}/answers/${id}/thumbs`, { method: "POST", json: { thumb } });
      told.textContent = say("Thank you.");
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      told.textContent = error.message;
    }
  };
  const button = (thumb, sign, name) => el("button", { class: "chip", type: "button", "aria-label": name, on: { click: give(thumb) } }, sign);
  return el("div", { class: "row" }, button("up", "👍", say("This helped")), button("down", "👎", say("This did not help")), told);
}
