import { language } from "./formats.js";
import { say } from "./texts.js";

const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;

/** Listen to the microphone by the browser's own speech recognition (Web Speech API), until the function that is returned is
 * called. said: told each segment, again while it is still being made out, and then once surely. */
export function heard(said, trouble) {
  const recognition = new Recognition();
  const began = performance.now();
  let round = 0;
  let over = false;
  const starts = new Map();
  Object.assign(recognition, { continuous: true, interimResults: true, lang: language });
  recognition.onresult = ({ resultIndex, results }) => {
    for (let index = resultIndex; index < results.length; index += 1) {
      const id = `said-${round}-${index}`;
      const now = (performance.now() - began) / 1000;
      if (!starts.has(id)) starts.set(id, now);
      said({ id, start: starts.get(id), end: now, text: results[index][0].transcript.trim() }, results[index].isFinal);
    }
  };
  recognition.onerror = ({ error }) => {
    if (error === "not-allowed") trouble(say("The browser may not use the microphone here."));
    over ||= ["not-allowed", "service-not-allowed", "audio-capture"].includes(error);
  };
  recognition.onend = () => {
    round += 1; // browsers stop by themselves after a pause
    if (!over) recognition.start();
  };
  recognition.start();
  return () => {
    over = true;
    recognition.stop();
  };
}

heard.possible = Boolean(Recognition);
