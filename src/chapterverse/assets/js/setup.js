// @ts-check
/** The setup page: each form is one request (actions.js); a platform that is neither Moodle nor Canvas has more fields. */
import "./actions.js";
import { findAll } from "./dom.js";

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement) || target.name !== "kind") return;
  for (const fields of findAll(document, "fieldset[data-kind]", HTMLFieldSetElement)) fields.hidden = fields.disabled = fields.dataset.kind !== target.value;
});
