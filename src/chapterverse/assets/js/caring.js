/** What a teacher may do with a document or textbook: call it otherwise, say what it is about, remove it. */
import { API, ask } from "./api.js";
import { el } from "./dom.js";
import { tell, tried } from "./status.js";
import { say } from "./texts.js";

/** source: as the interface tells it; path: of it there; changed: told afterwards. */
export function careOf(source, path, changed) {
  const save = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const topics = given.get("topics").split(";").map((one) => one.trim()).filter(Boolean);
    await tried(async () => {
      await ask(API + path, { method: "PATCH", json: { title: given.get("title").trim() || null, topics: topics.length ? topics : null } });
      await changed();
      tell(say("Saved."));
    });
  };
  const remove = async () => {
    if (!confirm(say("Remove {title}? Nothing in it is found any more, and its file is deleted.", { title: source.title }))) return;
    await tried(async () => {
      await ask(API + path, { method: "DELETE" });
      await changed();
      tell(say("Removed."));
    });
  };
  return el(
    "details",
    { class: "care" },
    el("summary", { "aria-label": say("Change or remove {title}", { title: source.title }) }, say("Change or remove")),
    el(
      "form",
      { class: "stack", on: { submit: save } },
      el("label", {}, say("Title"), el("input", { name: "title", value: source.title, maxlength: 255 })),
      el("label", {}, say("Topics, one after another with semicolons"), el("input", { name: "topics", value: source.topics.join("; "), maxlength: 300 })),
      el("div", { class: "row" }, el("button", { class: "primary" }, say("Save")), el("button", { type: "button", on: { click: remove } }, say("Remove"))),
    ),
  );
}
