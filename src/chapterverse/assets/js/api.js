// @ts-check
/** Requests to the HTTP interface, and the page's status line, which says what went wrong. */
import { byId } from "./dom.js";
import { say } from "./texts.js";

export const API = "/api/v1";
/** The sources of a collection in the HTTP interface. @param {string} collection */
export const sourcesPath = (collection) => `/collections/${collection}/sources`;
/** One source of a collection. @param {string} collection @param {string} id */
export const sourcePath = (collection, id) => `${sourcesPath(collection)}/${encodeURIComponent(id)}`;

/** What the server answered instead (RFC 9457). status: its HTTP status; 0 where none applies. */
export class RequestError extends Error {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.status === 429 || this.status >= 500;
  }
}

/** There was no answer. */
export class ConnectionLost extends RequestError {
  constructor() {
    super(say("The connection was lost. Try again."));
  }

  get isTemporary() {
    return true;
  }
}

/**
 * Sends a request and returns the response. Throws RequestError; a 401 also leads to the sign-in page.
 * @param {string} path
 * @param {Omit<RequestInit, "headers"> & { json?: unknown, headers?: Record<string, string> }} [options] json: the body, as JSON
 * @returns {Promise<Response>}
 */
export async function request(path, { json, headers, ...options } = {}) {
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  /** @type {Record<string, string>} */
  const type = json === undefined ? {} : { "Content-Type": "application/json" };
  let response;
  try {
    response = await fetch(path, { ...options, ...body, headers: { ...type, ...headers } });
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionLost() : error;
  }
  if (response.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search + location.hash)}&ended=1`);
  if (!response.ok) throw new RequestError(detailOf(response.status, await response.text()), response.status);
  return response;
}

/**
 * Returns the JSON that the interface answers. Callers name its type (types.d.ts).
 * @param {string} path below the interface's prefix
 * @param {Parameters<typeof request>[1]} [options]
 * @returns {Promise<any>}
 */
export const requestJson = async (path, options) => (await request(API + path, options)).json();

/** @param {string} path @returns {Promise<any>} */
export const getJson = (path) => requestJson(path);

/** Returns one of our pages, and the address to which it led. @param {string} path */
export async function requestPage(path) {
  const response = await request(path);
  return { page: new DOMParser().parseFromString(await response.text(), "text/html"), url: response.url };
}

/** Returns a random id that makes a repeated request count once. Not randomUUID, which plain http lacks. */
export const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What a problem says (RFC 9457). What is too large, the server refuses unread, without one. @param {number} status @param {string} text */
export function detailOf(status, text) {
  try {
    return String(JSON.parse(text).detail);
  } catch {
    return status === 413 ? say("This file is too large. Choose a smaller one, or split it.") : say("Something went wrong on our side. Try again.");
  }
}

/**
 * Sends JSON and yields the server-sent events of the answer as [name, data, id] (WHATWG HTML, 9.2.6). An answer of plain JSON is
 * one event, "answer". Throws RequestError, also when the stream ends before the event `last`.
 * @param {string} path
 * @param {unknown} body
 * @param {string} last
 * @param {{ signal?: AbortSignal, after?: string }} [options] after: id of the last event that has arrived
 * @returns {AsyncGenerator<[name: string, data: any, id?: string], void>}
 */
export async function* events(path, body, last, { signal, after } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "text/event-stream" };
  if (after) headers["Last-Event-ID"] = after;
  const response = await request(path, { method: "POST", json: body, headers, signal });
  let ended = false;
  try {
    if (!response.body || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      yield ["answer", await response.json()];
      return;
    }
    for await (const block of blocksOf(response.body)) {
      const event = eventOf(block);
      if (!event) continue;
      const [name, data] = event;
      if (name === "error") throw new RequestError(data.detail, data.status);
      ended ||= name === last;
      yield event;
    }
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionLost() : error;
  }
  if (!ended) throw new ConnectionLost();
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream */
async function* blocksOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

/** @param {string} block @returns {[name: string, data: any, id?: string] | null} */
function eventOf(block) {
  const lines = block.split("\n");
  /** @param {string} field */
  const values = (field) => lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
  const [name] = values("event");
  return name ? [name, JSON.parse(values("data").join("\n")), values("id")[0]] : null;
}

/**
 * Shows a message in a status line, and returns that: of the form, section or dialog around an element where that has one, else of the page. "" clears it.
 * @param {string} message
 * @param {boolean} [isError]
 * @param {Element | null} [near]
 */
export function showStatus(message, isError = false, near = null) {
  const line = near?.closest("form")?.querySelector("p.state[role=status]") ?? near?.closest("section, dialog")?.querySelector(".state") ?? byId("state");
  line.textContent = message;
  line.classList.toggle("error", isError);
  return line;
}

/**
 * Runs an action and shows a RequestError in the status line. Other errors are defects and pass through.
 * @param {() => unknown} action
 * @param {Element} [near] as in showStatus
 */
export async function reportErrors(action, near) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showStatus(error.message, true, near);
  }
}
