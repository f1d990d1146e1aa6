/** What the page says, in its language: the catalogue is a module of its own (web/site/assets.py). */
const { default: texts } = await import(`./texts/${document.documentElement.lang}.js`);

/** The text of an English text, its {names} filled in. */
export function say(english, filled = {}) {
  return (texts[english] ?? english).replace(/\{(\w+)\}/g, (whole, name) => filled[name] ?? whole);
}
