// @ts-check
/** Texts of the page in its language. The catalogue is a module that the server generates from the .po files. */
const { default: texts } = await import(`./texts/${document.documentElement.lang}.js`);

/**
 * Returns the translation of an English text, its {names} replaced by values.
 * @param {string} english
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function say(english, values = {}) {
  return (texts[english] ?? english).replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => values[name] ?? whole);
}

/** What the server said, in the page's language: a sentence of the catalogue, {0} and so on what it filled in (which may be one
 * itself), or several such sentences. What nobody has translated stays as it is.
 * @param {any} message
 * @returns {any} */
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
/** @type {[RegExp, string][]} */
let compiled; // when the first message comes: most pages have none

/** Of the sentences with something filled in, those with most words of their own first. */
function patterns() {
  const own = (/** @type {string} */ english) => english.replace(/\{\d\}/g, "").length;
  const filled = () => Object.keys(texts).filter((english) => english.includes("{0}"));
  compiled ??= filled().sort((a, b) => own(b) - own(a)).map((english) => [asPattern(english), english]);
  return compiled;
}

/** @param {string} english */
function asPattern(english) {
  const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.+?)")}$`, "s");
}
