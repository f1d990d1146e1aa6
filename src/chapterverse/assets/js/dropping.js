import { API, answerTo, ask, Lost, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { say } from "./texts.js";

/** What is dropped beside the place for it would be opened by the browser, and the page be gone. */
for (const name of ["dragover", "drop"]) {
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}

/** A file is sent to be the new text of the book of that file's name; its id, null where it could not be sent. again: does it once
 * more, when somebody asks for that. */
export const replaceBy = (file, name, here, again) => send(new File([file], name, { type: file.type }), toCollection("books"), here, again);

/** A place that things may be dropped on; it shows when they are held over it. dropped: told what was (DataTransfer). */
export function takesDrops(place, dropped) {
  place.addEventListener("dragover", (event) => {
    event.preventDefault();
    place.classList.add("is-over");
  });
  place.addEventListener("dragleave", () => place.classList.remove("is-over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("is-over");
    dropped(event.dataTransfer);
  });
}

/** Files that are dropped on a place, or chosen in it, are sent one after the other: a class's worth of books would else share the
 * line. deliver: sends a file, tells its id and what is to be said of it then. arrived: told the id, or null where there is none. */
export function receive(drop, deliver, arrived) {
  const sendOne = async (file) => arrived(await send(file, deliver, "here" in drop.dataset, () => sendOne(file)));
  const sendAll = async (files) => {
    for (const file of files) await sendOne(file);
  };
  takesDrops(drop, ({ files }) => sendAll([...files]));
  drop.querySelector("input[type=file]").addEventListener("change", async ({ target }) => {
    await sendAll([...target.files]);
    target.value = ""; // else the same file cannot be chosen again
  });
}

async function send(file, deliver, here, again) {
  for (const earlier of [...byId("uploads").children]) if (earlier.dataset.failed === file.name) earlier.remove();
  const told = el("li", {}, say("Sending {file} …", { file: file.name }));
  byId("uploads").append(told);
  try {
    const { id = null, said = "" } = await deliver(file, here);
    if (said) told.textContent = said;
    else told.remove();
    return id;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    told.replaceWith(failed(file, error, again));
    return null;
  }
}

/** Why a file was not sent; where that may pass, a button that sends it once more. */
function failed(file, error, again) {
  const why = error instanceof Lost ? say("The connection was lost before the file had arrived.") : error.message;
  const passes = error instanceof Lost || error.status === 429 || error.status >= 500;
  const button = el("button", { type: "button", class: "chip", "aria-label": say("Try again: {file}", { file: file.name }), on: { click: again } }, say("Try again"));
  return el("li", { class: "state trouble", dataset: { failed: file.name } }, `${file.name}: ${why} `, passes && button);
}

/** Delivers to a collection of the school's. */
export const toCollection = (collection) => async (file, here) => {
  if (isPage(file.name)) return { id: await handIn(file, collection) };
  const wanted = await ask(`${API}/uploads`, { method: "POST", json: { file_name: file.name, collection } });
  const { book, ...address } = await wanted.json();
  await sendTo(address, file, here);
  return { id: book };
};

/** here: this server takes the file itself, by whatever name it was reached. */
export async function sendTo({ url, method, headers }, file, here) {
  const { pathname, search } = new URL(url);
  await ask(here ? pathname + search : url, { method, headers, body: file });
}

const isPage = (name) => /\.(md|mdx|markdown|html?)$/i.test(name);

/** A page by itself goes in a form, and becomes a folder of one page there. */
async function handIn(file, collection) {
  const body = new FormData();
  body.append("file", file);
  const { document } = await answerTo(`/${collection === "textbook" ? "textbooks" : collection}`, { method: "POST", body });
  return document;
}
