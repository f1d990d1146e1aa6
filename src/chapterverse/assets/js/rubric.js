// @ts-check
/** A rubric as a table. Its hidden text field has a criterion per line: criterion, points and levels, separated by tabs. */
import { byId, el, find, findAll } from "./dom.js";
import { say } from "./texts.js";
import { offerUndo } from "./undo.js";

/** Shows the form's rubric as a table to edit, and fills it from a rubric that is chosen. @param {HTMLFormElement} form */
export function showRubric(form) {
  const text = find(form, "[name=rubric]", HTMLTextAreaElement);
  const rows = byId("rubric-rows");
  const draw = () => rows.replaceChildren(...text.value.split("\n").filter((line) => line.trim()).map(row), row(""));
  /** @param {string} value */
  const store = (value) => {
    text.value = value;
    text.dispatchEvent(new Event("input", { bubbles: true })); // for the stored draft
  };
  /** @param {string} value */
  const take = (value) => {
    store(value);
    draw();
  };
  rows.addEventListener("input", () => {
    store(findAll(rows, "tr").map(lineOf).filter((line) => line.trim()).join("\n"));
    if (rows.lastElementChild instanceof HTMLElement && lineOf(rows.lastElementChild).trim()) rows.append(row(""));
  });
  rows.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || isOfLevels(event.target)) return;
    event.preventDefault(); // the form is not ready to be sent
    /** @type {HTMLElement} */ (event.target).closest("tr")?.nextElementSibling?.querySelector("textarea")?.focus();
  });
  rows.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain").trim() ?? "";
    if (!/[\n\t]/.test(pasted) || isOfLevels(event.target)) return;
    event.preventDefault();
    take([text.value, pasted].filter(Boolean).join("\n"));
  });
  const from = byId("rubric-from", HTMLSelectElement);
  from.addEventListener("change", () => {
    const before = text.value;
    take(from.value);
    if (before) offerUndo(say("Your rubric was replaced."), () => take(before));
  });
  form.addEventListener("input", ({ target }) => target === form && draw()); // the draft was discarded
  draw();
}

const isOfLevels = (/** @type {EventTarget | null} */ target) => target instanceof HTMLElement && target.matches(".levels");

/** @param {string} line */
function row(line) {
  const [criterion = "", points = "", ...levels] = line.split("\t");
  return el(
    "tr",
    {},
    el("td", {}, el("textarea", { "aria-label": say("Criterion"), rows: 1, maxlength: 300, dir: "auto" }, criterion)),
    el("td", {}, el("input", { class: "points", "aria-label": say("Points"), value: points, inputmode: "numeric", maxlength: 3 })),
    el("td", {}, el("textarea", { class: "levels", "aria-label": say("Levels, one per line"), rows: Math.max(1, levels.length), dir: "auto" }, levels.join("\n"))),
  );
}

/** @param {HTMLElement} of */
function lineOf(of) {
  const [criterion, points] = [find(of, "textarea", HTMLTextAreaElement), find(of, "input", HTMLInputElement)].map(({ value }) => value.replaceAll(/\s+/g, " ").trim());
  const levels = find(of, ".levels", HTMLTextAreaElement).value.split("\n").map((level) => level.trim()).filter(Boolean);
  return [criterion, points, ...levels].join("\t").trimEnd();
}
