/** Elements are made of text, never of mark-up: whatever an essay or a book says, it is only shown. */
export function el(tag, { dataset, on, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  Object.assign(made.dataset, dataset);
  for (const [event, react] of Object.entries(on ?? {})) made.addEventListener(event, react);
  made.append(...children.flat().filter((child) => child != null && child !== false));
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Into the middle of the screen, with the focus; slowly, unless somebody asked for less motion. */
export function bring(element) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

/** Enter sends; with Shift it begins a line, and while a letter is composed it chooses one. */
export function sendsOnEnter(field, form) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
