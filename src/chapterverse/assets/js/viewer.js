// @ts-check
/**
 * A book page by page: turning, zoom, text in its place, search, a teacher's corrections. The server makes every page as
 * HTML; turning a page fetches the next one and takes its parts over, so zoom, search and scrolling stay.
 */
import { API, request, RequestError, requestPage } from "./api.js";
import { copyElement, el, find, findAll } from "./dom.js";
import { say } from "./texts.js";
import { forgetDraft } from "./unsaved.js";

const PARTS = ["place", "turning", "file", "outline", "pen", "sheets"];
const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
const NARROW = "(max-width: 40rem)";
const SHARPER = 1.4; // shown so much larger than it was drawn, a picture is fetched anew
const MAX_SCALE = 4;
const WHOLE = 1.3; // × the right edge of a page's lines: at most its width, with a margin as in print

/**
 * Brings a viewer to life.
 * @param {HTMLElement} viewer
 * @param {(address: string) => unknown} onAddress called with the address of each page that is shown
 */
export function startViewer(viewer, onAddress) {
  /** @type {string[]} */
  const labels = JSON.parse(viewer.dataset.labels ?? "[]");
  const book = `/books/${encodeURIComponent(viewer.dataset.book ?? "")}/`;
  const drawn = Number(viewer.dataset.scale);
  let zoom = 1;

  /** @param {string} name */
  const part = (name) => find(viewer, `[data-part="${name}"]`);
  /** @param {string} text */
  const status = (text) => (part("status").textContent = text);
  const pageIndex = () => Number(part("turning").dataset.page);
  const address = () => part("turning").dataset.address ?? "";
  /** @param {number} index */
  const addressOf = (index) => {
    const query = viewer.dataset.collection === "books" ? "" : `?collection=${viewer.dataset.collection}`;
    return `${book}${index + 1}${query}`;
  };

  viewer.dataset.mode = matchMedia(NARROW).matches && viewer.querySelector(".sentence") ? "text" : "page";
  viewer.querySelector(".outline")?.toggleAttribute("open", matchMedia("(min-width: 62rem)").matches);
  offerThumbnails();
  pageShown();

  viewer.addEventListener("click", onClick);
  viewer.addEventListener("submit", onSubmit);
  document.addEventListener("keydown", (event) => viewer.isConnected && onKey(event));
  viewer.addEventListener("copy", onCopy);

  /** Shows another page of the book. @param {string} to @param {string[]} parts */
  async function go(to, parts = PARTS) {
    try {
      const made = (await requestPage(to)).page.querySelector("article.viewer");
      if (!(made instanceof HTMLElement)) return location.assign(to);
      for (const name of parts) {
        const [ours, theirs] = [viewer, made].map((each) => each.querySelector(`[data-part="${name}"]`));
        if (!(ours instanceof HTMLElement) || !(theirs instanceof HTMLElement)) continue;
        ours.replaceChildren(...theirs.childNodes);
        Object.assign(ours.dataset, theirs.dataset);
      }
      viewer.dataset.labels = made.dataset.labels;
      status("");
      if (!parts.includes("sheets")) return undefined;
      onAddress(address());
      return pageShown(prefetchNext);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return status(error.message);
    }
  }

  /** @param {MouseEvent} event */
  function onClick(event) {
    const target = event.target instanceof Element ? event.target : null;
    const link = target?.closest("a[href]");
    const plain = !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (link instanceof HTMLAnchorElement && plain && link.pathname.startsWith(book) && /\/\d+$/.test(link.pathname)) {
      event.preventDefault();
      go(link.href);
    }
    const sentence = target?.closest(".sentence");
    if (sentence instanceof HTMLElement && getSelection()?.isCollapsed && !sentence.classList.contains("is-cited")) choose(sentence);
    const button = target?.closest("button");
    if (!button) return;
    if (button.dataset.zoom) zoomBy(Number(button.dataset.zoom));
    if ("modeButton" in button.dataset) {
      viewer.dataset.mode = viewer.dataset.mode === "text" ? "page" : "text";
      pageShown();
    }
    if ("link" in button.dataset) copy(el("span", {}, new URL(address(), location.href).href));
  }

  /** Highlights a sentence; the address is then the sentence's. @param {HTMLElement} sentence */
  function choose(sentence) {
    const sheet = /** @type {HTMLElement} */ (sentence.closest(".sheet"));
    const index = pageIndex() + findAll(viewer, ".sheet").indexOf(sheet);
    const at = addressOf(index);
    go(`${at}${at.includes("?") ? "&" : "?"}sentence=${encodeURIComponent(sentence.dataset.id ?? "")}`);
  }

  /** @param {SubmitEvent} event */
  function onSubmit(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    event.preventDefault();
    const fields = new FormData(form);
    if ("go" in form.dataset) goToLabel(String(fields.get("page") ?? "").trim());
    else if ("find" in form.dataset) {
      const at = address();
      go(`${at}${at.includes("?") ? "&" : "?"}find=${encodeURIComponent(String(fields.get("find") ?? ""))}`, ["found"]);
    } else if (form.dataset.correct) correct(form, String(fields.get("value") ?? "").trim());
  }

  /** Opens the page with that printed number, else the page of the file with it. @param {string} label */
  function goToLabel(label) {
    const printed = labels.findIndex((each) => each.toLowerCase() === label.toLowerCase());
    const index = printed >= 0 ? printed : Number(label) - 1;
    if (label && Number.isInteger(index) && index >= 0 && index < labels.length) go(addressOf(index));
    else status(say("There is no page {label}.", { label }));
  }

  /** @param {HTMLFormElement} form @param {string} value */
  async function correct(form, value) {
    try {
      await request(viewer.dataset.source ?? "", { method: "PATCH", json: { [form.dataset.correct ?? ""]: { [form.dataset.key ?? ""]: value || null } } });
      forgetDraft(form);
      await go(address());
      labels.splice(0, labels.length, ...JSON.parse(viewer.dataset.labels ?? "[]"));
      offerThumbnails();
      status(say("Saved."));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      status(error.message);
    }
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (viewer.closest("dialog:not(:modal)")?.contains(target) === false) return; // meant for the page beside it
    if (target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const all = findAll(viewer, ".sheets .sentence");
      const at = all.findIndex((each) => each.classList.contains("is-cited"));
      const next = all[at < 0 ? 0 : at + (event.key === "ArrowDown" ? 1 : -1)];
      event.preventDefault();
      if (next) choose(next);
    } else if (!event.altKey && zoom <= 1 && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const link = viewer.querySelector(event.key === "ArrowLeft" ? "a[rel=prev]" : "a[rel=next]");
      if (link instanceof HTMLAnchorElement) go(link.href);
    } else if (event.key === "+" || event.key === "-") zoomBy(event.key === "+" ? 1 : -1);
  }

  /** Copies the words of the page without its line ends. @param {ClipboardEvent} event */
  function onCopy(event) {
    const selection = getSelection();
    if (!selection?.rangeCount || !event.clipboardData || !(event.target instanceof Element) || !event.target.closest(".layer, .sheets")) return;
    const copied = selection.getRangeAt(0).cloneContents();
    const paragraphs = findAll(copied, ".set");
    const texts = (paragraphs.length ? paragraphs : [copied]).map((each) => (each.textContent ?? "").replace(/\s+/g, " ").trim());
    event.clipboardData.setData("text/plain", texts.filter(Boolean).join("\n\n"));
    event.preventDefault();
  }

  /** @param {HTMLElement} element */
  function copy(element) {
    status(copyElement(element, viewer) ? say("Copied.") : say("This browser doesn’t allow copying. Select the text instead."));
  }

  /** @param {number} steps */
  function zoomBy(steps) {
    zoom = ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, ZOOMS.indexOf(zoom) + steps))];
    viewer.style.setProperty("--zoom", String(zoom));
    part("zoom").textContent = `${Math.round(100 * zoom)} %`;
    for (const picture of findAll(viewer, ".print img", HTMLImageElement)) sharpen(picture);
  }

  /** What is done whenever other pages are shown. @param {() => void} [then] once a picture is there: who has turned a page will turn the next */
  function pageShown(then) {
    for (const sheet of findAll(viewer, ".sheet")) {
      const picture = find(sheet, "img", HTMLImageElement);
      const right = Math.max(0, ...findAll(sheet, ".line").map((line) => Number(line.dataset.box?.split(" ")[2])));
      if (right && !picture.complete) sharpen(picture, right * WHOLE * drawn); // before the coarser one is fetched
      const show = () => {
        placeLines(sheet, picture);
        sharpen(picture);
        scrollToCited(sheet);
        then?.();
      };
      if (picture.complete && picture.naturalWidth) show();
      else picture.addEventListener("load", show, { once: true });
      picture.addEventListener("error", () => status(say("We can’t show this page right now.")), { once: true });
    }
    if (viewer.dataset.mode === "text") viewer.querySelector(".is-cited")?.scrollIntoView({ block: "center" });
    for (const link of findAll(viewer, ".thumb-grid a")) link.ariaCurrent = Number(link.dataset.index) === pageIndex() ? "true" : null;
  }

  /** Puts each line of text over its print. Boxes are in points; a picture has `drawn` pixels a point. @param {HTMLElement} sheet @param {HTMLImageElement} picture */
  function placeLines(sheet, picture) {
    const scale = Number(picture.dataset.scale ?? drawn);
    const [width, height] = [picture.naturalWidth / scale, picture.naturalHeight / scale];
    const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    const family = getComputedStyle(find(sheet, ".layer")).getPropertyValue("--serif") || "serif";
    for (const line of findAll(sheet, ".line")) {
      const [x0, y0, x1, y1] = (line.dataset.box ?? "").split(" ").map(Number);
      const size = (y1 - y0) * 0.85;
      pen.font = `${size}px ${family}`;
      const natural = pen.measureText((line.textContent ?? "").trimEnd()).width;
      line.style.left = `${(100 * x0) / width}%`;
      line.style.top = `${(100 * y0) / height}%`;
      line.style.fontSize = `${(100 * size) / width}cqw`;
      line.style.lineHeight = String((y1 - y0) / size);
      if (natural) line.style.transform = `scaleX(${(x1 - x0) / natural})`;
    }
  }

  /** Fetches a picture with more pixels where it is shown much larger than it was drawn. @param {HTMLImageElement} picture @param {number} [width] in pixels, as it is or may be drawn */
  function sharpen(picture, width = picture.naturalWidth) {
    const scale = Number(picture.dataset.scale ?? drawn);
    if (!width || picture.clientWidth * devicePixelRatio < SHARPER * width || scale >= MAX_SCALE) return;
    picture.dataset.scale = String(MAX_SCALE);
    picture.src = picture.src.replace(/scale=[\d.]+/, `scale=${MAX_SCALE}`);
  }

  /** @param {HTMLElement} sheet */
  function scrollToCited(sheet) {
    const line = viewer.dataset.mode === "page" && sheet.querySelector(".is-cited .line");
    if (line && sheet === viewer.querySelector(".sheet")) line.scrollIntoView({ block: "center", inline: "nearest" });
  }

  function prefetchNext() {
    const index = pageIndex() + findAll(viewer, ".sheet").length;
    if (index >= labels.length || viewer.dataset.mode === "text") return;
    const query = new URLSearchParams({ collection: viewer.dataset.collection ?? "", scale: find(viewer, ".print img").dataset.scale ?? String(drawn) });
    new Image().src = `${API}/pages/${encodeURIComponent(viewer.dataset.book ?? "")}/${index}.png?${query}`;
  }

  function offerThumbnails() {
    const menu = find(viewer, ".thumbs", HTMLDetailsElement);
    const fill = () => {
      const query = new URLSearchParams({ collection: viewer.dataset.collection ?? "", version: viewer.dataset.version ?? "" });
      const folder = `${API}/pages/${encodeURIComponent(viewer.dataset.book ?? "")}`;
      const links = labels.map((label, index) =>
        el(
          "a",
          { href: addressOf(index), dataset: { index }, "aria-current": index === pageIndex() && "true" },
          el("img", { src: `${folder}/${index}/thumbnail.png?${query}`, alt: "", width: 120, height: 170, loading: "lazy" }),
          label || String(index + 1),
        ));
      find(menu, ".thumb-grid").replaceChildren(...links);
      menu.querySelector(".thumb-grid [aria-current]")?.scrollIntoView({ block: "nearest" });
    };
    if (menu.open) fill();
    else menu.addEventListener("toggle", fill, { once: true });
  }
}
