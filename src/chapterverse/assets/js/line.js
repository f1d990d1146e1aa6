import { API, ask, Trouble } from "./api.js";
import { byId } from "./dom.js";
import { tell } from "./status.js";
import { say } from "./texts.js";

const SLOW = 2000; // milliseconds after which "Finding citations..." is shown (S3, "Slow Query")
const AGAIN = 3000; // milliseconds until a lost line is tried again
const AT_ONCE = 50; // segments

/** What is said in a lecture goes out in order, and nobody who speaks waits for it: what gathers meanwhile is sent together, and
 * where the connection is lost, as soon as it is back. The same segment again changes nothing. */
export function lineOf(session) {
  const unsent = [];
  const looking = new Set(); // windows that are begun and not yet found
  const told = new Set(); // those that were found: the news of it may come before the answer to what was sent
  let sending = null;
  let slow = null;

  const expect = () => (slow ??= setTimeout(() => (byId("searching").textContent = say("Finding citations...")), SLOW));
  const rest = () => {
    clearTimeout(slow);
    slow = null;
    byId("searching").textContent = "";
  };
  const post = async (segments) => {
    const answer = await ask(`${API}/sessions/${session.id}/segments`, { method: "POST", json: { segments } });
    for (const window of (await answer.json()).windows) if (!told.has(window)) looking.add(window);
  };
  const empty = async () => {
    while (unsent.length) {
      const segments = unsent.slice(0, AT_ONCE);
      expect();
      if (!(await patiently(() => post(segments)))) return rest();
      unsent.splice(0, segments.length);
      if (!looking.size) rest();
    }
  };
  return {
    send(segment) {
      unsent.push(segment);
      sending ??= empty().finally(() => (sending = null));
    },
    found(window) {
      told.add(window);
      looking.delete(window);
      if (!looking.size) rest();
    },
    done: () => sending,
  };
}

/** Again and again where that may help. Whether it was done in the end. */
async function patiently(act) {
  for (let lost = false; ; lost = true) {
    try {
      await act();
      if (lost) tell("");
      return true;
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      const passes = error.status === 0 || error.status === 429 || error.status >= 500;
      tell(error.status ? error.message : say("The connection was lost. What is said is kept, and sent when it is back."), true);
      if (!passes) return false;
    }
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}
