/** The secret of a link stands behind the #, which browsers send to nobody; without this script it is put in by hand. */
import { byId } from "./dom.js";

const told = new URLSearchParams(location.hash.slice(1));
if (byId("link")) {
  byId("link").value = told.get("link") ?? "";
  byId("next").value = told.get("next") ?? "/";
}
