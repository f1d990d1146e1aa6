// @ts-check
/** The viewer as a page of its own. */
import { find } from "./dom.js";
import { startViewer } from "./viewer.js";

startViewer(find(document, "article.viewer"), (address) => history.replaceState(history.state, "", address));
