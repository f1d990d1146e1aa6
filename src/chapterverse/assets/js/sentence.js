import { el } from "./dom.js";

/** A sentence of a book in bold, between its neighbours. */
export const inContext = ({ previous, sentence, next }) =>
  el("p", { class: "context", dir: "auto" }, previous && `${previous} `, el("strong", {}, sentence.text), next && ` ${next}`);
