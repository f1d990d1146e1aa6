// @ts-check
/** Dates of the page as the reader's language and clock write them. */
import { findAll } from "./dom.js";
import { formatDateTime } from "./formats.js";

for (const each of findAll(document, "time[datetime]")) each.textContent = formatDateTime(each.getAttribute("datetime") ?? "");
