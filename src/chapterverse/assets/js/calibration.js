// @ts-check
/** One threshold as a chart: what it does on the school's own texts, and a slider to move it. */
import { API, getJson, reportErrors, request } from "./api.js";
import { barChart, chartFigure, lineChart } from "./chart.js";
import { el, find } from "./dom.js";
import { formatDecimal, formatPercent, outOf100 } from "./formats.js";
import { POLL_MS, progressBar } from "./sources.js";
import { say } from "./texts.js";
/** @import { Calibration, Setting, ThresholdCurve } from "./types" */

/** @typedef {{ right: () => string, wrong: () => string, meaning: (values: Record<string, string>) => string, caution: () => string }} Texts */

/** Where sentences of books are shown. @type {Texts} */
const OF_BOOKS = {
  right: () => say("Your books have it, and a sentence is shown"),
  wrong: () => say("Your books do not have it, and one is shown all the same"),
  meaning: (values) => say("Of 100 thoughts that your books contain, about {shown} get a sentence; of 100 that they do not contain, about {others} do.", values),
  caution: () => say("Each question is a third of a sentence's words. Paragraphs of an essay say more and get higher scores: the picture shows what is won and lost by moving the threshold, not what happens to one essay."),
};
/** Where questions are answered. @type {Texts} */
const OF_QUESTIONS = {
  right: () => say("Your texts answer it, and it is answered"),
  wrong: () => say("Your texts do not answer it, and it is answered all the same"),
  meaning: (values) => say("Of 100 questions that your texts answer, about {shown} are answered; of 100 that they do not, about {others} are.", values),
  caution: () => say("Such questions are near to the words of your texts. People ask in other words: expect that more of theirs is held back."),
};

/** @param {string} name of a band */
function bandText(name) {
  if (name === "high" || name === "found") return say("an answer");
  return name === "medium" ? say("perhaps an answer") : name;
}

/**
 * Fills a collection's details with its threshold when they are opened.
 * @param {HTMLDetailsElement} details
 * @param {object} options
 * @param {() => Setting} options.setting the school's threshold
 * @param {(threshold: number | null) => Promise<void>} options.save null: back to the default
 * @param {(setting: Setting) => string} options.changeText who changed it
 */
export function offerCalibration(details, { setting, save, changeText }) {
  const path = `/calibrations/${details.dataset.collection}`;
  const body = find(details, ".body");
  const isBooks = details.dataset.collection === "books";
  const texts = isBooks ? OF_BOOKS : OF_QUESTIONS;
  let timer = 0;
  details.addEventListener("toggle", () => (details.open ? refresh() : clearTimeout(timer)));

  const threshold = () => /** @type {number | null} */ (setting().value);

  async function refresh() {
    clearTimeout(timer);
    await reportErrors(async () => show(await getJson(path)));
  }

  /** @param {Calibration} calibration */
  function show(calibration) {
    const isMeasuring = calibration.measurement?.state === "waiting";
    // A chart stays while another measurement runs: somebody may be looking at it.
    if (isMeasuring && body.querySelector(".chart")) find(body, ".measuring").replaceChildren(...measurementContent(calibration));
    else body.replaceChildren(...(calibration.picture ? thresholdContent(calibration, calibration.picture) : noChart(calibration)), el("div", { class: "measuring" }, measurementContent(calibration)));
    if (isMeasuring) timer = setTimeout(refresh, POLL_MS);
  }

  /** @param {Calibration} calibration */
  function noChart(calibration) {
    return [
      el("p", {}, thresholdText(calibration)),
      el("p", {}, say("Nobody has measured yet what that does on your own texts. To measure, a few hundred questions are made of them, a third of the words of a sentence each. Each is asked twice: with the place that answers it, and with that place left out.")),
    ];
  }

  /** @param {Calibration} calibration */
  function measurementContent({ measurement, picture }) {
    if (measurement?.state === "waiting") {
      const text = measurement.message ?? say("Questions are being made and asked. You can leave this page meanwhile.");
      return [el("p", {}, text), progressBar(say("Progress of the measurement"), measurement)];
    }
    const button = el("button", { type: "button", class: picture ? "quiet" : "primary", on: { click: measure } }, picture ? say("Measure again") : say("Measure on our own texts"));
    return measurement?.state === "failed" ? [el("p", { role: "alert" }, measurement.message), button] : [button];
  }

  async function measure() {
    await reportErrors(async () => {
      await request(API + path, { method: "POST", json: {} });
      await refresh();
    });
  }

  /** @param {Calibration} calibration */
  function thresholdText(calibration) {
    if (isBooks) return say("A sentence is shown from a score of {least} on.", { least: formatDecimal(threshold() ?? Number(calibration.default)) });
    const [first] = calibration.bands;
    if (first?.name === "confidence") return say("Questions are answered from a confidence of {least} on, which is measured for the embedding model and the same for every school.", { least: formatDecimal(first.least) });
    const bands = calibration.bands.map(({ name, least }) => `${bandText(name)}: ${formatDecimal(least)}`).join("; ");
    return say("Answers go by fixed thresholds of nearness ({bands}), the same for every school.", { bands });
  }

  /** @param {Calibration} calibration @param {ThresholdCurve} measured */
  function thresholdContent(calibration, measured) {
    const defaultValue = isBooks ? Number(calibration.default) : measured.least;
    if (!measured.curve.length) return [el("p", {}, say("This was measured before pictures were kept. Measure again to see one."))];
    const { chart, slider, meaning } = movableThreshold(measured, threshold() ?? defaultValue, texts);
    const inUse = isBooks ? thresholdText(calibration) : say("Answers go by this measurement of your own texts.");
    return [
      el("p", {}, calibration.in_use ? inUse : `${thresholdText(calibration)} ${say("Nothing goes by this picture yet.")}`),
      chart,
      el("label", {}, say("Threshold"), slider),
      meaning,
      el("p", { class: "soft" }, texts.caution()),
      el("p", { class: "soft" }, `${say("Default: {least}.", { least: formatDecimal(defaultValue) })} ${changeText(setting())}`),
      buttons(calibration, slider),
      el("details", {}, el("summary", {}, say("How the scores lie")), scoreChart(measured.histogram)),
    ];
  }

  /** @param {Calibration} calibration @param {HTMLInputElement} slider */
  function buttons({ in_use: isInUse, measurement }, slider) {
    const accept = async () => {
      if (!isInUse && measurement) await reportErrors(() => request(API + path, { method: "PUT", json: { measurement: measurement.id } }));
      if (isInUse || Number(slider.value) !== Number(slider.defaultValue)) await save(Number(slider.value));
      await refresh();
    };
    const reset = async () => {
      await save(null);
      await refresh();
    };
    const useFixed = async () => {
      await reportErrors(() => request(API + path, { method: "DELETE" }));
      await save(null);
      await refresh();
    };
    return el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "primary", on: { click: accept } }, isInUse ? say("Save this threshold") : say("Go by this from now on")),
      isInUse && el("button", { type: "button", on: { click: reset } }, say("Back to the default")),
      isInUse && !isBooks && el("button", { type: "button", class: "quiet", on: { click: useFixed } }, say("Use the fixed thresholds again")),
    );
  }
}

