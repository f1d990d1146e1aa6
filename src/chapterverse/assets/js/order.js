/** The order that essays were last listed in: who goes from one to the next goes by it. Only as long as the window is open. */
export const OTHERS = "others"; // those of no class

const name = (list) => `order-${list}`;

export function keepOrder(list, keys) {
  sessionStorage.setItem(name(list), JSON.stringify(keys));
}

/** How a list was looked at: what it was sorted by, which were shown. Nothing where it was not. */
export const viewOf = (list) => JSON.parse(sessionStorage.getItem(`view-${list}`));

export function keepView(list, view) {
  sessionStorage.setItem(`view-${list}`, JSON.stringify(view));
}

/** The keys in that order; none where nothing was listed, or this one is not among it. */
export function orderWith(list, key) {
  const kept = JSON.parse(sessionStorage.getItem(name(list)) ?? "[]");
  return kept.includes(key) ? kept : [];
}
