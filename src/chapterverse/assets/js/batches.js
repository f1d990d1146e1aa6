// @ts-check
/** What the pages of classes share: a class's name and progress in words, and the order in which its essays were last listed. */
import { formatCount, formatDateTime, formatTime } from "./formats.js";
import { say } from "./texts.js";
/** @import { BatchSummary } from "./types" */

/** @param {BatchSummary} batch */
export const isRunning = (batch) => batch.state === "running";

/** The class's name, or the time of its upload where it has none. @param {BatchSummary} batch */
export const nameOf = (batch) => batch.name || say("Class of {when}", { when: formatDateTime(batch.created) });

/** @param {BatchSummary} batch */
export function progressText(batch) {
  const values = { essays: formatCount(batch.essays), done: formatCount(batch.done), failed: formatCount(batch.failed), left: formatCount(batch.left) };
  const ready = batch.ready_at && say("Ready at about {time}.", { time: formatTime(batch.ready_at) });
  const failed = batch.failed && say("Failed: {failed}.", values);
  return [stateText(batch.state, values), failed, ready].filter(Boolean).join(" ");
}

/** @param {string} state @param {Record<string, string>} values */
function stateText(state, values) {
  if (state === "waiting") return say("{left} essays will run overnight.", values);
  if (state === "running") return say("{done} of {essays} essays are done, {left} to go.", values);
  if (state === "late") return say("{done} of {essays} essays are done; {left} did not fit into the night.", values);
  return say("{done} of {essays} essays are done.", values);
}

export const OTHERS = "others"; // the list of essays that belong to no class

/**
 * Remembers the order in which essays were listed, as long as the window is open: "previous" and "next" follow it.
 * @param {string} list a class, or OTHERS
 * @param {(string | number)[]} keys
 */
export const saveOrder = (list, keys) => sessionStorage.setItem(`order-${list}`, JSON.stringify(keys));

/**
 * Returns the keys in the order last listed; empty if the list was not shown or lacks this key.
 * @param {string} list
 * @param {string | number} key
 * @returns {(string | number)[]}
 */
export function orderWith(list, key) {
  const keys = JSON.parse(sessionStorage.getItem(`order-${list}`) ?? "[]");
  return keys.includes(key) ? keys : [];
}

/** @typedef {{ filter: string, find: string, order: { by: number, down: boolean } }} View */

/** Remembers how a class's table was filtered and sorted. @param {string} list @param {View} view */
export const saveView = (list, view) => sessionStorage.setItem(`view-${list}`, JSON.stringify(view));

/** @param {string} list @returns {View | null} */
export const savedView = (list) => JSON.parse(sessionStorage.getItem(`view-${list}`) ?? "null");
