/** What a school sets for itself: how many evidences, tone, grade; thresholds are in calibration.js. */
import { answerTo, get } from "./api.js";
import { offerCalibration } from "./calibration.js";
import { byId } from "./dom.js";
import { momentOf } from "./formats.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

const form = byId("choices");
let settings = JSON.parse(byId("settings").dataset.settings);
let seen = settings; // what the form was filled with

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (form.reportValidity()) save(given(), show);
});
form.evidences.addEventListener("input", () => (form["evidences-by"].value = "number"));
for (const button of document.querySelectorAll("[data-back]")) {
  button.addEventListener("click", () => save({ [button.dataset.back]: null }, show));
}
for (const details of document.querySelectorAll(".threshold")) {
  offerCalibration(details, { setting: () => settings[`least_${details.dataset.collection}`], save: (least) => save({ [`least_${details.dataset.collection}`]: least }), told });
}
tellChanges();

/** What was changed in the form; what is as the default is and was never set stays unset. */
function given() {
  const evidences = form["evidences-by"].value === "number" ? Number(form.evidences.value) : null;
  const unless = (name, value) => (seen[name].value === null && value === seen[name].default ? null : value);
  const all = { evidences, tone: unless("tone", form.tone.value), grade: unless("grade", Number(form.grade.value)) };
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== seen[name].value));
}

/** All of it is sent, these values in the place of what is set by now: somebody else may have set another one since. */
async function save(values, then = () => {}) {
  await tried(async () => {
    const known = Object.fromEntries(Object.entries(await get("/settings")).map(([name, { value }]) => [name, value]));
    settings = await answerTo("/settings", { method: "PUT", json: { ...known, ...values } });
    tellChanges();
    then();
    tell(say("Saved. It holds from now on."));
  });
}

function show() {
  seen = settings;
  const set = (name) => settings[name].value ?? settings[name].default;
  form["evidences-by"].value = settings.evidences.value === null ? "paragraphs" : "number";
  form.tone.value = set("tone");
  form.grade.value = set("grade");
}

function tellChanges() {
  for (const line of document.querySelectorAll("[data-changed]")) line.textContent = told(settings[line.dataset.changed]);
}

/** Who changed it, and when. */
function told({ changed, changed_by: by, value }) {
  if (!changed) return say("Nobody has changed this.");
  const filled = { by, when: momentOf(changed) };
  return value === null ? say("Set back to the default by {by}, {when}.", filled) : say("Changed by {by}, {when}.", filled);
}
