/** On paper everything is open; afterwards it is as it was. */
let shut = [];

addEventListener("beforeprint", () => {
  shut = [...document.querySelectorAll("details:not([open])")];
  for (const each of shut) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of shut) each.open = false;
});

export function prints(button) {
  button.addEventListener("click", () => print());
}
