import { get, Trouble } from "./api.js";
import { EVERY, isUnderWay, PATIENCE } from "./progress.js";
import { tell } from "./status.js";

/** Looks at a list of the interface, and again as long as anything in it is under way. show: told all that is in it, and how many
 * files have been sent that nobody has begun with yet: what has that id is as it was when they were sent. arrived: to be told the id
 * of such a file, null for none. */
export function watch(path, show) {
  const sent = new Map();
  let known = new Map();
  let next = null;

  async function look() {
    clearTimeout(next);
    try {
      const { books, documents = books } = await get(path);
      known = new Map(documents.map((each) => [each.document ?? each.book, JSON.stringify(each)]));
      for (const [id, { before, until }] of sent) if (known.get(id) !== before || performance.now() > until) sent.delete(id);
      show(documents, sent.size);
      if (sent.size || documents.some(isUnderWay)) next = setTimeout(look, EVERY);
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      tell(error.message, true);
      next = setTimeout(look, 5 * EVERY);
    }
  }

  async function arrived(id) {
    const before = known.get(id);
    if (id) sent.set(id, { before, until: before ? performance.now() + PATIENCE : Infinity });
    await look();
  }

  look();
  return { look, arrived };
}
