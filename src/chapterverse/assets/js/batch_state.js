import { countOf, hourOf, momentOf } from "./formats.js";
import { say } from "./texts.js";

export const isGoingOn = (batch) => batch.state === "running";

/** What a class is called; without a name, by when it was handed in. */
export const nameOf = (batch) => batch.name || say("Class of {when}", { when: momentOf(batch.created) });

/** How far a batch has come, in words. */
export function farOf(batch) {
  const told = Object.fromEntries(["essays", "done", "failed", "left"].map((name) => [name, countOf(batch[name])]));
  const words = {
    waiting: () => say("{left} essays wait for the school’s next night.", told),
    running: () => say("{done} of {essays} essays are done, {left} to go.", told),
    late: () => say("{done} of {essays} essays are done; for {left} the night was too short.", told),
    done: () => say("{done} of {essays} essays are done.", told),
  };
  const ready = batch.ready_at && say("Ready at about {time}.", { time: hourOf(batch.ready_at) });
  const failed = batch.failed && say("Failed: {failed}.", told);
  return [words[batch.state](), failed, ready].filter(Boolean).join(" ");
}
