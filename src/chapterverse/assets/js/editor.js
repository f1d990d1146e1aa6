// @ts-check
/** The field for an essay: counting its words, and opening a file in it. */
import { reportErrors, requestJson, showStatus } from "./api.js";
import { byId, findAll, onFilesChosen, typeInto } from "./dom.js";
import { formatCount } from "./formats.js";
import { say } from "./texts.js";
import { offerUndo } from "./undo.js";

export const form = byId("submission-form", HTMLFormElement);
export const essay = byId("essay", HTMLTextAreaElement);

form.addEventListener("input", showCount);
form.addEventListener("input", tickMet);
onFilesChosen(byId("file", HTMLInputElement), ([file]) => reportErrors(() => openFile(file)));
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return; // the browser inserts dropped text
  event.preventDefault();
  reportErrors(() => openFile(file));
});
showCount();
tickMet();

/** Shows the editor, or instead what can be done with the essay as its comments show it. @param {boolean} isEditing */
export function showEditor(isEditing) {
  form.hidden = !isEditing;
  byId("result-actions").hidden = isEditing;
}

/** Shows the text of a file; the server extracts it and stores nothing. @param {File} file */
async function openFile(file) {
  showStatus(say("Reading your file …"));
  const body = new FormData();
  body.append("file", file);
  const { text } = await requestJson("/essays/text", { method: "POST", body });
  const before = essay.value;
  typeInto(essay, text);
  essay.focus();
  essay.setSelectionRange(0, 0);
  const message = say("This is the text from your file. Please check it.");
  if (before.trim()) offerUndo(message, () => typeInto(essay, before));
  else showStatus(message);
}

function showCount() {
  const signs = essay.value.match(/[\p{P}\p{S}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu) ?? []; // two are a word, as in text.py
  const words = Math.max(essay.value.split(/\s+/).filter(Boolean).length, ...[signs.length / 2, essay.value.length / 10].map(Math.floor));
  byId("count").textContent = say("{words} / {max} words", { words: formatCount(words), max: formatCount(Number(form.dataset.words)) });
}

/** Ticks the corrections of the last version whose words are gone from this one, as often as they are named. */
function tickMet() {
  for (const box of findAll(document, "[name=done]", HTMLInputElement)) {
    const words = [...(box.labels?.[0].querySelectorAll("q") ?? [])].map((one) => one.textContent);
    const isMet = words.length > 0 && words.every((one) => timesIn(essay.value, one) + words.filter((each) => each === one).length <= timesIn(essay.defaultValue, one));
    if (isMet || box.dataset.met) box.checked = isMet;
    box.dataset.met = isMet ? "met" : "";
  }
}

/** @param {string} text @param {string} words */
function timesIn(text, words) {
  const [all, some] = [text, words].map((each) => ` ${each.split(/[^\p{L}\p{N}'’]+/u).join(" ")} `.replace(/ +/g, "  ")); // neighbours share no blank
  return all.split(some).length - 1;
}
