/** One threshold as a picture: what it does on the school's own texts, and how it is moved. */
import { API, ask, get } from "./api.js";
import { bars, figure, lines } from "./chart.js";
import { el } from "./dom.js";
import { decimal, hundred, percent } from "./formats.js";
import { barOf, EVERY } from "./progress.js";
import { tried } from "./status.js";
import { say } from "./texts.js";

const BANDS = { high: () => say("an answer"), medium: () => say("perhaps an answer"), found: () => say("an answer") };

/** What is said where sentences of books are shown, and where questions are answered. */
const OF_BOOKS = {
  right: () => say("Your books have it, and a sentence is shown"),
  wrong: () => say("Your books do not have it, and one is shown all the same"),
  meaning: (filled) => say("Of 100 thoughts that your books contain, about {shown} get a sentence; of 100 that they do not contain, about {others} do.", filled),
  caution: () => say("Each question is a third of a sentence's words. Paragraphs of an essay say more and get higher scores: the picture shows what is won and lost by moving the threshold, not what happens to one essay."),
};
const OF_QUESTIONS = {
  right: () => say("Your texts answer it, and it is answered"),
  wrong: () => say("Your texts do not answer it, and it is answered all the same"),
  meaning: (filled) => say("Of 100 questions that your texts answer, about {shown} are answered; of 100 that they do not, about {others} are.", filled),
  caution: () => say("Such questions are near to the words of your texts. People ask in other words: expect that more of theirs is held back."),
};

/** details: of a collection; setting: what the school has set; save: set it; told: who changed it. */
export function offerCalibration(details, { setting, save, told }) {
  const path = `/calibrations/${details.dataset.collection}`;
  const body = details.querySelector(".body");
  const forBooks = details.dataset.collection === "books";
  const words = forBooks ? OF_BOOKS : OF_QUESTIONS;
  let next = null;
  details.addEventListener("toggle", () => (details.open ? look() : clearTimeout(next)));

  async function look() {
    clearTimeout(next);
    await tried(async () => show(await get(path)));
  }

  function show(found) {
    const waits = found.measurement?.state === "waiting";
    const shownBefore = body.querySelector(".chart") && waits; // a picture that is looked at stays while another is made
    if (shownBefore) body.querySelector(".measuring").replaceChildren(...measuring(found));
    else body.replaceChildren(...(found.picture ? picture(found) : nothingYet(found)), el("div", { class: "measuring" }, measuring(found)));
    if (waits) next = setTimeout(look, EVERY);
  }

  function nothingYet(found) {
    return [
      el("p", {}, goesBy(found)),
      el("p", {}, say("Nobody has measured yet what that does on your own texts. To measure, a few hundred questions are made of them, a third of the words of a sentence each. Each is asked twice: with the place that answers it, and with that place left out.")),
    ];
  }

  function measuring({ measurement, picture }) {
    if (measurement?.state === "waiting") {
      const bar = barOf(say("Progress of the measurement"), measurement);
      return [el("p", {}, measurement.message ?? say("Questions are being made and asked. You can leave this page meanwhile.")), bar];
    }
    const failed = measurement?.state === "failed" && el("p", { role: "alert" }, measurement.message);
    return [failed, el("button", { type: "button", class: picture ? "quiet" : "primary", on: { click: measure } }, picture ? say("Measure again") : say("Measure on our own texts"))].filter(Boolean);
  }

  async function measure() {
    await tried(async () => {
      await ask(API + path, { method: "POST", json: {} });
      await look();
    });
  }

  function goesBy(found) {
    if (forBooks) return say("A sentence is shown from a score of {least} on.", { least: decimal(setting().value ?? found.default) });
    const bands = found.bands.map(({ name, least }) => `${BANDS[name]?.() ?? name}: ${decimal(least)}`).join("; ");
    if (found.bands[0]?.name === "confidence") return say("Questions are answered from a confidence of {least} on, which is measured for the embedding model and the same for every school.", { least: decimal(found.bands[0].least) });
    return say("Answers go by fixed thresholds of nearness ({bands}), the same for every school.", { bands });
  }

  function picture(found) {
    const usual = forBooks ? found.default : found.picture.least;
    const { curve, histogram } = found.picture;
    if (!curve.length) return [el("p", {}, say("This was measured before pictures were kept. Measure again to see one."))];
    const { drawn, slider, meaning } = movable(found.picture, setting().value ?? usual, words);
    return [
      el("p", {}, found.in_use ? (forBooks ? goesBy(found) : say("Answers go by this measurement of your own texts.")) : `${goesBy(found)} ${say("Nothing goes by this picture yet.")}`),
      drawn,
      el("label", {}, say("Threshold"), slider),
      meaning,
      el("p", { class: "soft" }, words.caution()),
      el("p", { class: "soft" }, `${say("Default: {least}.", { least: decimal(usual) })} ${told(setting())}`),
      buttons(found, slider),
      el("details", {}, el("summary", {}, say("How the scores lie")), scores(histogram)),
    ];
  }

  function buttons(found, slider) {
    const accept = async () => {
      const id = found.measurement?.id;
      if (!found.in_use && id) await tried(async () => ask(API + path, { method: "PUT", json: { measurement: id } }));
      if (found.in_use || Number(slider.value) !== Number(slider.defaultValue)) await save(Number(slider.value));
      await look();
    };
    const reset = async () => {
      await save(null);
      await look();
    };
    const forget = async () => {
      await tried(async () => ask(API + path, { method: "DELETE" }));
      await save(null);
      await look();
    };
    return el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "primary", on: { click: accept } }, found.in_use ? say("Save this threshold") : say("Go by this from now on")),
      found.in_use && el("button", { type: "button", on: { click: reset } }, say("Back to the default")),
      found.in_use && !forBooks && el("button", { type: "button", class: "quiet", on: { click: forget } }, say("Use the fixed thresholds again")),
    );
  }
}

