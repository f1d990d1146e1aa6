import { el } from "./dom.js";
import { countOf } from "./formats.js";
import { say } from "./texts.js";

export const EVERY = 2000; // milliseconds between two looks at what is under way

export const PATIENCE = 60_000; // milliseconds until a new file is taken to be the same as before

export const isUnderWay = (book) => ["uploaded", "parsing", "indexing"].includes(book.state);

/** How far a book has come, in words; until a new file of it is ready, the one before is searched. */
export function stateOf(book) {
  const now = wordsOf(book);
  return isUnderWay(book) && book.version ? `${now} ${say("Until then the one before is searched.")}` : now;
}

function wordsOf(book) {
  const words = {
    uploaded: () => say("It has arrived and waits for its turn …"),
    parsing: () => say("It is being read …"),
    indexing: () => say("Its sentences are being made searchable …"),
    ready: () => say("Ready: {sentences} sentences", { sentences: countOf(book.sentences) }),
    failed: () => (book.version ? say("The new file did not become a book; the one before is searched.") : say("This file did not become a book.")),
  };
  return (words[book.state] ?? (() => say("It is being removed.")))();
}

/** The same as a bar. */
export const progressOf = (book) => barOf(say("Progress of {title}", { title: book.title }), book.progress ?? {});

/** How far something is; where nobody knows how much there is, that it goes on. */
export const barOf = (name, { done, total }) => el("progress", { "aria-label": name, ...(total ? { value: done, max: total } : {}) });
