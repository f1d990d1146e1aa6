// @ts-check
/** Charts as SVG, as wide as there is room: elements and classes only, as the pages' Content-Security-Policy requires (docs/adr). */
import { el } from "./dom.js";
import { formatDecimal } from "./formats.js";
import { say } from "./texts.js";
/** @import { Chart, ChartMark, Point } from "./types" */

/** @typedef {{ left: number, right: number, top: number, bottom: number, x: (value: number) => number, y: (value: number) => number }} Plot area and scales */
/** @typedef {(value: number) => string} Format */

const NAMESPACE = "http://www.w3.org/2000/svg";
const HEIGHT = 260; // pixels; chart.css reserves them before anything is drawn
const MARGIN = { left: 46, right: 14, top: 20, bottom: 44 };
const LABELLED_WIDTH = 30; // pixels of a bar from which its value is written above it
const LETTER_WIDTH = 7; // pixels
const MAX_DOTS = 31; // points of a line that are shown as dots

/**
 * Returns a chart with its title, its legend and the same numbers as a table.
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.description what the chart shows, for screen readers
 * @param {Chart} options.chart
 * @param {string[]} options.columns of the table; the first names the rows
 * @param {string[][]} options.rows name, cell, …
 * @param {2 | 3 | 4} [options.level] of the heading
 * @returns {{ element: HTMLElement, redraw: (description?: string) => void }} redraw: shows what has changed in the chart
 */
export function chartFigure({ title, description, chart, columns, rows, level = 3 }) {
  const canvas = svg("svg", { class: "canvas", role: "img", "aria-label": description, height: HEIGHT });
  const element = el("figure", { class: "chart" }, el("figcaption", {}, el(`h${level}`, {}, title), legend(chart)), canvas, tableOf(title, columns, rows));
  const draw = () => {
    if (canvas.clientWidth) canvas.replaceChildren(...chart.draw(canvas.clientWidth));
  };
  new ResizeObserver(draw).observe(canvas);
  return {
    element,
    redraw(newDescription = description) {
      canvas.setAttribute("aria-label", newDescription);
      draw();
    },
  };
}

/**
 * Returns a chart of bars in groups; low and high draw an interval on a bar.
 * @param {string[]} groups names
 * @param {{ name: string, values: (Point | null)[] }[]} series one value for each group
 * @param {{ max?: number, format?: Format }} [options] max: the highest possible value
 * @returns {Chart}
 */
export function barChart(groups, series, { max = 1, format = formatDecimal } = {}) {
  /** @param {number} width */
  const draw = (width) => {
    const plot = plotOf(width, max);
    const groupWidth = (plot.right - plot.left) / groups.length;
    const barWidth = (groupWidth * 0.8) / series.length;
    const isTight = Math.max(...groups.map((name) => name.length)) * LETTER_WIDTH > groupWidth;
    /** @param {Point | null} point @param {number} group @param {number} index */
    const bar = (point, group, index) => {
      if (!point) return [];
      const x = plot.left + group * groupWidth + groupWidth * 0.1 + index * barWidth;
      const y = plot.y(point.value);
      const high = point.high ?? point.value;
      return [
        svg("rect", { class: `fill-${index + 1}`, x: x + 1, y, width: barWidth - 2, height: plot.bottom - y }),
        ...(point.low === undefined ? [] : whisker(x + barWidth / 2, plot.y(point.low), plot.y(high))),
        ...(barWidth < LABELLED_WIDTH ? [] : [label(format(point.value), { x: x + barWidth / 2, y: plot.y(high) - 5, class: "figure" })]),
      ];
    };
    return [
      ...grid(plot, max, format),
      ...series.flatMap((one, index) => groups.flatMap((_, group) => bar(one.values[group], group, index))),
      ...groups.map((name, group) => label(name, { x: plot.left + (group + 0.5) * groupWidth, y: plot.bottom + 18, class: isTight ? "tight" : "" })),
    ];
  };
  return { names: series.map((one) => one.name), draw };
}

/**
 * Returns a chart of lines over rising numbers, or over names one after the other.
 * @param {number[] | string[]} x
 * @param {{ name: string, values: (number | null)[] }[]} series null: a gap
 * @param {object} [options]
 * @param {number} [options.max] the highest possible value
 * @param {Format} [options.format]
 * @param {Format} [options.formatX]
 * @param {string} [options.caption] what x is
 * @param {ChartMark | null} [options.mark] a vertical line; may be changed before a redraw
 * @returns {Chart}
 */
