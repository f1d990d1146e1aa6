// @ts-check
/** Texts of the page in its language. The catalogue is a module that the server generates from the .po files. */
const { default: texts } = await import(`./texts/${document.documentElement.lang}.js`);

/**
 * Returns the translation of an English text, its {names} replaced by values; {n:page|pages} by a number and its noun.
 * @param {string} english
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function say(english, values = {}) {
  return (texts[english] ?? english).replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (/** @type {string} */ whole, /** @type {string} */ name, /** @type {string | undefined} */ one, /** @type {string} */ others) =>
    one === undefined ? (values[name] ?? whole) : `${values[name]} ${String(values[name]) === "1" ? one : others}`);
}
