/** Questions to a textbook: each answer as it is written, with the sections that it rests on (S4). */
import { API, Trouble } from "./api.js";
import { remembered, thumbs } from "./answers.js";
import { byId, el, sendsOnEnter } from "./dom.js";
import { decimal } from "./formats.js";
import { events } from "./stream.js";
import { tell } from "./status.js";
import { say } from "./texts.js";
import { unlight } from "./selecting.js";

/** source: the textbook's id; visit: opens where a sentence stands, of {sentence_id, paragraph_id, text}. What comes back takes a
 * text that somebody has selected. */
export function chatOn(source, visit) {
  const form = byId("ask");
  const question = byId("question");
  const turns = byId("turns");
  let earlier = [];
  let selected = "";

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const asked = question.value.trim();
    if (asked && !form.querySelector(".primary").disabled) put(asked);
  });
  sendsOnEnter(question, form);
  byId("unquote").addEventListener("click", () => quote("", true));
  byId("anew").addEventListener("click", () => {
    earlier = [];
    byId("anew").hidden = true;
    turns.replaceChildren();
    quote("", true);
  });
  byId("open-chat").addEventListener("click", open);
  byId("close-chat").addEventListener("click", close);
  byId("chat").addEventListener("keydown", (event) => event.key === "Escape" && close());

  function open() {
    byId("chat").classList.add("is-open");
    byId("open-chat").setAttribute("aria-expanded", "true");
    question.focus({ preventScroll: true });
  }

  function close() {
    byId("chat").classList.remove("is-open");
    byId("open-chat").setAttribute("aria-expanded", "false");
    byId("open-chat").focus();
  }

  function quote(text, stay = false) {
    selected = text;
    byId("quoted").hidden = !text;
    byId("quoted").querySelector("blockquote").textContent = text;
    if (!text) unlight();
    if (!stay || text) open();
    else question.focus({ preventScroll: true });
  }

  async function put(asked) {
    const body = { question: asked, selected_text: selected, textbooks: [source], earlier };
    const said = el("div", { class: "said" });
    const turn = el(
      "article",
      { class: "turn" },
      selected && el("blockquote", { class: "about-this", dir: "auto" }, selected),
      el("h3", { dir: "auto" }, asked),
      said,
    );
    turns.querySelector(".hint")?.remove();
    turns.append(turn);
    turns.scrollTop = turns.scrollHeight;
    form.querySelector(".primary").disabled = true;
    tell(say("Looking in the book …"));
    try {
      for await (const [name, data] of events(`${API}/textbook/chat`, body, "answer")) {
        if (name === "claim") said.append(claimOf(data));
        if (name === "answer") done(asked, data, said);
        turns.scrollTop = turn.offsetTop - turns.offsetTop;
      }
      tell("");
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      turn.remove();
      tell(error.message, true);
    } finally {
      form.querySelector(".primary").disabled = false;
    }
  }

  function done(asked, answer, said) {
    said.replaceChildren(...wholeOf(answer));
    earlier = remembered(earlier, asked, answer);
    byId("anew").hidden = false;
    if (question.value.trim() === asked) question.value = "";
    quote("", true);
  }

  function wholeOf(answer) {
    if (answer.nothing) return [el("p", {}, say("I couldn't find relevant content.")), related(answer.related), thumbs(answer.id)];
    return [
      ...answer.claims.map(claimOf),
      answer.confidence.band === "low" && el("p", { class: "disclaimer" }, say("Please check this against the sections named: they are only partly about your question.")),
      answer.confidence.band === "low" && related(answer.related),
      confidenceOf(answer.confidence),
      ...answer.notes.map((note) => el("p", { class: "soft" }, note)),
      thumbs(answer.id),
    ].filter(Boolean);
  }

  function claimOf(claim) {
    const sections = claim.citations.map((one) => sectionLink(one, one.sentence));
    return el("div", { class: "claim" }, el("p", { dir: "auto" }, claim.text), el("p", { class: "row" }, sections));
  }

  function sectionLink(one, sentence) {
    const name = sentence.section_path.at(-1) ?? sentence.chapter ?? one.citation;
    const page = sentence.page_label ? ` · ${say("Page {label}", { label: sentence.page_label })}` : "";
    return readLink(`${name}${page}`, { sentence_id: one.sentence_id, paragraph_id: sentence.paragraph_id, text: sentence.text });
  }

  function readLink(name, spot) {
    const go = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      byId("chat").classList.remove("is-open");
      visit(spot);
    };
    return el("a", { class: "chip", dir: "auto", href: `/textbook/${encodeURIComponent(source)}?sentence=${encodeURIComponent(spot.sentence_id)}`, on: { click: go } }, name);
  }

  function related(sections) {
    if (!sections.length) return null;
    return el("p", { class: "row" }, el("span", { class: "soft" }, say("Related topics:")), sections.map((one) => readLink(one.title, one)));
  }

  return { quote };
}

/** In words, as a figure, and as a bar. */
function confidenceOf({ band, mean }) {
  const told = band === "low" ? say("Not very sure: {figure}", { figure: decimal(mean) }) : say("Sure: {figure}", { figure: decimal(mean) });
  return el("p", { class: "confidence soft" }, el("meter", { min: 0, max: 1, low: 0.7, value: Math.max(0, mean), "aria-label": say("How near the sections are to the question") }), " ", told);
}
