import { get } from "./api.js";
import { bring, byId, el } from "./dom.js";
import { openPage } from "./lit_page.js";
import { say } from "./texts.js";
import { followedBy } from "./tooltip.js";

const PULSE = 1200; // milliseconds
const SHOWN = 150; // characters of a snippet on its card (S3, "Card Elements")

/** The numbers after the words that they belong to: the more relevant, the darker (S3, "Inline Citations"). */
export function inlineMarks(window) {
  const numbers = window.citations.map((citation) => {
    const go = (event) => {
      event.preventDefault();
      pulse(byId(`citation-${citation.citation_id}`));
    };
    const mark = el("a", { class: `rank-${citation.rank}`, href: `#citation-${citation.citation_id}`, on: { click: go } }, String(citation.rank));
    followedBy(mark, placeOf(citation));
    return mark;
  });
  return el("sup", {}, numbers.flatMap((mark, index) => (index ? [", ", mark] : [mark])));
}

/** The citations of one window, best first. */
export function citationGroup(window) {
  const at = new Date(1000 * window.start).toISOString().slice(11, 19);
  return el("li", { class: "group", dataset: { window: window.window_index } }, el("p", { class: "soft" }, el("time", {}, at)), window.citations.map(card));
}

function card(citation) {
  return el(
    "article",
    { class: "card", id: `citation-${citation.citation_id}`, tabindex: -1 },
    el("p", {}, el("span", { class: `badge rank-${citation.rank}` }, String(citation.rank)), " ", el("strong", { dir: "auto" }, citation.document_name)),
    el("p", { class: "soft" }, say("Page {label}", { label: citation.page_label }), citation.section_heading && ` · ${citation.section_heading}`),
    el("p", { class: "context", dir: "auto" }, `“${cut(citation.snippet)}”`),
    citation.image && el("button", { class: "chip", type: "button", on: { click: () => openCited(citation) } }, say("View Page")),
  );
}

async function openCited(citation) {
  const { sentence } = await get(`/evidence/${encodeURIComponent(citation.sentence_id)}`); // with its boxes: one line of it is to be seen at once
  openPage(sentence, placeOf(citation), citation.collection);
}

const placeOf = (citation) => say("{document}, page {label}", { document: citation.document_name, label: citation.page_label });

const cut = (text) => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN).replace(/\s+\S*$/, "")}…`);

/** Seen, whatever the panel is filtered by. */
function pulse(card) {
  if (card.hidden) {
    byId("filter").value = "";
    byId("filter").dispatchEvent(new Event("input"));
  }
  bring(card);
  card.classList.add("is-lit", "pulses");
  setTimeout(() => card.classList.remove("is-lit", "pulses"), PULSE);
}
