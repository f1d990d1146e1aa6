// @ts-check
/** Listening to the microphone with the browser's own speech recognition (Web Speech API). */
import { language } from "./formats.js";
import { say } from "./texts.js";
/** @import { Segment } from "./types" */

const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;
const RETRY_MS = 3000;
const LAST_WORDS_MS = 2000; // that a browser has to report them
const TEMPORARY = ["no-speech", "network", "aborted"]; // errors after which listening goes on

export const canListen = Boolean(Recognition);

/** Returns why nothing is recognised; null where that needs no message. @param {string} error of the Web Speech API */
function errorText(error) {
  if (error === "not-allowed") return say("The browser is not allowed to use the microphone.");
  if (error === "audio-capture") return say("No microphone found, or another program is using it.");
  if (error === "network") return say("The browser’s speech recognition isn’t available. We’ll keep trying; you can also replay a transcript.");
  return TEMPORARY.includes(error) ? null : notSupportedText();
}

export const notSupportedText = () => say("This browser does not support speech recognition. Replay a transcript, or use another browser.");

/**
 * Listens until the signal aborts. Resolves when the last words are reported, or when the browser cannot listen at all.
 * @param {(segment: Segment, isFinal: boolean) => void} onSegment called for each segment, repeatedly until it is final
 * @param {(message: string) => void} onError called with "" once speech is recognised again
 * @param {AbortSignal} signal
 * @param {number} from seconds of the lecture so far
 * @returns {Promise<void>}
 */
export function listen(onSegment, onError, signal, from) {
  if (!Recognition) return Promise.resolve(onError(notSupportedText()));
  const recognition = new Recognition();
  const [begin, call] = [performance.now() - 1000 * from, Date.now()];
  /** Seconds at which segments began, by id. @type {Map<string, number>} */
  const starts = new Map();
  let [round, pause, hasEnded, hasError] = [0, 0, false, false];
  Object.assign(recognition, { continuous: true, interimResults: true, lang: language });
  recognition.onresult = ({ resultIndex, results }) => {
    if (hasError) onError("");
    hasError = false;
    const now = (performance.now() - begin) / 1000;
    for (let index = resultIndex; index < results.length; index += 1) {
      const id = `said-${call}-${round}-${index}`;
      const start = starts.get(id) ?? now;
      starts.set(id, start);
      onSegment({ id, start, end: now, text: results[index][0].transcript.trim() }, results[index].isFinal);
    }
  };
  recognition.onerror = ({ error }) => {
    hasEnded ||= !TEMPORARY.includes(error);
    pause = error === "no-speech" ? 0 : RETRY_MS;
    const message = errorText(error) ?? (hasEnded ? notSupportedText() : null);
    if (!message) return;
    hasError = true;
    onError(message);
  };
  recognition.start();
  return new Promise((done) => {
    recognition.onend = () => {
      if (hasEnded) return done();
      round += 1; // browsers stop by themselves after a pause
      setTimeout(() => hasEnded || recognition.start(), pause);
      pause = 0;
    };
    signal.addEventListener("abort", () => {
      if (hasEnded) return;
      hasEnded = true;
      recognition.stop();
      setTimeout(done, LAST_WORDS_MS);
    });
  });
}
