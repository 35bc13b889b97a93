// Figures that are replaced by newer ones keep what was opened.

let open = [];

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  open = [...detail.target.querySelectorAll("details[open][id]")].map(({ id }) => id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
});
