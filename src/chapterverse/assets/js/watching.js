import { get, Trouble } from "./api.js";
import { EVERY, isUnderWay } from "./progress.js";
import { tell } from "./status.js";

/** Looks at a list of the interface, and again as long as anything in it is under way. show: told all that is in it, and how many
 * files have been sent that nobody has begun with yet. arrived: to be told the id of such a file, null for none. */
export function watch(path, show) {
  const sent = new Set();
  let next = null;

  async function look() {
    clearTimeout(next);
    try {
      const { books, documents = books } = await get(path);
      for (const each of documents) sent.delete(each.document ?? each.book);
      show(documents, sent.size);
      if (sent.size || documents.some(isUnderWay)) next = setTimeout(look, EVERY);
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      tell(error.message, true);
      next = setTimeout(look, 5 * EVERY);
    }
  }

  async function arrived(id) {
    if (id) sent.add(id);
    await look();
  }

  look();
  return { look, arrived };
}
