// Small settings of this browser. Where storage is blocked they last as long as the page.

const page = new Map();

export function recall(name) {
  try {
    return localStorage.getItem(name) ?? page.get(name) ?? null;
  } catch {
    return page.get(name) ?? null;
  }
}

export function remember(name, value) {
  page.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    /* kept in `page` */
  }
}
