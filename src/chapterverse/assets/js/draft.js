/** What is being written stays in this tab of this browser until the tab is closed or somebody signs out: at a computer that many
 * use, the next one finds nothing, nor does another who signs in. */
const NAME = "essay";

export function draftOf(who) {
  let draft = read(who);
  document.querySelector("form[action='/sign-out']")?.addEventListener("submit", () => sessionStorage.removeItem(NAME));
  return {
    get: () => draft,
    put(changed) {
      draft = { ...draft, ...changed, who };
      try {
        sessionStorage.setItem(NAME, JSON.stringify(draft));
      } catch {
        // full, or not to be used here: then a reload loses what was typed, as anywhere
      }
    },
  };
}

function read(who) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(NAME));
    if (draft?.who === who) return draft;
    sessionStorage.removeItem(NAME);
  } catch {
    // no storage
  }
  return { text: "" };
}
