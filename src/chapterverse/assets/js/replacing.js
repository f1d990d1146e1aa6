/** Another sentence of the school's books in the place of one. */
import { answerTo, get, Trouble } from "./api.js";
import { byId, el } from "./dom.js";
import { pageButton } from "./lit_page.js";
import { inContext } from "./sentence.js";
import { say } from "./texts.js";

/** Offer sentences for evidence of that feedback; chosen(id of one): put it there, whether it was done. */
export function replaceDialog(feedback, one, chosen) {
  const list = el("ol", { class: "plain candidates" });
  const told = el("p", { role: "status", class: "soft" });
  const words = el("input", { type: "search", maxlength: 2000, autocomplete: "off" });
  const books = el("select", { on: { change: () => look() } }, el("option", { value: "" }, say("All books")));
  const inBooks = el("label", { hidden: true }, say("In which book"), books);
  const dialog = el(
    "dialog",
    { class: "replacing", "aria-labelledby": "replacing-title", on: { close: leave } },
    el("header", {}, el("h2", { id: "replacing-title" }, say("Another sentence for evidence #{number}", { number: one.number })), el("button", { type: "button", on: { click: () => dialog.close() } }, say("Close"))),
    el(
      "div",
      { class: "inside" },
      el("p", { class: "soft" }, say("Now there:")),
      el("blockquote", { dir: "auto" }, one.sentence.text),
      el("form", { class: "row", on: { submit: (event) => (event.preventDefault(), look()) } }, el("label", { class: "grow" }, say("Look for something else in your books"), words), inBooks, el("button", { class: "primary" }, say("Search"))),
      told,
      list,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  look();
  offerBooks();

  /** Where another sentence was put there, the button that opened this is a new one. */
  function leave() {
    dialog.remove();
    if (document.activeElement === document.body) byId(`evidence-${one.number}`)?.focus({ preventScroll: true });
  }

  /** Without the list of books all of them are looked in. */
  async function offerBooks() {
    const { books: all } = await get("/books").catch(() => ({ books: [] }));
    const ready = all.filter((book) => book.state === "ready");
    books.append(...ready.map((book) => el("option", { value: book.book }, book.title)));
    inBooks.hidden = ready.length < 2;
  }

  async function look() {
    told.textContent = say("Looking in your books …");
    try {
      const path = `/feedback/${feedback}/evidence/${one.number}/candidates`;
      const { candidates } = await answerTo(path, { method: "POST", json: { words: words.value.trim(), book: books.value || null } });
      list.replaceChildren(...candidates.map(candidate));
      told.textContent = candidates.length ? (words.value.trim() ? say("Nearest to what you look for:") : say("Nearest to the essay’s passage:")) : say("There is no other sentence.");
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      told.textContent = error.message;
    }
  }

  function candidate(each) {
    const put = async () => {
      told.textContent = say("Putting it there …");
      if (await chosen(each.sentence_id)) dialog.close();
      else told.textContent = document.getElementById("state").textContent;
    };
    return el(
      "li",
      { class: "card" },
      inContext(each),
      el("p", { class: "soft", dir: "auto" }, each.citation, " · ", say("Nearness {score}", { score: each.score.toFixed(2) })),
      el("div", { class: "row" }, el("button", { type: "button", class: "primary", on: { click: put } }, say("Put it there")), pageButton(each)),
    );
  }
}
