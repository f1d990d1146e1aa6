const TIME = "(?:(\\d+):)?(\\d{1,2}):(\\d{2})[.,](\\d{1,3})";
const TIMES = new RegExp(`${TIME}\\s*(?:-->|,)\\s*${TIME}`);

/** Captions (.vtt, .srt, .sbv) as segments: id, start and end in seconds, text. */
export function cuesOf(file) {
  const cues = [];
  for (const block of file.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => TIMES.test(line));
    if (at < 0) continue;
    const parts = TIMES.exec(lines[at]).slice(1);
    const text = lines.slice(at + 1).join(" ").replace(/<[^>]*>/g, "").trim();
    if (text) cues.push({ id: `cue-${cues.length}`, start: secondsOf(parts.slice(0, 4)), end: secondsOf(parts.slice(4)), text });
  }
  return cues;
}

const secondsOf = ([hours, minutes, seconds, fraction]) =>
  3600 * Number(hours ?? 0) + 60 * Number(minutes) + Number(seconds) + Number(fraction.padEnd(3, "0")) / 1000;