export function lineChart(x, series, { max = 1, format = formatDecimal, formatX = String, caption = "", mark = null } = {}) {
  const numbers = x.map((each, index) => (typeof each === "number" ? each : index));
  const names = x.map((each) => (typeof each === "number" ? formatX(each) : each));
  /** @type {Chart} */
  const chart = {
    names: series.map((one) => one.name),
    mark,
    draw(width) {
      const plot = plotOf(width, max, numbers);
      return [
        ...grid(plot, max, format),
        ...axisNames(plot, numbers, names),
        label(caption, { x: (plot.left + plot.right) / 2, y: plot.bottom + 38 }),
        ...series.flatMap(({ values }, index) => {
          const points = values.map((value, at) => (value === null ? null : /** @type {[number, number]} */ ([plot.x(numbers[at]), plot.y(value)])));
          return [svg("path", { class: `line line-${index + 1}`, d: pathOf(points) }), ...dots(points, index)];
        }),
        ...(chart.mark ? markLine(plot, chart.mark) : []),
      ];
    },
  };
  return chart;
}

/** @param {number} width @param {number} max @param {number[]} [xs] @returns {Plot} */
function plotOf(width, max, xs = [0, 1]) {
  const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, HEIGHT - MARGIN.bottom];
  const [first, last] = [xs[0], xs[xs.length - 1]];
  return {
    left, right, top, bottom,
    y: (value) => bottom - ((bottom - top) * Math.min(value, max)) / max,
    x: (value) => (last === first ? (left + right) / 2 : left + ((right - left) * (value - first)) / (last - first)),
  };
}

/** @param {Plot} plot @param {number} max @param {Format} format */
function* grid(plot, max, format) {
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const y = plot.y(share * max);
    yield svg("line", { class: share ? "rule" : "axis", x1: plot.left, x2: plot.right, y1: y, y2: y });
    yield label(format(share * max), { x: plot.left - 6, y: y + 4, class: "at-left" });
  }
}

/** Yields as many names below the axis as there is room for, including the last. @param {Plot} plot @param {number[]} numbers @param {string[]} names */
function* axisNames(plot, numbers, names) {
  const width = Math.max(...names.map((name) => name.length)) * LETTER_WIDTH + 12;
  const step = evenStep(names.length - 1, Math.max(1, Math.ceil((names.length * width) / (plot.right - plot.left))));
  const rightmost = plot.right + MARGIN.right - width / 2;
  for (let index = names.length - 1; index >= 0; index -= step) {
    yield label(names[index], { x: Math.min(plot.x(numbers[index]), rightmost), y: plot.bottom + 18 });
  }
}

/** Returns the first step from `min` on that divides `last`; `min` if there is none up to its double. @param {number} last @param {number} min */
function evenStep(last, min) {
  for (let step = min; step <= 2 * min; step++) if (last % step === 0) return step;
  return min;
}

/** @param {Plot} plot @param {ChartMark} mark */
function markLine(plot, { at, text }) {
  const x = Math.min(Math.max(plot.x(at), plot.left), plot.right);
  const isRight = x > (plot.left + plot.right) / 2;
  return [
    svg("line", { class: "mark-line", x1: x, x2: x, y1: plot.top - 6, y2: plot.bottom }),
    label(text, { x: x + (isRight ? -6 : 6), y: plot.top - 4, class: isRight ? "at-left strong" : "at-right strong" }),
  ];
}

/** @param {number} x @param {number} low @param {number} high */
function whisker(x, low, high) {
  /** @param {number} x1 @param {number} x2 @param {number} y1 @param {number} y2 */
  const line = (x1, x2, y1, y2) => svg("line", { class: "whisker", x1, x2, y1, y2 });
  return [line(x, x, low, high), line(x - 4, x + 4, low, low), line(x - 4, x + 4, high, high)];
}

/** @param {([number, number] | null)[]} points null: a gap */
function pathOf(points) {
  return points.map((point, index) => (point ? `${points[index - 1] ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "")).join("");
}

/** Returns dots for points that stand alone, or for all of a few. @param {([number, number] | null)[]} points @param {number} series */
function dots(points, series) {
  return points.flatMap((point, index) => {
    if (!point || (points.length > MAX_DOTS && (points[index - 1] || points[index + 1]))) return [];
    return [svg("circle", { class: `fill-${series + 1}`, cx: point[0], cy: point[1], r: 3 })];
  });
}

/** @param {Chart} chart */
function legend({ names }) {
  if (names.length < 2) return null;
  /** @param {number} index */
  const key = (index) => svg("svg", { class: "key", width: 22, height: 12, "aria-hidden": true }, svg("rect", { class: `fill-${index + 1}`, width: 22, height: 12 }));
  return el("ul", { class: "legend" }, names.map((name, index) => el("li", {}, key(index), name)));
}

/** @param {string} title @param {string[]} columns @param {string[][]} rows */
function tableOf(title, columns, rows) {
  const head = el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)));
  const body = rows.map(([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell) => el("td", {}, cell))));
  const table = el("table", { "aria-label": title }, el("thead", {}, head), el("tbody", {}, body));
  return el("details", {}, el("summary", {}, say("Show as a table")), el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": title }, table));
}

/** @param {string} text @param {Record<string, string | number>} attributes */
const label = (text, attributes) => svg("text", attributes, text);

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean>} attributes
 * @param {...(Node | string)} children
 */
function svg(tag, attributes, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
