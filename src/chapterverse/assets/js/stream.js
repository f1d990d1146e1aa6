import { say } from "./texts.js";

/** What the server says went wrong (RFC 9457), or that it cannot be reached. */
export class Trouble extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** The events of an answer to JSON that is sent, as [name, data], each when it is there (WHATWG HTML, 9.2.6). Throws Trouble,
 * also where the answer ends before the event `last`. */
export async function* events(path, body, last, signal) {
  const answer = await send(path, body, "text/event-stream", signal);
  let ended = false;
  try {
    for await (const block of blocks(answer.body)) {
      const [name, data] = eventOf(block);
      if (!name) continue;
      if (name === "error") throw new Trouble(data.detail, data.status);
      ended ||= name === last;
      yield [name, data];
    }
  } catch (error) {
    throw error instanceof TypeError ? lost() : error;
  }
  if (!ended) throw lost();
}

async function send(path, body, accept, signal) {
  let answer;
  try {
    const headers = { "Content-Type": "application/json", Accept: accept };
    answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    throw error instanceof TypeError ? lost() : error;
  }
  if (answer.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
  if (!answer.ok) throw new Trouble((await problem(answer)) ?? say("Something failed on our side. Try again."), answer.status);
  return answer;
}

async function problem(answer) {
  try {
    return (await answer.json()).detail;
  } catch {
    return null;
  }
}

async function* blocks(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const parts = held.split("\n\n");
    held = parts.pop();
    yield* parts;
  }
}

function eventOf(block) {
  const lines = block.split("\n");
  const after = (name) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  const [name] = after("event");
  return name ? [name, JSON.parse(after("data").join("\n"))] : [];
}

function lost() {
  return new Trouble(say("The connection was lost. What you wrote is still here: try again."));
}
