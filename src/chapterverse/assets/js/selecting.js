/** A button beside what somebody has selected in a text, by mouse, finger or keyboard. */
import { el } from "./dom.js";
import { say } from "./texts.js";

const AFTER = 200; // milliseconds of rest: a selection is made by many steps
const GAP = 8; // pixels
const MOST = 4000; // characters of a text that is asked about
const PASSAGES = ".passage";

/** text: the element that may be selected in; chosen: told what is selected once somebody asks about it. In the text, Alt with the
 * arrows up and down marks a paragraph (with Shift: one more), Enter asks about what is marked. */
export function offerOnSelection(text, chosen) {
  const button = el("button", { type: "button", class: "about primary", hidden: true, on: { pointerdown: (event) => event.preventDefault(), click: take } }, say("Ask about this"));
  document.body.append(button);
  let soon = null;
  document.addEventListener("selectionchange", () => {
    clearTimeout(soon);
    soon = setTimeout(place, AFTER);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") button.hidden = true;
    if (!isIn(document.activeElement, text)) return;
    if (event.key === "Enter" && event.target === text && selectedIn(text)) take();
    else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) mark(event.key === "ArrowDown" ? 1 : -1, event.shiftKey);
    else return;
    event.preventDefault();
  });

  function take() {
    const range = selectedIn(text);
    if (!range) return;
    light(range);
    button.hidden = true;
    chosen(wordsOf(range));
    getSelection().removeAllRanges();
  }

  function place() {
    const range = selectedIn(text);
    button.hidden = !range;
    if (!range) return;
    const lines = [...range.getClientRects()].filter((line) => line.width && line.height);
    const last = lines.at(-1) ?? range.getBoundingClientRect();
    const { width, height } = button.getBoundingClientRect();
    const below = last.bottom + GAP + height < innerHeight ? last.bottom + GAP : Math.max(GAP, (lines[0] ?? last).top - GAP - height);
    button.style.left = `${scrollX + Math.max(GAP, Math.min(last.right - width / 2, innerWidth - width - GAP))}px`;
    button.style.top = `${scrollY + below}px`;
  }

  function mark(step, more) {
    const all = [...text.querySelectorAll(PASSAGES)];
    if (!all.length) return;
    const selection = getSelection();
    const at = all.findIndex((passage) => selection.rangeCount && selection.containsNode(passage, true));
    const last = all.findLastIndex((passage) => selection.rangeCount && selection.containsNode(passage, true));
    const seen = all.findIndex((passage) => passage.getBoundingClientRect().bottom > 80);
    const from = at < 0 ? Math.max(0, seen) - (step > 0 ? 1 : 0) : step > 0 ? last : at;
    const to = all[Math.max(0, Math.min(all.length - 1, from + step))];
    if (more && at >= 0) selection.setBaseAndExtent(step > 0 ? all[at] : to, 0, step > 0 ? to : all[last], (step > 0 ? to : all[last]).childNodes.length);
    else selection.selectAllChildren(to);
    to.scrollIntoView({ block: "nearest" });
  }
}

/** What is selected of the text; null for nothing. */
function selectedIn(text) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  return text.contains(range.commonAncestorContainer) && wordsOf(range) ? range : null;
}

const wordsOf = (range) => range.toString().replace(/\s+/g, " ").trim().slice(0, MOST);

const isIn = (element, text) => element === text || text.contains(element) || element === document.body;

/** Keep it marked where the browser can, though something else has the focus now. */
function light(range) {
  if (globalThis.CSS?.highlights) CSS.highlights.set("asked", new Highlight(range));
}

export function unlight() {
  globalThis.CSS?.highlights?.delete("asked");
}
