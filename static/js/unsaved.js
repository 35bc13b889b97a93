// A page of several forms: what is not saved yet is marked, and asked about before it is lost.

const page = document.querySelector("[data-unsaved]");
const forms = [...page.querySelectorAll("form[data-section]")];
let isLeaving = false;

function isChanged(field) {
  if (field.options) return [...field.options].some((each) => each.selected !== each.defaultSelected);
  if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

// a form that was refused came back with values that were never saved
const isUnsaved = (form) =>
  form.querySelector("[aria-invalid=true]") !== null ||
  [...form.querySelectorAll("input, select, textarea")].some(isChanged);

function show(form) {
  form.querySelector("[data-not-saved]").hidden = !isUnsaved(form);
}

page.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-section]");
  if (form) show(form);
});

page.addEventListener("submit", (event) => {
  const others = forms.filter((form) => form !== event.target && isUnsaved(form));
  const sections = others.map((form) => form.dataset.section).join(", ");
  isLeaving = others.length === 0 || confirm(page.dataset.unsaved.replace("{sections}", sections));
  if (!isLeaving) event.preventDefault();
});

addEventListener("beforeunload", (event) => {
  if (!isLeaving && forms.some(isUnsaved)) event.preventDefault();
});

// a browser keeps what was typed when one comes back to the page
addEventListener("pageshow", () => {
  isLeaving = false;
  forms.forEach(show);
});
