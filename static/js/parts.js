// Answers of the server as parts of a page.

/** The elements of an answer. */
export function partsOf(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Put the parts that say so in the place of the elements with their ids; what was open stays open. */
export function place(parts) {
  for (const part of parts.querySelectorAll("[hx-swap-oob]")) {
    part.removeAttribute("hx-swap-oob");
    const before = document.getElementById(part.id);
    if (before?.open) part.open = true;
    before?.replaceWith(part);
  }
}
