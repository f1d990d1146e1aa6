/** Somebody's own essays, newest first. */
import { get } from "./api.js";
import { byId, el } from "./dom.js";
import { actsOn, addressOf, factsOf } from "./own_essays.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

tried(list);

async function list() {
  const { essays } = await get("/essays/mine");
  byId("none").hidden = essays.length > 0;
  byId("essays").replaceChildren(...essays.map((one) => itemOf(one, essays)));
}

function itemOf(one, essays) {
  const gone = async () => {
    await list();
    tell(say("It is deleted."));
    byId("title").focus();
  };
  return el(
    "li",
    { class: "card" },
    el("h2", { class: "title", dir: "auto" }, el("a", { href: addressOf(one.id) }, one.title ?? `${one.begins} …`)),
    versionOf(one, essays) && el("p", { class: "version" }, versionOf(one, essays)),
    el("p", { class: "soft" }, factsOf(one)),
    el("div", { class: "row" }, actsOn(one, gone)),
  );
}

/** Its number, as far back as its versions are there. */
function versionOf(one, essays) {
  if (!one.version_of) return null;
  const before = essays.find((each) => each.id === one.version_of);
  if (!before) return say("A new version");
  let number = 1;
  for (let each = one; each; each = essays.find((other) => other.id === each.version_of)) number += each.version_of ? 1 : 0;
  return say("Version {number}", { number });
}
