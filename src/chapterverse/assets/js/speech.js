import { language } from "./formats.js";
import { say } from "./texts.js";

const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;
const AGAIN = 3000; // milliseconds until what may pass is tried again
const LAST_WORDS = 2000; // milliseconds that a browser has to tell them
const NOT_HERE = () => say("This browser cannot make out speech: replay a transcript, or take another browser.");
const WHY = {
  "not-allowed": () => say("The browser may not use the microphone here."),
  "audio-capture": () => say("There is no microphone, or another program has it."),
  network: () => say("The browser's speech recognition cannot be reached just now. It is tried again; a transcript can be replayed."),
};
const PASSES = ["no-speech", "network", "aborted"];

/** Listen to the microphone by the browser's own speech recognition (Web Speech API), until the signal. said: told each segment,
 * again while it is still being made out, and then once surely. trouble: told why nothing is heard, and nothing when it is heard
 * again. Comes to its end when the last words are told, or when this browser hears nothing at all. */
export function heard(said, trouble, signal) {
  const recognition = new Recognition();
  const began = performance.now();
  let [round, wait, over, troubled] = [0, 0, false, false];
  const starts = new Map();
  Object.assign(recognition, { continuous: true, interimResults: true, lang: language });
  recognition.onresult = ({ resultIndex, results }) => {
    if (troubled) trouble("");
    troubled = false;
    for (let index = resultIndex; index < results.length; index += 1) {
      const id = `said-${round}-${index}`;
      const now = (performance.now() - began) / 1000;
      if (!starts.has(id)) starts.set(id, now);
      said({ id, start: starts.get(id), end: now, text: results[index][0].transcript.trim() }, results[index].isFinal);
    }
  };
  recognition.onerror = ({ error }) => {
    over ||= !PASSES.includes(error);
    wait = error === "no-speech" ? 0 : AGAIN;
    if (!WHY[error] && !over) return;
    troubled = true;
    trouble((WHY[error] ?? NOT_HERE)());
  };
  recognition.start();
  return new Promise((ended) => {
    recognition.onend = () => {
      if (over) return ended();
      round += 1; // browsers stop by themselves after a pause
      setTimeout(() => over || recognition.start(), wait);
      wait = 0;
    };
    signal.addEventListener("abort", () => {
      if (over) return;
      over = true;
      recognition.stop();
      setTimeout(ended, LAST_WORDS);
    });
  });
}

heard.possible = Boolean(Recognition);
