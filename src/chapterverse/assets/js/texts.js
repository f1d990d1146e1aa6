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
