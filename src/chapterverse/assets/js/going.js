import { bring, byId, el } from "./dom.js";

/** A link to a place on this page, which then has the focus. */
export function link(id, words, attributes) {
  const go = (event) => {
    event.preventDefault(); // the address stays: going back leads to the page before this one
    goTo(id);
  };
  return el("a", { href: `#${id}`, on: { click: go }, ...attributes }, words);
}

/** Into view and focus; what opens is opened. */
function goTo(id) {
  const target = byId(id);
  if (!target) return;
  target.querySelector(":scope > details.opens")?.setAttribute("open", "");
  bring(target);
}
