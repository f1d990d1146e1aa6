/** Classes: essays handed in together, how far each is, and essays that came one by one. */
import { get } from "./api.js";
import { farOf, isGoingOn, nameOf } from "./batch_state.js";
import { takingIn } from "./class_files.js";
import { byId, el } from "./dom.js";
import { momentOf, shortDayOf } from "./formats.js";
import { keepOrder, OTHERS } from "./order.js";
import { EVERY } from "./progress.js";
import { tried } from "./status.js";
import { say } from "./texts.js";

const AT_ONCE = 50; // other essays
let known = new Set();
let last = null;
const listed = [];

takingIn((batch) => known.has(batch));
byId("older").addEventListener("click", () => tried(older));
await tried(async () => {
  await Promise.all([look(), older()]);
  for (const id of ["so-far", "others"]) byId(id).hidden = false; // both at once, so that nothing moves
});

async function look() {
  const { batches } = await get("/batches");
  known = new Set(batches.map((one) => one.batch));
  byId("none").hidden = batches.length > 0;
  const focused = document.activeElement.closest("#batches a")?.getAttribute("href");
  byId("batches").replaceChildren(...batches.map(card));
  byId("batches").querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
  if (batches.some(isGoingOn)) setTimeout(() => tried(look).then(again), 2 * EVERY);
}

/** After a lost connection, too. */
function again() {
  if (byId("state").classList.contains("trouble")) setTimeout(() => tried(look).then(again), 5 * EVERY);
}

function card(batch) {
  return el(
    "li",
    { class: batch.failed ? "card otherwise" : "card" },
    el("a", { class: "title", href: `/essay/classes/${batch.batch}`, dir: "auto" }, nameOf(batch)),
    el("p", { class: "soft" }, say("Handed in on {when}", { when: momentOf(batch.created) })),
    el("p", {}, farOf(batch)),
    isGoingOn(batch) && el("progress", { value: batch.done + batch.failed, max: batch.essays, "aria-label": say("Progress of {title}", { title: nameOf(batch) }) }),
  );
}

async function older() {
  const query = new URLSearchParams({ alone: true, limit: AT_ONCE, ...(last && { before: last }) });
  const { feedback } = await get(`/feedback?${query}`);
  last = feedback.at(-1)?.created ?? last;
  byId("older").hidden = feedback.length < AT_ONCE;
  byId("other-rows").append(...feedback.map(row));
  listed.push(...feedback.map((one) => one.id));
  keepOrder(OTHERS, listed);
  if (!byId("other-rows").children.length) byId("other-rows").append(el("tr", {}, el("td", { colspan: 4 }, say("There is none."))));
}

function row(one) {
  return el(
    "tr",
    {},
    el("th", { scope: "row", dir: "auto" }, el("a", { href: `/essay/classes/others/${one.id}` }, one.title || one.begins || say("Without a title"))),
    el("td", {}, momentOf(one.created)),
    el("td", {}, one.approved ? shortDayOf(one.approved) : say("Not yet")),
    el("td", {}, shortDayOf(one.expires)),
  );
}
