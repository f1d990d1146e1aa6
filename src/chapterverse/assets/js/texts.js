/** What the page says, in its language: the catalogue comes with the page (web/site/frame.py). */
const texts = JSON.parse(document.getElementById("texts").textContent);

/** The text of an English text, its {names} filled in. */
export function say(english, filled = {}) {
  return (texts[english] ?? english).replace(/\{(\w+)\}/g, (whole, name) => filled[name] ?? whole);
}
