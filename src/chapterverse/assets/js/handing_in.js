import { API, Trouble } from "./api.js";
import { events } from "./stream.js";

const WAITS = [1, 2, 4, 8, ...Array(6).fill(15)]; // seconds before each further try

/** The events of feedback on an essay, each once, however often the connection is lost: `key` makes it the same essay, so that
 * nothing is written, or paid, twice. lost: called before each further try. Throws Trouble when none is left. */
export async function* feedbackOn(sent, signal, lost) {
  let [after, tries] = [undefined, 0];
  for (;;) {
    try {
      for await (const [name, data, id] of events(`${API}/essays/feedback`, sent, "done", { signal, after })) {
        [after, tries] = [id ?? after, 0];
        yield [name, data];
      }
      return;
    } catch (error) {
      if (!(error instanceof Trouble) || error.status || tries === WAITS.length) throw error;
      lost();
      await pause(WAITS[tries++] * 1000);
    }
  }
}

/** So long, or until the connection is there again. */
function pause(milliseconds) {
  return new Promise((go) => {
    const clock = setTimeout(go, milliseconds);
    addEventListener("online", () => (clearTimeout(clock), go()), { once: true });
  });
}
