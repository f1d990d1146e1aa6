/** Charts as SVG, as wide as there is room: made of elements and classes only, as the pages' policy asks for (docs/adr). */
import { el } from "./dom.js";
import { decimal } from "./formats.js";
import { say } from "./texts.js";

const NS = "http://www.w3.org/2000/svg";
const HEIGHT = 260; // pixels, as chart.css keeps free before anything is drawn
const EDGE = { left: 46, right: 14, top: 20, bottom: 44 };
const WIDE_ENOUGH = 30; // pixels of a bar, for its figure to stand above it
const A_LETTER = 7; // pixels

/** A chart under its title, what its colours stand for, and the same figures as a table. told: what it shows, for who does not
 * see it; columns: names, the first over the rows' own; rows: [name, cell, …]. The element's `redraw` shows what has changed. */
export function figure({ title, told, chart, columns, rows, level = 3 }) {
  const canvas = svg("svg", { class: "canvas", role: "img", "aria-label": told, height: HEIGHT });
  const made = el("figure", { class: "chart" }, el("figcaption", {}, el(`h${level}`, {}, title), legend(chart)), canvas, asTable(title, columns, rows));
  made.redraw = () => canvas.clientWidth && canvas.replaceChildren(...chart.draw(canvas.clientWidth));
  new ResizeObserver(made.redraw).observe(canvas);
  return made;
}

/** Bars in groups. groups: names; series: [{name, values: [{value, low, high} or null, one a group]}], low and high the ends of an
 * interval, if there is one; most: the highest value there may be. */
export function bars(groups, series, { most = 1, format = decimal } = {}) {
  const draw = (width) => {
    const room = plot(width, most);
    const step = (room.right - room.left) / groups.length;
    const wide = (step * 0.8) / series.length;
    const tight = Math.max(...groups.map((name) => name.length)) * A_LETTER > step;
    const bar = (one, group, at) => {
      const value = one.values[group];
      if (!value) return [];
      const x = room.left + group * step + step * 0.1 + at * wide;
      const y = room.y(value.value);
      return [
        svg("rect", { class: `fill-${at + 1}`, x: x + 1, y, width: wide - 2, height: room.bottom - y }),
        ...(value.low === undefined ? [] : whisker(x + wide / 2, room.y(value.low), room.y(value.high))),
        wide >= WIDE_ENOUGH && text(format(value.value), { x: x + wide / 2, y: room.y(value.high ?? value.value) - 5, class: "figure" }),
      ];
    };
    return [
      ...grid(room, most, format),
      ...series.flatMap((one, at) => groups.flatMap((_, group) => bar(one, group, at))).filter(Boolean),
      ...groups.map((name, group) => text(name, { x: room.left + (group + 0.5) * step, y: room.bottom + 18, class: tight ? "tight" : "" })),
    ];
  };
  return { names: series.map((one) => one.name), draw };
}

/** Lines over x: numbers that rise, or names one after the other. series: [{name, values: [number or null]}]; under: what x is;
 * mark: {at, text}, a line across at that x, which may be changed before redraw. */
export function lines(x, series, { most = 1, format = decimal, formatX = String, under = "", mark = null } = {}) {
  const numbers = x.map((each, at) => (typeof each === "number" ? each : at));
  const names = typeof x[0] === "number" ? numbers.map(formatX) : x;
  const chart = { names: series.map((one) => one.name), mark };
  chart.draw = (width) => {
    const room = plot(width, most, numbers);
    const points = (one) => one.values.map((value, at) => (value == null ? null : [room.x(numbers[at]), room.y(value)]));
    return [
      ...grid(room, most, format),
      ...across(room, numbers, names),
      text(under, { x: (room.left + room.right) / 2, y: room.bottom + 38 }),
      ...series.flatMap((one, at) => [svg("path", { class: `line line-${at + 1}`, d: pathOf(points(one)) }), ...dots(points(one), at)]),
      ...(chart.mark ? markAcross(room, chart.mark) : []),
    ];
  };
  return chart;
}

function plot(width, most, xs = [0, 1]) {
  const room = { left: EDGE.left, right: width - EDGE.right, top: EDGE.top, bottom: HEIGHT - EDGE.bottom };
  const [first, last] = [xs[0], xs.at(-1)];
  room.y = (value) => room.bottom - ((room.bottom - room.top) * Math.min(value, most)) / most;
  room.x = (value) => (last === first ? (room.left + room.right) / 2 : room.left + ((room.right - room.left) * (value - first)) / (last - first));
  return room;
}

function* grid(room, most, format) {
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const y = room.y(share * most);
    yield svg("line", { class: share ? "rule" : "axis", x1: room.left, x2: room.right, y1: y, y2: y });
    yield text(format(share * most), { x: room.left - 6, y: y + 4, class: "at-left" });
  }
}

/** As many names below the axis as there is room for, the last one among them. */
function* across(room, numbers, names) {
  const wide = Math.max(...names.map((name) => name.length)) * A_LETTER + 12;
  const step = even(names.length - 1, Math.max(1, Math.ceil((names.length * wide) / (room.right - room.left))));
  const last = room.right + EDGE.right - wide / 2;
  for (let at = names.length - 1; at >= 0; at -= step) yield text(names[at], { x: Math.min(room.x(numbers[at]), last), y: room.bottom + 18 });
}

/** The first step from `least` on that leads from the first to the last; `least` where there is none near it. */
function even(last, least) {
  for (let step = least; step <= 2 * least; step++) if (last % step === 0) return step;
  return least;
}

function markAcross(room, { at, text: told }) {
  const x = Math.min(Math.max(room.x(at), room.left), room.right);
  const right = x > (room.left + room.right) / 2;
  return [
    svg("line", { class: "mark-line", x1: x, x2: x, y1: room.top - 6, y2: room.bottom }),
    text(told, { x: x + (right ? -6 : 6), y: room.top - 4, class: right ? "at-left strong" : "at-right strong" }),
  ];
}

function whisker(x, low, high) {
  const line = (x1, x2, y1, y2) => svg("line", { class: "whisker", x1, x2, y1, y2 });
  return [line(x, x, low, high), line(x - 4, x + 4, low, low), line(x - 4, x + 4, high, high)];
}

/** A gap where a value is missing. */
function pathOf(points) {
  return points.map((point, at) => (point ? `${points[at - 1] ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "")).join("");
}

/** A point is a dot where it stands alone, and where there are few of them. */
function dots(points, at) {
  const few = points.length <= 31;
  const shown = points.filter((point, n) => point && (few || !(points[n - 1] || points[n + 1])));
  return shown.map(([cx, cy]) => svg("circle", { class: `fill-${at + 1}`, cx, cy, r: 3 }));
}

function legend({ names }) {
  if (names.length < 2) return null;
  const key = (at) => svg("svg", { class: "key", width: 22, height: 12, "aria-hidden": true }, svg("rect", { class: `fill-${at + 1}`, width: 22, height: 12 }));
  return el("ul", { class: "legend" }, names.map((name, at) => el("li", {}, key(at), name)));
}

function asTable(title, columns, rows) {
  const head = el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)));
  const row = ([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell) => el("td", {}, cell)));
  const table = el("table", { "aria-label": title }, el("thead", {}, head), el("tbody", {}, rows.map(row)));
  return el("details", {}, el("summary", {}, say("The same figures as a table")), el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": title }, table));
}

function text(told, { x, y, ...more }) {
  return svg("text", { x, y, ...more }, told);
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
