// @ts-check
/** Numbers, dates and times as the page's language writes them. Dates come as ISO 8601. */
export const language = document.documentElement.lang;

/** How the reader's browser writes the page's language: "en-GB" on an English page. */
const locale = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

const count = new Intl.NumberFormat(locale);
const percentage = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const time = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

/** 1234 as "1,234". @param {number} value */
export const formatCount = (value) => count.format(value);

/** 0.83 as "83 %". @param {number} value */
export const formatPercent = (value) => percentage.format(value);

/** 0.000213 as "0.00021", 12.5 as "12.5". @param {number} value */
export const formatFigure = (value) => new Intl.NumberFormat(locale, { maximumSignificantDigits: value < 1 ? 2 : 6 }).format(value);

/** @param {string} iso */
export const formatDateTime = (iso) => dateTime.format(new Date(iso));

/** @param {string} iso */
export const formatDate = (iso) => date.format(new Date(iso));

/** @param {string} iso */
export const formatTime = (iso) => time.format(new Date(iso));

/** Compares names with numbers by their value: 2 before 10. */
export const nameOrder = new Intl.Collator(language, { numeric: true });
