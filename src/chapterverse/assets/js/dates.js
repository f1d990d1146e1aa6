// @ts-check
/** Dates of the page as the reader's language and clock write them. */
import { findAll } from "./dom.js";
import { formatDate, formatDateTime } from "./formats.js";

/** Writes the times that the server has put down, and with data-day their days. */
export function showDates() {
  for (const each of findAll(document, "time[datetime]", HTMLTimeElement)) each.textContent = ("day" in each.dataset ? formatDate : formatDateTime)(each.dateTime);
}

showDates();
