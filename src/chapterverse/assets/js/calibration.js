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
  right: () => say("Correct: shown, and in your books"),
  wrong: () => say("Wrong: shown, but not in your books"),
  meaning: (values) => say("Of 100 ideas in your books, about {shown} get a sentence; of 100 that are not in them, about {others}.", values),
  caution: () => say("Each question is a third of a sentence's words. Paragraphs of an essay say more and score higher: the chart shows the effect of moving the threshold, not the result for one essay."),
};
/** Where questions are answered. @type {Texts} */
const OF_QUESTIONS = {
  right: () => say("Correct: answered, and in your texts"),
  wrong: () => say("Wrong: answered, but not in your texts"),
  meaning: (values) => say("Of 100 questions your texts answer, about {shown} are answered; of 100 others, about {others}.", values),
  caution: () => say("These questions use the words of your texts. People use other words, so expect that more of their questions stay unanswered."),
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
      el("p", {}, say("Not measured yet. To measure, we make a few hundred questions from your texts, each from a third of a sentence’s words. Each is asked twice: with the passage that answers it, and without.")),
    ];
  }

  /** @param {Calibration} calibration */
  function measurementContent({ measurement, picture }) {
    if (measurement?.state === "waiting") {
      const text = measurement.message ?? say("Measuring … You can leave this page.");
      return [el("p", {}, text), progressBar(say("Progress of the measurement"), measurement)];
    }
    const button = el("button", { type: "button", class: picture ? "quiet" : "primary", on: { click: measure } }, picture ? say("Measure again") : say("Measure on our texts"));
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
    if (isBooks) return say("Sentences with a score of at least {min} are shown.", { min: formatDecimal(threshold() ?? Number(calibration.default)) });
    const [first] = calibration.bands;
    if (first?.name === "confidence") return say("Questions are answered from a confidence of {min}. This value was measured for the embedding model and is the same for every school.", { min: formatDecimal(first.least) });
    const bands = calibration.bands.map(({ name, least }) => `${bandText(name)}: ${formatDecimal(least)}`).join("; ");
    return say("Answers use fixed thresholds ({bands}), the same for every school.", { bands });
  }

  /** @param {Calibration} calibration @param {ThresholdCurve} measured */
  function thresholdContent(calibration, measured) {
    const defaultValue = isBooks ? Number(calibration.default) : measured.least;
    if (!measured.curve.length) return [el("p", {}, say("This measurement has no chart. Measure again to get one."))];
    const { chart, slider, meaning } = movableThreshold(measured, threshold() ?? defaultValue, texts);
    const inUse = isBooks ? thresholdText(calibration) : say("Answers use this measurement of your texts.");
    return [
      el("p", {}, calibration.in_use ? inUse : `${thresholdText(calibration)} ${say("This measurement is not in use yet.")}`),
      chart,
      el("label", {}, say("Threshold"), slider),
      meaning,
      el("p", { class: "soft" }, texts.caution()),
      el("p", { class: "soft" }, `${say("Default: {min}.", { min: formatDecimal(defaultValue) })} ${setting().changed ? changeText(setting()) : ""}`),
      buttons(calibration, slider),
      el("details", {}, el("summary", {}, say("Distribution of scores")), scoreChart(measured.histogram)),
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
      el("button", { type: "button", class: "primary", on: { click: accept } }, isInUse ? say("Save this threshold") : say("Use this threshold")),
      isInUse && el("button", { type: "button", on: { click: reset } }, say("Reset to default")),
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
    { name: say("Precision"), values: curve.map((one) => one.precision) },
  ];
  const chart = lineChart(curve.map((one) => one.threshold), series, { format: formatPercent, formatX: (value) => formatDecimal(value), caption: say("Threshold"), mark: markAt(threshold) });
  const { element, redraw } = chartFigure({
    title: say("Effect of each threshold, from {questions} questions", { questions }),
    description: meaningOf(curve, threshold, texts),
    chart,
    columns: [say("Threshold"), say("Answered, of 100 that are in your texts"), say("Answered, of 100 that are not"), say("Correct, of 100 shown")],
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
    { name: say("With the answering passage"), values: histogram.map(({ answered }) => ({ value: answered })) },
    { name: say("Without the answering passage"), values: histogram.map(({ others }) => ({ value: others })) },
  ];
  return chartFigure({
    title: say("Questions by score"),
    description: say("The further apart the two are, the better a threshold can separate them."),
    chart: barChart(names, series, { max, format: (value) => String(Math.round(value)) }),
    columns: [say("Score from"), ...series.map(({ name }) => name)],
    rows: histogram.map(({ least, answered, others }) => [formatDecimal(least), String(answered), String(others)]),
    level: 4,
  }).element;
}
