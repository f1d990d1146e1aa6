// @ts-check
/** Where the numbers of citations stand among the spoken words: after a sentence, never within one. */
import { el, find, findAll } from "./dom.js";

/**
 * @typedef {object} Waiting numbers that have no place yet
 * @property {HTMLElement} span the last segment of their window
 * @property {HTMLElement} sup
 */

const MAX_AHEAD = 6; // segments in which the end of the sentence is waited for; speech may have no punctuation
const STOPS = /[.!?…]+["”’»)\]]*(?=\s|$)/g;
const ABBREVIATION = /(?:^|[\s(])(?:\p{L}|\d{1,2}|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|cf|etc|ca|vgl|bzw|usw|Abs|Art|Bd|Kap|Sgt|Fig|Vol|(?:\p{L}\.)+\p{L})\.$/u;

/** Replaces a segment's text; numbers in it wait again. @param {HTMLElement} span @param {string} text @returns {Waiting[]} */
export function replaceText(span, text) {
  const shown = findAll(span, ".heard").map((part) => part.textContent).join("");
  if (shown === text) return [];
  const sups = findAll(span, "sup");
  for (const part of [...sups, ...findAll(span, ".heard").slice(1)]) part.remove();
  find(span, ".heard").textContent = text;
  return sups.map((sup) => ({ span, sup }));
}

/**
 * Places numbers after the sentence that their words end with, or after the next one that ends.
 * @param {Waiting[]} waiting in the order of the lecture
 * @param {boolean} [isOver] no more words follow: what has no place is placed after its segment
 * @returns {Waiting[]} those whose sentence has not ended
 */
export function placeNumbers(waiting, isOver = false) {
  return waiting.filter(({ span, sup }) => {
    let [at, ahead] = [span, 0];
    while (!placedIn(at, sup, ahead > 0)) {
      if (!(at.nextElementSibling instanceof HTMLElement)) {
        if (isOver) at.lastChild?.before(sup);
        return !isOver;
      }
      at = at.nextElementSibling;
      ahead += 1;
      if (ahead > MAX_AHEAD) {
        at.lastChild?.before(sup);
        return false;
      }
    }
    return false;
  });
}

/**
 * Places the numbers after a sentence that ends in this segment. Returns whether one does.
 * @param {HTMLElement} span
 * @param {HTMLElement} sup
 * @param {boolean} isFirst after the first sentence; else after the last one
 */
function placedIn(span, sup, isFirst) {
  const parts = findAll(span, ".heard");
  for (const part of isFirst ? parts : parts.reverse()) {
    const ends = sentenceEnds(part.textContent ?? "");
    const end = isFirst ? ends[0] : ends.at(-1);
    if (end === undefined) continue;
    const text = part.textContent ?? "";
    if (end < text.length) {
      part.textContent = text.slice(0, end);
      part.after(el("span", { class: "heard" }, text.slice(end)));
    }
    let before = part;
    while (before.nextElementSibling instanceof HTMLElement && before.nextElementSibling.matches("sup")) before = before.nextElementSibling;
    before.after(sup);
    return true;
  }
  return false;
}

/** Positions after the sentences that end in a text; a stop after an abbreviation or before a small letter ends none. @param {string} text */
function sentenceEnds(text) {
  const ends = [...text.matchAll(STOPS)].map((stop) => stop.index + stop[0].length);
  return ends.filter((end) => !ABBREVIATION.test(text.slice(0, end)) && !/^\s+\p{Ll}/u.test(text.slice(end)));
}