const markOf = (at) => ({ at, text: say("Threshold {at}", { at: decimal(at) }) });

/** The picture of what each threshold does, the slider that moves it, and what the one it stands at means. */
function movable({ curve, questions }, least, words) {
  const chart = linesOf(curve, least, words);
  const drawn = figure({
    title: say("What each threshold does, by {questions} questions", { questions }),
    told: meaningOf(curve, least, words),
    chart,
    columns: [say("Threshold"), say("Answered, of 100 that are in your texts"), say("Answered, of 100 that are not"), say("Right, of 100 shown")],
    rows: curve.filter((_, at) => at % 5 === 0).map(rowOf),
  });
  const meaning = el("p", { class: "meaning", role: "status" }, meaningOf(curve, least, words));
  const slider = el("input", { type: "range", min: 0, max: 1, step: 0.02, value: least, "aria-valuetext": decimal(least) });
  slider.addEventListener("input", () => {
    const at = Number(slider.value);
    slider.setAttribute("aria-valuetext", decimal(at));
    chart.mark = markOf(at);
    drawn.redraw();
    drawn.querySelector(".canvas").setAttribute("aria-label", meaningOf(curve, at, words));
    meaning.textContent = meaningOf(curve, at, words);
  });
  return { drawn, slider, meaning };
}

function linesOf(curve, least, words) {
  const series = [
    { name: words.right(), values: curve.map((one) => one.shown) },
    { name: words.wrong(), values: curve.map((one) => 1 - one.silent) },
    { name: say("Right, of what is shown"), values: curve.map((one) => one.precision) },
  ];
  const formatX = (value) => decimal(value);
  return lines(curve.map((one) => one.threshold), series, { format: percent, formatX, under: say("Threshold"), mark: markOf(least) });
}

const rowOf = ({ threshold, shown, silent, precision }) =>
  [decimal(threshold), hundred(shown), hundred(1 - silent), precision === null ? "–" : hundred(precision)];

/** At the threshold of the curve that is nearest. */
function meaningOf(curve, least, words) {
  const one = curve[Math.round(Math.min(Math.max(least, 0), 1) * (curve.length - 1))];
  return words.meaning({ shown: hundred(one.shown), others: hundred(1 - one.silent) });
}

function scores(histogram) {
  const names = histogram.map(({ least }, at) => (at % 4 ? "" : decimal(least, 1)));
  const most = Math.max(...histogram.flatMap(({ answered, others }) => [answered, others]), 4);
  const series = [
    { name: say("With their answer"), values: histogram.map(({ answered }) => ({ value: answered })) },
    { name: say("With their answer left out"), values: histogram.map(({ others }) => ({ value: others })) },
  ];
  const title = say("How many questions have which score");
  return figure({
    title,
    told: say("The further apart the two are, the better a threshold can tell them."),
    chart: bars(names, series, { most, format: (value) => String(Math.round(value)) }),
    columns: [say("Score from"), ...series.map(({ name }) => name)],
    rows: histogram.map(({ least, answered, others }) => [decimal(least), String(answered), String(others)]),
    level: 4,
  });
}
