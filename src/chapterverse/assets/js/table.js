import { byId, el } from "./dom.js";
import { inOrder } from "./formats.js";

/** A table of rows that is sorted by the heads of its columns. columns: { text, value(row): what is sorted by, null last; cell(row):
 * what is shown; number: whether it stands right, else class; head: whether it names the row }. key(row): unlike any other row's; shown: told the
 * rows in their order after each change. order: what it is sorted by, kept up to date. */
export function tableOf(columns, key, shown, order = { by: 0, down: false }) {
  const made = new Map();
  let [rows, wanted] = [[], () => true];
  const heads = columns.map((column, at) => headOf(column, () => sortBy(at)));
  byId("heads").replaceChildren(...heads);

  function sortBy(at) {
    Object.assign(order, { by: at, down: at === order.by && !order.down });
    show();
  }

  function compare(a, b) {
    const [x, y] = [a, b].map(columns[order.by].value);
    if (x == null || y == null) return (x == null) - (y == null);
    const told = typeof x === "number" ? x - y : inOrder.compare(x, y);
    return order.down ? -told : told;
  }

  function show() {
    const inView = rows.filter(wanted).sort((a, b) => compare(a, b) || inOrder.compare(key(a), key(b)));
    heads.forEach((head, at) => head.setAttribute("aria-sort", at === order.by ? (order.down ? "descending" : "ascending") : "none"));
    place(inView.map(rowOf));
    shown(inView, rows);
  }

  /** The row as it stands there already, where nothing of it is new: the focus stays in it. */
  function rowOf(row) {
    const told = JSON.stringify(row);
    if (made.get(key(row))?.told !== told) made.set(key(row), { told, row: el("tr", {}, columns.map((column) => cellOf(column, row))) });
    return made.get(key(row)).row;
  }

  return {
    rows(all) {
      rows = all;
      show();
    },
    filter(kept) {
      wanted = kept;
      show();
    },
  };
}

function headOf(column, sort) {
  const sign = el("span", { class: "sign", "aria-hidden": "true" });
  return el("th", { scope: "col", class: column.number ? "number" : null }, el("button", { type: "button", on: { click: sort } }, column.text, sign));
}

function cellOf(column, row) {
  return el(column.head ? "th" : "td", { class: column.number ? "number" : column.class, scope: column.head ? "row" : null, dir: column.head ? "auto" : null }, column.cell(row));
}

function place(rows) {
  const body = byId("rows");
  if (rows.length === body.children.length && rows.every((row, at) => row === body.children[at])) return;
  const focused = document.activeElement;
  body.replaceChildren(...rows);
  if (body.contains(focused)) focused.focus({ preventScroll: true });
}
