// @ts-check
/** Finding and building elements. Text is added as text, never as markup, whatever an essay or a book contains. */
/** @import { Attributes, Child, TagName } from "./types" */

/**
 * Returns a new element. Attributes that are null, undefined or false are left out; true is an empty attribute.
 * @template {TagName} K
 * @param {K} tag
 * @param {Attributes<HTMLElementTagNameMap[K]>} [attributes] `dataset` and `on` (event handlers) included
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, { dataset, on, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  Object.assign(element.dataset, dataset);
  for (const [event, handler] of Object.entries(on ?? {})) element.addEventListener(event, /** @type {EventListener} */ (handler));
  element.append(...nodesOf(children));
  return element;
}

/** @param {readonly Child[]} children @returns {(Node | string)[]} */
const nodesOf = (children) => children.flatMap((child) => {
  if (child == null || child === false) return [];
  return child instanceof Node || typeof child === "string" ? [child] : nodesOf(child);
});

/** Returns the icon of that name, without a name of its own; site.css draws it. @param {string} name */
export const icon = (name) => el("span", { class: `i ${name}`, "aria-hidden": "true" });

/**
 * Returns the element with this id, or null where the page has none.
 * @param {string} id
 */
export const findById = (id) => document.getElementById(id);

/**
 * Returns the element with this id. Throws TypeError if the page has none, or one of another kind.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export const byId = (id, kind) => checked(document.getElementById(id), `#${id}`, kind);

/**
 * Returns the first element of `parent` that matches. Throws TypeError if there is none, or one of another kind.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T}
 */
export const find = (parent, selector, kind) => checked(parent.querySelector(selector), selector, kind);

/**
 * Returns all elements of `parent` that match.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => T} [_kind]
 * @returns {T[]}
 */
export const findAll = (parent, selector, _kind) => [.../** @type {NodeListOf<T>} */ (parent.querySelectorAll(selector))];

/**
 * @template {HTMLElement} T
 * @param {Element | null} element
 * @param {string} name
 * @param {new () => T} [kind]
 * @returns {T}
 */
function checked(element, name, kind = /** @type {new () => T} */ (HTMLElement)) {
  if (element instanceof kind) return element;
  throw new TypeError(`${name} is ${element ? `no ${kind.name}` : "missing"}`);
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** Returns what may be filled in in a form. @param {HTMLFormElement} form */
export const fieldsOf = (form) => /** @type {Field[]} */ ([...form.elements].filter((one) => one.matches("input, textarea, select")));

/**
 * Returns the values of the ticked checkboxes in an element.
 * @param {ParentNode} parent
 */
export const tickedIn = (parent) => findAll(parent, "input[type=checkbox]:checked", HTMLInputElement).map((box) => box.value);

/** Puts text into a field as if it were typed. @param {HTMLTextAreaElement} field @param {string} text */
export function typeInto(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Scrolls an element to the middle of the screen and gives it the focus.
 * @param {HTMLElement} element
 */
export function focusOn(element) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

/**
 * Submits the form on Enter. Shift and Enter begin a new line; while an input method composes a letter, Enter is its own.
 * @param {HTMLElement} field
 * @param {HTMLFormElement} form
 */
export function submitOnEnter(field, form) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
}

/**
 * Calls `handle` with the files that are chosen in a file input, each time; the same files may be chosen again.
 * @param {HTMLInputElement} input
 * @param {(files: File[]) => unknown} handle
 */
export function onFilesChosen(input, handle) {
  const take = () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length) handle(files);
  };
  input.addEventListener("change", take);
  queueMicrotask(take); // chosen before this script had arrived
}

/**
 * Copies an element's text with its italics, also over plain http, where browsers have no clipboard. Returns whether it was copied.
 * @param {HTMLElement} element
 * @param {HTMLElement} [parent] where an element that is not on the page is put meanwhile
 */
export function copyElement(element, parent = document.body) {
  const host = element.isConnected ? null : el("div", { class: "visually-hidden" }, element);
  if (host) parent.append(host);
  const selection = getSelection();
  selection?.selectAllChildren(element);
  const isCopied = document.execCommand("copy");
  selection?.removeAllRanges();
  host?.remove();
  return isCopied;
}

/**
 * Opens a dialog with a title and a button that closes it; it is removed when it closes.
 * @param {Attributes<HTMLDialogElement>} attributes
 * @param {string} titleId
 * @param {string} title
 * @param {string} close the button's text
 * @param {...Child} content
 * @returns {HTMLDialogElement}
 */
export function openDialog(attributes, titleId, title, close, ...content) {
  /** @type {HTMLDialogElement} */
  const dialog = el(
    "dialog",
    { ...attributes, "aria-labelledby": titleId },
    el("header", {}, el("h2", { id: titleId, dir: "auto" }, title), el("button", { type: "button", on: { click: () => dialog.close() } }, close)),
    content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
