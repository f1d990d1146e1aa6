import { say } from "./texts.js";

/** What the server says went wrong (RFC 9457), or that it cannot be reached. */
export class Trouble extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** Nothing was answered. */
export class Lost extends Trouble {}

export const API = "/api/v1";

/** The answer to a request. Throws Trouble; who is not signed in (any more) is led to where they can. */
export async function ask(path, { json, headers, ...more } = {}) {
  const sent = json === undefined ? {} : { body: JSON.stringify(json), headers: { "Content-Type": "application/json" } };
  let answer;
  try {
    answer = await fetch(path, { ...more, ...sent, headers: { ...sent.headers, ...headers } });
  } catch (error) {
    throw error instanceof TypeError ? lost() : error;
  }
  if (answer.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  if (!answer.ok) throw new Trouble((await problem(answer)) ?? say("Something failed on our side. Try again."), answer.status);
  return answer;
}

/** The JSON that the interface answers to what is sent to it, or with nothing sent. */
export const answerTo = async (path, sent) => (await ask(API + path, sent)).json();
export const get = (path) => answerTo(path);

/** An id, nobody's guess, by which the same thing sent again is done once. Not randomUUID: over plain http there is none. */
export const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function lost() {
  return new Lost(say("The connection was lost. What you wrote is still here: try again."));
}

async function problem(answer) {
  try {
    return (await answer.json()).detail;
  } catch {
    return null;
  }
}
