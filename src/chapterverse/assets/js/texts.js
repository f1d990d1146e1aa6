/** What the page says, in its language: the catalogue is a module of its own (web/site/assets.py). */
const { default: texts } = await import(`./texts/${document.documentElement.lang}.js`);

/** The text of an English text, its {names} filled in. */
export function say(english, filled = {}) {
  return (texts[english] ?? english).replace(/\{(\w+)\}/g, (whole, name) => filled[name] ?? whole);
}

/** What the server said, in the page's language: a sentence of the catalogue, {0} and so on what it filled in (which may be one
 * itself), or several such sentences. What nobody has translated stays as it is. */
export function heard(message) {
  if (!message || texts[message]) return message && texts[message];
  for (const [pattern, english] of patterns()) {
    const [whole, ...parts] = pattern.exec(message) ?? [];
    if (whole) return say(english, parts.map(heard));
  }
  const sentences = message.split(BETWEEN_SENTENCES);
  return sentences.length > 1 ? sentences.map(heard).join(" ") : message;
}

const BETWEEN_SENTENCES = /(?<=[.?!]) (?=[A-Z“])/;
let compiled; // when the first message comes: most pages have none

/** Of the sentences with something filled in, those with most words of their own first. */
function patterns() {
  const own = (english) => english.replace(/\{\d\}/g, "").length;
  const filled = () => Object.keys(texts).filter((english) => english.includes("{0}"));
  compiled ??= filled().sort((a, b) => own(b) - own(a)).map((english) => [asPattern(english), english]);
  return compiled;
}

function asPattern(english) {
  const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.+?)")}$`, "s");
}
