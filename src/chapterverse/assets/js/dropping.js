import { API, ask, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { say } from "./texts.js";

/** A file is sent to be the new text of the book of that file's name; whether it has arrived. */
export const replaceBy = (file, name, here) => send(new File([file], name, { type: file.type }), "books", here);

/** Files that are dropped on a place, or chosen in it, are sent to a collection, one after the other: a class's worth of books
 * would else share the line. arrived: told the id of what a file will be, or null where it could not be sent. */
export function receive(drop, collection, arrived) {
  const sendAll = async (files) => {
    for (const file of files) await arrived(await send(file, collection, "here" in drop.dataset));
  };
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("is-over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("is-over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("is-over");
    sendAll(event.dataTransfer.files);
  });
  drop.querySelector("input[type=file]").addEventListener("change", (event) => sendAll(event.target.files));
}

async function send(file, collection, here) {
  const told = el("li", {}, say("Sending {file} …", { file: file.name }));
  byId("uploads").append(told);
  try {
    if (isPage(file.name)) return await handIn(file, collection, told);
    const wanted = await ask(`${API}/uploads`, { method: "POST", json: { file_name: file.name, collection } });
    const { url, method, headers, book } = await wanted.json();
    await ask(here ? pathOf(url) : url, { method, headers, body: file });
    told.remove();
    return book;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    told.className = "state trouble";
    told.textContent = `${file.name}: ${error.message}`;
    return null;
  }
}

const isPage = (name) => /\.(md|mdx|markdown|html?)$/i.test(name);

/** A page by itself goes in a form, and becomes a folder of one page there. */
async function handIn(file, collection, told) {
  const body = new FormData();
  body.append("file", file);
  const { document } = await (await ask(`${API}/${collection === "textbook" ? "textbooks" : collection}`, { method: "POST", body })).json();
  told.remove();
  return document;
}

/** This server takes the file itself, by whatever name it was reached. */
function pathOf(url) {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