/** @param {number} at */
const markAt = (at) => ({ at, text: say("Threshold {at}", { at: formatDecimal(at) }) });

/**
 * Returns the chart of what each threshold does, the slider that moves it, and the meaning of its position in words.
 * @param {ThresholdCurve} measured
 * @param {number} threshold
 * @param {Texts} texts
 */
function movableThreshold({ curve, questions }, threshold, texts) {
  const series = [
    { name: texts.right(), values: curve.map((one) => one.shown) },
    { name: texts.wrong(), values: curve.map((one) => 1 - one.silent) },
    { name: say("Right, of what is shown"), values: curve.map((one) => one.precision) },
  ];
  const chart = lineChart(curve.map((one) => one.threshold), series, { format: formatPercent, formatX: (value) => formatDecimal(value), caption: say("Threshold"), mark: markAt(threshold) });
  const { element, redraw } = chartFigure({
    title: say("What each threshold does, by {questions} questions", { questions }),
    description: meaningOf(curve, threshold, texts),
    chart,
    columns: [say("Threshold"), say("Answered, of 100 that are in your texts"), say("Answered, of 100 that are not"), say("Right, of 100 shown")],
    rows: curve.filter((_, index) => index % 5 === 0).map((one) => [formatDecimal(one.threshold), outOf100(one.shown), outOf100(1 - one.silent), one.precision === null ? "–" : outOf100(one.precision)]),
  });
  const meaning = el("p", { class: "meaning", role: "status" }, meaningOf(curve, threshold, texts));
  const slider = el("input", { type: "range", min: 0, max: 1, step: 0.02, value: threshold, "aria-valuetext": formatDecimal(threshold) });
  slider.addEventListener("input", () => {
    const at = Number(slider.value);
    slider.setAttribute("aria-valuetext", formatDecimal(at));
    chart.mark = markAt(at);
    meaning.textContent = meaningOf(curve, at, texts);
    redraw(meaning.textContent);
  });
  return { chart: element, slider, meaning };
}

/** Returns what the nearest threshold of the curve does. @param {ThresholdCurve["curve"]} curve @param {number} threshold @param {Texts} texts */
function meaningOf(curve, threshold, texts) {
  const one = curve[Math.round(Math.min(Math.max(threshold, 0), 1) * (curve.length - 1))];
  return texts.meaning({ shown: outOf100(one.shown), others: outOf100(1 - one.silent) });
}

/** @param {ThresholdCurve["histogram"]} histogram */
function scoreChart(histogram) {
  const names = histogram.map(({ least }, index) => (index % 4 ? "" : formatDecimal(least, 1)));
  const max = Math.max(...histogram.flatMap(({ answered, others }) => [answered, others]), 4);
  const series = [
    { name: say("With their answer"), values: histogram.map(({ answered }) => ({ value: answered })) },
    { name: say("With their answer left out"), values: histogram.map(({ others }) => ({ value: others })) },
  ];
  return chartFigure({
    title: say("How many questions have which score"),
    description: say("The further apart the two are, the better a threshold can tell them."),
    chart: barChart(names, series, { max, format: (value) => String(Math.round(value)) }),
    columns: [say("Score from"), ...series.map(({ name }) => name)],
    rows: histogram.map(({ least, answered, others }) => [formatDecimal(least), String(answered), String(others)]),
    level: 4,
  }).element;
}
