import { ask, lost, Trouble } from "./api.js";

/** The events of an answer to JSON that is sent, as [name, data, id], each when it is there (WHATWG HTML, 9.2.6); an answer that is
 * JSON itself is one event, "answer". Throws Trouble, also where the answer ends before the event `last`. after: id of the event
 * to go on after. */
export async function* events(path, body, last, { signal, after } = {}) {
  const headers = { Accept: "text/event-stream", ...(after && { "Last-Event-ID": after }) };
  const answer = await ask(path, { method: "POST", json: body, headers, signal });
  let ended = false;
  try {
    if (!answer.headers.get("Content-Type").startsWith("text/event-stream")) return yield ["answer", await answer.json()];
    for await (const block of blocks(answer.body)) {
      const [name, data, id] = eventOf(block);
      if (!name) continue;
      if (name === "error") throw new Trouble(data.detail, data.status);
      ended ||= name === last;
      yield [name, data, id];
    }
  } catch (error) {
    throw error instanceof TypeError ? lost() : error;
  }
  if (!ended) throw lost();
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
  return name ? [name, JSON.parse(after("data").join("\n")), after("id")[0]] : [];
}
