/** What a teacher does with a piece of evidence or a comment: pin, hide, replace, mark it. */
import { byId, el } from "./dom.js";
import { replaceDialog } from "./replacing.js";
import { say } from "./texts.js";

const NORMAL = { show: "normal", sentence: null };
const NO_MARK = { thumb: null, comment: null };

/** change(path below the feedback, method, JSON): whether it was done. Then `about` says what the feedback is by now. */
export function toolsFor(change) {
  const drafts = new Map(); // remarks that are being written: cards are made anew at each change
  let [feedback, id] = [null, null];

  const choiceOf = (number) => {
    const { show, sentence } = feedback.choices.find((one) => one.number === number) ?? NORMAL;
    return { show, sentence };
  };
  const choose = (number, wanted) => change(`evidence/${number}`, "PUT", { ...choiceOf(number), ...wanted, seen: choiceOf(number) });
  /** The focus goes to what then stands in its place. */
  const hide = async (number) => {
    const { nextElementSibling, previousElementSibling } = byId(`evidence-${number}`);
    const beside = (nextElementSibling ?? previousElementSibling)?.id;
    if (await choose(number, { show: "hidden" })) (byId(beside) ?? byId(`hidden-${number}`).querySelector("button")).focus({ preventScroll: true });
  };
  const markOf = (part, number) => {
    const { thumb, comment } = feedback.marks.find((one) => one.part === part && one.number === number) ?? NO_MARK;
    return { thumb, comment };
  };

  function tools(one) {
    const { number } = one;
    const { show, sentence } = choiceOf(number);
    const pinned = show === "pinned";
    const name = say("Evidence #{number}", { number });
    const button = (text, act, more = {}) => el("button", { type: "button", "aria-label": `${text}: ${name}`, on: { click: act }, ...more }, text);
    return el(
      "div",
      { class: "tools" },
      el(
        "div",
        { class: "row", role: "group", "aria-label": say("What students see of {name}", { name }) },
        button(pinned ? say("Unpin") : say("Pin to the top"), () => choose(number, { show: pinned ? "normal" : "pinned" }), { class: pinned ? "is-on" : null }),
        button(say("Hide"), () => hide(number)),
        button(say("Replace …"), () => replaceDialog(id, one, (other) => choose(number, { sentence: other }))),
        sentence && button(say("Take the first sentence back"), () => choose(number, { sentence: null })),
      ),
      pinned && el("p", { class: "soft" }, say("Pinned: students see it before all others.")),
      sentence && el("p", { class: "soft", dir: "auto" }, say("It stands in the place of:"), ` “${foundFirst(number).sentence.text}”`),
      remark("evidence", number, name),
    );
  }

  const foundFirst = (number) => feedback.choices.find((one) => one.number === number).found;

  /** A thumb and a few words for colleagues. */
  function remark(part, number, name) {
    const seen = markOf(part, number);
    const key = `${part}/${number}`;
    const put = async (wanted) => {
      if (await change(`marks/${key}`, "PUT", { ...seen, ...wanted, seen })) drafts.delete(key);
    };
    const thumb = (value, sign, text) => {
      const on = seen.thumb === value;
      return el("button", { type: "button", class: on ? "chip is-on" : "chip", "aria-pressed": String(on), "aria-label": `${text}: ${name}`, on: { click: () => put({ thumb: on ? null : value }) } }, sign);
    };
    const words = el("textarea", { rows: 2, maxlength: 4000, "aria-label": say("Remark on {name}", { name }), on: { input: () => drafts.set(key, words.value) } });
    words.value = drafts.get(key) ?? seen.comment ?? "";
    const save = (event) => {
      event.preventDefault();
      put({ comment: words.value.trim() || null });
    };
    const other = drafts.has(key) && seen.comment && drafts.get(key) !== seen.comment;
    return el(
      "details",
      { class: "remark" },
      el("summary", {}, say("Your mark"), markSign(seen)),
      el("p", { class: "soft" }, say("For colleagues: students do not see it.")),
      el("div", { class: "row" }, thumb("up", "👍", say("Good")), thumb("down", "👎", say("Not good"))),
      other && el("p", { class: "soft", dir: "auto" }, say("Saved by now:"), ` “${seen.comment}”`),
      el("form", { class: "stack", on: { submit: save } }, words, el("div", { class: "row" }, el("button", {}, say("Save the remark")))),
    );
  }

  const markSign = ({ thumb, comment }) => {
    const signs = [{ up: "👍", down: "👎" }[thumb], comment].filter(Boolean).join(" ");
    return signs && el("span", { class: "glimpse", dir: "auto" }, ` ${signs}`);
  };

  /** Evidence that students do not see. */
  function setAside() {
    const hidden = feedback.choices.filter((one) => one.show === "hidden");
    if (!hidden.length) return [];
    const shut = ({ number, found }) => {
      const name = say("Evidence #{number}", { number });
      return el(
        "li",
        { class: "card set-aside", id: `hidden-${number}` },
        el("h4", {}, name),
        el("p", { class: "context", dir: "auto" }, found.sentence.text),
        el("p", { class: "soft", dir: "auto" }, found.citation),
        el("button", { type: "button", "aria-label": `${say("Show again")}: ${name}`, on: { click: () => choose(number, { show: "normal" }).then(() => byId(`evidence-${number}`)?.focus()) } }, say("Show again")),
      );
    };
    return [el("h3", { class: "aside-title" }, say("Hidden from students")), el("ul", { class: "plain" }, hidden.map(shut))];
  }

  return {
    about(told, its) {
      [feedback, id] = [told, its];
    },
    onEvidence: tools,
    onComment: (comment) => remark(comment.dimension, comment.number, say("Comment {number}", { number: comment.shown })),
    setAside,
  };
}
