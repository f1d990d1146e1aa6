// @ts-check
/** Books, documents and textbooks: their state and progress, and a list that keeps itself up to date. */
import { getJson, RequestError, showStatus } from "./api.js";
import { el } from "./dom.js";
import { formatCount, formatPercent } from "./formats.js";
import { say } from "./texts.js";
/** @import { Source } from "./types" */

/** @typedef {{ done: number, total: number }} Progress @typedef {{ state: string | null, chunks: number | null, collection?: string, report?: { sentences: number } | null }} Stated */
export const POLL_MS = 2000; // between two requests for the state of something that is being processed
export const NO_CHANGE_MS = 60_000; // after which a new file counts as the same as before

/** @param {{ state: string | null }} source */
export const isProcessing = (source) => ["waiting", "uploaded", "parsing", "indexing"].includes(source.state ?? "");

/**
 * Returns the state in words. While a new file is processed, the one before is searched.
 * @param {Stated} source
 * @param {boolean} hasVersion whether an earlier file of it can be searched
 */
export function stateText(source, hasVersion) {
  const text = textOfState(source, hasVersion);
  return isProcessing(source) && hasVersion ? `${text} ${say("Until then, the previous file stays in use.")}` : text;
}

/** @param {Stated} source @param {boolean} hasVersion */
function textOfState({ state, chunks, collection = "books", report }, hasVersion) {
  if (state === "ready" && !report && collection !== "books") return say("Ready: {passages:passage|passages}", { passages: formatCount(chunks ?? 0) });
  switch (state) {
    case "waiting":
    case "uploaded": return say("Waiting to be processed …");
    case "parsing": return say("Reading the file …");
    case "indexing": return say("Indexing …");
    case "ready": return say("Ready: {sentences:sentence|sentences}", { sentences: formatCount(report?.sentences ?? chunks ?? 0) });
    case "failed": return hasVersion ? say("We couldn’t read the new file; the previous one is still in use.") : say("We couldn’t read this file.");
    default: return say("Removing …");
  }
}

/** Where the indexing of a source was when this page first saw it. @type {Map<string, { done: number, total: number, at: number }>} */
const firstSeen = new Map();

/** Returns its bar; while it is indexed also the share, and the time left by what this page has seen of its pace. @param {Source} source */
export function sourceProgress({ source, title, state, progress }) {
  const isCounted = state === "indexing" && progress;
  const bar = progressBar(say("Progress of {title}", { title }), isCounted ? progress : null);
  if (!isCounted || !progress.total) return bar;
  const { done, total } = progress;
  if (firstSeen.get(source)?.total !== total) firstSeen.set(source, { done, total, at: performance.now() });
  const { done: before, at } = firstSeen.get(source) ?? { done, at: 0 };
  const left = done > before && timeLeft(((performance.now() - at) / 1000 / (done - before)) * (total - done));
  return el("div", {}, el("p", { class: "soft" }, [formatPercent(done / total), left].filter(Boolean).join(" · ")), bar);
}

/**
 * Returns a progress bar, indeterminate while the total is unknown.
 * @param {string} name
 * @param {Progress | null} progress
 */
const progressBar = (name, progress) =>
  el("progress", { "aria-label": name, ...(progress?.total ? { value: progress.done, max: progress.total } : {}) });

/** @param {number} seconds */
export const timeLeft = (seconds) => (seconds < 60 ? say("less than a minute left") : say("{minutes} min left", { minutes: Math.ceil(seconds / 60) }));

/**
 * Loads a list of sources, and again as long as one of them is processed.
 * @template {{ source: string, state: string | null }} T
 * @param {string | (() => Promise<T[]>)} path of the list, or what returns it
 * @param {(sources: T[], pending: { size: number, has: (id: string) => boolean }) => unknown} show pending: uploaded files whose processing has not begun
 * @returns {{ refresh: () => Promise<void>, uploaded: (id: string | null) => Promise<void> }} uploaded: call it with the id of each
 *   uploaded file, null if there is none
 */
export function watchSources(path, show) {
  /** @type {Map<string, { before: string | undefined, until: number }>} */
  const sent = new Map();
  /** @type {Map<string, string>} */
  let known = new Map();
  let timer = 0;

  async function refresh() {
    clearTimeout(timer);
    try {
      /** @type {T[]} */
      const sources = typeof path === "string" ? (await getJson(path)).sources : await path();
      known = new Map(sources.map((each) => [each.source, JSON.stringify(each)]));
      for (const [id, { before, until }] of sent) if (known.get(id) !== before || performance.now() > until) sent.delete(id);
      await show(sources, sent);
      if (sent.size || sources.some(isProcessing)) timer = setTimeout(refresh, POLL_MS);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showStatus(error.message, true);
      timer = setTimeout(refresh, 5 * POLL_MS);
    }
  }

  /** @param {string | null} id */
  async function uploaded(id) {
    if (id) {
      const before = known.get(id);
      sent.set(id, { before, until: before ? performance.now() + NO_CHANGE_MS : Infinity });
    }
    await refresh();
  }

  refresh();
  return { refresh, uploaded };
}

/** "a; b" as ["a", "b"]. @param {string} text */
export const splitList = (text) => text.split(";").map((one) => one.trim()).filter(Boolean);
