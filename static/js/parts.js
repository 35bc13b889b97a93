// Answers of the server as parts of a page.

/** The elements of an answer. */
export function partsOf(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Put the parts that say so in the place of the elements with their ids. */
export function place(parts) {
  for (const part of parts.querySelectorAll("[hx-swap-oob]")) {
    part.removeAttribute("hx-swap-oob");
    document.getElementById(part.id)?.replaceWith(part);
    htmx.process(part);
  }
}
