/** Numbers and moments as the page's language writes them; moments are told in ISO 8601. */
export const language = document.documentElement.lang;

const number = new Intl.NumberFormat(language);
const share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const shortDay = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const hour = new Intl.DateTimeFormat(language, { timeStyle: "short" });

/** 1234 as "1,234". */
export const countOf = (value) => number.format(value);

/** 0.83 as "83 %", as "83", or as "0.83". */
export const percent = (value) => share.format(value);
export const hundred = (value) => String(Math.round(value * 100));
export const decimal = (value, digits = 2) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

export const momentOf = (iso) => moment.format(new Date(iso));
export const dayOf = (iso) => day.format(new Date(iso));
export const shortDayOf = (iso) => shortDay.format(new Date(iso));
export const hourOf = (iso) => hour.format(new Date(iso));

/** Sorts names as people do, 2 before 10. */
export const inOrder = new Intl.Collator(language, { numeric: true });
