import { el } from "./dom.js";

const DELAY = 200; // milliseconds (S3, "Hover Behavior")
const BESIDE = 14; // pixels from the pointer

/** A few words that appear beside the pointer and follow it; with the keyboard, beside what has the focus. */
export function followedBy(target, words) {
  const tip = el("span", { class: "tip", role: "tooltip" }, words);
  let soon = null;
  const show = (x, y) => {
    clearTimeout(soon);
    soon = setTimeout(() => document.body.append(tip), DELAY);
    move(x, y);
  };
  const move = (x, y) => {
    tip.style.left = `${Math.min(x + BESIDE, innerWidth - 240)}px`;
    tip.style.top = `${y + BESIDE}px`;
  };
  const hide = () => {
    clearTimeout(soon);
    tip.remove();
  };
  target.setAttribute("aria-label", `${target.textContent}: ${words}`);
  target.addEventListener("pointerenter", ({ clientX, clientY }) => show(clientX, clientY));
  target.addEventListener("pointermove", ({ clientX, clientY }) => move(clientX, clientY));
  target.addEventListener("pointerleave", hide);
  target.addEventListener("focus", () => {
    const { left, bottom } = target.getBoundingClientRect();
    show(left, bottom);
  });
  target.addEventListener("blur", hide);
  target.addEventListener("keydown", ({ key }) => key === "Escape" && hide()); // WCAG 2.2, 1.4.13
}
